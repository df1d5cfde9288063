"""Reads the facts about lessons from their gemm.cu. No other module does.

  facts.py   facts of a gemm.cu (types, knobs, header) and of all lessons
  edits.py   the notation for edits of a source, and for files of named edits
  arrays.py  constants and shared arrays, as far as the source shows them
  needs.py   which builds can have a lesson that needs one architecture
  copies.py  the edited copies that the build makes: variants, faults, exercises
  functions.py  a gemm.cu by function, and the diff of two by function
  limits.py  what a gemm.cu asks of a card, and whether its static_asserts hold
  code.py    a source without its comments, and its hash

  >>> from ladder.lessons import apply, code_hash, every, facts_of, find, parse_edits, parse_table
  >>> facts = find("02_coalesced")                  # or facts_of(path), of any gemm.cu
  >>> facts.number, facts.input, facts.knobs["BM"], facts.predecessor, facts.needs, facts.suite
  ('02', 'float', '16', '01_shared_tile', '', '')
  >>> edited = apply(facts.text, parse_edits("BM=8\\n- p.lda\\n+ p.K"))   # EditError: matches 2 times ...
  >>> for each in parse_table(path.read_text(), "bugs.txt"):              # a file of named edits
  ...     for number in each.numbers([facts.number for facts in every()]):
  ...         each.name, each.what, each.edits
  >>> code_hash(facts.text)                         # as results state it
"""
from ladder.lessons.code import code_hash, without_comments
from ladder.lessons.edits import Edit, EditError, Named, apply, parse_edits, parse_table
from ladder.lessons.facts import ROOT, Facts, every, facts_of, find

__all__ = ["Edit", "EditError", "Facts", "Named", "ROOT", "apply", "code_hash", "every", "facts_of", "find",
           "parse_edits", "parse_table", "without_comments"]

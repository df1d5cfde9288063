"""What docs/generate is made of. Each module depends only on those before it, and on the package ladder:
schema      what the files of docs/results hold
results     reads docs/results; numbers, links and tables as text
terms       links to the glossary
tables      parts of READMEs and docs/contribute/measuring.md, from the speed runs
background  parts of the background pages
strides     what row strides do to the L1 cache in 00 and 01
profile     "before and after" of a lesson, from one Nsight Compute run
charts      axes, lines, bars and labels
plots       docs/pictures: share.svg, speed.svg, roofline.svg, and their descriptions
pages       finds the marked parts of all pages, and fills them
answers     the answers of the exercises, from runs
primer      the pictures of docs/learn/gpu_in_ten_minutes.md
"""

"""The modules of docs/generate. Each depends only on those before it and on the package ladder:
schema      checks the content of the files in docs/results
results     reads docs/results; formats numbers, links and tables
terms       links terms to the glossary
tables      parts of READMEs and docs/contribute/measuring.md, from the speed runs
background  parts of the background pages
strides     the effect of row strides on the L1 cache in lessons 00 and 01
profile     a lesson's "before and after", from one Nsight Compute run
charts      axes, lines, bars and labels
errors      accuracy tables and accuracy.svg
plots       docs/pictures: share.svg, speed.svg, roofline.svg and others, with descriptions
pages       finds and fills the marked parts of all pages
answers     the answers of the exercises, from runs
primer      the pictures of docs/learn/gpu_in_ten_minutes.md
"""

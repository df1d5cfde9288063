"""What docs/generate is made of. Each module depends only on those before it:
results     reads docs/results; numbers and tables as text
tables      parts of READMEs and docs/contribute/measuring.md, from the speed runs
background  parts of the background pages
strides     what row strides do to the L1 cache in 00 and 01
profile     "before and after" of a lesson, from one Nsight Compute run
svg         axes, lines, bars and labels
plots       docs/pictures: share.svg, speed.svg, roofline.svg, and their descriptions
pages       finds the marked parts of all pages, and fills them
"""

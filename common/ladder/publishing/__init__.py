"""What ./ladder site makes of the Markdown, the sources, the results and runs: pages for a browser.

tree.py       which pages there are, and where a link of one leads
markdown.py   a page of Markdown as HTML, in sections
drawings.py   pictures of docs/pictures inside of a page, in its colours
changes.py    the diff to the lesson before, side by side; its sentences are those of ./ladder diff, too
counts.py     the source with what a run asks of memory; what Nsight Compute counted beside it
speed.py      the chart of speeds
site.py       all of it put into the templates of common/web/pages
"""

"""./ladder site: turns Markdown, sources, results and runs into pages for a browser.

tree.py          lists the pages and resolves their links
markdown.py      renders Markdown as HTML, in sections
drawings.py      embeds pictures of docs/pictures in a page, in its colours
changes.py       shows the diff from the lesson before side by side, with the same sentences as ./ladder diff
counts.py        shows the source with the memory traffic of a run, and the counts of Nsight Compute
instructions.py  reads the PTX and SASS of each line
speed.py         draws the chart of speeds
site.py          puts everything into the templates of common/web/pages
"""

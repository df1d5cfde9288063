"""Plants bugs in copies of a lesson's gemm.cu, one at a time, and judges them by the lesson's tests.

tokens     gemm.cu as tokens and statements
operators  every mutant of a source: edits that are made from its tokens
assumed    which mutants are taken for no bugs, and why
planted    bugs that are planted by hand: tests/lessons/planted.txt
programs   how an edited source becomes a test program on the CPU backend, and how that runs
judge      runs the tests, the quickest first, until one of them rejects the bug
"""

"""Plants bugs in copies of a lesson's gemm.cu, one at a time, and judges them by the lesson's tests.

tokens     splits a gemm.cu into tokens and statements
operators  makes all mutants of a source from its tokens
assumed    lists mutants that are assumed to be harmless, and why
planted    reads the hand-written bugs of tests/lessons/planted.txt
programs   makes and runs the test program of an edited source
judge      runs the tests, the quickest first, until one of them rejects the bug
"""

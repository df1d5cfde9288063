"""Mutants of a lesson: one edit at one place of its gemm.cu, made from its tokens and judged by its tests.

tokens     gemm.cu as tokens and statements
operators  every mutant of a source, in a fixed order
programs   how a mutant becomes a test program on the CPU backend, and how that runs
judge      judges mutants by those programs
kept       verdicts that are kept from one run to the next
survivors  which survivors are known, and why (tests/lessons/variants/survivors.json)
report     docs/results/mutation.json and mutation.md
"""

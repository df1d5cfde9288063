"""Mutants of a lesson: one edit at one place of its gemm.cu, made from its tokens and judged by its tests.

tokens     gemm.cu as tokens and statements
operators  every mutant of a source, in a fixed order
judge      builds and tests a mutant on the CPU backend
survivors  which survivors are known, and why (tests/variants/survivors.json)
report     docs/results/mutation.json and mutation.md
"""

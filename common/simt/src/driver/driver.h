// simtcc, the compiler driver: nvcc's command line, for programs that run on the CPU.
//
//   options.h    the command line
//   toolchain.h  the host compiler, the folders of this installation, processes
//   flags.h      how a kernel is compiled
//   build.h      the steps: preprocess, rewrite, compile, link
#pragma once

// Guards a call of gemm() on the host, which must neither end the program nor run forever.
#pragma once
#include <functional>
#include <string>

// While an object of this class exists, the program is in gemm(). Meanwhile, these are faults: a call of exit(),
// _exit(), _Exit() or quick_exit(); host code that computes for seconds without a launch; endless launches.
// A fault is reported through report_fault and ends the program.
class GemmCall {
 public:
  GemmCall();
  ~GemmCall();
  GemmCall(const GemmCall&) = delete;
  GemmCall& operator=(const GemmCall&) = delete;
};

// Reports a fault before the program ends with kDevice. By default, the text is a line on stderr. If this function is
// set, a call of exit() outside of gemm() is a fault, too; only syscall() still ends the program silently.
extern std::function<void(const std::string& text)> report_fault;

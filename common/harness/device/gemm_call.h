// A call of gemm() on the host, which must neither end the program nor go on for ever.
#pragma once
#include <functional>
#include <string>

// While there is one, the program is in gemm(). exit(), _exit(), _Exit() and quick_exit(), and a host that computes
// for seconds and launches nothing, or launches without end, then end the program as tell_fault() has it.
class GemmCall {
 public:
  GemmCall();
  ~GemmCall();
  GemmCall(const GemmCall&) = delete;
  GemmCall& operator=(const GemmCall&) = delete;
};

// What is told of such an end before the program ends with kDevice: a line on stderr. Where this is set, nothing but
// syscall() ends the program otherwise.
extern std::function<void(const std::string& text)> tell_fault;

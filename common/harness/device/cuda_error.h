// The two ways in which a program can fail before there is a result, and their exit codes.
#pragma once
#include <stdexcept>
#include <string>

// A bad argument: one line on stderr, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// No device, not enough memory, a failed CUDA call or launch: one line on stderr, exit code 3.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The CPU backend refused a launch and has said why, at its line. A program adds nothing to that.
struct LaunchRefused : DeviceError {
  using DeviceError::DeviceError;
};

// What to say of a std::bad_alloc: that memory is short, and the limit of the process if it has one.
std::string host_memory_error();

enum ExitCode { kRight = 0, kWrong = 1, kUsage = 2, kDevice = 3 };

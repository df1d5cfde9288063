// The two ways in which a program can fail before it has a result, and their exit codes.
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

// The CPU backend refused a launch and has already printed the reason and the line. The program prints nothing more.
struct LaunchRefused : DeviceError {
  using DeviceError::DeviceError;
};

// The message for a std::bad_alloc: not enough memory, and the process's limit if it has one.
std::string host_memory_error();

enum ExitCode { kRight = 0, kWrong = 1, kUsage = 2, kDevice = 3 };

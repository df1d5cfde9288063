// What a planted mistake must be told as.
#pragma once
#include <cuda_runtime.h>

#include <string>

#include "simt/report.h"
#include "simt/testing.h"
#include "tests/catch.h"
#include "tests/error_codes.h"

// The launch has an error of this kind, with the text in its message, at a line of the file of kernels.
template <typename Launch>
void expect_error(Launch launch, simt::ErrorKind kind, const std::string& text,
                  const std::string& file) {
  simt::set_printing(false);
  simt::set_sticky(false);
  launch();
  simt::set_printing(true);
  INFO(text);
  CHECK(cudaGetLastError() == code_of(simt::last_errors()));
  REQUIRE(!simt::last_errors().empty());
  const simt::Error& error = simt::last_errors()[0];
  INFO(error.message);
  CHECK(error.kind == kind);
  CHECK(error.message.find(text) != std::string::npos);
  CHECK(error.message.find(file + ":") != std::string::npos);
}

// simtcc: see kHelp in options.cpp. Exit codes: 1 a file is wrong or cannot be read, 2 the command line is wrong.
#include <cstdio>
#include <exception>

#include "driver/build.h"
#include "driver/options.h"
#include "driver/toolchain.h"

int main(int argc, char** argv) {
  try {
    const simt::Options options = simt::parse_options({argv + 1, argv + argc});
    if (options.help) {
      std::fputs(simt::kHelp, stdout);
      return 0;
    }
    if (options.version) {
      std::printf("simtcc %s\n", SIMT_CONFIG_VERSION);
      return 0;
    }
    return simt::build(options, simt::find_toolchain(options.host_compiler));
  } catch (const simt::UsageError& error) {
    std::fprintf(stderr, "simtcc: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

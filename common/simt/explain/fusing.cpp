// How wide nvcc reads the shared arrays of the kernel in this program.
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "common/simt/explain/explain.h"

namespace explain {

extern const char* const kSource;  // the path of the kernel's source
extern const char* const kFusionTable;  // docs/results/fusion.csv

namespace {

// FNV-1a of the file without comments (//) and blanks in hex, as common/measure/counters/fusion.py has it.
std::string hash_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  uint64_t value = 0xcbf29ce484222325u;
  for (std::string line; std::getline(file, line);) {
    for (const char c : line.substr(0, line.find("//"))) {
      if (std::isspace((unsigned char)c) == 0) {
        value = (value ^ uint8_t(c)) * 0x100000001b3u;
      }
    }
  }
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
  return text;
}

// Sets the widths of the rows whose column has this value, and returns how many there are.
int follow(int column, const std::string& value) {
  std::istringstream table(kFusionTable);
  int rows = 0;
  for (std::string line; std::getline(table, line);) {
    std::string fields[4];  // lesson, source, array, bytes
    std::istringstream words(line);
    for (std::string& field : fields) {
      std::getline(words, field, ',');
    }
    if (fields[column] == value) {
      simt::set_fusion(fields[2], unsigned(std::stoul(fields[3])));
      ++rows;
    }
  }
  return rows;
}

}  // namespace

std::string follow_nvcc(const std::string& lesson) {
  if (follow(1, hash_of(kSource)) != 0 || follow(0, lesson) == 0) {
    return "";
  }
  return "Edited source: the fused figures assume nvcc's widths for the unedited " + lesson + ".";
}

}  // namespace explain

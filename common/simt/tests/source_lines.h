// Finds lines of a kernel file by the comments that mark them.
#pragma once
#include <fstream>
#include <stdexcept>
#include <string>

// The line of file that ends in "// mark", from 1. Throws if there is none, or more than one.
inline int marked_line(const std::string& file, const std::string& mark) {
  std::ifstream in(file);
  const std::string wanted = "// " + mark;
  std::string text;
  int found = 0;
  for (int line = 1; std::getline(in, text); ++line) {
    if (text.size() >= wanted.size() &&
        text.compare(text.size() - wanted.size(), wanted.size(), wanted) == 0) {
      if (found != 0) {
        throw std::runtime_error(file + " has two lines marked " + mark);
      }
      found = line;
    }
  }
  if (found == 0) {
    throw std::runtime_error(file + " has no line marked " + mark);
  }
  return found;
}

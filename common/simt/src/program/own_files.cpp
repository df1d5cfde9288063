// Tells the backend's source files from those of users, wherever both lie.
#include <cstring>
#include <string>
#include <vector>

#include "program/symbols.h"
#include "simt/api/qualifiers.h"

// The linker's names for the ends of the section: strings of all objects, with zeros between them.
extern "C" __attribute__((visibility("hidden"))) const char __start_simt_headers[];
extern "C" __attribute__((visibility("hidden"))) const char __stop_simt_headers[];

namespace simt {
namespace {

// Returns the folder of a file that is called `name` in that folder.
std::string folder_of(const std::string& file, const char* name) {
  return file.substr(0, file.size() - std::strlen(name));
}

std::vector<std::string> own_folders() {
  std::vector<std::string> folders;
  const auto add = [&folders](std::string folder) {
    // ccache makes paths relative to the build, as in "../include/". Nearly every file is in a folder such as "./" or "".
    while (folder.rfind("./", 0) == 0 || folder.rfind("../", 0) == 0) {
      folder.erase(0, folder.find('/') + 1);
    }
    if (folder.find_first_not_of('/') == folder.npos) return;
    if (folders.empty() || folder != folders.back()) folders.push_back(folder);
  };
  add(folder_of(__FILE__, "program/own_files.cpp"));
  for (const char* at = __start_simt_headers; at < __stop_simt_headers; ++at) {
    if (*at == '\0') continue;
    add(folder_of(at, "simt/api/qualifiers.h"));
    at += std::strlen(at);
  }
  return folders;
}

}  // namespace

bool is_own_file(const std::string& file) {
  static const std::vector<std::string> folders = own_folders();
  for (const std::string& folder : folders) {
    // A relative path begins at the folder that the compiler ran in, which addr2line puts before it.
    if (folder[0] == '/' ? file.rfind(folder, 0) == 0 : file.find('/' + folder) != file.npos) {
      return true;
    }
  }
  return false;
}

}  // namespace simt

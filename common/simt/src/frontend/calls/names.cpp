#include "frontend/calls/names.h"

#include <set>

#include "frontend/text/pattern.h"

namespace simt {

bool is_callable_from_kernels(const std::string& name) {
  static const std::set<std::string> names = {"cudaGridDependencySynchronize",
                                              "cudaTriggerProgrammaticLaunchCompletion", "min",
                                              "max", "abs"};
  return names.count(name) != 0;
}

bool is_host_only(const std::string& name) {
  static const Pattern cuda("cuda[A-Z]\\w*|cublas[A-Z]\\w*|cu(?!Complex)[A-Z][a-z]+[A-Z]\\w*");
  static const std::set<std::string> names = {
      "rand",   "srand",  "exit",   "fprintf", "puts",  "putchar", "scanf",   "fopen",  "fclose",
      "fflush", "getenv", "usleep", "sleep",   "fputs", "system",  "sprintf", "strlen", "strcmp",
      "strcpy", "strcat", "atoi",   "atof",    "qsort", "time",    "perror"};
  return names.count(name) != 0 || cuda.matches(name);
}

bool is_std_for_kernels(const std::string& name) {
  static const Pattern form(
      "is_\\w+|\\w+_t|\\w+_sequence|\\w+_constant|true_type|false_type|declval|move|forward|"
      "initializer_list|printf|abort|mem(cpy|set|move)|malloc|free|byte|"
      "(a?(sin|cos|tan)h?|atan2|sqrt|cbrt|r?int|exp2?|expm1|log(10|2|b|1p)?|pow|fabs|abs|ceil|"
      "floor|trunc|l?l?round|l?l?rint|nearbyint|f(ma|min|max|mod|dim)|hypot|remainder|remquo|modf|"
      "frexp|ldexp|scalbl?n|copysign|nextafter|erfc?|[tl]gamma|isnan|isinf|isfinite|isnormal|"
      "signbit|isgreater(equal)?|isless(equal)?|islessgreater|isunordered)[fl]?");
  return form.matches(name);
}

bool is_host_object(const std::string& name) {
  static const std::set<std::string> names = {
      "cout",     "cerr",         "clog",          "endl",          "cin",   "vector", "string",
      "map",      "set",          "unordered_map", "unordered_set", "list",  "deque",  "thread",
      "mutex",    "unique_ptr",   "shared_ptr",    "function",      "queue", "chrono", "ostream",
      "ofstream", "stringstream", "ostringstream", "to_string"};
  return names.count(name) != 0;
}

bool is_device_only(const std::string& name) {
  static const Pattern form(
      "__sync(threads|warp)\\w*|__shfl_\\w+|__(any|all|ballot|match_any|match_all|reduce_\\w+)_"
      "sync|__activemask|"
      "__nanosleep|clock64|atomic(Add|Sub|Min|Max|Exch|CAS|And|Or|Xor|Inc|Dec)(_block|_system)?");
  return form.matches(name);
}

bool is_algorithm(const std::string& name) {
  static const std::set<std::string> names = {
      "sort",     "swap", "fill",      "copy",       "accumulate", "reverse", "transform",
      "for_each", "iota", "make_pair", "make_tuple", "to_string",  "clamp"};
  return names.count(name) != 0;
}

bool is_constexpr_algorithm(const std::string& name) {
  static const std::set<std::string> names = {"swap", "make_pair", "make_tuple", "clamp"};
  return names.count(name) != 0;
}

}  // namespace simt

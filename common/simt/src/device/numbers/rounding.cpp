#include "simt/api/rounding.h"

#include <cfenv>
#include <cmath>

namespace simt {
namespace {

int number_of(Rounding mode) {
  switch (mode) {
    case Rounding::Down:
      return FE_DOWNWARD;
    case Rounding::Up:
      return FE_UPWARD;
    case Rounding::Zero:
      return FE_TOWARDZERO;
    default:
      return FE_TONEAREST;
  }
}

// volatile keeps the compiler from moving the arithmetic across fesetround().
template <typename T>
T compute_as(Arithmetic what, Rounding mode, T a, T b, T c) {
  volatile T x = a, y = b, z = c, result = 0;
  std::fesetround(number_of(mode));
  switch (what) {
    case Arithmetic::Add:
      result = x + y;
      break;
    case Arithmetic::Subtract:
      result = x - y;
      break;
    case Arithmetic::Multiply:
      result = x * y;
      break;
    case Arithmetic::Divide:
      result = x / y;
      break;
    case Arithmetic::Root:
      result = std::sqrt(x);
      break;
    case Arithmetic::Fma:
      result = std::fma(x, y, z);
      break;
  }
  std::fesetround(FE_TONEAREST);
  return result;
}

}  // namespace

float compute(Arithmetic what, Rounding mode, float a, float b, float c) {
  return compute_as(what, mode, a, b, c);
}

double compute(Arithmetic what, Rounding mode, double a, double b, double c) {
  return compute_as(what, mode, a, b, c);
}

}  // namespace simt

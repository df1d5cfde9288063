// Inverses of the normal distribution and of the error function; modified Bessel functions of the first kind.
#include <cmath>
#include <limits>

namespace simt {

double normal_quantile(double p);
double scaled_erfc(double x);
double erf_inverse(double x);
double erfc_inverse(double x);
double bessel_i(int order, double x);

namespace {

constexpr double kRootOfTwo = 1.41421356237309504880;
constexpr double kRootOfPi = 1.77245385090551602730;

// Returns x > 0 with erfc(x) = q, for q <= 1, by Newton's method on log(erfc(x) / q). The logarithm makes it converge
// from a rough start also where q is tiny.
double positive_erfc_inverse(double q) {
  double x = q > 0.1 ? (1 - q) * kRootOfPi / 2 : std::sqrt(-std::log(q * std::sqrt(-std::log(q))));
  for (int step = 0; step < 60; ++step) {
    // f = log(erfc(x) / q) has the slope -2 / (sqrt(pi) * erfcx(x)).
    const double scaled = scaled_erfc(x);
    const double change = (std::log(scaled) - x * x - std::log(q)) * scaled * kRootOfPi / 2;
    x += change;
    if (std::fabs(change) <= 1e-16 * std::fabs(x)) break;
  }
  return x;
}

}  // namespace

double scaled_erfc(double x) {
  if (x < 20) {
    return std::erfc(x) * std::exp(x * x);
  }
  // Evaluates a continued fraction from its tail.
  double tail = 0;
  for (int k = 60; k > 0; --k) tail = k / 2.0 / (x + tail);
  return 1 / (kRootOfPi * (x + tail));
}

double erfc_inverse(double x) {
  if (!(x >= 0 && x <= 2)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0 || x == 2) return x == 0 ? HUGE_VAL : -HUGE_VAL;
  if (x > 0.5 && x < 1.5) return erf_inverse(1 - x);
  return x <= 0.5 ? positive_erfc_inverse(x) : -positive_erfc_inverse(2 - x);
}

double erf_inverse(double x) {
  const double size = std::fabs(x);
  if (!(size <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (size == 1) return std::copysign(HUGE_VAL, x);
  if (size >= 0.5) return std::copysign(positive_erfc_inverse(1 - size), x);
  double y = x * kRootOfPi / 2;
  for (int step = 0; step < 20; ++step) {
    const double miss = (std::erf(y) - x) * kRootOfPi / 2 * std::exp(y * y);
    y -= miss / (1 + y * miss);
  }
  return y;
}

double normal_quantile(double p) {
  return -kRootOfTwo * erfc_inverse(2 * p);
}

// Sums the power series. All terms are positive, so none cancel.
double bessel_i(int order, double x) {
  const double square = x * x / 4;
  double term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; k < 2000 && std::isfinite(sum) && std::fabs(term) > 1e-17 * std::fabs(sum); ++k) {
    term *= square / (double(k) * (k + order));
    sum += term;
  }
  return sum;
}

}  // namespace simt

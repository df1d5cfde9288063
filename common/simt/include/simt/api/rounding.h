// Arithmetic that is rounded otherwise than to nearest: down, up, to zero.
#pragma once

namespace simt {

enum class Rounding { Nearest, Down, Up, Zero };
enum class Arithmetic { Add, Subtract, Multiply, Divide, Root, Fma };

// Of a and b, for Root of a alone, for Fma a * b + c.
__attribute__((const)) float compute(Arithmetic what, Rounding mode, float a, float b, float c);
__attribute__((const)) double compute(Arithmetic what, Rounding mode, double a, double b, double c);

}  // namespace simt

// Arithmetic with the rounding modes down, up and to zero.
#pragma once

namespace simt {

enum class Rounding { Nearest, Down, Up, Zero };
enum class Arithmetic { Add, Subtract, Multiply, Divide, Root, Fma };

// The operation on a and b. Root takes a alone; Fma is a * b + c.
__attribute__((const)) float compute(Arithmetic what, Rounding mode, float a, float b, float c);
__attribute__((const)) double compute(Arithmetic what, Rounding mode, double a, double b, double c);

}  // namespace simt

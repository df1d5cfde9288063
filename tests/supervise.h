// A test program runs its tests in a process of its own, so that nobody but its runner can say that they have passed.
#pragma once
#include <string>

// How far the tests have come, in memory that the process which judges shares.
struct Progress {
  bool began;  // to run test cases: not to list them
  bool ended;  // all of it, with this status
  bool told;  // the first failure is printed
  int status;
  unsigned cases;  // that have been run
  char test[400];  // the title of the one that is at work
  char problem
      [600];  // its problem, as in "repeat: ./ladder run 02 3 4 5" or "with: M N K = 3 4 5"; may be empty
  char found[600];  // why the process is about to end; mostly empty
};
Progress& progress();

// Writes text into one of them, shortened where it is too long.
template <size_t SIZE>
void note(char (&field)[SIZE], const std::string& text) {
  field[text.copy(field, SIZE - 1)] = '\0';
}

// Ends the process that runs the tests, with their verdict.
[[noreturn]] void end_tests(int status);

// Runs the tests and returns their status: 1 where they have ended in any other way than by returning from run(), or by
// end_tests(), or where none was run. The last line on stdout then says how many were.
int supervised(int (*run)(int argc, char** argv), int argc, char** argv);

// The command that runs a test of this program, quoted for a shell.
std::string command_of_test(const std::string& title);

// A test program runs its tests in a child process. Only the parent reports success, so exit(0) in a test is no success.
#pragma once
#include <string>

// The progress of the tests, in memory that child and parent share.
struct Progress {
  bool began;  // the first test case has started; false if the program lists test cases
  bool ended;  // all tests have ended; status is then valid
  bool failure_printed;
  bool explained;  // the CPU backend has reported an error of the current test case
  char errors[2][400];  // its first messages about that test case, and doubts about launches
  int status;
  unsigned cases;  // test cases that have ended
  char test[400];  // the title of the current test case
  char problem[600];  // "repeat: ./ladder run 02 3 4 5" or "with: M N K = 3 4 5" or empty
  char found[600];  // why the process is about to end, mostly empty
};
Progress& progress();

// Writes text into a field of Progress and cuts it off where it is too long.
template <size_t SIZE>
void note(char (&field)[SIZE], const std::string& text) {
  field[text.copy(field, SIZE - 1)] = '\0';
}

// Ends the process that runs the tests, with their verdict.
[[noreturn]] void end_tests(int status);

// Runs the tests in a child process and returns their status. The status is 1 if the child ended in any way but by
// returning from run() or by end_tests(), or if no test case ran. The last line on stdout has the number of test cases.
int supervised(int (*run)(int argc, char** argv), int argc, char** argv);

// The errors of progress(), a line each.
std::string error_lines();

// The command that runs a test of this program, quoted for a shell.
std::string command_of_test(const std::string& title);

#include "tests/supervise.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace {

void* shared_page() {
  void* const page =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return page != MAP_FAILED ? page : std::calloc(1, sizeof(Progress));
}

// Quotes a word for a shell.
std::string shell_word(const std::string& word) {
  std::string text = "'";
  for (const char c : word) {
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + "'";
}

// Prints why the tests ended early, since they could not do it themselves.
void print_end(int status) {
  const Progress& p = progress();
  std::string found = p.found;
  if (found.empty() && WIFSIGNALED(status)) {
    const char* const name =
        strsignal(WTERMSIG(status));  // NOLINT(concurrency-mt-unsafe): one thread
    found = "the test program died: " + std::string(name != nullptr ? name : "by a signal");
  } else if (found.empty()) {
    found = "the program ended with status " + std::to_string(WEXITSTATUS(status)) +
            " before its tests had ended, as exit() or _Exit() in gemm() would do";
  }
  std::printf("first failure: %s\n%s", p.test, error_lines().c_str());
  if (!p.explained) std::printf("  found: %s\n", found.c_str());
  if (std::strncmp(p.problem, "repeat: ", 8) != 0) {
    if (p.problem[0] != '\0') std::printf("  %s\n", p.problem);
    std::printf("  repeat: %s\n", command_of_test(p.test).c_str());
  } else {
    std::printf("  %s\n", p.problem);
  }
}

// The tests' verdict as an exit status. status is what waitpid() returned for their process.
int judge(int status) {
  const Progress& p = progress();
  if (!p.ended) {
    if (!p.failure_printed) print_end(status);
    std::fflush(stdout);
    if (WIFSIGNALED(status)) {  // end by the same signal, so that the caller sees it, too
      const rlimit none = {0, 0};
      setrlimit(RLIMIT_CORE, &none);
      std::signal(WTERMSIG(status), SIG_DFL);
      std::raise(WTERMSIG(status));
    }
    return 1;
  }
  if (!p.began) return p.status;
  if (p.cases == 0) std::printf("no test case has this name or tag\n");
  std::printf("%u test case%s run\n", p.cases, p.cases == 1 ? "" : "s");
  return std::fflush(stdout) == 0 && p.cases > 0 ? p.status : 1;
}

}  // namespace

Progress& progress() {
  static Progress* const page = static_cast<Progress*>(shared_page());
  return *page;
}

void end_tests(int status) {
  std::fflush(stdout);
  progress().status = status;
  progress().ended = true;
  while (true) syscall(SYS_exit_group, status);  // _Exit() is intercepted: gemm() must not call it
}

int supervised(int (*run)(int argc, char** argv), int argc, char** argv) {
  progress();
  const pid_t judge_id = getpid(), tests = fork();
  if (tests < 0) {
    std::perror("cannot start the tests");
    return 3;
  }
  if (tests == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // end with the parent, which judges the result
    if (getppid() != judge_id) std::_Exit(1);
    end_tests(run(argc, argv));
  }
  int status = 0;
  while (waitpid(tests, &status, 0) < 0) {
  }
  return judge(status);
}

std::string error_lines() {
  std::string lines;
  for (const auto& error : progress().errors) {
    if (error[0] != '\0') lines += "  " + std::string(error) + "\n";
  }
  return lines;
}

std::string command_of_test(const std::string& title) {
  std::string name;
  for (const char c : title) {
    if (std::strchr("\\,\"[]*~", c) != nullptr) name += '\\';  // Catch2's special characters
    name += c;
  }
  std::error_code none;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", none);
  const bool plain = program.find_first_of(" '\"\\$&()<>;|*?") == std::string::npos;
  return (plain ? program : shell_word(program)) + " " + shell_word(name);
}

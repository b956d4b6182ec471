// random_worlds: tries random scenes, each in its own process with limits on time and memory, so that a crash or a hang
// ends only that trial.
//
//   random_worlds FIRST COUNT STATE    continues where the state file says that an earlier run ended
//   random_worlds --show SEED          prints the scene of a seed
//   random_worlds --try SEED           tries one seed in this process
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "sim/scene/scene.h"
#include "tests/random/trial.h"
#include "tests/support/scratch.h"

namespace {

using namespace vw::test;

constexpr rlim_t most_cpu_s = 60;  // CPU time of one trial, which builds and runs a scene five times
constexpr rlim_t most_bytes = rlim_t{6} << 30U;

/// Runs a trial in a child process and returns its outcome in words.
std::string in_child(std::uint64_t seed, const SceneFiles& files, const std::string& folder) {
  int channel[2];
  if (pipe(channel) != 0) return "wrong no pipe";
  const pid_t child = fork();
  if (child == 0) {
    close(channel[0]);
    const rlimit cpu{most_cpu_s, most_cpu_s}, memory{most_bytes, most_bytes}, core{0, 0};
    setrlimit(RLIMIT_CPU, &cpu), setrlimit(RLIMIT_AS, &memory), setrlimit(RLIMIT_CORE, &core);
    const Trial trial = try_seed(seed, files, folder);
    const std::string text = std::string(outcome_name(trial.outcome)) + " " + trial.sentence;
    const bool sent = write(channel[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(sent ? 0 : 1);
  }
  close(channel[1]);
  std::string text;
  char block[4096];
  for (ssize_t got = 0; (got = read(channel[0], block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(got));
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU || signal == SIGKILL)
      return "hung after " + std::to_string(most_cpu_s) + " s of processor time";
    return std::string("crashed: ") + strsignal(signal);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const Scratch scratch;
  const std::string& folder = scratch.folder();
  const SceneFiles files = write_scene_files(folder);
  if (argc == 3 && std::strcmp(argv[1], "--show") == 0) {
    std::fputs(vw::write_scene_toml(mended_scene(std::strtoull(argv[2], nullptr, 10), files)).c_str(), stdout);
    return 0;
  }
  if (argc == 3 && std::strcmp(argv[1], "--try") == 0) {
    const Trial trial = try_seed(std::strtoull(argv[2], nullptr, 10), files, folder);
    std::printf("%s %s\n", outcome_name(trial.outcome), trial.sentence.c_str());
    return trial.outcome == Outcome::wrong ? 1 : 0;
  }
  if (argc != 4) {
    std::fputs("usage: random_worlds FIRST COUNT STATE | --show SEED | --try SEED\n", stderr);
    return 2;
  }
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10), end = first + std::strtoull(argv[2], nullptr, 10);
  std::uint64_t next = first;
  if (std::ifstream before(argv[3]); before) {  // lines of the form "SEED OUTCOME SENTENCE"
    for (std::string line; std::getline(before, line);)
      next = std::max<std::uint64_t>(next, std::strtoull(line.c_str(), nullptr, 10) + 1);
  }
  std::ofstream state(argv[3], std::ios::app);
  bool good = true;
  for (std::uint64_t seed = next; seed < end; ++seed) {
    std::string line = in_child(seed, files, folder);
    for (char& c : line)
      if (c == '\n') c = ' ';
    state << seed << ' ' << line << std::endl;
    if (line.starts_with("ran") || line.starts_with("stopped") || line.starts_with("refused")) continue;
    good = false;
    std::printf("seed %llu %s\n", static_cast<unsigned long long>(seed), line.c_str());
    std::fflush(stdout);
  }
  return good ? 0 : 1;
}

// Kills the program at random moments, and runs it with many limits of the file size, like disks that are nearly full.
// Afterwards, the result file must be valid: either the old file or a complete new file. $VOXWAKE_KILLS is the number
// of kills for each kind of result (by default a few). $VOXWAKE_KILL_SEED selects another series of random moments.
// tools/kills.sh runs a thousand kills (docs/soaks.md).
#include <poll.h>
#include <sys/inotify.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <limits>
#include <random>
#include <thread>

#include "sim/api/run.h"
#include "sim/scene/scene.h"
#include "tests/app/capture_video.h"
#include "tests/app/cli/program.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// Result that the file holds after the program was killed.
enum class Found { old_one, new_one };

class CliKills : public CliTest {
 protected:
  using Command = std::vector<std::string>;
  /// Tells whether the result file holds the old or a new result. Returns an error if it holds neither.
  using Judge = std::function<Result<Found>()>;

  /// Kills the command repeatedly while it writes `result`. Before each kill, the old file is restored. Half of the
  /// kills come at random times, uniform over the duration of the run. The others follow a change in the folder of the
  /// result, so that many of them fall between two system calls of one write.
  void kill_often(const Command& command, const std::string& result, const Judge& judge) {
    const auto begun = std::chrono::steady_clock::now();
    const Watched whole = kill_after_event(command, std::numeric_limits<int>::max(), 0);
    const double run_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    ASSERT_TRUE(whole.ended);
    ASSERT_GT(whole.events, 0);
    const std::string old = slurp(path("old"));
    const int kills = number_from("VOXWAKE_KILLS", 2);
    std::mt19937_64 random(static_cast<std::uint64_t>(number_from("VOXWAKE_KILL_SEED", 1)));
    int in_time = 0, news = 0, parts = 0;
    for (int i = 0; i < kills; ++i) {
      write("out/" + result, old);
      const double at_s = std::uniform_real_distribution(0.0, run_s)(random);
      const int event = std::uniform_int_distribution(1, whole.events)(random),
                delay_us = std::uniform_int_distribution(0, 400)(random);
      const bool ended = i % 2 == 0 ? kill_at(command, at_s) : kill_after_event(command, event, delay_us).ended;
      in_time += ended ? 0 : 1;
      const auto found = judge();
      ASSERT_TRUE(found) << "kill " << i << ": " << found.error().message();
      news += *found == Found::new_one ? 1 : 0;
      for (const auto& entry : fs::directory_iterator(path("out"))) {
        if (entry.path().filename() == result) continue;
        ++parts;
        fs::remove_all(entry.path());
      }
    }
    RecordProperty("kills", kills);
    std::printf("%s: %d kills, %d before the program had ended, old %d, new %d, temporary files left %d\n",
                result.c_str(), kills, in_time, kills - news, news, parts);
  }

  /// Runs the command with `sizes` different limits of the file size, like a full disk, up to the size of the whole
  /// result. The command must fail with one error message, and the file must hold either the old or a valid new result.
  void fill_often(const Command& command, const std::string& result, const Judge& judge, bool keeps_old) {
    ASSERT_EQ(run(command).code, 0);
    const auto size = fs::file_size(path("out/" + result));
    const std::string old = slurp(path("old"));
    const int sizes = std::max(3, number_from("VOXWAKE_KILLS", 2) / 2);
    for (int i = 0; i < sizes; ++i) {
      write("out/" + result, old);
      const rlim_t limit = 1 + (size - 2) * static_cast<std::uintmax_t>(i) / static_cast<std::uintmax_t>(sizes - 1);
      const auto full = wait_for(start(command, "/dev/null", limit));
      EXPECT_EQ(full.code, 2) << limit << " of " << size << " bytes: " << full.err;
      const auto found = judge();
      ASSERT_TRUE(found) << limit << " of " << size << " bytes: " << found.error().message();
      EXPECT_TRUE(!keeps_old || slurp(path("out/" + result)) == old);
      for (const auto& entry : fs::directory_iterator(path("out")))
        EXPECT_EQ(entry.path().filename(), result) << "left behind";
    }
    std::printf("%s: full at %d of %ju sizes\n", result.c_str(), sizes, static_cast<std::uintmax_t>(size));
  }

  void SetUp() override {
    CliTest::SetUp();
    fs::create_directory(path("out"));
  }
  /// Runs the command completely once and keeps its `result` as the old file.
  void make_old(const Command& command, const std::string& result) {
    const auto made = run(command);
    ASSERT_EQ(made.code, 0) << made.err;
    fs::copy_file(path("out/" + result), path("old"));
  }
  [[nodiscard]] bool is_old(const std::string& result) const {
    return slurp(path("out/" + result)) == slurp(path("old"));
  }

 private:
  /// Kills the child process and waits for it. Returns true if the program had already ended by itself.
  [[nodiscard]] static bool end(pid_t child) {
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status);
  }
  [[nodiscard]] bool kill_at(const Command& command, double after_s) const {
    const pid_t child = start(command);
    std::this_thread::sleep_for(std::chrono::duration<double>(after_s));
    return end(child);
  }
  /// Outcome of a watched run: whether the program ended before the kill, and the number of changes in the result's
  /// folder.
  struct Watched {
    bool ended = false;
    int events = 0;
  };
  /// Kills the program `delay_us` after the `count`-th change in the folder of the result, unless the program ends
  /// before.
  [[nodiscard]] Watched kill_after_event(const Command& command, int count, int delay_us) const {
    const int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    EXPECT_GE(inotify_add_watch(watch, path("out").c_str(),
                                IN_CREATE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB),
              0);
    const pid_t child = start(command);
    alignas(inotify_event) std::array<char, 4096> buffer{};
    bool running = true;
    int seen = 0;
    while (seen < count && running) {
      pollfd wait{watch, POLLIN, 0};
      poll(&wait, 1, 20);
      // The state of the child is read before its events. Otherwise the events of a child that ends in between would be
      // lost.
      siginfo_t state{};
      running = waitid(P_PID, static_cast<id_t>(child), &state, WEXITED | WNOHANG | WNOWAIT) == 0 && state.si_pid == 0;
      ssize_t bytes = 0;
      while ((bytes = read(watch, buffer.data(), buffer.size())) > 0)
        for (ssize_t at = 0; at < bytes; ++seen)
          at += static_cast<ssize_t>(sizeof(inotify_event) +
                                     reinterpret_cast<const inotify_event*>(buffer.data() + at)->len);
    }
    close(watch);
    if (delay_us > 0) std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
    return {end(child), seen};
  }
};

TEST_F(CliKills, ACheckpointIsTheOldOneOrTheNewOne) {
  const Command save{"run", "--resume", "start.state", "--steps", "2", "--save", "out/c.state"};
  ASSERT_EQ(run({"run", "small.toml", "--steps", "1", "--save", "start.state"}).code, 0);
  make_old({"run", "small.toml", "--steps", "5", "--save", "out/c.state"}, "c.state");
  const auto judge = [&]() -> Result<Found> {
    if (is_old("c.state")) return Found::old_one;
    auto saved = api::open_checkpoint(path("out/c.state"));
    if (!saved) return Unexpected(saved.error());
    const auto resumed = api::Run::resume(std::move(*saved));
    if (!resumed) return Unexpected(resumed.error());
    return Found::new_one;
  };
  kill_often(save, "c.state", judge);
  fill_often(save, "c.state", judge, true);
}

TEST_F(CliKills, AJournalIsTheOldOneOrReplaysAsFarAsItGoes) {
  const Command keep{"run", "small.toml", "--steps", "400", "--journal", "out/s.journal"};
  make_old({"run", "small.toml", "--steps", "3", "--journal", "out/s.journal"}, "s.journal");
  const auto judge = [&]() -> Result<Found> {
    if (is_old("s.journal")) return Found::old_one;
    const auto journal = read_journal(path("out/s.journal"));
    if (!journal) return Unexpected(journal.error());
    auto scene = read_scene_toml(journal->scene_text, "s.journal");
    if (!scene) return Unexpected(scene.error());
    auto run = api::Run::create({"s.journal", std::move(scene->root), journal->scene_text, {}});
    if (!run) return Unexpected(run.error());
    if (const auto outcome = run->replay(*journal); !outcome) return Unexpected(outcome.error());
    return Found::new_one;
  };
  kill_often(keep, "s.journal", judge);
  fill_often(keep, "s.journal", judge, false);
}

TEST_F(CliKills, ASceneIsTheOldOneOrTheNewOne) {
  write("block.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  const Command import{"import",     "block.obj", "--into",       "small.toml", "--out",
                       "out/s.toml", "--voxels",  "--voxel-size", "0.05"};
  make_old({"import", "block.obj", "--out", "out/s.toml"}, "s.toml");
  const auto judge = [&]() -> Result<Found> {
    if (is_old("s.toml")) return Found::old_one;
    const auto scene = load_scene(path("out/s.toml"));
    if (!scene) return Unexpected(scene.error());
    return Found::new_one;
  };
  kill_often(import, "s.toml", judge);
  fill_often(import, "s.toml", judge, true);
}

TEST_F(CliKills, ATableIsTheOldOneOrBeginsWithItsHeader) {
  const Command sample{"run", "small.toml", "--until", "0.2", "--every", "0.01", "--export", "out/t.csv"};
  make_old({"run", "small.toml", "--steps", "1", "--totals", "out/t.csv"}, "t.csv");
  const auto judge = [&]() -> Result<Found> {
    if (is_old("t.csv")) return Found::old_one;
    if (slurp(path("out/t.csv")).starts_with("time,system,index,x,y,z")) return Found::new_one;
    return fail("the table has no header");
  };
  kill_often(sample, "t.csv", judge);
  fill_often(sample, "t.csv", judge, false);
}

#ifdef VOXWAKE_HAVE_FFMPEG
TEST_F(CliKills, AVideoIsTheOldOneOrPlays) {
  av_log_set_level(AV_LOG_QUIET);  // hides the decoder's messages about the fragment that the kill truncated
  const Command film{"render", "small.toml", "--software", "--size", "64x48", "--until", "0.6", "--video", "out/v.mp4"};
  make_old({"render", "small.toml", "--software", "--size", "32x32", "--until", "0.05", "--video", "out/v.mp4"},
           "v.mp4");
  const auto judge = [&]() -> Result<Found> {
    if (is_old("v.mp4")) return Found::old_one;
    if (!read_video(path("out/v.mp4")).times_s.empty()) return Found::new_one;
    return fail("the video has no picture");
  };
  kill_often(film, "v.mp4", judge);
  fill_often(film, "v.mp4", judge, false);
}
#endif

}  // namespace
}  // namespace vw

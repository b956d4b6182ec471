// Random walks through the history of packaged scenes: play, edit, grab, push, reset, add and remove nodes, go to
// another moment, switch and remove branches, save and open the session. At each visit of a moment, the state must
// equal the state at the first visit.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "sim/base/parallel/parallel.h"
#include "sim/history/run_history.h"
#include "sim/scene/scene.h"
#include "tests/support/checked.h"
#include "tests/support/dice.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"
#include "tests/support/seed_range.h"

namespace vw {
namespace {

/// Sets the number of threads until the end of the scope.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) : before_(thread_count()) { set_thread_count(threads); }
  ~ThreadCount() { set_thread_count(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

class Walk {
 public:
  Walk(const std::string& scene, std::uint64_t seed, HistoryLimits limits, bool stops_on_the_way = true)
      : stops_on_the_way_(stops_on_the_way),
        scene_(test::packaged_scene(scene)),
        limits_(std::move(limits)),
        session_(std::make_unique<Session>(test::checked(Session::create(scene_, write_scene_toml(scene_))))),
        history_(std::make_unique<RunHistory>(*session_, limits_)),
        dice_(seed) {
    note();
  }

  /// Takes random actions. Returns a description of the first fault, or an empty text if there was none.
  std::string run(int actions) {
    for (int i = 0; i < actions && fault_.empty(); ++i) act();
    // The end of every branch must have the state that it had first.
    std::vector<BranchNumber> branches;
    for (const auto& [number, branch] : history_->tree().branches()) branches.push_back(number);
    for (const BranchNumber number : branches) go(history_->tree().end(number));
    return fault_;
  }
  /// Returns the hash of all hashes, to compare walks on several threads.
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

 private:
  using Key = std::tuple<BranchNumber, std::uint64_t, std::uint64_t>;

  void act() {
    switch (dice_.below(13)) {
      case 0:
      case 1:
      case 2:
      case 3: return play(1 + dice_.below(8));
      case 4: return command(SetParameter{"world.gravity", Vec3(0, -static_cast<double>(dice_.below(20)), 0)});
      case 5: return touch();
      case 6: return dice_.below(3) == 0 ? command(Reset{}) : nodes();
      case 7:
      case 8:
      case 9: return go_anywhere();
      case 10: return go(history_->tree().end(any_branch()));
      case 11: return dice_.below(3) == 0 ? save_and_open() : play(2);
      default: return dice_.below(3) == 0 ? remove() : play(3);
    }
  }
  void play(std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) {
      if (!history_->step()) return;  // a health check stopped the world
      note();
    }
  }
  void command(const Command& command) {
    if (history_->apply(command)) note();
  }
  void touch() {
    World& world = session_->world();
    if (world.system_count() == 0) return;
    const System& system = world.system(dice_.below(world.system_count()));
    if (system.elements().size() == 0) return;
    const auto element = static_cast<std::int64_t>(dice_.below(system.elements().size()));
    if (dice_.below(2) == 0) return command(Push{system.name(), element, Vec3(0, 1e-3, 0), 0.01});
    command(dice_.below(2) == 0 ? Command(Grab{system.name(), element, Vec3(0, 0.5, 0), 5}) : Command(Release{}));
  }
  void nodes() {
    const Node& scene = session_->world().scene();
    const auto colliders = scene.all("collider");
    ChangeNodes change;
    if (dice_.below(2) == 0 && !colliders.empty())
      change.changes.push_back(
          {.kind = NodeChange::Kind::remove, .parent = {}, .node = {"collider", {}, colliders.back()->name, {}, {}}});
    else
      change.changes.push_back(
          {.parent = {}, .node = {"collider", "sphere", "added" + std::to_string(added_++), {}, {}}});
    change.resets = dice_.below(4) == 0;
    command(change);
  }
  BranchNumber any_branch() {
    std::vector<BranchNumber> all;
    for (const auto& [number, branch] : history_->tree().branches()) all.push_back(number);
    return dice_.one_of(all);
  }
  void go_anywhere() {
    const BranchNumber branch = any_branch();
    const std::uint64_t tick = dice_.below(history_->tree().end(branch).tick + 1);
    go({branch, tick, dice_.below(2) == 0 ? 0 : std::numeric_limits<std::uint64_t>::max()});
  }
  void go(const RunMoment& target) {
    history_->wait_until_packed();
    if (auto good = history_->seek(target); !good) return stumble(good.error().message());
    // Some searches are stopped early. The moment that is then reached depends on the keyframes and thus on the speed
    // of the machine.
    const bool stops = dice_.below(6) == 0 && stops_on_the_way_;
    std::size_t left = dice_.below(6);
    while (history_->continue_seek())
      if (stops && left-- == 0) history_->stop_seeking();
    note();
    for (const std::string& message : history_->take_messages()) stumble(message);
  }
  void remove() {
    const BranchNumber branch = any_branch();
    history_->wait_until_packed();
    if (!history_->remove(branch)) return;
    while (history_->continue_seek()) {
    }
    note();
  }
  /// Saves the session, with or without keyframes, and continues with the session of the file.
  void save_and_open() {
    const std::string path = scratch_.path("walk.vwj");
    const RunMoment present = history_->now();
    history_->wait_until_packed();
    const auto saved = history_->saver(path, dice_.below(2) == 0 ? 0 : std::uint64_t{1} << 30)();
    if (!saved) return stumble(saved.error().message());
    SessionContents contents = test::checked(read_session_file(path));
    auto tree = BranchTree::restore(std::move(contents.tree), SceneVersion{scene_, scene_, scene_, {}});
    if (!tree) return stumble(tree.error().message());
    history_.reset();
    session_ = std::make_unique<Session>(test::checked(Session::create(scene_, write_scene_toml(scene_))));
    history_ = std::make_unique<RunHistory>(*session_, limits_,
                                            RestoredHistory{.tree = std::move(*tree),
                                                            .present = contents.present,
                                                            .earlier = std::move(contents.start.journal.entries),
                                                            .display = {},
                                                            .keyframes = std::move(contents.keyframes),
                                                            .file = std::move(contents.file)});
    if (contents.present != present || !contents.is_complete || contents.damaged_bytes > 0)
      stumble("the session has another end than the walk");
    go(present);
  }

  /// Compares the present state with the state at the first visit of this moment.
  void note() {
    const RunMoment now = history_->tree().owned(history_->now());
    const std::uint64_t hash = session_->world().hash();
    sum_ = sum_ * 0x9e3779b97f4a7c15ULL + hash;
    const auto [known, is_new] = hashes_.try_emplace(Key{now.branch, now.tick, now.commands}, hash);
    if (!is_new && known->second != hash)
      stumble("branch " + std::to_string(now.branch) + ", step " + std::to_string(now.tick) + ", command " +
              std::to_string(now.commands) + " has another state than at the first visit");
  }
  void stumble(const std::string& fault) {
    if (fault_.empty()) fault_ = fault;
  }

  const bool stops_on_the_way_;
  const test::Scratch scratch_;
  const Node scene_;
  const HistoryLimits limits_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<RunHistory> history_;
  test::Dice dice_;
  std::map<Key, std::uint64_t> hashes_;
  std::string fault_;
  std::uint64_t sum_ = 0;
  int added_ = 0;
};

class HistoryWalks : public testing::TestWithParam<const char*> {};

TEST_P(HistoryWalks, FindEveryMomentAsItWas) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Walk walk(GetParam(), seed, {});
    EXPECT_EQ(walk.run(30), "") << "seed " << seed;
  }
}

TEST_P(HistoryWalks, FindEveryMomentWithASmallBudget) {
  const test::Scratch scratch;
  Walk walk(GetParam(), 5, {.memory_bytes = 200'000, .file_bytes = 300'000, .spill_folder = scratch.folder()});
  EXPECT_EQ(walk.run(40), "");
}

INSTANTIATE_TEST_SUITE_P(Scenes, HistoryWalks,
                         testing::Values("jelly-drop", "particle-fountain", "windmill", "floating-boxes",
                                         "fish-and-raft", "muscle-swimmer"));

TEST(HistoryWalksOnThreads, HaveTheSameStates) {
  std::vector<std::uint64_t> sums;
  for (const int threads : {1, 2, 8}) {
    const ThreadCount scope(threads);
    Walk walk("fish-and-raft", 9, {}, false);
    EXPECT_EQ(walk.run(30), "");
    sums.push_back(walk.sum());
  }
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0], sums[2]);
}

/// The requirement is 1,000 random walks on six scenes.
TEST(HistoryWalksValidation, AThousandWalksFindEveryMomentAsItWas) {
  const test::Scratch scratch;
  const test::SeedRange seeds = test::seed_range({100, 266});
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed)
    for (const char* scene :
         {"jelly-drop", "particle-fountain", "windmill", "floating-boxes", "fish-and-raft", "muscle-swimmer"}) {
      const std::uint64_t memory = seed % 3 == 0 ? std::uint64_t{8} << 20 : std::uint64_t{1} << 30;
      const ThreadCount scope(seed % 2 == 0 ? 2 : 1);
      Walk walk(scene, seed, {.memory_bytes = memory, .spill_folder = seed % 2 == 0 ? scratch.folder() : ""});
      ASSERT_EQ(walk.run(40), "") << scene << ", seed " << seed;
    }
}

}  // namespace
}  // namespace vw

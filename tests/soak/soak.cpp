// Soak test: runs one scene for minutes of simulated time with random edits, in pieces that can be resumed, and records
// memory, number of elements and health.
//
//   soak SCENE FOLDER --until SECONDS [--piece SECONDS] [--seed N]
//
// FOLDER keeps SCENE.state (the checkpoint) and SCENE.json (progress). Each call runs at most one piece and prints one
// line of progress. Exit status: 0 if the soak is complete and passed, 3 if another piece remains, 1 if a required
// value is out of bounds, 2 for wrong usage. docs/soaks.md explains the counts. tools/soak.sh runs all packaged scenes.
#include <malloc.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/files/file.h"
#include "sim/base/random.h"
#include "sim/scene/scene.h"
#include "sim/world/session.h"

namespace vw {
namespace {

constexpr double edit_every_s = 0.25;  // simulated time between two edits
constexpr double warm_up_share = 0.3;  // fraction of a piece in which buffers grow to their final size
constexpr double memory_every_s = 0.25;
constexpr double picture_every_s = 1.0 / 30;

struct Options {
  std::string scene, folder;
  double until_s = 60, piece_s = 20;
  std::uint64_t seed = 1;
};

/// Values that are carried from one piece to the next.
struct Progress {
  double simulated_s = 0;  ///< simulated time, including the time before resets [s]
  std::uint64_t edits = 0, refused = 0, stops = 0, resets = 0;
  /// Peak memory after a piece's warm-up minus the peak during the warm-up. The value is the largest of any piece.
  double heap_growth_mib = 0, resident_growth_mib = 0;
  /// Growth of the largest number of elements, in the piece with the largest growth of resident memory.
  std::uint64_t elements_gained = 0;
  std::uint64_t fewest_elements = 0, most_elements = 0;
  std::uint64_t not_finite = 0;  ///< number of checks in which a total was not finite
  std::string hash;              ///< state hash at the end of the last piece
  std::string last_stop;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Progress, simulated_s, edits, refused, stops, resets, heap_growth_mib,
                                   resident_growth_mib, elements_gained, fewest_elements, most_elements, not_finite,
                                   hash, last_stop)

struct Memory {
  double heap_mib = 0, resident_mib = 0;
};
Memory memory_now() {
  malloc_trim(0);  // returns free memory to the system, so that the resident size equals the memory in use
  constexpr double mib = 1024.0 * 1024.0;
  const struct mallinfo2 info = mallinfo2();
  std::ifstream statm("/proc/self/statm");
  double pages = 0, resident = 0;
  statm >> pages >> resident;
  return {static_cast<double>(info.uordblks + info.hblkhd) / mib,
          resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / mib};
}

void raise(Memory& peak, const Memory& now) {
  peak.heap_mib = std::max(peak.heap_mib, now.heap_mib);
  peak.resident_mib = std::max(peak.resident_mib, now.resident_mib);
}

std::uint64_t element_count(const World& world) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < world.system_count(); ++i) all += world.system(i).elements().size();
  return all;
}

bool totals_are_finite(const Snapshot& picture) {
  for (const SystemSnapshot& system : picture.systems)
    if (!std::isfinite(system.kinetic_j) || !std::isfinite(system.potential_j) || !std::isfinite(system.elastic_j) ||
        !std::isfinite(system.mass_kg) || !system.momentum.allFinite() || !system.angular_momentum.allFinite())
      return false;
  return true;
}

/// Makes random edits as a user would. An edit scales a live number by a factor of up to two, pushes an element, pulls
/// an element by a spring, or, rarely, resets the world. The next edit restores the number and releases the spring.
/// Edits depend only on the seed and on the number of earlier edits, so a soak can be repeated.
class Editor {
 public:
  Editor(std::uint64_t seed, Progress& progress) : key_{seed, stream_id("soak")}, progress_(&progress) {}

  void edit(Session& session) {
    restore(session);
    const double kind = draw(0);
    if (kind < 0.55)
      change_number(session);
    else if (kind < 0.75)
      push(session);
    else if (kind < 0.97)
      grab(session);
    else if (apply(session, Reset{}))
      ++progress_->resets;
    ++progress_->edits;
  }
  /// Restores the value that the last edit changed and releases the spring.
  void restore(Session& session) {
    if (grabbed_) (void)session.apply(Release{});
    grabbed_ = false;
    if (!changed_.path.empty()) (void)session.apply(changed_);
    changed_.path.clear();
  }

 private:
  [[nodiscard]] double draw(std::uint64_t lane) const { return random_uniform(key_, progress_->edits, lane); }
  bool apply(Session& session, const Command& command) {
    const bool accepted = session.apply(command).has_value();
    if (!accepted) ++progress_->refused;
    return accepted;
  }

  void change_number(Session& session) {
    Node scene = session.world().scene();
    std::vector<ParamRef> numbers;
    for (const ParamRef& param : all_parameters(scene))
      if (param.spec->live == Live::yes && std::holds_alternative<double>(param.value()) &&
          !param.path.starts_with("view."))
        numbers.push_back(param);
    if (numbers.empty()) return;
    const ParamRef& one = numbers[static_cast<std::size_t>(draw(1) * static_cast<double>(numbers.size()))];
    const double value = std::get<double>(one.value()) * std::exp2(2 * draw(2) - 1);
    const Value edited(std::clamp(value, one.spec->bounds.min, one.spec->bounds.max));
    const SetParameter before{one.path, one.value()};
    if (apply(session, SetParameter{one.path, edited})) changed_ = before;
  }
  /// Returns a random system that has elements, and the index of one of these elements.
  [[nodiscard]] std::pair<const System*, std::int64_t> element(const Session& session) const {
    const World& world = session.world();
    std::vector<const System*> filled;
    for (std::size_t i = 0; i < world.system_count(); ++i)
      if (world.system(i).elements().size() > 0) filled.push_back(&world.system(i));
    if (filled.empty()) return {nullptr, 0};
    const System* system = filled[static_cast<std::size_t>(draw(3) * static_cast<double>(filled.size()))];
    return {system, static_cast<std::int64_t>(draw(4) * static_cast<double>(system->elements().size()))};
  }
  void push(Session& session) {
    const auto [system, row] = element(session);
    if (system == nullptr) return;
    const double speed_mps = 0.5 * draw(5);
    const double mass_kg = system->elements().mass[static_cast<std::size_t>(row)];
    apply(session, Push{system->name(), row, mass_kg * speed_mps * random_direction(key_, progress_->edits, 6), 0});
  }
  void grab(Session& session) {
    const auto [system, row] = element(session);
    if (system == nullptr) return;
    const Vec3 place = system->elements().position[static_cast<std::size_t>(row)];
    grabbed_ = apply(session, Grab{system->name(), row, place + 0.1 * random_direction(key_, progress_->edits, 7), 10});
  }

  RandomKey key_;
  Progress* progress_;
  SetParameter changed_;
  bool grabbed_ = false;
};

Result<Session> open(const Options& options, const std::string& state, const Progress& progress) {
  if (progress.simulated_s > 0) {
    auto checkpoint = load_checkpoint(state);
    if (!checkpoint) return Unexpected(checkpoint.error());
    auto scene = read_scene_toml(checkpoint->scene_text, state);
    if (!scene) return Unexpected(scene.error());
    return Session::resume(std::move(scene->root), *checkpoint);
  }
  auto path = find_scene(options.scene);
  if (!path) return Unexpected(path.error());
  auto scene = load_scene(*path);
  if (!scene) return Unexpected(scene.error());
  std::string text = write_scene_toml(scene->root);
  return Session::create(std::move(scene->root), std::move(text));
}

int fail(const std::string& sentence) {
  fmt::print(stderr, "{}\n", sentence);
  return 1;
}

/// Runs one piece. Edits are undone before the end of the piece, so that the checkpoint contains the scene's own
/// values.
void run_piece(Session& session, const Options& options, Progress& progress) {
  Editor editor(options.seed, progress);
  const double end_s = std::min(options.until_s, progress.simulated_s + options.piece_s);
  const double warm_s = progress.simulated_s + warm_up_share * (end_s - progress.simulated_s);
  const double dt = session.world().dt();
  double next_edit_s = progress.simulated_s + edit_every_s, next_picture_s = progress.simulated_s;
  Snapshot picture;
  // Peaks of memory are compared, because after a reset a fluid's neighbour lists are short until the fluid splashes
  // again.
  Memory warm, later;
  std::uint64_t warm_elements = 0, later_elements = 0;
  double next_memory_s = progress.simulated_s;
  for (; progress.simulated_s < end_s - dt / 2; progress.simulated_s += dt) {
    if (progress.simulated_s >= next_edit_s) {
      if (progress.simulated_s + 2 * edit_every_s < end_s)
        editor.edit(session);
      else
        editor.restore(session);
      next_edit_s += edit_every_s;
    }
    if (!session.step()) {  // The health check rejected the edit. The edit is restored and the scene restarts.
      ++progress.stops;
      progress.last_stop = session.world().health().sentence();
      editor.restore(session);
      if (!session.step() && session.apply(Reset{})) ++progress.resets;
    }
    if (progress.simulated_s >= next_picture_s) {
      session.world().subscribe({.channels = {"speed"}});
      session.world().write_snapshot(picture);
      if (!totals_are_finite(picture)) ++progress.not_finite;
      next_picture_s += picture_every_s;
    }
    const std::uint64_t elements = element_count(session.world());
    progress.most_elements = std::max(progress.most_elements, elements);
    progress.fewest_elements = std::min(progress.fewest_elements, elements);
    if (progress.simulated_s >= next_memory_s) {
      const bool is_warm = progress.simulated_s >= warm_s;
      raise(is_warm ? later : warm, memory_now());
      std::uint64_t& most = is_warm ? later_elements : warm_elements;
      most = std::max(most, elements);
      next_memory_s += memory_every_s;
    }
  }
  progress.heap_growth_mib = std::max(progress.heap_growth_mib, later.heap_mib - warm.heap_mib);
  if (later.resident_mib - warm.resident_mib > progress.resident_growth_mib) {
    progress.resident_growth_mib = later.resident_mib - warm.resident_mib;
    progress.elements_gained = later_elements > warm_elements ? later_elements - warm_elements : 0;
  }
}

int soak(const Options& options) {
  const std::string stem = options.folder + "/" + std::filesystem::path(options.scene).stem().string();
  const std::string state = stem + ".state", record = stem + ".json";
  Progress progress;
  if (std::filesystem::exists(record)) {
    auto text = read_file(record, 1 << 20);
    if (!text) return fail(text.error().message());
    progress = nlohmann::json::parse(*text).get<Progress>();
  }
  if (progress.simulated_s < options.until_s - 1e-9) {
    auto session = open(options, state, progress);
    if (!session) return fail(session.error().message());
    if (!progress.hash.empty() && fmt::format("{:016x}", session->world().hash()) != progress.hash)
      return fail(
          fmt::format("{}: the checkpoint resumes with another state hash than it was saved with", options.scene));
    if (progress.hash.empty()) progress.fewest_elements = progress.most_elements = element_count(session->world());
    run_piece(*session, options, progress);
    progress.hash = fmt::format("{:016x}", session->world().hash());
    if (auto saved = session->save_checkpoint(state); !saved) return fail(saved.error().message());
    if (auto saved = write_file_atomic(record, nlohmann::json(progress).dump(2) + "\n"); !saved)
      return fail(saved.error().message());
  }
  fmt::print("{} | {:.0f} | {} | {} | {} | {} to {} | {:.2f} | {:.2f} | {} | {}\n", options.scene, progress.simulated_s,
             progress.edits, progress.resets, progress.stops, progress.fewest_elements, progress.most_elements,
             progress.heap_growth_mib, progress.resident_growth_mib, progress.elements_gained, progress.not_finite);
  if (progress.not_finite > 0)
    return fail(fmt::format("{}: a total was not finite at {} looks", options.scene, progress.not_finite));
  return progress.simulated_s < options.until_s - 1e-9 ? 3 : 0;
}

}  // namespace
}  // namespace vw

int main(int argc, char** argv) {
  vw::Options options;
  std::vector<std::string> plain;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_next = i + 1 < argc;
    if (word == "--until" && has_next)
      options.until_s = std::atof(argv[++i]);
    else if (word == "--piece" && has_next)
      options.piece_s = std::atof(argv[++i]);
    else if (word == "--seed" && has_next)
      options.seed = std::strtoull(argv[++i], nullptr, 10);
    else
      plain.push_back(word);
  }
  if (plain.size() != 2 || !(options.until_s > 0) || !(options.piece_s > 0)) {
    fmt::print(stderr, "usage: soak SCENE FOLDER --until SECONDS [--piece SECONDS] [--seed N]\n");
    return 2;
  }
  options.scene = plain[0];
  options.folder = plain[1];
  return vw::soak(options);
}

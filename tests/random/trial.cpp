#include "tests/random/trial.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"
#include "sim/scene/scene.h"
#include "sim/world/world.h"

namespace vw::test {
namespace {

constexpr double simulated_s = 0.2;

std::int64_t steps_of(const World& world) {
  return std::clamp<std::int64_t>(std::llround(simulated_s / world.dt()), 1, 24);
}

/// Returns the description of the first value of a world that is not finite. The description is empty if all values are
/// finite.
std::string not_finite(World& world) {
  std::vector<Total> totals;
  for (std::size_t i = 0; i < world.system_count(); ++i) {
    const System& system = world.system(i);
    const Diagnostics d = world.diagnostics(i);
    const auto says = [&](const std::string& what) {
      return system.name() + " (" + system.schema().kind + "): " + what;
    };
    for (const auto& [name, value] : {std::pair("mass", d.mass),
                                      {"kinetic energy", d.kinetic},
                                      {"potential energy", d.potential},
                                      {"elastic energy", d.elastic}})
      if (!std::isfinite(value)) return says(fmt::format("{} is {}", name, value));
    if (!d.momentum.allFinite() || !d.angular_momentum.allFinite()) return says("momentum is not finite");
    for (std::size_t k = 0; k < system.elements().size(); ++k)
      if (!system.elements().position[k].allFinite() || !system.elements().velocity[k].allFinite())
        return says(fmt::format("element {} is not finite", k));
    system.totals(totals);
    for (const Total& total : totals)
      if (!std::isfinite(total.value)) return says(fmt::format("total {} is {}", total.name, total.value));
  }
  return {};
}

/// Takes a snapshot with all channels and vectors requested.
void draw(World& world) {
  std::vector<std::string> channels, vectors{"acceleration", "net_force"};
  for (std::size_t i = 0; i < world.system_count(); ++i) {
    for (const ChannelInfo& one : world.system(i).channels()) channels.push_back(one.name);
    for (const ChannelInfo& one : world.system(i).vector_channels()) vectors.push_back(one.name);
  }
  world.subscribe({.channels = channels, .vectors = vectors});
  Snapshot picture;
  world.write_snapshot(picture);
}

struct Run {
  std::uint64_t hash = 0;
  std::string health;
};
bool operator==(const Run& a, const Run& b) { return a.hash == b.hash && a.health == b.health; }

Run go_on(World& world, std::int64_t steps) {
  for (std::int64_t i = 0; i < steps; ++i)
    if (!world.step()) break;
  return {world.hash(), world.health().sentence()};
}

Trial wrong(std::string what) { return {Outcome::wrong, std::move(what)}; }

/// Compares a run that resumes from a checkpoint in the middle with the whole run. Returns the difference, if any.
std::optional<std::string> resumes(const Node& scene, std::int64_t steps, const Run& whole, const std::string& folder) {
  auto world = World::create(scene);
  if (!world) return "the world is refused the second time: " + world.error().message();
  const std::int64_t half = steps / 2;
  (void)go_on(**world, half);
  if ((*world)->health().failed) return std::nullopt;
  const std::string path = folder + "/random.vwstate";
  if (auto saved = save_checkpoint(**world, write_scene_toml(scene), path); !saved)
    return "no checkpoint is written: " + saved.error().message();
  const auto checkpoint = load_checkpoint(path);
  if (!checkpoint) return "its checkpoint is not read: " + checkpoint.error().message();
  auto tree = read_scene_toml(checkpoint->scene_text, folder + "/random.toml");
  if (!tree) return "its scene as text is not read: " + tree.error().message();
  if (!same_node(tree->root, scene)) return "its scene as text is another one";
  auto resumed = resume_world(tree->root, *checkpoint);
  if (!resumed) return "its checkpoint is not resumed: " + resumed.error().message();
  const Run run = go_on(**resumed, steps - half);
  if (run == whole) return std::nullopt;
  return fmt::format("resumed after {} of {} steps it ends otherwise: \"{}\", before \"{}\"", half, steps, run.health,
                     whole.health);
}

/// Resets the parameter that the error names to its default. Returns whether the scene changed.
bool mend(Node& scene, const Error& error) {
  std::string path = error.key;
  while (!path.empty()) {
    if (auto found = find_parameter(scene, path); found && !same_value(found->value(), found->spec->default_value)) {
      found->node->values[found->index] = found->spec->default_value;
      return true;
    }
    // If the error names a node, or a parameter that already has its default, the node is removed.
    const auto drop = [&](Node& node, const auto& self, const std::string& prefix) -> bool {
      for (std::size_t i = 0; i < node.children.size(); ++i) {
        const Slot& slot = node.schema->slots[node.children[i].slot];
        const std::string key = prefix + slot.name + (slot.many ? "." + node.children[i].name : "");
        if (key == path && slot.many) {
          node.children.erase(node.children.begin() + static_cast<std::ptrdiff_t>(i));
          return true;
        }
        if (path.starts_with(key + ".") && self(node.children[i], self, key + ".")) return true;
      }
      return false;
    };
    if (drop(scene, drop, "")) return true;
    const auto dot = path.rfind('.');
    path = dot == std::string::npos ? "" : path.substr(0, dot);
  }
  return false;
}

}  // namespace

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::ran: return "ran";
    case Outcome::stopped: return "stopped";
    case Outcome::refused: return "refused";
    case Outcome::wrong: return "wrong";
  }
  return "";
}

Trial try_scene(const Node& scene, const std::string& folder, int threads) {
  const int before = thread_count();
  std::optional<Run> first;
  std::int64_t steps = 0;
  for (const int count : {1, threads}) {
    set_thread_count(count);
    auto world = World::create(scene);
    if (!world) {
      set_thread_count(before);
      return {world.error().message().empty() ? Outcome::wrong : Outcome::refused, world.error().message()};
    }
    steps = steps_of(**world);
    const std::string odd = not_finite(**world);
    if (!odd.empty()) return wrong("at the start: " + odd);
    const Run run = go_on(**world, steps);
    if (const std::string found = not_finite(**world); !found.empty())
      return wrong(fmt::format("after step {}: {}; health says \"{}\"", (*world)->step_count(), found, run.health));
    draw(**world);
    if (!first) first = run;
    if (!(run == *first))
      return wrong(
          fmt::format("on {} threads it ends otherwise than on one: \"{}\", \"{}\"", count, run.health, first->health));
  }
  set_thread_count(before);
  if (const auto problem = resumes(scene, steps, *first, folder)) return wrong(*problem);
  return {first->health.empty() ? Outcome::ran : Outcome::stopped, first->health};
}

Node mended_scene(std::uint64_t seed, const SceneFiles& files) {
  Node scene = random_scene(seed, files);
  for (int tries = 0; tries < 40; ++tries) {
    const auto world = World::create(scene);
    if (world || !mend(scene, world.error())) break;
  }
  return scene;
}

Trial try_seed(std::uint64_t seed, const SceneFiles& files, const std::string& folder) {
  return try_scene(mended_scene(seed, files), folder, seed % 2 == 0 ? 2 : 8);
}

}  // namespace vw::test

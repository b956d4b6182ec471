// Builds scenes of rigid bodies and joints for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sim/system/rigid/rigid.h"
#include "tests/support/world_of.h"

namespace vw::test {

/// Assembles a scene of rigid bodies and joints, and runs its world.
struct Jointed {
  Node scene = make_node(scene_schema());
  std::unique_ptr<World> world;

  Jointed() { add_child(scene, "system", "rigid", "things"); }
  void add(const char* slot, const std::string& kind, const std::string& name,
           const std::vector<std::pair<std::string, Value>>& values) {
    for (Node& child : scene.children)
      if (child.name == "things") add_child(child, slot, kind, name);
    for (const auto& [key, value] : values)
      set(scene, "system.things." + std::string(slot) + '.' + name + '.' + key, value);
  }
  void body(const std::string& kind, const std::string& name,
            const std::vector<std::pair<std::string, Value>>& values) {
    add("body", kind, name, values);
  }
  void joint(const std::string& kind, const std::string& name,
             const std::vector<std::pair<std::string, Value>>& values) {
    add("joint", kind, name, values);
  }
  void weightless() { set(scene, "world.gravity", Vec3(0, 0, 0)); }
  void start() { world = world_of(scene); }
  void run(double seconds) {
    for (int i = 0, n = static_cast<int>(std::lround(seconds * 120)); i < n; ++i)
      ASSERT_TRUE(world->step()) << world->health().sentence();
  }
  [[nodiscard]] const Elements& rows() const { return world->system(0).elements(); }
  [[nodiscard]] Diagnostics now() const { return world->diagnostics(0); }
  [[nodiscard]] double energy() const { return now().kinetic + now().potential + now().elastic; }
  [[nodiscard]] JointMark mark(const std::string& name) const {
    SystemSnapshot out;
    world->system(0).snapshot(out);
    for (const JointMark& one : joints_of(out))
      if (one.name == name) return one;
    ADD_FAILURE() << "no joint " << name;
    return {};
  }
  /// Returns the largest gap [m] of the joints whose two anchors should coincide.
  [[nodiscard]] double widest_gap() const {
    SystemSnapshot out;
    world->system(0).snapshot(out);
    double widest = 0;
    for (const JointMark& one : joints_of(out)) widest = std::max(widest, static_cast<double>((one.a - one.b).norm()));
    return widest;
  }
};

}  // namespace vw::test

// Cases reported by an external reviewer, for every kind of solid. Bodies at rest must stay at rest, and rolling bodies
// must not gain energy.
#include <fstream>

#include "tests/rigid/scenes.h"
#include "tests/support/scratch.h"

namespace vw::test {
namespace {

/// Writes a solid of revolution about y. The closed profile of points (radius, height) runs counter-clockwise. A point
/// on the axis becomes a single vertex.
std::string turned_profile(const std::string& name, const std::vector<std::pair<double, double>>& profile, int around) {
  const std::string path = scratch_file(name);
  std::ofstream file(path);
  std::vector<int> first;
  int count = 0;
  for (const auto& [radius, height] : profile) {
    const int places = radius > 0 ? around : 1;
    first.push_back(count + 1);
    count += places;
    for (int k = 0; k < places; ++k)
      file << "v " << radius * std::cos(2 * pi * k / around) << " " << height << " "
           << -radius * std::sin(2 * pi * k / around) << "\n";
  }
  const auto at = [&](std::size_t ring, int k) { return first[ring] + (profile[ring].first > 0 ? k % around : 0); };
  for (std::size_t r = 0; r < profile.size(); ++r) {
    const std::size_t next = (r + 1) % profile.size();
    for (int k = 0; k < around; ++k) {
      if (profile[r].first > 0) file << "f " << at(r, k) << " " << at(r, k + 1) << " " << at(next, k) << "\n";
      if (profile[next].first > 0) file << "f " << at(r, k + 1) << " " << at(next, k + 1) << " " << at(next, k) << "\n";
    }
  }
  return path;
}

std::string torus() {
  std::vector<std::pair<double, double>> profile;
  for (int i = 0; i < 20; ++i) profile.emplace_back(0.2 + 0.06 * std::cos(pi * i / 10), 0.06 * std::sin(pi * i / 10));
  return turned_profile("judged-torus.obj", profile, 48);
}

std::string half_shell() {
  std::vector<std::pair<double, double>> profile{{0, -0.3}};
  for (int i = 1; i <= 8; ++i) profile.emplace_back(0.3 * std::sin(pi * i / 16), -0.3 * std::cos(pi * i / 16));
  for (int i = 8; i >= 1; --i) profile.emplace_back(0.27 * std::sin(pi * i / 16), -0.27 * std::cos(pi * i / 16));
  profile.emplace_back(0, -0.27);
  return turned_profile("judged-shell.obj", profile, 24);
}

/// Many vertices above the contact points lie within the contact margin of the ground. They must not be treated as
/// contacts.
TEST(JudgedRigid, RingsThatLieOnEachOtherRest) {
  Node scene = scene_over_ground();
  for (int i = 0; i < 3; ++i) add_mesh(scene, "ring" + std::to_string(i), torus(), Vec3(0, 0.06 + 0.12 * i, 0));
  const auto world = world_of(std::move(scene));
  const Elements then = world->system(0).elements();
  run(*world, 4);
  EXPECT_LT(farthest_moved(world->system(0).elements(), then), 1e-3);
  EXPECT_EQ(sleepers(*world), 3);
}

TEST(JudgedRigid, AThinPlateRestsUpsideDown) {
  for (const double turn : {0.0, pi}) {
    Node scene = scene_over_ground();
    for (int i = 0; i < 3; ++i) {
      const std::string name = "plate" + std::to_string(i);
      add_box(scene, name, Vec3(1, 0.005, 1), Vec3(0, 0.0025 + 0.005 * i, 0));
      set(scene, of_body(name) + "rotation", Vec3(turn, 0, 0));
    }
    const auto world = world_of(std::move(scene));
    const Elements then = world->system(0).elements();
    run(*world, 3);
    EXPECT_LT(farthest_moved(world->system(0).elements(), then), 1e-3) << turn;
  }
}

/// A shell rocks from vertex to vertex. Each contact may only dissipate energy, with or without friction.
TEST(JudgedRigid, ARockingShellGainsNothing) {
  for (const double mu : {0.0, 0.6}) {
    Node scene = scene_over_ground();
    add_mesh(scene, "shell", half_shell(), Vec3(0, 0.301, 0));
    set(scene, of_body("shell") + "rotation", Vec3(0.3, 0, 0));
    set_surface(scene, of_body("shell"), 0.2, mu);
    const auto world = world_of(std::move(scene));
    double before = energy(*world);
    for (int second = 0; second < 5; ++second) {
      run(*world, 1);
      const double now = energy(*world);
      EXPECT_LT(now, before * 1.002) << mu << " after " << second + 1 << " s";
      before = now;
    }
  }
}

}  // namespace
}  // namespace vw::test

// The lowest natural frequency that the voxel editor shows while the cells are edited.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "app/window/voxel_edit/brush_shapes.h"
#include "app/window/voxel_edit/edit_changes.h"
#include "app/window/voxel_edit/lowest_frequency.h"
#include "app/window/voxel_edit/voxel_checks.h"
#include "app/window/voxel_edit/voxel_edits.h"
#include "sim/api/open_scene.h"
#include "tests/support/waiting.h"

namespace vw {
namespace {

const std::string frequency_beam_path = "system.beam";
constexpr double rubber_pa = 1e6, rubber_density = 1000, beam_edge_m = 0.005;

Node frequency_beam(const Vec3& size) {
  Node scene = api::new_scene();
  Node& material = add_child(scene, "material", "voxel_material", "rubber");
  material.set("youngs_modulus", rubber_pa);
  material.set("density", rubber_density);
  material.set("poissons_ratio", 0.0);
  add_child(scene, "material", "voxel_material", "stiff").set("youngs_modulus", 10 * rubber_pa);
  Node& body = add_child(scene, "system", "voxel_body", "beam");
  body.set("size", size);
  body.set("voxel_size", beam_edge_m);
  body.set("material", std::string("rubber"));
  return scene;
}

/// A voxel editor of the beam without a window: its edits and the frequency that it shows.
struct FrequencyLab {
  explicit FrequencyLab(Node of_scene)
      : scene(std::move(of_scene)),
        opened(open_voxel_body(*scene.find("system", "beam"), scene).value()),
        edits(opened.grid) {}
  /// Updates the frequency, as the editor does in each frame.
  void draw_frame() {
    const VoxelGrid& grid = edits.grid();
    frequency.update({edits.revision(), 0}, {grid, opened, scene, frequency_beam_path,
                                             measures_of(grid, {}, beam_edge_m).voxels, connected_parts(grid).size()});
  }
  void settle() {
    ASSERT_TRUE(test::in_time([&] {
      draw_frame();
      return !frequency.is_computing();
    }));
  }
  Node scene;
  OpenedVoxelBody opened;
  VoxelEdits edits;
  LowestFrequency frequency;
};

TEST(LowestFrequency, AFreeRowVibratesAsAFreeBeam) {
  // Expected: the first bending mode of a free beam by Euler and Bernoulli, (4.7300 / L)^2 sqrt(E I / rho A) / 2 pi. A
  // row of 24 voxels differs by less than 0.5 % (tests/voxel/modes_test.cpp). Here, the row has 12 voxels at first.
  FrequencyLab lab(frequency_beam(Vec3(12, 1, 1)));
  const auto bending_hertz = [](int voxels) {
    return std::pow(4.7300407 / (voxels * beam_edge_m), 2) *
           std::sqrt(rubber_pa * beam_edge_m * beam_edge_m / 12 / rubber_density) / (2 * pi);
  };
  ASSERT_TRUE(lab.edits.apply(box_cells({12, 0, 0}, {23, 0, 0}).value(), BrushMode::add, 1));
  lab.settle();
  ASSERT_TRUE(lab.frequency.hertz()) << lab.frequency.text();
  EXPECT_NEAR(*lab.frequency.hertz(), bending_hertz(24), 0.005 * bending_hertz(24));
  EXPECT_EQ(lab.frequency.text(), fmt::format("Lowest natural frequency {:.4g} Hz", *lab.frequency.hertz()));
}

TEST(LowestFrequency, ItIsThatOfTheAppliedBody) {
  Node scene = frequency_beam(Vec3(8, 2, 2));
  add_child(*find_node(scene, frequency_beam_path), "region", "region", "clamp").set("max", Vec3(0.1, 1, 1));
  FrequencyLab lab(scene);
  ASSERT_TRUE(lab.edits.set_palette({"rubber", "stiff"}));
  ASSERT_TRUE(lab.edits.apply(box_cells({3, 0, 0}, {5, 1, 1}).value(), BrushMode::paint, 2));
  ASSERT_TRUE(lab.edits.apply(box_cells({8, 0, 0}, {9, 3, 1}).value(), BrushMode::add, 1));
  lab.settle();
  const Node applied = edited_scene(lab.edits.grid(), lab.opened, lab.scene, frequency_beam_path).value();
  const auto found = find_modes_of({applied, "beam", 3, false}, {}).value();
  ASSERT_EQ(found.analysis.modes.front().kind, ModeKind::flexible) << "a clamped body has no rigid motion";
  ASSERT_TRUE(lab.frequency.hertz()) << lab.frequency.text();
  EXPECT_NEAR(*lab.frequency.hertz(), found.analysis.modes.front().hertz, 1e-6 * found.analysis.modes.front().hertz);
}

TEST(LowestFrequency, RigidMotionsOfSeparatePartsDoNotCount) {
  FrequencyLab lab(frequency_beam(Vec3(8, 1, 1)));
  lab.settle();
  const double one = lab.frequency.hertz().value_or(0);
  EXPECT_GT(one, 0);
  ASSERT_TRUE(lab.edits.apply(box_cells({0, 2, 0}, {5, 2, 0}).value(), BrushMode::add, 1));
  lab.settle();
  ASSERT_TRUE(lab.frequency.hertz()) << lab.frequency.text();
  EXPECT_NEAR(*lab.frequency.hertz(), one, 1e-6 * one) << "the longer row has the lower frequency";
}

TEST(LowestFrequency, EditsDuringAComputationAreFollowedByAnotherOne) {
  FrequencyLab lab(frequency_beam(Vec3(12, 3, 3)));
  lab.draw_frame();
  EXPECT_TRUE(lab.frequency.is_computing());
  EXPECT_EQ(lab.frequency.text(), "Lowest natural frequency (computing)");
  ASSERT_TRUE(lab.edits.set_box({{0, 0, 0}, {6, 1, 1}}));
  lab.settle();
  FrequencyLab shorter(frequency_beam(Vec3(6, 1, 1)));
  shorter.settle();
  ASSERT_TRUE(lab.frequency.hertz() && shorter.frequency.hertz());
  EXPECT_NEAR(*lab.frequency.hertz(), *shorter.frequency.hertz(), 1e-6 * *shorter.frequency.hertz());
  lab.frequency.forget();
  EXPECT_FALSE(lab.frequency.hertz());
  EXPECT_FALSE(lab.frequency.is_computing());
}

TEST(LowestFrequency, TheTextSaysWhyThereIsNone) {
  FrequencyLab lab(frequency_beam(Vec3(1, 1, 1)));
  lab.settle();
  EXPECT_EQ(lab.frequency.text(), "Lowest natural frequency: no mode deforms the body") << "the body is a single voxel";
  ASSERT_TRUE(lab.edits.apply(box_cells({0, 0, 0}, {40, 9, 9}).value(), BrushMode::add, 1));
  lab.draw_frame();
  EXPECT_FALSE(lab.frequency.is_computing());
  EXPECT_EQ(lab.frequency.text(), "Lowest natural frequency: shown for at most 4000 voxels");
  ASSERT_TRUE(lab.edits.apply(box_cells({0, 0, 0}, {40, 9, 9}).value(), BrushMode::remove, 0));
  for (int x = 0; x <= 40; x += 2)
    ASSERT_TRUE(lab.edits.apply(CellSet::of_box({{x, 0, 0}, {1, 1, 1}}), BrushMode::add, 1));
  lab.draw_frame();
  EXPECT_EQ(lab.frequency.text(), "Lowest natural frequency: shown for at most 10 separate parts");
  ASSERT_TRUE(lab.edits.apply(box_cells({0, 0, 0}, {40, 9, 9}).value(), BrushMode::remove, 0));
  lab.draw_frame();
  EXPECT_EQ(lab.frequency.text(), "Lowest natural frequency: the body has no voxel");

  Node held = frequency_beam(Vec3(3, 1, 1));
  add_child(*find_node(held, frequency_beam_path), "region", "region", "clamp");
  FrequencyLab clamped(held);
  clamped.settle();
  EXPECT_NE(clamped.frequency.text().find("every voxel is held"), std::string::npos) << clamped.frequency.text();
}

}  // namespace
}  // namespace vw

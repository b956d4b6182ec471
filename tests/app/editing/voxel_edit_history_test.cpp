// Selection, copies and undo of the voxel editor, and hostile inputs.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "app/window/voxel_edit/block_transform.h"
#include "app/window/voxel_edit/brush_shapes.h"
#include "app/window/voxel_edit/voxel_edits.h"

namespace vw {
namespace {

VoxelGrid sprinkled_grid(const VoxelCell& size, unsigned seed) {
  std::mt19937 random(seed);
  VoxelGrid grid({VoxelCell::Zero(), size}, {"soft", "hard", "muscle"});
  grid.set_has_paint(PaintLayer::phase, true);
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    grid.set_code(i, static_cast<std::uint16_t>(random() % 4));
    grid.set_paint(i, PaintLayer::phase, static_cast<double>(random() % 100) / 64);
  }
  return grid;
}

/// Returns a sum over all voxels that depends on their codes and phases, but not on their positions.
double contents_of(const VoxelGrid& grid) {
  double sum = 0;
  for (std::size_t i = 0; i < grid.cell_count(); ++i)
    if (grid.codes()[i] != 0) sum += grid.codes()[i] * (1 + grid.paint_at(grid.cell_at(i), PaintLayer::phase));
  return sum;
}

TEST(VoxelSelection, ModesCombineSets) {
  VoxelEdits edits(sprinkled_grid({5, 4, 3}, 1));
  const CellSet a = box_cells({0, 0, 0}, {2, 3, 2}).value(), b = box_cells({1, 1, 1}, {9, 9, 9}).value();
  const CellSet b_in_grid = box_cells({1, 1, 1}, {4, 3, 2}).value();
  edits.select(a);
  edits.select(b, SelectMode::add);
  EXPECT_EQ(edits.selection(), a.united(b_in_grid));
  edits.undo();
  edits.select(b, SelectMode::remove);
  EXPECT_EQ(edits.selection(), a.without(b));
  edits.undo();
  edits.select(b, SelectMode::intersect);
  EXPECT_EQ(edits.selection(), a.common(b));
  edits.undo();
  EXPECT_EQ(edits.selection(), a);
  const CellSet voxels = cells_with_code(edits.grid(), any_material);
  edits.invert_selection();
  EXPECT_EQ(edits.selection(), voxels.without(a));
  edits.select_material(2);
  EXPECT_EQ(edits.selection(), cells_with_code(edits.grid(), 2));
  edits.select_all();
  EXPECT_EQ(edits.selection(), voxels);
  edits.select(CellSet::of_box({{2, 2, 1}, {1, 1, 1}}));
  edits.grow_selection(1);
  EXPECT_EQ(edits.selection(), box_cells({1, 1, 0}, {3, 3, 2}).value());
  edits.shrink_selection(1);
  EXPECT_EQ(edits.selection(), CellSet::of_box({{2, 2, 1}, {1, 1, 1}}));
}

TEST(VoxelSelection, MovesWithItsVoxelsAndTheirValues) {
  const VoxelGrid start = sprinkled_grid({6, 5, 4}, 2);
  VoxelEdits edits(start);
  const CellSet chosen = box_cells({1, 1, 1}, {4, 3, 2}).value();
  edits.select(chosen);
  const VoxelCell step(3, -2, 1);
  ASSERT_TRUE(edits.move_selection(step));
  const VoxelGrid& grid = edits.grid();
  EXPECT_TRUE(grid.box().contains(start.box()));
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    const VoxelCell cell = grid.cell_at(i), origin = cell - step;
    const bool is_moved = chosen.contains(origin) && start.code(origin) != 0;
    const std::uint16_t expected = is_moved ? start.code(origin) : chosen.contains(cell) ? 0 : start.code(cell);
    ASSERT_EQ(grid.code(cell), expected) << cell.transpose();
    if (is_moved) {
      ASSERT_EQ(grid.paint_at(cell, PaintLayer::phase), start.paint_at(origin, PaintLayer::phase));
    }
  }
  EXPECT_EQ(edits.selection(), chosen.moved(step).common(CellSet::of_box(grid.box())));
  edits.undo();
  EXPECT_EQ(edits.grid(), start);
  EXPECT_EQ(edits.selection(), chosen);
}

TEST(VoxelSelection, QuarterTurnsAreRightHanded) {
  for (int axis = 0; axis < 3; ++axis) {
    const VoxelGrid block = sprinkled_grid({3, 4, 5}, 3);
    const VoxelGrid turned = rotated(block, axis, 1);
    const Mat3 rotation = Eigen::AngleAxisd(pi / 2, Vec3::Unit(axis)).toRotationMatrix();
    const Vec3 center = 0.5 * block.box().size.cast<double>(), turned_center = 0.5 * turned.box().size.cast<double>();
    for (std::size_t i = 0; i < block.cell_count(); ++i) {
      const Vec3 at = block.cell_at(i).cast<double>() + Vec3::Constant(0.5) - center;
      const VoxelCell place = (rotation * at + turned_center).array().floor().cast<int>();
      ASSERT_EQ(turned.code(place), block.codes()[i]);
      ASSERT_EQ(turned.paint_at(place, PaintLayer::phase), block.paint(PaintLayer::phase)[i]);
    }
    EXPECT_EQ(rotated(turned, axis, 1), rotated(block, axis, 2));
    EXPECT_EQ(rotated(turned, axis, -1), block);
    EXPECT_EQ(rotated(turned, axis, 7), block);
    EXPECT_EQ(flipped(flipped(block, axis), axis), block);
    EXPECT_EQ(flipped(flipped(flipped(block, 0), 1), 2), rotated(flipped(block, axis), axis, 2));
  }
}

TEST(VoxelSelection, FourTurnsAndTwoFlipsGiveTheBodyBack) {
  for (int axis = 0; axis < 3; ++axis) {
    VoxelEdits edits(VoxelGrid({VoxelCell::Zero(), {12, 12, 12}}, {"soft", "hard", "muscle"}));
    const VoxelGrid block = sprinkled_grid({2, 5, 4}, 4);
    ASSERT_TRUE(edits.paste(block, {4, 3, 5}));
    const VoxelGrid start = edits.grid();
    const CellSet chosen = edits.selection();
    for (int k = 0; k < 4; ++k) ASSERT_TRUE(edits.rotate_selection(axis, 1));
    EXPECT_EQ(edits.grid(), start);
    EXPECT_EQ(edits.selection(), chosen);
    for (int k = 0; k < 2; ++k) ASSERT_TRUE(edits.flip_selection(axis));
    EXPECT_EQ(edits.grid(), start);
    EXPECT_DOUBLE_EQ(contents_of(start), contents_of(block));
  }
}

TEST(VoxelSelection, PastedMaterialsAreMatchedByName) {
  VoxelEdits edits(VoxelGrid({VoxelCell::Zero(), {4, 4, 4}}, {"hard", "soft"}));
  VoxelGrid block({VoxelCell::Zero(), {3, 1, 1}}, {"soft", "unused", "muscle"});
  block.set_code(0, 1);
  block.set_code(2, 3);
  ASSERT_TRUE(edits.paste(block, {2, 0, 0}));
  EXPECT_EQ(edits.grid().palette(), (TextList{"hard", "soft", "muscle"}));
  EXPECT_EQ(edits.grid().code({2, 0, 0}), 2);
  EXPECT_EQ(edits.grid().code({3, 0, 0}), 0);
  EXPECT_EQ(edits.grid().code({4, 0, 0}), 3);
  EXPECT_EQ(edits.selection().count(), 2U);
  edits.undo();
  EXPECT_EQ(edits.grid().palette(), (TextList{"hard", "soft"}));
}

/// Applies one random operation, which may be rejected.
void random_operation(VoxelEdits& edits, std::mt19937& random) {
  const auto number = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const auto cell = [&] { return VoxelCell(number(-2, 9), number(-2, 9), number(-2, 9)); };
  const auto mode = [&] { return static_cast<BrushMode>(random() % 4); };
  const auto code = [&] { return static_cast<std::uint16_t>(number(1, 3)); };
  const auto layer = [&] { return static_cast<PaintLayer>(random() % paint_layers.size()); };
  const auto brush = [&] { return box_cells(cell(), cell()).value(); };
  switch (random() % 24) {
    case 0: (void)edits.apply(brush(), mode(), code()); break;
    case 1: (void)edits.apply(ball_cells(cell(), number(0, 3)).value(), mode(), code()); break;
    case 2: (void)edits.apply(line_cells(cell(), cell()).value(), mode(), code()); break;
    case 3: (void)edits.flood_fill(cell(), static_cast<std::uint16_t>(number(0, 3))); break;
    case 4: (void)edits.extrude(cell(), static_cast<CellFace>(random() % 6), number(-2, 2)); break;
    case 5: (void)edits.mirror(number(0, 2), number(0, 12), random() % 2 == 0); break;
    case 6: (void)edits.hollow(1); break;
    case 7: (void)(random() % 4 == 0 ? edits.add_shell(1, code()) : edits.crop()); break;
    case 8: (void)edits.replace_material(code(), static_cast<std::uint16_t>(number(0, 3))); break;
    case 9: (void)edits.set_box(box_between(cell(), cell())); break;
    case 10: (void)edits.paint_value(brush(), layer(), number(0, 5)); break;
    case 11: (void)edits.paint_gradient(brush(), layer(), number(0, 2), number(0, 5), number(0, 5)); break;
    case 12: (void)edits.clear_paint(layer()); break;
    case 13: edits.select(brush(), static_cast<SelectMode>(random() % 4)); break;
    case 14: random() % 2 == 0 ? edits.grow_selection(1) : edits.shrink_selection(1); break;
    case 15: edits.select_connected(cell(), static_cast<CellMatch>(random() % 2)); break;
    case 16: (void)edits.move_selection({number(-2, 2), number(-2, 2), number(-2, 2)}); break;
    case 17: (void)edits.rotate_selection(number(0, 2), number(-3, 3)); break;
    case 18: (void)edits.flip_selection(number(0, 2)); break;
    case 19: (void)edits.delete_selection(); break;
    case 20:
      if (const auto copy = edits.copy_selection()) (void)edits.paste(*copy, cell());
      break;
    case 21: random() % 2 == 0 ? edits.select_none() : edits.invert_selection(); break;
    case 22: (void)edits.set_palette({"soft", "hard", std::to_string(random() % 100)}); break;
    default: {  // changes settings, then makes a stroke of several dabs
      VoxelSymmetry symmetry;
      if (random() % 2 == 0) symmetry.twice_plane[random() % 3] = number(4, 9);
      edits.set_symmetry(symmetry);
      edits.set_is_growing(random() % 2 == 0);
      edits.set_is_limited_to_selection(random() % 4 == 0);
      edits.begin_step("Stroke");
      for (int k = 0; k < 3; ++k) (void)edits.apply(ball_cells(cell(), 1).value(), mode(), code());
      edits.end_step();
    }
  }
}

TEST(VoxelHistory, UndoAndRedoOf2000RandomOperationsRestoreEveryBit) {
  struct Moment {
    VoxelGrid grid;
    CellSet selection;
  };
  VoxelEdits edits(sprinkled_grid({6, 5, 7}, 9));
  std::mt19937 random(10);
  std::vector<Moment> moments{{edits.grid(), edits.selection()}};
  while (moments.size() <= 2000) {
    const std::uint64_t revision = edits.revision();
    random_operation(edits, random);
    const bool is_changed = !(edits.grid() == moments.back().grid && edits.selection() == moments.back().selection);
    if (is_changed) {
      EXPECT_NE(edits.revision(), revision);
    }
    if (edits.grid().cell_count() > 3000) {  // keeps the test fast
      edits.undo();
      ASSERT_EQ(edits.grid(), moments.back().grid);
    } else if (is_changed) {
      moments.push_back({edits.grid(), edits.selection()});
    }
  }
  // A step of the history may change nothing, such as a stroke that adds and then removes a voxel. Each undo therefore
  // leads to the previous recorded moment or keeps the current one.
  const auto is_at = [&](std::size_t k) {
    return edits.grid() == moments[k].grid && edits.selection() == moments[k].selection;
  };
  for (int round = 0; round < 2; ++round) {
    std::size_t k = moments.size() - 1;
    while (edits.can_undo()) {
      edits.undo();
      if (!is_at(k)) {
        ASSERT_TRUE(k > 0 && is_at(--k)) << k;
      }
    }
    EXPECT_EQ(k, 0U);
    while (edits.can_redo()) {
      edits.redo();
      if (!is_at(k)) {
        ASSERT_TRUE(k + 1 < moments.size() && is_at(++k)) << k;
      }
    }
    EXPECT_EQ(k, moments.size() - 1);
  }
}

TEST(VoxelHistory, MemoryIsInProportionToTheChanges) {
  VoxelEdits edits(VoxelGrid({VoxelCell::Zero(), {100, 100, 100}}, {"soft"}));
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(edits.apply(CellSet::of_box({{k, 50, 50}, {1, 1, 1}}), BrushMode::add, 1));
  EXPECT_LT(edits.history_bytes(), 100U * 400);
  ASSERT_TRUE(edits.apply(CellSet::of_box(edits.grid().box()), BrushMode::add, 1));
  EXPECT_LT(edits.history_bytes(), 100U * 400 + 200000);  // filling a million cells needs few records
}

TEST(VoxelHistory, AStrokeIsOneStepAndANewEditDropsRedo) {
  VoxelEdits edits(VoxelGrid({VoxelCell::Zero(), {4, 4, 4}}, {"soft"}));
  edits.begin_step("Stroke");
  for (int x = 0; x < 4; ++x) ASSERT_TRUE(edits.apply(CellSet::of_box({{x, 0, 0}, {1, 1, 1}}), BrushMode::add, 1));
  edits.end_step();
  EXPECT_EQ(edits.undo_name(), "Stroke");
  edits.undo();
  EXPECT_FALSE(edits.can_undo());
  EXPECT_EQ(edits.redo_name(), "Stroke");
  ASSERT_TRUE(edits.apply(CellSet::of_box({{0, 1, 0}, {1, 1, 1}}), BrushMode::add, 1));
  EXPECT_FALSE(edits.can_redo());
  EXPECT_EQ(edits.undo_name(), "Add voxels");
  const LayerRange layers = edits.take_changed_layers();
  EXPECT_EQ(layers.begin, 0);
  EXPECT_EQ(layers.end, 2);
  EXPECT_TRUE(edits.take_changed_layers().is_empty());
  edits.undo();
  edits.undo();  // nothing to undo
  EXPECT_EQ(edits.take_changed_layers().begin, 1);
}

TEST(VoxelHostileInput, GivesErrorsAndChangesNothing) {
  constexpr int most = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();
  EXPECT_FALSE(check_grid_box({VoxelCell::Zero(), {0, 1, 1}}));
  EXPECT_FALSE(check_grid_box({VoxelCell::Zero(), {-1, 1, 1}}));
  EXPECT_FALSE(check_grid_box({VoxelCell::Zero(), {most, most, most}}));
  EXPECT_FALSE(check_grid_box({{least, 0, 0}, {1, 1, 1}}));
  EXPECT_FALSE(check_grid_box({VoxelCell::Zero(), {1000, 1000, 1000}}));
  EXPECT_TRUE(check_grid_box({VoxelCell::Zero(), {1, 1, 1}}));
  EXPECT_FALSE(box_cells({least, 0, 0}, {most, 0, 0}));
  EXPECT_FALSE(box_cells({0, 0, 0}, {9999, 9999, 9999}));
  EXPECT_FALSE(line_cells({least, least, least}, {most, most, most}));
  EXPECT_FALSE(ball_cells({0, 0, 0}, 1e300));
  EXPECT_FALSE(ellipsoid_cells({std::nan(""), 0, 0}, {1, 1, 1}));
  EXPECT_TRUE(ball_cells({0, 0, 0}, -1).value().is_empty());
  EXPECT_TRUE(torus_cells({.radius = 2, .inner_radius = std::nan("")}).value().is_empty());
  EXPECT_FALSE(cylinder_cells({.axis = 3}));

  const VoxelGrid start = sprinkled_grid({3, 3, 3}, 11);
  VoxelEdits edits(start);
  const CellSet one = CellSet::of_box({{1, 1, 1}, {1, 1, 1}});
  for (const std::uint16_t code : std::initializer_list<std::uint16_t>{0, 4, 65535}) {
    EXPECT_FALSE(edits.apply(one, BrushMode::set, code));
    EXPECT_FALSE(edits.add_shell(1, code));
  }
  EXPECT_FALSE(edits.apply(one.moved({1 << 23, 0, 0}), BrushMode::set, 1));
  EXPECT_TRUE(CellSet::of_spans({{least, least + 1, least, most}}).is_empty());
  EXPECT_TRUE(edits.apply(one.moved({1 << 23, 0, 0}), BrushMode::remove, 0));
  EXPECT_FALSE(edits.flood_fill({most, most, most}, 1));
  EXPECT_FALSE(edits.extrude({least, least, least}, CellFace::minus_x, 1));
  EXPECT_FALSE(edits.mirror(0, most, true));
  EXPECT_FALSE(edits.mirror(5, 3, true));
  EXPECT_FALSE(edits.hollow(0));
  EXPECT_FALSE(edits.add_shell(most, 1));
  EXPECT_FALSE(edits.set_box({{0, 0, 0}, {0, 0, 0}}));
  EXPECT_FALSE(edits.set_palette({}));
  EXPECT_FALSE(edits.paste(start, {most, 0, 0}));
  EXPECT_FALSE(edits.paint_gradient(one, PaintLayer::phase, 7, 0, 1));
  EXPECT_FALSE(edits.paint_value(one, PaintLayer::phase, 1e300));
  EXPECT_FALSE(edits.paint_values(one, PaintLayer::phase, start.box(), {}));
  EXPECT_EQ(edits.grid(), start);
  EXPECT_FALSE(edits.can_undo());
  edits.select_all();
  EXPECT_FALSE(edits.move_selection({most, 0, 0}));
  EXPECT_FALSE(edits.move_selection({1 << 23, 0, 0}));
  edits.grow_selection(most);
  edits.shrink_selection(most);
  EXPECT_TRUE(edits.selection().is_empty());
  EXPECT_EQ(edits.grid(), start);

  VoxelSymmetry symmetry;
  symmetry.twice_plane = {most, least, 1 << 24};
  edits.set_symmetry(symmetry);
  EXPECT_FALSE(edits.apply(one, BrushMode::set, 1));  // the mirror image would be too far away
  EXPECT_EQ(edits.grid(), start);

  VoxelEdits without_materials{VoxelGrid()};
  EXPECT_FALSE(without_materials.apply(CellSet::of_box({{0, 0, 0}, {1, 1, 1}}), BrushMode::add, 1));
  EXPECT_FALSE(without_materials.copy_selection());
  without_materials.undo();
  without_materials.redo();
  without_materials.end_step();
}

}  // namespace
}  // namespace vw

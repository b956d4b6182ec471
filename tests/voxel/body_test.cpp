// The voxel body as a system: bitwise equal results at any thread count, saved state, health checks, snapshots and
// parameters that are changed during a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "sim/base/parallel/parallel.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// Returns a body with thermal expansion in a phase that varies along x, ground contact, Poisson effect and damping.
/// The body has over a thousand voxels, so it is split into several slabs (voxels that one thread computes).
Lab busy_lab(double nu = 0.3) {
  BoxSpec spec{12, 12, 12, 0.01};
  spec.material.cte = 0.01;
  spec.material.poissons_ratio = nu;
  spec.material.bond_damping = 0.2;
  spec.material.youngs_modulus = 1e5;
  VoxelLattice lattice = box_lattice(spec);
  for (std::size_t v = 0; v < lattice.cell.size(); ++v) lattice.phase[v] = 0.05 * lattice.cell[v][0];
  VoxelBodyParams params;
  params.wave = TemperatureWave::sine;
  params.temperature_amplitude = 10;
  params.temperature_period_s = 0.1;
  params.position = Vec3(0, -0.0005, 0);
  Lab lab(std::move(lattice), {}, params, {ground()});
  lab.context().gravity = Vec3(0, -9.81, 0);
  return lab;
}

TEST(VoxelBody, SameBitsForAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    Lab lab = busy_lab();
    lab.run(0.03);
    hashes.push_back(lab.hash());
  }
  set_thread_count(0);
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

TEST(VoxelBody, ImpulsesTakeNoMemoryUntilSomebodyGivesOneAndTheStateDoesNotTell) {
  Lab lab = busy_lab();
  lab.run(0.01);
  const std::uint64_t without = lab.hash();
  EXPECT_TRUE(lab.body().elements().impulse.empty() && lab.body().elements().angular_impulse.empty());
  lab.body().elements().room_for_impulses();
  EXPECT_EQ(lab.body().elements().impulse.size(), lab.body().elements().size());
  EXPECT_EQ(lab.hash(), without);
  lab.body().elements().impulse[3] = Vec3(1e-6, 0, 0);
  EXPECT_NE(lab.hash(), without);
}

TEST(VoxelBody, SavedAndRestoredGoesOnBitForBit) {
  Lab first = busy_lab(), second = busy_lab();
  first.run(0.02);
  first.body().elements().room_for_impulses().impulse[7] = Vec3(1e-4, 0, 0);  // pending impulses are part of the state
  StateBlock block;
  StateWriter writer(block);
  first.body().visit_state(writer);
  StateReader reader(block);
  second.body().visit_state(reader);
  second.body().state_restored();
  ASSERT_EQ(reader.error(), "");
  second.context().time = first.context().time;
  EXPECT_EQ(first.hash(), second.hash());
  first.run(0.02);
  second.run(0.02);
  EXPECT_EQ(first.hash(), second.hash());
}

TEST(VoxelBody, StateMissesNothing) {
  // The state visitor must visit every array that a substep changes. Otherwise, a body that has advanced and is then
  // restored does not repeat its motion.
  Lab lab = busy_lab();
  lab.run(0.01);
  StateBlock block;
  StateWriter writer(block);
  lab.body().visit_state(writer);
  const double time = lab.context().time;
  lab.run(0.02);
  const std::uint64_t there = lab.hash();
  StateReader reader(block);
  lab.body().visit_state(reader);
  lab.body().state_restored();
  lab.context().time = time;
  lab.run(0.02);
  EXPECT_EQ(lab.hash(), there);
}

TEST(VoxelHealth, NamesTheVoxelThatIsNotFinite) {
  Lab lab(box_lattice({3, 3, 3, 0.01}));
  lab.step(100);
  EXPECT_FALSE(lab.body().check_health().has_value());
  lab.body().elements().position[13].y() = std::numeric_limits<double>::quiet_NaN();
  const auto issue = lab.body().check_health();
  ASSERT_TRUE(issue.has_value());
  EXPECT_EQ(issue->element, 13);
  EXPECT_EQ(issue->what, "position is not finite");
}

TEST(VoxelHealth, SaysThatTheTimeStepIsTooLarge) {
  Lab lab(box_lattice({4, 4, 4, 0.01}));
  lab.body().elements().velocity[0] = Vec3(0.01, 0.02, 0);
  lab.context().dt = 1.0 / 120;
  const int substeps = static_cast<int>(lab.context().dt / (1.3 * largest_stable_dt(lab.body().spectrum(), 0)));
  std::optional<HealthIssue> issue;
  for (int step = 0; step < 100 && !issue; ++step) {
    lab.step(substeps);
    issue = lab.body().check_health();
  }
  ASSERT_TRUE(issue.has_value());
  EXPECT_NE(issue->why.find("the time step is too large for the stiffness: the substep is"), std::string::npos)
      << issue->why;
}

TEST(VoxelHealth, HonestMotionIsNoIssue) {
  // All motion in this test is valid: the body is thrown, dropped, actuated and hit hard within one step.
  Lab lab = busy_lab();
  for (int step = 0; step < 6; ++step) {
    if (step == 2) lab.body().elements().velocity[0] += Vec3(0, 5, 0);
    lab.run(1.0 / 120);
    const auto issue = lab.body().check_health();
    EXPECT_FALSE(issue.has_value()) << issue->what;
  }
}

/// Expects a closed skin: every edge is traversed once in each direction. Returns the volume [voxels] that the
/// undeformed skin encloses.
double closed_volume(const Lab& lab) {
  SystemSnapshot snapshot;
  lab.body().snapshot(snapshot);
  const VoxelSkin& skin = *skin_of(snapshot);
  std::vector<Vec3> vertex;
  for (const auto& v : skin.vertices) {
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (std::size_t i = 0; i < 8 && v.voxel[i] >= 0; ++i, ++count) {
      const auto voxel = static_cast<std::size_t>(v.voxel[i]);
      const Vec3 sign((v.corner[i] & 1) != 0 ? 0.5 : -0.5, (v.corner[i] & 2) != 0 ? 0.5 : -0.5,
                      (v.corner[i] & 4) != 0 ? 0.5 : -0.5);
      const Vec3 corner = lab.position(voxel) + static_cast<double>(skin.edge_m) * sign;
      if (count > 0) {
        // The body is at rest, so all voxels around a corner must give the same position of this corner.
        EXPECT_LT((corner - sum / count).norm(), 1e-6);
      }
      sum += corner;
    }
    vertex.push_back(sum / count);
  }
  std::map<std::pair<int, int>, int> passed;
  double volume = 0;
  for (const auto& quad : skin.quads) {
    const auto corner = [&](std::size_t i) { return vertex[static_cast<std::size_t>(quad.vertex[i])]; };
    for (std::size_t i = 0; i < 4; ++i) ++passed[{quad.vertex[i], quad.vertex[(i + 1) % 4]}];
    const Vec3 area = 0.5 * (corner(2) - corner(0)).cross(corner(3) - corner(1));
    volume += area.dot(corner(0)) / 3;
  }
  for (const auto& [edge, count] : passed) {
    EXPECT_EQ(count, (passed[{edge.second, edge.first}])) << edge.first << " " << edge.second;
  }
  return volume / std::pow(skin.edge_m, 3);
}

TEST(VoxelSkin, IsClosedAndFacesOutward) {
  EXPECT_NEAR(closed_volume(Lab(box_lattice({3, 2, 4, 0.01}))), 24, 1e-4);
  VoxelLattice shape = box_lattice({3, 3, 3, 0.01});  // a hollow cube, with an outer and an inner surface
  shape.cell.erase(shape.cell.begin() + 13);
  shape.material.pop_back(), shape.phase.pop_back(), shape.amplitude_scale.pop_back(), shape.youngs_override.pop_back();
  EXPECT_NEAR(closed_volume(Lab(shape)), 26, 1e-4);
}

TEST(VoxelSkin, SharesCornersOnlyThroughFilledNeighbours) {
  const auto vertices = [](const VoxelLattice& lattice) {
    Lab lab(lattice);
    SystemSnapshot snapshot;
    lab.body().snapshot(snapshot);
    return skin_of(snapshot)->vertices.size();
  };
  EXPECT_EQ(vertices(box_lattice({1, 1, 1, 0.01})), 8U);
  EXPECT_EQ(vertices(box_lattice({2, 1, 1, 0.01})), 12U);
  VoxelLattice diagonal = box_lattice({2, 2, 1, 0.01});  // two voxels that share an edge
  diagonal.cell = {{0, 0, 0}, {1, 1, 0}};
  diagonal.material.resize(2), diagonal.phase.resize(2), diagonal.amplitude_scale.resize(2),
      diagonal.youngs_override.resize(2);
  EXPECT_EQ(vertices(diagonal), 16U);
}

TEST(VoxelSnapshot, HoldsOneRowAVoxelAndEveryChannelHasAValueForEach) {
  Lab lab = busy_lab();
  lab.run(0.02);
  SystemSnapshot out;
  lab.body().snapshot(out);
  EXPECT_EQ(out.look_kind(), LookKind::voxels);
  EXPECT_EQ(out.position.size(), 1728U);
  EXPECT_EQ(out.palette.size(), 1U);
  std::map<std::string, std::vector<float>> values;
  for (std::size_t i = 0; i < lab.body().channels().size(); ++i)
    lab.body().channel(i, values[lab.body().channels()[i].name]);
  for (const auto& [name, list] : values) {
    EXPECT_EQ(list.size(), 1728U) << name;
    for (const float value : list) ASSERT_TRUE(std::isfinite(value)) << name;
  }
  EXPECT_GT(*std::max_element(values["strain"].begin(), values["strain"].end()), 1e-4F);
  EXPECT_EQ(*std::max_element(values["contact"].begin(), values["contact"].end()), 1.0F);
  double elastic = 0, kinetic = 0;
  for (const float e : values["elastic_energy"]) elastic += static_cast<double>(e);
  for (const float e : values["kinetic_energy"]) kinetic += static_cast<double>(e);
  const Diagnostics d = lab.diagnostics();
  EXPECT_NEAR(elastic, d.elastic, 1e-5 * d.elastic);
  EXPECT_NEAR(kinetic, d.kinetic, 1e-5 * d.kinetic);
}

/// Returns the part of the scene schema that a voxel body reads.
const Schema& small_scene_schema() {
  static const Schema schema{"scene",
                             "",
                             {},
                             {{.name = "material", .kinds = {&voxel_material_schema()}, .doc = ""},
                              {.name = "system", .kinds = {&voxel_body_schema()}, .doc = ""}}};
  return schema;
}

Node small_scene() {
  Node scene = make_node(small_scene_schema());
  add_child(scene, "material", "voxel_material", "rubber");
  add_child(scene, "system", "voxel_body", "creature");
  return scene;
}

Node& creature(Node& scene) {
  for (Node& child : scene.children)
    if (child.name == "creature") return child;
  return scene;
}

TEST(VoxelBodyNode, MaterialsChangeWhileItRuns) {
  Node scene = small_scene();
  auto system = create_voxel_body(*scene.find("system", "creature"), scene);
  ASSERT_TRUE(system.has_value());
  EXPECT_EQ((*system)->elements().size(), 64U);
  const double before = (*system)->stable_dt(0);
  ASSERT_TRUE(set_parameter(scene, "material.rubber.youngs_modulus", Value(4e6)).has_value());
  ASSERT_TRUE((*system)->configure(*scene.find("system", "creature"), scene).has_value());
  EXPECT_NEAR((*system)->stable_dt(0), before / 2, 1e-3 * before);
}

TEST(VoxelBodyNode, HeatThatIsTakenAwayLeavesNoSwelling) {
  Node scene = small_scene();
  ASSERT_TRUE(set_parameter(scene, "material.rubber.cte", Value(0.01)).has_value());
  ASSERT_TRUE(set_parameter(scene, "system.creature.temperature_wave", Value(std::string("constant"))).has_value());
  ASSERT_TRUE(set_parameter(scene, "system.creature.temperature_amplitude", Value(10.0)).has_value());
  auto system = create_voxel_body(creature(scene), scene);
  ASSERT_TRUE(system.has_value());
  EXPECT_NEAR((*system)->elements().radius[0], 0.0055, 1e-15);
  ASSERT_TRUE(set_parameter(scene, "material.rubber.cte", Value(0.0)).has_value());
  ASSERT_TRUE((*system)->configure(creature(scene), scene).has_value());
  EXPECT_EQ((*system)->elements().radius[0], 0.005);
}

TEST(VoxelBodyNode, ABodyThatIsBuiltAgainWithoutHeatHasNoSwelling) {
  Node scene = small_scene();
  ASSERT_TRUE(set_parameter(scene, "material.rubber.cte", Value(0.01)).has_value());
  ASSERT_TRUE(set_parameter(scene, "system.creature.temperature_wave", Value(std::string("constant"))).has_value());
  ASSERT_TRUE(set_parameter(scene, "system.creature.temperature_amplitude", Value(10.0)).has_value());
  const auto hot = create_voxel_body(creature(scene), scene);
  ASSERT_TRUE(set_parameter(scene, "material.rubber.cte", Value(0.0)).has_value());
  const auto cold = create_voxel_body(creature(scene), scene);
  ASSERT_TRUE(hot.has_value() && cold.has_value());
  copy_state(**hot, **cold);
  (*cold)->state_restored();
  EXPECT_EQ((*cold)->elements().radius[0], 0.005);
}

TEST(VoxelBodyNode, UnknownMaterialAfterAnEditChangesNothing) {
  Node scene = small_scene();
  auto system = create_voxel_body(creature(scene), scene);
  ASSERT_TRUE(system.has_value());
  const double before = (*system)->stable_dt(0);
  scene.children[0].name = "glass";
  const auto done = (*system)->configure(creature(scene), scene);
  ASSERT_FALSE(done.has_value());
  EXPECT_NE(done.error().message().find("\"rubber\" is no longer in the scene"), std::string::npos)
      << done.error().message();
  EXPECT_EQ((*system)->stable_dt(0), before);
}

TEST(VoxelBodyNode, VoxelsThatAreNoLongerDisplacedReturnToTheirRestPositions) {
  Node scene = small_scene();
  Node& body = creature(scene);
  Node& region = add_child(body, "region", "region", "feet");
  region.set("max", Value(Vec3(1, 0.1, 1)));
  region.set("displacement", Value(Vec3(0.001, 0, 0)));
  auto system = create_voxel_body(body, scene);
  ASSERT_TRUE(system.has_value());
  auto& voxels = dynamic_cast<VoxelBody&>(**system);
  ASSERT_FALSE(voxels.is_fixed(0));
  const Vec3 displaced = voxels.rest_position(0) + Vec3(0.001, 0, 0), elsewhere(0.1, 0.2, 0.3);
  voxels.elements().position[0] = displaced;   // as the region has moved the voxel
  voxels.elements().position[63] = elsewhere;  // a voxel of the highest layer
  ASSERT_TRUE(voxels.keep_state());
  region.set("displacement", Value(Vec3(0, 0, 0)));
  ASSERT_TRUE(voxels.configure(body, scene).has_value());
  EXPECT_TRUE(voxels.is_fixed(0));
  EXPECT_EQ(voxels.elements().position[0], voxels.rest_position(0));
  EXPECT_EQ(voxels.elements().position[63], elsewhere);
  voxels.return_to_kept_state();
  EXPECT_EQ(voxels.elements().position[0], displaced);
  // A voxel that was not held before stays where it is.
  region.set("fixed", Value(false));
  ASSERT_TRUE(voxels.configure(body, scene).has_value());
  region.set("fixed", Value(true));
  ASSERT_TRUE(voxels.configure(body, scene).has_value());
  EXPECT_TRUE(voxels.is_fixed(0));
  EXPECT_EQ(voxels.elements().position[0], displaced);
}

TEST(VoxelBodyNode, RegionsOfTheSceneHoldAndPush) {
  Node scene = small_scene();
  Node& body = creature(scene);
  Node& region = add_child(body, "region", "region", "feet");
  region.set("max", Value(Vec3(1, 0.1, 1)));
  auto system = create_voxel_body(body, scene);
  ASSERT_TRUE(system.has_value());
  const auto& voxels = dynamic_cast<VoxelBody&>(**system);
  for (std::size_t v = 0; v < 64; ++v) EXPECT_EQ(voxels.is_fixed(v), voxels.lattice().cell[v][1] == 0);
}

std::string lattice_error(const std::function<void(Node&)>& edit) {
  Node scene = small_scene();
  edit(creature(scene));
  const auto lattice = make_lattice(creature(scene), scene);
  return lattice ? "" : lattice.error().message();
}

TEST(VoxelLattice, DecodesLayersOfCodes) {
  Node scene = small_scene();
  add_child(scene, "material", "voxel_material", "bone");
  Node& body = creature(scene);
  body.set("shape", Value(std::string("layers")));
  body.set("size", Value(Vec3(3, 2, 2)));
  body.set("palette", Value(TextList{"bone", "rubber"}));
  body.set("layers", Value(TextList{"1.2/0 0 1", "112001"}));
  // A layer that contains a space is read as decimal numbers.
  EXPECT_FALSE(make_lattice(body, scene).has_value());
  body.set("layers", Value(TextList{"1 0 2/0,0,1", "112001"}));
  body.set("phase", Value(NumberList{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  const auto lattice = make_lattice(body, scene);
  ASSERT_TRUE(lattice.has_value()) << lattice.error().message();
  ASSERT_EQ(lattice->cell.size(), 7U);
  EXPECT_EQ(lattice->cell[1], (std::array<int, 3>{2, 0, 0}));
  EXPECT_EQ(lattice->cell[2], (std::array<int, 3>{2, 0, 1}));
  EXPECT_EQ(lattice->cell[6], (std::array<int, 3>{2, 1, 1}));
  EXPECT_EQ(lattice->material[1], 1);
  EXPECT_EQ(lattice->phase[6], 11);
  EXPECT_EQ(lattice->material_name[0], "bone");
}

TEST(VoxelLattice, IsFilledWithTheCellsWhoseCentresLieInTheShape) {
  Node scene = small_scene();
  Node& body = creature(scene);
  body.set("size", Value(Vec3(40, 30, 20)));
  const auto count = [&](const char* shape) {
    body.set("shape", Value(std::string(shape)));
    const auto lattice = make_lattice(body, scene);
    return lattice ? static_cast<double>(lattice->cell.size()) : 0.0;
  };
  // The cell counts are compared with the volume fraction of the shape in the bounding box. A cell at the surface
  // counts completely or not at all. These errors largely cancel, so the error at this size is well below 1 %.
  EXPECT_NEAR(count("ellipsoid"), pi / 6 * 24000, 0.01 * 24000);
  EXPECT_NEAR(count("cylinder"), pi / 4 * 24000, 0.01 * 24000);
  body.set("size", Value(Vec3(3, 3, 3)));
  // All cells of 3 x 3 x 3 except the eight corners are inside. The middle of an edge is at a relative distance of
  // sqrt(2) * 2 / 3 < 1 from the centre.
  EXPECT_EQ(count("ellipsoid"), 19);
}

TEST(VoxelLattice, ErrorsNameTheKeyAndTheCount) {
  const auto layers = [](TextList list) {
    return [list](Node& body) {
      body.set("shape", Value(std::string("layers")));
      body.set("size", Value(Vec3(5, 1, 3)));
      body.set("palette", Value(TextList{"rubber"}));
      body.set("layers", Value(list));
    };
  };
  EXPECT_THAT(lattice_error(layers({"11111/11111/1111"})), ::testing::HasSubstr("layer 1, row 3 has 4 codes"));
  EXPECT_NE(lattice_error(layers({"11111/11111/1111"})).find("expected 5"), std::string::npos);
  EXPECT_NE(lattice_error(layers({"11111/11111/11?11"})).find("not a code"), std::string::npos);
  EXPECT_NE(lattice_error(layers({"11111/11111/11311"})).find("code 3"), std::string::npos);
  EXPECT_NE(lattice_error(layers({"00000/00000/....."})).find("no filled cell"), std::string::npos);
  EXPECT_NE(lattice_error(layers({})).find("0 layers"), std::string::npos);
  EXPECT_NE(lattice_error([](Node& body) { body.set("material", Value(std::string("ruber"))); }).find("rubber"),
            std::string::npos);
  EXPECT_NE(lattice_error([](Node& body) { body.set("size", Value(Vec3(2.5, 1, 1))); }).find("whole numbers"),
            std::string::npos);
  EXPECT_NE(lattice_error([](Node& body) { body.set("size", Value(Vec3(1e5, 1e5, 1e5))); }).find("cells"),
            std::string::npos);
  EXPECT_NE(lattice_error([](Node& body) {
              body.set("phase", Value(NumberList{1, 2}));
            }).find("2 numbers"),
            std::string::npos);
}

TEST(VoxelParameters, DefaultsOfTheTablesAreThoseOfTheStructs) {
  EXPECT_EQ(voxel_body_params().write(VoxelBodyParams{}), voxel_body_params().write(voxel_body_params().defaults()));
  EXPECT_EQ(voxel_material_params().write(VoxelMaterial{}),
            voxel_material_params().write(voxel_material_params().defaults()));
  EXPECT_EQ(voxel_region_params().write(VoxelRegion{}), voxel_region_params().write(voxel_region_params().defaults()));
}

}  // namespace
}  // namespace vw::test

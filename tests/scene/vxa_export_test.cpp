// Export of bodies as VoxCAD designs. Imported designs are exported without loss. If a body has properties that the
// file format lacks, one message names them.
#include <cmath>
#include <random>

#include "scene_test_support.h"
#include "sim/api/run.h"
#include "sim/base/files/file.h"
#include "sim/scene/designs/voxel_design.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

using namespace scene_test;

Node scene_of(const std::string& text) {
  auto scene = read_vxa(text, "creature.vxa");
  EXPECT_TRUE(scene) << scene.error().message();
  return scene ? std::move(scene->root) : make_node(scene_schema());
}

/// Exports the only body, imports the result, and returns the difference from the original scene. The text is empty if
/// there is no difference.
std::string lost_on_the_way(const Node& scene, const std::string& warning = "") {
  const auto exported = write_vxa(scene, "");
  if (!exported) return "not exported: " + exported.error().message();
  EXPECT_EQ(exported->warning, warning);
  auto back = read_vxa(exported->text, "creature.vxa");
  if (!back) return "not read back: " + back.error().message();
  if (same_node(back->root, scene)) return "";
  const std::string before = write_scene_toml(scene), after = write_scene_toml(back->root);
  std::size_t at = 0;
  while (at < before.size() && at < after.size() && before[at] == after[at]) ++at;
  const std::size_t line = at < 60 ? 0 : at - 60;
  return "BEFORE ..." + before.substr(line, 160) + "\nAFTER ..." + after.substr(line, 160);
}

TEST(VoxcadExport, ASmallDesignComesBackToTheBit) {
  EXPECT_EQ(lost_on_the_way(scene_of(small_design())), "");
  EXPECT_EQ(lost_on_the_way(scene_of(replaced(small_design(), "<Damping>",
                                              "<Features><VolumeEffectsEnabled>1</VolumeEffectsEnabled></Features>"
                                              "<Collisions><SelfColEnabled>1</SelfColEnabled></Collisions><Damping>"))),
            "");
  const std::string text = small_design();
  const auto begin = text.find("<VXC"), end = text.find("</VXC>");
  EXPECT_EQ(lost_on_the_way(scene_of(text.substr(begin, end + 6 - begin))), "")
      << "a VXC file has no Environment, so defaults apply";
  EXPECT_EQ(lost_on_the_way(scene_of(replaced(text, "<StopConditionType>2", "<StopConditionType>1"))), "");
  EXPECT_EQ(lost_on_the_way(scene_of(replaced(text, "<VaryTempEnabled>1", "<VaryTempEnabled>0"))), "");
}

/// Returns the small design as evosoro (a package for evolving soft robots) writes a swimmer: without gravity, in a
/// fluid with this drag coefficient.
std::string swimmer(const char* drag) {
  return replaced(replaced(small_design(), "<FloorEnabled>1</FloorEnabled></Gravity>",
                           std::string("<FloorEnabled>1</FloorEnabled></Gravity><FluidEnvironment>1</"
                                       "FluidEnvironment><AggregateDragCoefficient>") +
                               drag + "</AggregateDragCoefficient>"),
                  "<GravEnabled>1", "<GravEnabled>0");
}

TEST(VoxcadExport, AFluidComesBackAsTheWorldsMedium) {
  const Node scene = scene_of(swimmer("750"));
  EXPECT_EQ(value_of<double>(*scene.only("world"), "medium_density"), 1500.0);
  EXPECT_TRUE(scene.all("collider").empty()) << "swimmers have no floor";
  EXPECT_EQ(value_of<double>(body_of(scene), "wind_friction"), 0.0);
  EXPECT_EQ(value_of<double>(body_of(scene), "wind_suction"), 0.0);
  EXPECT_EQ(value_of<double>(body_of(scene), "wind_shielding"), 0.0);
  EXPECT_EQ(lost_on_the_way(scene), "");
  EXPECT_FALSE(read_vxa(swimmer("-1"), "creature.vxa"));
  EXPECT_FALSE(read_vxa(swimmer("1e9"), "creature.vxa"));
  EXPECT_EQ(value_of<double>(*scene_of(swimmer("0")).only("world"), "medium_density"), 0.0);
}

TEST(VoxcadExport, AMediumOutsideTheRangeOfTheFormatIsStillReadBack) {
  const auto exported = [](const std::string& drag) {
    const std::string text =
        "[world]\nmedium_density = 1000\n[[material]]\nname = \"gum\"\n[[collider]]\nkind = \"plane\"\n"
        "name = \"ground\"\n[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nwind_drag = ";
    const Node scene = test::checked(read_scene_toml(text + drag + "\n", "pool.toml")).root;
    return scene_of(test::checked(write_vxa(scene, "cube")).text);
  };
  EXPECT_EQ(value_of<double>(*exported("100").only("world"), "medium_density"), 2e4) << "the limit, not 50000";
  EXPECT_EQ(exported("0").all("collider").size(), 1U) << "a medium without drag does not remove the floor";
}

TEST(VoxcadExport, AFluidPressesOnFrontFacesByItsLaw) {
  // A free cube of mass m and face area A = 4e-4 m^2 decelerates under the drag c A v^2. After the time t, its speed is
  // v = v0 / (1 + c A v0 t / m).
  std::string text = replaced(swimmer("200"), "<![CDATA[110200]]>", "<![CDATA[000000]]>");
  text = replaced(replaced(text, "<![CDATA[000021]]>", "<![CDATA[000001]]>"), "<Fixed>1</Fixed>", "<Fixed>0</Fixed>");
  text = replaced(replaced(text, "<TempEnabled>1", "<TempEnabled>0"), "<SlowDampingZ>0.01", "<SlowDampingZ>0");
  Node scene = scene_of(text);
  const std::string body = "system." + body_of(scene).name;
  ASSERT_TRUE(set_parameter(scene, body + ".velocity", Vec3(0, 0, 3)));
  ASSERT_TRUE(set_parameter(scene, "world.dt", 1e-3));  // A single voxel has no bonds that need a shorter step.
  api::Run run = test::checked(api::Run::create({"fluid", scene, {}, {}}));
  ASSERT_TRUE(run.step(500)) << run.failure();
  const Diagnostics all = test::checked(run.diagnostics(body_of(scene).name));
  EXPECT_NEAR(all.momentum.z() / all.mass, 3 / (1 + 200 * 4e-4 * 3 * 0.5 / 8e-3), 0.005);
}

TEST(VoxcadExport, MaterialModelsComeBack) {
  for (const char* model : {"<MatModel>1</MatModel><Fail_Stress>5e4</Fail_Stress>",
                            "<MatModel>1</MatModel><FailModel>1</FailModel><Fail_Strain>0.1</Fail_Strain>",
                            "<MatModel>2</MatModel><Plastic_Mod>1e5</Plastic_Mod><Yield_Stress>2e4</"
                            "Yield_Stress><Fail_Stress>6e4</Fail_Stress>",
                            "<MatModel>3</MatModel><SSData><StrainData><Strain>0.1</Strain><Strain>0.3</Strain></"
                            "StrainData><StressData><Stress>12345.678</Stress>"
                            "<Stress>2e4</Stress></StressData></SSData>"})
    EXPECT_EQ(lost_on_the_way(scene_of(replaced(small_design(), "<MatModel>0</MatModel>", model))), "") << model;
}

TEST(VoxcadExport, RegionsComeBack) {
  const std::string text = small_design();
  const auto begin = text.find("<FRegion>"), end = text.find("</FRegion>") + 10;
  for (const char* region : {"<FRegion><PrimType>0</PrimType><X>0.1</X><Y>0.3</Y><Z>0.7</Z><dX>0.2</dX><dY>0.4</"
                             "dY><dZ>0.1</dZ><DofFixed>21</DofFixed></FRegion>",
                             "<FRegion><PrimType>2</PrimType><X>0.1</X><Y>0.3</Y><Z>0.7</Z><Radius>0.35</"
                             "Radius><DofFixed>63</DofFixed><DisplaceX>0.001</DisplaceX>"
                             "<AngDisplaceY>0.1</AngDisplaceY></FRegion>",
                             "<FRegion><PrimType>1</PrimType><X>0.1</X><Y>0.3</Y><Z>0.7</Z><dX>0.2</dX><dY>0.4</"
                             "dY><dZ>-0.1</dZ><Radius>0.35</Radius><TorqueX>1</TorqueX>"
                             "<ForceY>-2.5</ForceY></FRegion>"})
    EXPECT_EQ(lost_on_the_way(scene_of(text.substr(0, begin) + region + text.substr(end))), "") << region;
}

TEST(VoxcadExport, EverySampleComesBackToTheBit) {
  const std::string folder = std::string(VOXWAKE_SOURCE_DIR) + "/../shared/samples/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no samples beside the source tree";
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".vxa") continue;
    const auto bytes = read_file(entry.path().string(), 1 << 20);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(lost_on_the_way(scene_of(*bytes)), "") << entry.path();
    ++count;
  }
  EXPECT_EQ(count, 4U);
}

/// Makes random designs that use every feature. Some numbers have few digits, others many.
class RandomDesign {
 public:
  explicit RandomDesign(unsigned seed) : random_(seed) {}

  VoxelDesign make() {
    VoxelDesign design;
    design.edge_m = number(1e-3, 1e-1);
    design.nx = below(6) + 1;
    design.ny = below(6) + 1;
    design.nz = below(6) + 1;
    // The file format has different encodings for few and for many materials. Both are tested.
    const std::size_t materials = below(2) == 0 ? below(9) + 1 : below(60) + 10;
    design.volume_effects = below(2) == 0;
    for (std::size_t i = 0; i < materials; ++i) design.materials.push_back(material());
    for (std::size_t i = 0; i < design.cells(); ++i)
      design.code.push_back(static_cast<std::uint16_t>(below(materials + 1)));
    design.code[below(design.cells())] = 1;
    if (below(2) == 0) fill(design.phase_cycles, design.cells(), -1, 1);
    if (below(2) == 0) fill(design.stiffness_pa, design.cells(), 1e4, 1e8);
    for (std::size_t i = below(4); i > 0; --i) design.regions.push_back(region());
    design.bond_zeta = number(0, 2);
    design.contact_zeta = number(0, 1);
    design.slow_zeta = number(0, 0.1);
    design.self_collision = below(2) == 0;
    design.gravity_on = below(2) == 0;
    design.floor_on = below(2) == 0;
    design.temperature_on = below(3) != 0;
    design.temperature_varies = below(2) == 0;
    design.temperature_amplitude = number(1, 40);
    design.temperature_period_s = number(0.01, 1);
    if (below(2) == 0) design.stop_after_s = number(0.1, 10);
    design.title = "creature";
    return design;
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  double number(double low, double high) {
    const double x = std::uniform_real_distribution<double>(low, high)(random_);
    if (below(2) == 0) return x;
    const double digits = std::pow(10, 3 - std::ceil(std::log10(std::max(std::abs(x), 1e-9))));
    return std::clamp(std::round(x * digits) / digits, low, high);
  }
  void fill(std::vector<double>& out, std::size_t n, double low, double high) {
    for (std::size_t i = 0; i < n; ++i) out.push_back(number(low, high));
  }
  Vec3 vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }

  DesignMaterial material() {
    DesignMaterial m;
    m.name = "stuff";  // All materials have the same name. The import makes the names unique.
    m.display_rgb = {number(0, 1), number(0, 1), number(0, 1)};
    m.youngs_pa = number(1e4, 1e8);
    m.density = number(100, 5000);
    m.poissons_ratio = number(0, 0.45);
    m.cte = number(-0.01, 0.01);
    m.phase_rad = below(3) == 0 ? number(-3, 3) : 0;
    m.mu_static = m.mu_dynamic = 0.5;
    if (below(2) == 0) m.mu_static = number(0.5, 2), m.mu_dynamic = number(0, 0.5);
    switch (below(4)) {
      case 0: m.failure_pa = number(1e3, 1e6); break;
      case 1:
        m.model = StressModel::bilinear;
        m.yield_pa = number(1e3, 1e6);
        m.plastic_pa = number(0, 0.9) * m.youngs_pa;
        break;
      case 2:
        m.model = StressModel::data;
        m.strains = {number(0.01, 0.1), number(0.2, 0.5)};
        m.stresses_pa = {number(1e4, 1e5), number(1e4, 1e5)};
        m.youngs_pa = m.stresses_pa[0] / m.strains[0];
        m.failure_strain = m.strains[1];
        break;
      default: break;
    }
    return m;
  }

  DesignRegion region() {
    DesignRegion r;
    r.shape = static_cast<RegionShape>(below(3));
    r.min = {number(0, 0.5), number(0, 0.5), number(0, 0.5)};
    r.max = {number(0.5, 1), number(0.5, 1), number(0.5, 1)};
    if (r.shape != RegionShape::box) r.min = {0, 0, 0}, r.max = {1, 1, 1};
    if (r.shape != RegionShape::box) r.center = vector(1), r.radius = number(0.1, 1);
    if (r.shape == RegionShape::cylinder) r.axis = vector(1);
    r.held = static_cast<unsigned>(below(64));
    r.force = vector(10);
    r.torque = vector(10);
    for (int i = 0; i < 3; ++i) {
      if ((r.held >> i & 1U) != 0) r.displacement[i] = number(-0.01, 0.01);
      if ((r.held >> (i + 3) & 1U) != 0) r.rotation[i] = number(-1, 1);
    }
    return r;
  }

  std::mt19937 random_;
};

TEST(VoxcadExport, RandomDesignsComeBack) {
  RandomDesign random(1);
  for (int i = 0; i < 200; ++i) {
    // The first export and import may round numbers. Later exports and imports must not change them.
    const auto first = read_vxa(design_to_vxa(random.make()), "creature.vxa");
    ASSERT_TRUE(first) << first.error().message();
    EXPECT_TRUE(first->warnings.empty());
    ASSERT_EQ(lost_on_the_way(first->root), "") << "design " << i;
  }
}

TEST(VoxcadExport, ABoxOfASceneBecomesADesign) {
  const auto scene = read_scene_toml(
      "[[material]]\nname = \"gum\"\n[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nsize = [2, 3, 4]\nposition = "
      "[0, 0, -0.04]\nself_contact = "
      "false\n",
      "pool.toml");
  ASSERT_TRUE(scene);
  const auto exported = write_vxa(scene->root, "cube");
  ASSERT_TRUE(exported) << exported.error().message();
  EXPECT_EQ(exported->warning, "");
  const Node back = scene_of(exported->text);
  EXPECT_EQ(value_of<Vec3>(body_of(back), "size"), Vec3(2, 3, 4));
  EXPECT_EQ(filled_cells(body_of(back)), 24U);
}

TEST(VoxcadExport, PropertiesThatAFileLacksAreNamedInOneSentence) {
  const auto scene = read_scene_toml(R"(
[world]
gravity = [1, -9.81, 0]
[[material]]
name = "soft"
bond_damping = 0.1
[[material]]
name = "hard"
bond_damping = 0.2
failure_stress = 1e4
failure_strain = 0.1
[[collider]]
kind = "plane"
name = "ground"
mu_static = 0.1
[[collider]]
kind = "sphere"
name = "ball"
[[field]]
kind = "uniform"
name = "breeze"
[[system]]
kind = "voxel_body"
name = "a"
shape = "layers"
size = [2, 1, 1]
palette = ["soft", "hard"]
layers = ["12"]
position = [0, 1, 0]
velocity = [0, 1, 0]
temperature_wave = "square"
temperature_amplitude = 10
temperature_amplitude_scale = [1, 2]
[[system.region]]
name = "pull"
displacement = [0.1, 0, 0]
ramp = 5
[[system]]
kind = "particles"
name = "dust"
)",
                                     "pool.toml");
  ASSERT_TRUE(scene) << scene.error().message();
  const auto exported = write_vxa(scene->root, "a");
  ASSERT_TRUE(exported) << exported.error().message();
  EXPECT_EQ(exported->warning,
            "a .vxa file cannot represent these features, which are omitted or replaced: failure strain of a material "
            "that also has a failure stress, temperature amplitude of single cells (temperature_amplitude_scale), bond "
            "damping per material (replaced by the mean), square temperature wave (replaced by a sine wave), ramp time "
            "of displacements (a .vxa file applies displacements at once), gravity that is not vertical, collider "
            "ball, position and rotation of the body (replaced by a start at the origin without rotation), initial "
            "velocity of the body, field breeze, system dust");
  const Node back = scene_of(exported->text);
  EXPECT_NEAR(value_of<double>(*back.find("material", "soft"), "bond_damping"), 0.15, 1e-12);
  EXPECT_NEAR(value_of<double>(*back.find("material", "soft"), "mu_static"), std::sqrt(0.1), 1e-15)
      << "the pair of a voxel with 1 and a ground with 0.1";
  EXPECT_NEAR(value_of<double>(*back.find("collider", "ground"), "mu_static"), std::sqrt(0.1), 1e-15);
}

TEST(VoxcadExport, AFloorThatMovesOrHasItsOwnFrictionLawIsNotWrittenAsAPlainFloor) {
  const auto exported = [](const std::string& floor) {
    const std::string text =
        "[[material]]\nname = \"gum\"\n[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nsize = [2, 3, 4]\n"
        "position = [0, 0, -0.04]\n[[system.muscle]]\nname = \"leg\"\n[[collider]]\nkind = \"plane\"\n"
        "name = \"ground\"\n";
    const Node scene = test::checked(read_scene_toml(text + floor, "pool.toml")).root;
    return test::checked(write_vxa(scene, "cube"));
  };
  const auto friction = [&](const std::string& floor) {
    return value_of<double>(*scene_of(exported(floor).text).find("collider", "ground"), "mu_static");
  };
  EXPECT_NE(exported("[[collider.key]]\n").warning.find("collider ground"), std::string::npos);
  EXPECT_NE(exported("").warning.find("muscle leg"), std::string::npos);
  EXPECT_EQ(friction("friction = \"frictionless\"\n"), 0.0);
  EXPECT_EQ(friction("mu_static = 0.25\ndecides = true\n"), 0.25);
}

TEST(VoxcadExport, TheBodyMustBeKnown) {
  const auto error = [](const std::string& toml, const std::string& name) {
    const auto exported = write_vxa(test::checked(read_scene_toml(toml, "pool.toml")).root, name);
    return exported ? std::string("accepted") : exported.error().message();
  };
  const std::string one = "[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\n";
  EXPECT_EQ(error(one, ""), "accepted");
  EXPECT_EQ(error(one, "cubr"), "system = \"cubr\": must name a voxel body of this scene (did you mean \"cube\"?)");
  EXPECT_EQ(error(one + "[[system]]\nkind = \"voxel_body\"\nname = \"other\"\n", ""),
            "system = 2 voxel bodies: choose one of cube, other");
  EXPECT_EQ(error("title = \"empty\"\n", ""), "system = 0 voxel bodies: the scene must contain a voxel body to export");
}

}  // namespace
}  // namespace vw

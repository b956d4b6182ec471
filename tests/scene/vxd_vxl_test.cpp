// Robots of voxcraft (.vxd), each of which modifies a base design, and designs of Voxelyze (.vxl.json).
#include <cmath>

#include "scene_test_support.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/system/voxel/lattice/regions.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

using namespace scene_test;

/// Returns the small design as the base of robots. Without EnableExpansion, its actuation would not be supported.
NamedText base() {
  return {"base.vxa", replaced(small_design(), "<Damping>", "<EnableExpansion>1</EnableExpansion><Damping>")};
}

Node robot_scene(const std::string& children) {
  LoadedScene scene = test::checked(read_vxd({"robot.vxd", "<VXD>\n" + children + "\n</VXD>"}, base()));
  EXPECT_TRUE(scene.warnings.empty()) << scene.warnings.front();
  return std::move(scene.root);
}

std::string robot_error(const std::string& text, const std::string& base_text = small_design()) {
  const auto scene = read_vxd({"robot.vxd", text}, {"base.vxa", base_text});
  return scene ? "accepted" : scene.error().message();
}

TEST(VoxcraftRobot, ThatChangesNothingIsItsBase) {
  const Node robot = robot_scene("");
  auto plain = read_vxa(small_design(), "robot.vxa");
  ASSERT_TRUE(plain);
  for (Node& child : plain->root.children)
    if (child.schema == &voxel_body_schema()) child.set("self_contact", true);  // voxcraft has self-contact by default
  EXPECT_TRUE(same_node(robot, plain->root));
}

TEST(VoxcraftRobot, PartsTakeThePlaceOfTheBases) {
  const Node robot = robot_scene(
      "<Structure replace=\"VXA.VXC.Structure\" "
      "Compression=\"ASCII_READABLE\"><X_Voxels>2</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>1</Z_Voxels>"
      "<Data><Layer>12</Layer></Data></Structure>"
      "<RecordHistory replace=\"VXA.Simulator.RecordHistory\"><RecordStepSize>10</RecordStepSize></RecordHistory>"
      "<AnyName replace=\"VXA.Environment.Thermal.TempPeriod\">0.7</AnyName>"
      "<AttachDetach replace=\"VXA.Simulator.AttachDetach\"><EnableCollision>0</EnableCollision></AttachDetach>");
  EXPECT_EQ(value_of<Vec3>(body_of(robot), "size"), Vec3(2, 1, 1));
  EXPECT_EQ(value_of<double>(body_of(robot), "temperature_period"), 0.7);
  EXPECT_EQ(value_of<double>(body_of(robot), "voxel_size"), 0.02) << "the value of the base design";
  EXPECT_FALSE(value_of<bool>(body_of(robot), "self_contact"));
}

TEST(VoxcraftRobot, ThatIsExportedHasTheCellsAndMaterialsOfTheBody) {
  const Node scene = test::checked(read_vxa(small_design(), "small.vxa")).root;
  const auto exported = test::checked(write_design(scene, "", "robot.vxd"));
  EXPECT_NE(exported.warning.find("base.vxa"), std::string::npos);
  // The base has other cells, another voxel size and no material.
  const std::string other =
      "<VXA Version=\"1.1\"><VXC Version=\"0.94\"><Lattice><Lattice_Dim>0.5</Lattice_Dim></Lattice><Palette></Palette>"
      "<Structure Compression=\"ASCII_READABLE\"><X_Voxels>1</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>1</Z_Voxels>"
      "<Data><Layer>0</Layer></Data></Structure></VXC></VXA>";
  const LoadedScene robot = test::checked(read_vxd({"robot.vxd", exported.text}, {"base.vxa", other}));
  for (const char* key : {"size", "voxel_size", "layers"})
    EXPECT_EQ(body_of(robot.root).value(key), body_of(scene).value(key)) << key;
  const auto before = scene.all("material"), after = robot.root.all("material");
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i)
    for (const char* key : {"youngs_modulus", "density", "poissons_ratio", "cte", "color"})
      EXPECT_EQ(before[i]->value(key), after[i]->value(key)) << key;
}

TEST(VoxcraftRobot, MissingElementsOfThePathAreMade) {
  const Node robot = robot_scene("<a replace=\"VXA.Simulator.Features.VolumeEffectsEnabled\">1</a>");
  EXPECT_EQ(value_of<double>(*robot.find("material", "Soft"), "poissons_ratio"), 0.35);
}

TEST(VoxcraftRobot, ErrorsNameTheFileThatTheyAreIn) {
  EXPECT_EQ(robot_error("<VXA></VXA>"), "robot.vxd:1: <VXA>: must be <VXD>; the file is not a voxcraft robot");
  EXPECT_EQ(robot_error("<VXD></VXD>", "<VXC></VXC>"),
            "base.vxa:1: <VXC>: must be <VXA>, because the file is the base of a .vxd file");
  EXPECT_EQ(robot_error("<VXD>\n<a replace=\"VXB.c\"/></VXD>"),
            "robot.vxd:2: replace = \"VXB.c\": must be a path below VXA, such as VXA.VXC.Structure");
  EXPECT_EQ(robot_error("<VXD><a replace=\"VXA\"/></VXD>"),
            "robot.vxd:1: replace = \"VXA\": must be a path below VXA, such as VXA.VXC.Structure");
  EXPECT_EQ(robot_error("<VXD><a replace=\"VXA..b\"/></VXD>"),
            "robot.vxd:1: replace = \"VXA..b\": must be a path below VXA, such as VXA.VXC.Structure");
  EXPECT_EQ(robot_error("<VXD><a replace=\"VXA.VXC.Lattice.Lattice_Dim\">-1</a></VXD>"),
            "robot.vxd: Lattice_Dim = -1.0 m: must lie in [1e-09, 1000] m");
  EXPECT_EQ(robot_error("<VXD></VXD>", replaced(small_design(), "<Lattice_Dim>0.02", "<Lattice_Dim>-1")),
            "base.vxa:15: Lattice_Dim = -1.0 m: must lie in [1e-09, 1000] m");
  EXPECT_EQ(robot_error("<VXD>"), "robot.vxd:1: is not well-formed XML: Start-end tags mismatch");
}

TEST(VoxcraftRobot, ElementsWithoutAPlaceAreNamed) {
  const auto scene = read_vxd({"robot.vxd", "<VXD><Odd/></VXD>"}, base());
  ASSERT_TRUE(scene);
  ASSERT_EQ(scene->warnings.size(), 1U);
  EXPECT_EQ(
      scene->warnings[0],
      "robot.vxd: these features are not supported and are ignored or replaced: <Odd> without a replace attribute");
}

TEST(VoxcraftRobot, ThatOnlyContractsIsNamed) {
  const auto scene = read_vxd({"robot.vxd", "<VXD></VXD>"}, {"base.vxa", small_design()});
  ASSERT_TRUE(scene);
  ASSERT_EQ(scene->warnings.size(), 1U);
  EXPECT_NE(scene->warnings[0].find("actuation by contraction only (EnableExpansion 0)"), std::string::npos);
}

TEST(VoxcraftRobot, OpensWithTheBaseBesideItAndAsASource) {
  const Scratch folder;
  const std::string robot =
      folder.write("robot.vxd", "<VXD><a replace=\"VXA.Environment.Thermal.TempPeriod\">0.7</a></VXD>");
  EXPECT_EQ(load_scene(robot).error().message(),
            robot + ": needs a base.vxa in the same folder; select another base with --base FILE");
  const std::string other = folder.write("other.vxa", small_design());
  EXPECT_TRUE(load_scene(robot, {.base = other}));
  folder.write("my_base.vxa", small_design());
  EXPECT_TRUE(load_scene(robot)) << "the only file whose name ends in base.vxa is the base";
  folder.write("base.vxa", replaced(small_design(), "<Lattice_Dim>0.02", "<Lattice_Dim>0.03"));
  const auto scene = load_scene(robot);
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(value_of<double>(body_of(scene->root), "voxel_size"), 0.03) << "a file named base.vxa is preferred";
  const auto pool = load_scene(
      folder.write("pool.toml", "[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nsource = \"robot.vxd\"\n"));
  ASSERT_TRUE(pool) << pool.error().message();
  EXPECT_EQ(value_of<double>(body_of(pool->root), "temperature_period"), 0.7);
}

TEST(VoxcraftRobot, TheSamplePairOpens) {
  const std::string path = std::string(VOXWAKE_SOURCE_DIR) + "/../shared/samples/voxcraft_robot.vxd";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no samples beside the source tree";
  const auto scene = load_scene(path);
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(filled_cells(body_of(scene->root)), 1U);
  EXPECT_TRUE(value_of<bool>(body_of(scene->root), "self_contact"));
}

// ---- Voxelyze ----

/// Returns three voxels in the shape of an L, in the format of CVoxelyze::writeJSON. The first voxel is fixed, and a
/// force acts on the other two.
std::string small_vxl() {
  return R"({
    "voxelSize": 0.005, "relativeAmbientTemperature": 12.5, "gravityAcceleration": 1.0, "floorEnabled": true, "collisionsEnabled": true,
    "materials": [
      {"youngsModulus": 1e6, "epsilonFail": 0.2, "density": 1100.0, "name": "gum", "red": 255, "green": 0, "blue": 51, "alpha": 255,
       "poissonsRatio": 0.3, "CTE": 0.01, "staticFriction": 0.8, "kineticFriction": 0.6, "internalDamping": 0.5, "globalDamping": 0.01,
       "collisionDamping": 0.4},
      {"strainData": [0, 0.1, 0.3], "stressData": [0, 1e5, 1.5e5]}
    ],
    "voxels": [-2, 5, 1, 0, -1, 5, 1, 1, -1, 5, 2, 1],
    "externals": [
      {"fixed": [true, true, true, false, false, true], "translate": [0.001, 0, 0], "voxelIndices": [0]},
      {"force": [0, 1, 2], "moment": [0.1, 0.2, 0.3], "voxelIndices": [2, 1]}
    ]
  })";
}

std::string vxl_error(const std::string& text) {
  const auto scene = read_vxl(text, "beam.vxl.json");
  return scene ? "accepted" : scene.error().message();
}

Node vxl_scene(const std::string& text) {
  LoadedScene scene = test::checked(read_vxl(text, "beam.vxl.json"));
  EXPECT_TRUE(scene.warnings.empty()) << scene.warnings.front();
  return std::move(scene.root);
}

TEST(VoxelyzeDesign, EverythingArrivesWithItsMeaning) {
  const Node scene = vxl_scene(small_vxl());
  EXPECT_EQ(value_of<std::string>(scene, "title"), "beam");
  const Node& body = body_of(scene);
  EXPECT_EQ(value_of<Vec3>(body, "size"), Vec3(2, 2, 1));
  EXPECT_EQ(value_of<TextList>(body, "layers"), (TextList{"12", ".2"}));
  EXPECT_EQ(value_of<double>(body, "voxel_size"), 0.005);
  EXPECT_TRUE(value_of<bool>(body, "self_contact"));
  EXPECT_EQ(value_of<std::string>(body, "temperature_wave"), "constant");
  EXPECT_EQ(value_of<double>(body, "temperature_amplitude"), 12.5);
  EXPECT_EQ(value_of<Vec3>(*scene.only("world"), "gravity"), Vec3(0, -9.80665, 0));
  EXPECT_EQ(scene.all("collider").size(), 1U);

  const Node& gum = *scene.find("material", "gum");
  EXPECT_EQ(value_of<double>(gum, "poissons_ratio"), 0.3);
  EXPECT_EQ(value_of<double>(gum, "failure_strain"), 0.2);
  EXPECT_EQ(value_of<double>(gum, "global_damping"), 0.01);
  EXPECT_EQ(value_of<double>(gum, "contact_damping"), 0.4);
  EXPECT_NEAR(value_of<double>(gum, "bond_damping"), 0.5 / std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(value_of<Vec3>(gum, "color").z(), 0.0331, 1e-4) << "sRGB 0.2 in linear light";
  const Node& table = *scene.find("material", "material_2");
  EXPECT_EQ(value_of<std::string>(table, "model"), "data");
  EXPECT_EQ(value_of<double>(table, "youngs_modulus"), 1e6);
  EXPECT_EQ(value_of<double>(table, "failure_strain"), 0.3);
}

TEST(VoxelyzeDesign, ExternalsBecomeRegionsOfTheirVoxels) {
  const Node scene = vxl_scene(small_vxl());
  const auto regions = body_of(scene).all("region");
  ASSERT_EQ(regions.size(), 2U);
  EXPECT_EQ(value_of<TextList>(*regions[0], "freedoms"), (TextList{"x", "y", "z", "ry"}));
  EXPECT_EQ(value_of<Vec3>(*regions[0], "displacement"), Vec3(0.001, 0, 0));
  EXPECT_EQ(value_of<Vec3>(*regions[0], "max"), Vec3(0.5, 0.5, 1));
  EXPECT_EQ(value_of<Vec3>(*regions[1], "force"), 2 * Vec3(0, 2, -1)) << "two voxels; the file's z is y here";
  EXPECT_EQ(value_of<Vec3>(*regions[1], "torque"), 2 * Vec3(0.1, 0.3, -0.2));
  EXPECT_EQ(value_of<Vec3>(*regions[1], "min"), Vec3(0.5, 0, 0));
}

TEST(VoxelyzeDesign, AFileWithoutItsLastBraceIsWhole) {
  std::string text = small_vxl();
  const auto externals = text.find(",\n    \"externals\"");
  const Node cut = vxl_scene(text.substr(0, externals));  // The closing brace is missing. Voxelyze writes such files.
  EXPECT_TRUE(same_node(cut, vxl_scene(text.substr(0, externals) + "}")));
  EXPECT_EQ(vxl_error(text.substr(0, text.size() / 2)), "beam.vxl.json: is not valid JSON");
}

TEST(VoxelyzeDesign, ErrorsNameMemberFoundAndExpected) {
  const auto broken = [](const std::string& from, const std::string& to) {
    return vxl_error(replaced(small_vxl(), from, to));
  };
  EXPECT_EQ(vxl_error("[1]"), "beam.vxl.json: a list: must be an object; the file is not a Voxelyze design");
  EXPECT_EQ(broken("\"voxelSize\": 0.005", "\"voxelSize\": -1"),
            "beam.vxl.json: voxelSize = -1: must lie in [1e-09, 1000] m");
  EXPECT_EQ(broken("\"fixed\": [true,", "\"fixed\": [1,"),
            "beam.vxl.json: fixed = 1: must have six values, each of them true or false");
  EXPECT_EQ(broken("\"voxelSize\"", "\"size\""),
            "beam.vxl.json: voxelSize = none: is required; the file is not a Voxelyze design");
  EXPECT_EQ(broken("1, -1, 5, 2, 1]", "1, -1, 5, 2]"),
            "beam.vxl.json: voxels = 11 numbers: must list four numbers for each voxel (x, y, z and material), and at "
            "least one voxel");
  EXPECT_EQ(broken("1, -1, 5, 2, 1]", "1, -1, 5, 2, 2]"),
            "beam.vxl.json: voxels = 2: must be a whole number from 0 to 1");
  EXPECT_EQ(broken("-1, 5, 2, 1]", "900000000, 5, 2, 1]"),
            "beam.vxl.json: voxels = 9e+08 x 1 x 2 cells: must span at most 4194304 cells");
  EXPECT_EQ(broken("[2, 1]", "[3]"), "beam.vxl.json: voxelIndices = 3: must be a whole number from 0 to 2");
  EXPECT_EQ(broken("[0, 0.1, 0.3]", "[0, 0.3, 0.1]"),
            "beam.vxl.json: strainData = 0.1 after 0.3: strains must increase, and the first must be above 0");
  EXPECT_EQ(broken("\"poissonsRatio\": 0.3", "\"poissonsRatio\": 0.7"),
            "beam.vxl.json: poissonsRatio = 0.7: must lie in [0, 0.49] ");
  EXPECT_EQ(broken("\"force\": [0, 1, 2]", "\"force\": [0, 1]"),
            "beam.vxl.json: force = 2 numbers: must have three numbers");
  EXPECT_EQ(broken("\"floorEnabled\": true", "\"floorEnabled\": 1"),
            "beam.vxl.json: floorEnabled = 1: must be true or false");
}

TEST(VoxelyzeDesign, OpensByItsNameAndAsASource) {
  const Scratch folder;
  const auto scene = load_scene(folder.write("beam.vxl.json", small_vxl()));
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(body_of(scene->root).name, "beam");
  const auto pool = load_scene(
      folder.write("pool.toml", "[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nsource = \"beam.vxl.json\"\n"));
  ASSERT_TRUE(pool) << pool.error().message();
  EXPECT_EQ(value_of<TextList>(body_of(pool->root), "layers"), (TextList{"12", ".2"}));
}

}  // namespace
}  // namespace vw

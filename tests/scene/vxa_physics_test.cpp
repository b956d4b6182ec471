// Material models, failure, boundary conditions and collisions of VoxCAD designs must keep their meaning in the import.
#include <cmath>

#include "scene_test_support.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/system/voxel/lattice/regions.h"
#include "sim/world/world.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

using namespace scene_test;

Node design_scene(const std::string& text) {
  LoadedScene scene = test::checked(read_vxa(text, "creature.vxa"));
  EXPECT_TRUE(scene.warnings.empty()) << scene.warnings.front();
  return std::move(scene.root);
}

/// Returns the small design whose first material has the given XML elements.
std::string with_mechanics(const std::string& leaves) {
  return replaced(small_design(), "<MatModel>0</MatModel>", leaves);
}

const Node& soft(const Node& scene) { return *scene.find("material", "Soft"); }

std::string table(const std::string& strains, const std::string& stresses, const std::string& count = "") {
  const auto list = [](const std::string& numbers, const std::string& leaf) {
    std::string out;
    for (std::size_t at = 0; at < numbers.size();) {
      const std::size_t end = std::min(numbers.find(' ', at), numbers.size());
      out.append("<").append(leaf).append(">").append(numbers, at, end - at).append("</").append(leaf).append(">");
      at = end + 1;
    }
    return out;
  };
  return "<MatModel>3</MatModel><SSData>" + (count.empty() ? "" : "<NumDataPts>" + count + "</NumDataPts>") +
         "<StrainData>" + list(strains, "Strain") + "</StrainData><StressData>" + list(stresses, "Stress") +
         "</StressData></SSData>";
}

TEST(VoxcadMaterials, FailAtTheStressOrStrainOfTheirFailModel) {
  const Node plain = design_scene(with_mechanics("<MatModel>0</MatModel><Fail_Stress>5e4</Fail_Stress>"));
  EXPECT_EQ(value_of<double>(soft(plain), "failure_stress"), 0.0) << "MatModel 0 never fails, whatever Fail_Stress is";
  const Node stress = design_scene(
      with_mechanics("<MatModel>1</MatModel><Fail_Stress>5e4</Fail_Stress><Fail_Strain>0.1</Fail_Strain>"));
  EXPECT_EQ(value_of<double>(soft(stress), "failure_stress"), 5e4);
  EXPECT_EQ(value_of<double>(soft(stress), "failure_strain"), 0.0);
  const Node strain = design_scene(with_mechanics(
      "<MatModel>1</MatModel><FailModel>1</FailModel><Fail_Stress>5e4</Fail_Stress><Fail_Strain>0.1</Fail_Strain>"));
  EXPECT_EQ(value_of<double>(soft(strain), "failure_stress"), 0.0);
  EXPECT_EQ(value_of<double>(soft(strain), "failure_strain"), 0.1);
  EXPECT_EQ(value_of<std::string>(soft(strain), "model"), "linear");
}

TEST(VoxcadMaterials, YieldWithTheirPlasticModulus) {
  const Node scene =
      design_scene(with_mechanics("<MatModel>2</MatModel><Plastic_Mod>1e5</Plastic_Mod><Yield_Stress>2e4</"
                                  "Yield_Stress><Fail_Stress>6e4</Fail_Stress>"));
  EXPECT_EQ(value_of<std::string>(soft(scene), "model"), "bilinear");
  EXPECT_EQ(value_of<double>(soft(scene), "plastic_modulus"), 1e5);
  EXPECT_EQ(value_of<double>(soft(scene), "yield_stress"), 2e4);
  EXPECT_EQ(value_of<double>(soft(scene), "failure_stress"), 6e4);
}

TEST(VoxcadMaterials, FollowTheirTableUpToItsEnd) {
  const Node scene = design_scene(with_mechanics(table("0 0.1 0.2 0.5", "0 2e4 3e4 3.5e4", "4")));
  EXPECT_EQ(value_of<std::string>(soft(scene), "model"), "data");
  EXPECT_EQ(value_of<NumberList>(soft(scene), "strain_data"), (NumberList{0.1, 0.2, 0.5}));
  EXPECT_EQ(value_of<NumberList>(soft(scene), "stress_data"), (NumberList{2e4, 3e4, 3.5e4}));
  EXPECT_EQ(value_of<double>(soft(scene), "youngs_modulus"), 2e5) << "the slope to the first pair replaces Elastic_Mod";
  EXPECT_EQ(value_of<double>(soft(scene), "failure_strain"), 0.5) << "VoxCAD's material fails at the last pair";
  EXPECT_TRUE(make_lattice(body_of(scene), scene));
}

TEST(VoxcadMaterials, BadTablesAreErrorsThatSayWhatIsWrong) {
  const auto error = [](const std::string& leaves) { return vxa_error(with_mechanics(leaves)); };
  EXPECT_EQ(error("<MatModel>3</MatModel>"), "creature.vxa:18: SSData = none: is required for MatModel 3");
  EXPECT_EQ(error(table("0.1 0.2", "1e4")),
            "creature.vxa:18: SSData = 2 strains and 1 stresses: must have as many strains as stresses");
  EXPECT_EQ(error(table("0.1 0.2", "1e4 2e4", "3")),
            "creature.vxa:18: SSData.NumDataPts = 3: must be the number of pairs, 2");
  EXPECT_EQ(error(table("0.2 0.1", "1e4 2e4")),
            "creature.vxa:18: SSData.StrainData = 0.1 after 0.2: strains must increase, and the first must be above 0");
  EXPECT_EQ(error(table("0 0.1", "5 2e4")),
            "creature.vxa:18: SSData.StrainData = 0 after 0: strains must increase, and the first must be above 0");
  EXPECT_EQ(error(table("0.1 0.2", "0 2e4")),
            "creature.vxa:18: SSData.StressData = 0 at the strain 0.1: must begin with a stress above 0, because the "
            "first pair determines the elastic modulus");
  EXPECT_EQ(error(table("0", "0")),
            "creature.vxa:18: SSData = no pair except (0, 0): must have at least one pair with a strain and a stress "
            "above 0");
  EXPECT_EQ(error(table("0.1 nan", "1e4 2e4")),
            "creature.vxa:18: SSData.StrainData = nan: must be a number in [0, 100]");
  EXPECT_EQ(error(table("0.1 0.2", "1e4 -2e4")),
            "creature.vxa:18: SSData.StressData = -2e4: must be a number in [0, 1e+13]");
  EXPECT_EQ(error(table("0.1", "1e-3")), "creature.vxa:18: SSData = initial slope 0.01 Pa: must lie in [1, 1e+13] Pa");
  EXPECT_EQ(error("<MatModel>2</MatModel><Plastic_Mod>1e5</Plastic_Mod>"),
            "creature.vxa:18: Yield_Stress = 0 Pa: must be above 0 for MatModel 2");
  EXPECT_EQ(error("<MatModel>2</MatModel><Yield_Stress>1e4</Yield_Stress><Plastic_Mod>5e6</Plastic_Mod>"),
            "creature.vxa:18: Plastic_Mod = 5000000 Pa: must be below Elastic_Mod = 5000000 Pa");
}

TEST(VoxelMaterials, ScenesRefuseModelsThatMakeNoSense) {
  const auto error = [](const std::string& keys) {
    const Node scene = test::checked(read_scene_toml("[[material]]\nname = \"gum\"\nyoungs_modulus = 1e5\n" + keys +
                                                         "[[system]]\nkind = \"voxel_body\"\nname = \"a\"\n",
                                                     "pool.toml"))
                           .root;
    const auto lattice = make_lattice(body_of(scene), scene);
    return lattice ? std::string("accepted") : lattice.error().message();
  };
  EXPECT_EQ(error("model = \"bilinear\"\nyield_stress = 1e3\nplastic_modulus = 1e4\n"), "accepted");
  EXPECT_EQ(error("model = \"bilinear\"\n"),
            "material.gum.yield_stress = 0 Pa: must be above 0 if model = \"bilinear\"");
  EXPECT_EQ(error("model = \"bilinear\"\nyield_stress = 1e3\nplastic_modulus = 1e5\n"),
            "material.gum.plastic_modulus = 100000 Pa: must be below youngs_modulus = 100000 Pa");
  EXPECT_EQ(error("model = \"data\"\n"),
            "material.gum.strain_data = no strain: must have at least one strain if model = \"data\"");
  EXPECT_EQ(error("model = \"data\"\nstrain_data = [0.1, 0.2]\nstress_data = [1e4]\n"),
            "material.gum.stress_data = 1 stresses: must have one stress for each strain in strain_data, 2 in all");
  EXPECT_EQ(error("model = \"data\"\nstrain_data = [0.1, 0.1]\nstress_data = [1e4, 2e4]\n"),
            "material.gum.strain_data = 0.1 after 0.1: strains must increase, and the first must be above 0");
  EXPECT_EQ(error("model = \"data\"\nstrain_data = [0.1]\nstress_data = [0.0]\n"),
            "material.gum.stress_data = first value 0 Pa: must be above 0, because the first pair determines the "
            "elastic modulus");
  EXPECT_EQ(error("model = \"data\"\nstrain_data = [0.1]\nstress_data = [1e4]\n"), "accepted");
}

TEST(VoxelMaterials, ALiveEditThatMakesNoSenseIsRefused) {
  const auto scene =
      read_scene_toml("[[material]]\nname = \"gum\"\n[[system]]\nkind = \"voxel_body\"\nname = \"a\"\n", "pool.toml");
  ASSERT_TRUE(scene);
  auto world = World::create(scene->root);
  ASSERT_TRUE(world);
  const auto refused = (*world)->apply(SetParameter{"material.gum.model", Value(std::string("bilinear"))});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(), "material.gum.yield_stress = 0 Pa: must be above 0 if model = \"bilinear\"");
  EXPECT_TRUE((*world)->apply(SetParameter{"material.gum.yield_stress", Value(1e3)}));
  EXPECT_TRUE((*world)->apply(SetParameter{"material.gum.model", Value(std::string("bilinear"))}));
}

/// Returns the region of the small design if its FRegion has the given XML elements.
Node region_of(const std::string& leaves) {
  const std::string text = small_design();
  const auto begin = text.find("<FRegion>"), end = text.find("</FRegion>");
  Node scene = design_scene(text.substr(0, begin) + "<FRegion>" + leaves + text.substr(end));
  EXPECT_EQ(body_of(scene).all("region").size(), 1U);
  return *body_of(scene).all("region").front();
}

TEST(VoxcadRegions, HoldTheFreedomsOfTheirBits) {
  // The bits of DofFixed are x 1, y 2, z 4, rx 8, ry 16, rz 32, in the axes of the file (z up). The scene's y axis is
  // the file's z axis, and its z axis lies along the file's y axis. The names of y and z are thus exchanged.
  const Node some = region_of("<dX>1</dX><dY>1</dY><dZ>1</dZ><DofFixed>21</DofFixed>");  // 21 = x, z, ry
  EXPECT_TRUE(value_of<bool>(some, "fixed"));
  EXPECT_EQ(value_of<TextList>(some, "freedoms"), (TextList{"x", "y", "rz"}));
  EXPECT_EQ(value_of<TextList>(region_of("<DofFixed>42</DofFixed>"), "freedoms"),
            (TextList{"z", "rx", "ry"}));  // 42 = y, rx, rz
  EXPECT_EQ(value_of<TextList>(region_of("<DofFixed>7</DofFixed>"), "freedoms"), (TextList{"x", "y", "z"}));
  EXPECT_EQ(value_of<TextList>(region_of("<DofFixed>63</DofFixed>"), "freedoms"), TextList{});
  EXPECT_EQ(value_of<TextList>(region_of("<Fixed>1</Fixed>"), "freedoms"), TextList{});
  EXPECT_FALSE(value_of<bool>(region_of("<Fixed>0</Fixed><TorqueX>1</TorqueX>"), "fixed"));
}

TEST(VoxcadRegions, PushTwistAndMoveInTurnedAxes) {
  const Node region = region_of(
      "<DofFixed>63</DofFixed><ForceX>1</ForceX><ForceY>2</ForceY><ForceZ>3</ForceZ><TorqueX>4</TorqueX><TorqueY>5</"
      "TorqueY><TorqueZ>6</TorqueZ>"
      "<DisplaceX>0.01</DisplaceX><DisplaceY>0.02</DisplaceY><DisplaceZ>0.03</DisplaceZ>"
      "<AngDisplaceX>0.1</AngDisplaceX><AngDisplaceY>0.2</AngDisplaceY><AngDisplaceZ>0.3</AngDisplaceZ>");
  EXPECT_EQ(value_of<Vec3>(region, "force"), Vec3(1, 3, -2));
  EXPECT_EQ(value_of<Vec3>(region, "torque"), Vec3(4, 6, -5));
  EXPECT_EQ(value_of<Vec3>(region, "displacement"), Vec3(0.01, 0.03, -0.02));
  EXPECT_EQ(value_of<Vec3>(region, "rotation"), Vec3(0.1, 0.3, -0.2));
  // The ramp must last ten times as long as sound takes through the body: 3 voxels of 0.02 m, at the slowest speed of
  // sound sqrt(1e6 / 2000) m/s.
  EXPECT_NEAR(value_of<double>(region, "ramp"), 10 * 0.06 / std::sqrt(500.0), 1e-12);
}

TEST(VoxcadRegions, TakeTheShapesOfSpheresAndCylinders) {
  const Node sphere =
      region_of("<PrimType>2</PrimType><X>0.25</X><Y>0.25</Y><Z>0.75</Z><Radius>0.3</Radius><Fixed>1</Fixed>");
  EXPECT_EQ(value_of<std::string>(sphere, "shape"), "sphere");
  EXPECT_EQ(value_of<Vec3>(sphere, "center"), Vec3(0.25, 0.75, 0.75));
  EXPECT_EQ(value_of<double>(sphere, "radius"), 0.3);
  const Node cylinder = region_of(
      "<PrimType>1</PrimType><X>0.5</X><Y>0</Y><Z>0</Z><dX>0</dX><dY>0.5</dY><dZ>1</dZ><Radius>0.3</Radius><Fixed>1</"
      "Fixed>");
  EXPECT_EQ(value_of<std::string>(cylinder, "shape"), "cylinder");
  EXPECT_EQ(value_of<Vec3>(cylinder, "center"), Vec3(0.5, 0, 1));
  EXPECT_EQ(value_of<Vec3>(cylinder, "axis"), Vec3(0, 1, -0.5));
}

std::size_t held_voxels(const Node& scene) {
  const ResolvedRegions regions =
      resolve_regions(test::checked(make_lattice(body_of(scene), scene)), read_regions(body_of(scene)).value());
  return static_cast<std::size_t>(std::count(regions.fixed.begin(), regions.fixed.end(), 1));
}

std::string without_regions(std::string text) {
  const auto begin = text.find("<FRegion>"), end = text.find("</FRegion>") + 10;
  return text.erase(begin, end - begin);
}

TEST(VoxcraftDesign, FixedMaterialsStandStillAndNothingElseDoes) {
  const std::string text =
      replaced(without_regions(small_design()), "<Name>Active_+</Name>", "<Name>Active_+</Name><Fixed>1</Fixed>");
  const Node scene = design_scene(text);
  const auto lattice = make_lattice(body_of(scene), scene);
  ASSERT_TRUE(lattice);
  const ResolvedRegions regions = resolve_regions(*lattice, read_regions(body_of(scene)).value());
  for (std::size_t v = 0; v < lattice->cell.size(); ++v)
    EXPECT_EQ(regions.fixed[v] != 0, lattice->material[v] == 1) << v;
}

TEST(VoxcraftDesign, FixedMaterialsThatAreScatteredTooWidelyAreNamed) {
  // In a checkerboard of two materials, each fixed voxel needs a box of its own.
  const auto board = [](std::size_t n) {
    std::string layers;
    for (std::size_t z = 0; z < n; ++z) {
      layers += "<Layer>";
      for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x) layers += (x + y + z) % 2 == 0 ? '1' : '2';
      layers += "</Layer>";
    }
    std::string text =
        replaced(without_regions(small_design()), "<Name>Active_+</Name>", "<Name>Active_+</Name><Fixed>1</Fixed>");
    text = replaced(text, "<Layer><![CDATA[110200]]></Layer>", layers);
    text = replaced(text, "<Layer><![CDATA[000021]]></Layer>", "");
    for (const char* size : {"<X_Voxels>3", "<Y_Voxels>2", "<Z_Voxels>2"})
      text = replaced(text, size, std::string(size, 10) + std::to_string(n));
    return text;
  };
  EXPECT_EQ(held_voxels(design_scene(board(10))), 500U);
  const auto many = read_vxa(board(14), "creature.vxa");
  ASSERT_TRUE(many);
  ASSERT_EQ(many->warnings.size(), 1U);
  EXPECT_NE(many->warnings[0].find("fixed materials (Fixed) whose voxels form more than 1000 boxes"), std::string::npos)
      << many->warnings[0];
}

TEST(VoxcraftDesign, AConstantForceFieldPushesEveryVoxel) {
  const std::string field =
      "<Simulator><ForceField><x_forcefield><mtCONST>0.5</mtCONST></x_forcefield><z_forcefield><mtCONST>-2</mtCONST></"
      "z_forcefield></ForceField><EnableExpansion>1</EnableExpansion>";
  const Node scene = design_scene(replaced(without_regions(small_design()), "<Simulator>", field));
  const auto regions = body_of(scene).all("region");
  ASSERT_EQ(regions.size(), 1U);
  EXPECT_EQ(value_of<Vec3>(*regions[0], "force"), 5 * Vec3(0.5, -2, 0)) << "five voxels; the file's z is y here";
  EXPECT_FALSE(value_of<bool>(*regions[0], "fixed"));
  const auto by_place =
      read_vxa(replaced(small_design(), "<Simulator>", replaced(field, "<mtCONST>0.5</mtCONST>", "<mtVAR>x</mtVAR>")),
               "creature.vxa");
  ASSERT_TRUE(by_place);
  ASSERT_EQ(by_place->warnings.size(), 1U);
  EXPECT_NE(by_place->warnings[0].find("a force field that is not constant"), std::string::npos);
}

TEST(VoxcadDesign, BlendedMaterialsStiffenTowardTheirBorder) {
  // The body is a row of six voxels, three of 1 MPa and three of 5 MPa. Stiffness is blended over a radius of one voxel
  // edge, which reaches only the direct neighbours of a voxel.
  std::string text = replaced(small_design(), "<Layer><![CDATA[110200]]></Layer>", "<Layer>222111</Layer>");
  text = replaced(text, "<Layer><![CDATA[000021]]></Layer>", "");
  for (const auto& [from, to] : {std::pair("<X_Voxels>3", "<X_Voxels>6"), std::pair("<Y_Voxels>2", "<Y_Voxels>1"),
                                 std::pair("<Z_Voxels>2", "<Z_Voxels>1")})
    text = replaced(text, from, to);
  const auto stiffness = [&](const std::string& model) {
    const std::string features =
        "<Features><BlendingEnabled>1</BlendingEnabled><XMixRadius>0.02</XMixRadius>" + model + "</Features>";
    const LoadedScene scene =
        test::checked(read_vxa(replaced(text, "<Damping>", features + "<Damping>"), "creature.vxa"));
    EXPECT_EQ(scene.warnings.size(), 1U);
    EXPECT_NE(scene.warnings.at(0).find("blending of properties other than stiffness"), std::string::npos);
    return value_of<NumberList>(body_of(scene.root), "youngs_modulus_per_cell");
  };
  // The blended stiffness of a voxel is a weighted mean: weight 1 for the voxel, 1/2 for each neighbour. At the border,
  // one of two neighbours differs by 4 MPa, so the stiffness changes by a quarter of this.
  const auto expect_border = [](const NumberList& pascal, double soft_side, double stiff_side) {
    const double expected[] = {1e6, 1e6, soft_side, stiff_side, 5e6, 5e6};
    ASSERT_EQ(pascal.size(), 6U);
    // The tolerance covers the rounding of values of some megapascals.
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(pascal[i], expected[i], 1e-3) << i;
  };
  expect_border(stiffness(""), 1e6 + 0.25 * 4e6, 1e6 + 0.75 * 4e6);
  expect_border(stiffness("<BlendModel>1</BlendModel>"), 1e6 + (std::exp2(0.25) - 1) * 4e6,
                1e6 + (std::exp2(0.75) - 1) * 4e6);
  expect_border(stiffness("<BlendModel>2</BlendModel><PolyExp>2</PolyExp>"), 1e6 + 0.0625 * 4e6, 1e6 + 0.5625 * 4e6);
  // The square of this radius, in voxel edges, is smaller than any positive number.
  expect_border(stiffness("<YMixRadius>1e-200</YMixRadius>"), 1e6 + 0.25 * 4e6, 1e6 + 0.75 * 4e6);
}

TEST(VoxcadDesign, CollidesWithItselfWhereItsFileSaysSo) {
  const auto collides = [](const std::string& simulator) {
    return value_of<bool>(body_of(design_scene(replaced(small_design(), "<Simulator>", "<Simulator>" + simulator))),
                          "self_contact");
  };
  EXPECT_FALSE(collides(""));
  EXPECT_TRUE(collides("<Collisions><SelfColEnabled>1</SelfColEnabled></Collisions>"));
  EXPECT_FALSE(collides("<Collisions><SelfColEnabled>0</SelfColEnabled></Collisions>"));
  const std::string expands = "<EnableExpansion>1</EnableExpansion>";
  EXPECT_TRUE(collides(expands + "<RecordHistory><RecordStepSize>10</RecordStepSize></RecordHistory>"))
      << "voxcraft's default";
  EXPECT_FALSE(collides(expands + "<AttachDetach><EnableCollision>0</EnableCollision></AttachDetach>"));
}

/// Returns a bar of ten voxels of 10 mm. One end is fixed, and the other end is displaced by 2 mm.
std::string pulled_bar() {
  return R"(<VXA Version="1.1"><Simulator/><Environment><Boundary_Conditions>
<FRegion><X>0</X><dX>0.01</dX><dY>1</dY><dZ>1</dZ><DofFixed>63</DofFixed></FRegion>
<FRegion><X>0.99</X><dX>0.01</dX><dY>1</dY><dZ>1</dZ><DofFixed>63</DofFixed><DisplaceX>0.002</DisplaceX></FRegion>
</Boundary_Conditions></Environment><VXC Version="0.94"><Lattice><Lattice_Dim>0.01</Lattice_Dim></Lattice>
<Palette><Material><Name>gum</Name><Mechanical><MatModel>0</MatModel><Elastic_Mod>1e6</Elastic_Mod><Plastic_Mod>1e5</Plastic_Mod>
<Yield_Stress>1e4</Yield_Stress><Density>1000</Density></Mechanical></Material></Palette>
<Structure Compression="ASCII_READABLE"><X_Voxels>10</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>1</Z_Voxels>
<Data><Layer>1111111111</Layer></Data></Structure></VXC></VXA>)";
}

/// Returns the axial stress in the middle of a design [Pa] and x of its last voxel [m], after half a second.
std::pair<double, double> stress_and_end(const std::string& text) {
  const auto world = test::checked(World::create(design_scene(text)));
  while (world->time() < 0.5 && world->step()) {
  }
  EXPECT_EQ(world->health().sentence(), "");
  const System& body = world->system(0);
  const auto channels = body.channels();
  const auto stress =
      std::find_if(channels.begin(), channels.end(), [](const ChannelInfo& c) { return c.name == "stress"; });
  std::vector<float> values;
  body.channel(static_cast<std::size_t>(stress - channels.begin()), values);
  return {static_cast<double>(values[5]), body.elements().position.back().x()};
}

TEST(VoxcadDesign, ADisplacedBarCarriesTheStressOfItsMaterial) {
  const double strain = 0.002 / 0.09;  // strain between the centres of the fixed voxels
  const auto [elastic, end] = stress_and_end(pulled_bar());
  EXPECT_NEAR(end, 0.097, 1e-12) << "the end must be displaced by exactly 2 mm";
  EXPECT_NEAR(elastic, 1e6 * strain, 1e-3 * 1e6 * strain) << "vibration remains after half a second";
  // The ramp lasts only ten times as long as sound takes through the body. Waves therefore exceed the final strain a
  // little, and part of the excess remains as permanent strain. The tolerance is 3 %.
  const auto [yielding, same_end] = stress_and_end(replaced(pulled_bar(), "<MatModel>0", "<MatModel>2"));
  const double expected = 1e4 + 1e5 * (strain - 0.01);
  EXPECT_NEAR(yielding, expected, 0.03 * expected);
  EXPECT_EQ(same_end, end);
  const auto [torn, free_end] = stress_and_end(
      replaced(pulled_bar(), "<MatModel>0</MatModel>", "<MatModel>1</MatModel><Fail_Stress>15000</Fail_Stress>"));
  EXPECT_NEAR(torn, 0, 1e-3 * 15000) << "the bar must break below 22 kPa";
  EXPECT_EQ(free_end, end);
}

}  // namespace
}  // namespace vw

// VoxCAD designs: every imported XML element has the correct position and size in the axes of the scene, with y up.
#include <zlib.h>

#include <cmath>

#include "scene_test_support.h"
#include "sim/api/run.h"
#include "sim/base/files/file.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw {
namespace {

using namespace scene_test;

Node scene_of_design(const std::string& text) {
  auto scene = read_vxa(text, "creature.vxa");
  EXPECT_TRUE(scene) << scene.error().message();
  return scene ? std::move(scene->root) : make_node(scene_schema());
}

std::string base64(const std::string& bytes, bool padded) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned triple = 0;
    for (std::size_t k = 0; k < 3; ++k)
      triple = triple << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    const std::size_t used = std::min<std::size_t>(bytes.size() - i, 3) + 1;
    for (std::size_t k = 0; k < 4; ++k)
      if (k < used || padded) out += k < used ? digits[triple >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
           static_cast<uLong>(bytes.size()));
  out.resize(size);
  return out;
}

/// Returns the small design with the encoding `name` and the texts `first` and `second` of its two layers.
std::string packed_design(const std::string& name, const std::string& first, const std::string& second) {
  std::string text = replaced(small_design(), "ASCII_READABLE", name);
  text = replaced(text, "110200", first);
  return replaced(text, "000021", second);
}

const std::string layer_bytes_1{"\1\1\0\2\0\0", 6}, layer_bytes_2{"\0\0\0\0\2\1", 6};

TEST(VoxcadDesign, EveryEncodingGivesTheSameLattice) {
  const Node plain = scene_of_design(small_design());
  // In the scene, y is up and the body has two layers. The rows of a layer begin at the file's largest y, so the file's
  // cell (0, 0, 0) is in the last row.
  EXPECT_EQ(value_of<TextList>(body_of(plain), "layers"), (TextList{"2../11.", ".21/..."}));
  for (const bool padded : {true, false}) {
    const auto zlib = [&](const std::string& bytes) { return base64(deflated(bytes), padded); };
    const auto qt = [&](const std::string& bytes) {
      return base64(std::string("\0\0\0\6", 4) + deflated(bytes), padded);
    };
    EXPECT_TRUE(same_node(plain, scene_of_design(packed_design("ZLIB", zlib(layer_bytes_1), zlib(layer_bytes_2)))));
    EXPECT_TRUE(same_node(plain, scene_of_design(packed_design("QT_ZLIB", qt(layer_bytes_1), qt(layer_bytes_2)))));
    EXPECT_TRUE(same_node(
        plain, scene_of_design(packed_design("BASE64", base64(layer_bytes_1, padded), base64(layer_bytes_2, padded)))));
    EXPECT_TRUE(same_node(plain, scene_of_design(packed_design("UNHEARD_OF", base64(layer_bytes_1, padded),
                                                               base64(layer_bytes_2, padded)))));
  }
}

TEST(VoxcadDesign, OldFilesHoldAllVoxelsInOneText) {
  std::string text = replaced(small_design(), "<Layer><![CDATA[110200]]></Layer>", "<![CDATA[110200");
  text = replaced(text, "<Layer><![CDATA[000021]]></Layer>", "000021]]>");
  text = replaced(text, "<VXC Version=\"0.93\">", "<DMF Version=\"0.92\">");
  text = replaced(text, "</VXC>", "</DMF>");
  text = replaced(text, " Compression=\"ASCII_READABLE\"", "");
  EXPECT_TRUE(same_node(scene_of_design(small_design()), scene_of_design(text)));
}

TEST(VoxcadDesign, IsTurnedAndNotMirrored) {
  const Node scene = scene_of_design(small_design());
  const auto lattice = make_lattice(body_of(scene), scene);
  ASSERT_TRUE(lattice) << lattice.error().message();
  EXPECT_EQ((std::array{lattice->nx, lattice->ny, lattice->nz}), (std::array{3, 2, 2}));
  const Vec3 corner = value_of<Vec3>(body_of(scene), "position");
  // The expected positions are the centres of the filled cells in the axes of the file, in voxel edges. The cell (i, j,
  // k) has the centre (i + 1/2, j + 1/2, k + 1/2).
  const double edge = 0.02;
  const Vec3 expected[] = {{0.5, 0.5, 0.5}, {1.5, 0.5, 0.5}, {0.5, 1.5, 0.5}, {1.5, 1.5, 1.5}, {2.5, 1.5, 1.5}};
  ASSERT_EQ(lattice->cell.size(), std::size(expected));
  for (const Vec3& centre : expected) {
    const Vec3 turned = edge * Vec3(centre.x(), centre.z(), -centre.y());  // (x, y, z) -> (x, z, -y)
    const auto found = std::any_of(lattice->cell.begin(), lattice->cell.end(), [&](const std::array<int, 3>& c) {
      // The tolerance covers the rounding of positions of some centimetres.
      return (corner + edge * Vec3(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5) - turned).norm() < 1e-12;
    });
    EXPECT_TRUE(found) << turned.transpose();
  }
}

TEST(VoxcadDesign, MaterialsKeepTheirMeaning) {
  const Node scene = scene_of_design(small_design());
  const Node& soft = *scene.find("material", "Soft");
  EXPECT_EQ(value_of<double>(soft, "youngs_modulus"), 5e6);
  EXPECT_EQ(value_of<double>(soft, "density"), 1000.0);
  EXPECT_EQ(value_of<double>(soft, "cte"), 0.01);
  EXPECT_EQ(value_of<double>(soft, "poissons_ratio"), 0.0)
      << "without VolumeEffectsEnabled Poisson's ratio counts as 0";
  EXPECT_EQ(value_of<Vec3>(soft, "color").x(), 1.0);
  EXPECT_NEAR(value_of<Vec3>(soft, "color").y(), 0.2140, 1e-4) << "sRGB 0.5 in linear light";
  EXPECT_NE(scene.find("material", "Active_plus"), nullptr);
  const std::string lively = replaced(small_design(), "<Damping>",
                                      "<Features><VolumeEffectsEnabled>1</VolumeEffectsEnabled></Features><Damping>");
  EXPECT_EQ(value_of<double>(*scene_of_design(lively).find("material", "Soft"), "poissons_ratio"), 0.35);
}

TEST(VoxcadDesign, DampingKeepsTheSourcesMeaning) {
  const Node scene = scene_of_design(small_design());
  const Node& soft = *scene.find("material", "Soft");
  // Two masses m are joined by a bond of stiffness k and move at the relative speed v. The damping force is 2 zeta
  // sqrt(m k) (v / 2) in VoxCAD and 2 zeta' sqrt(m k / 2) v in Voxwake, with the damping ratios zeta and zeta'.
  const double m = 0.008, k = 1e5, v = 0.3;
  const double source = 2 * 0.5 * std::sqrt(m * k) * (v / 2);
  EXPECT_NEAR(2 * value_of<double>(soft, "bond_damping") * std::sqrt(m / 2 * k) * v, source, 1e-12 * source);
  EXPECT_EQ(value_of<double>(soft, "contact_damping"), 0.8);
  EXPECT_EQ(value_of<double>(soft, "global_damping"), 0.01);

  const Node partly = scene_of_design(
      replaced(small_design(),
               "<BondDampingZ>0.5</BondDampingZ><ColDampingZ>0.8</ColDampingZ><SlowDampingZ>0.01</SlowDampingZ>", ""));
  EXPECT_NEAR(value_of<double>(*partly.find("material", "Soft"), "bond_damping"), 0.1 / std::sqrt(2.0), 1e-15);
  EXPECT_EQ(value_of<double>(*partly.find("material", "Soft"), "global_damping"), 1.0);
}

TEST(VoxcadDesign, TheFloorGivesVoxelsTheirOwnFriction) {
  const Node scene = scene_of_design(small_design());
  const Node& floor = *scene.find("collider", "ground");
  const Node& soft = *scene.find("material", "Soft");
  EXPECT_DOUBLE_EQ(std::sqrt(value_of<double>(floor, "mu_static") * value_of<double>(soft, "mu_static")), 1.0);
  EXPECT_DOUBLE_EQ(std::sqrt(value_of<double>(floor, "mu_dynamic") * value_of<double>(soft, "mu_dynamic")), 0.5);
}

TEST(VoxcadDesign, TheFloorGivesVoxelsTheirOwnFrictionWhereMaterialsDiffer) {
  const Node scene = scene_of_design(replaced(small_design(), "<uStatic>1</uStatic><uDynamic>0.5</uDynamic>",
                                              "<uStatic>0.7</uStatic><uDynamic>0.3</uDynamic>"));
  const Node& floor = *scene.find("collider", "ground");
  const auto met = [&](const char* material, const char* mu) {
    return std::sqrt(value_of<double>(floor, mu) * value_of<double>(*scene.find("material", material), mu));
  };
  EXPECT_DOUBLE_EQ(met("Soft", "mu_static"), 0.7);
  EXPECT_DOUBLE_EQ(met("Soft", "mu_dynamic"), 0.3);
  EXPECT_DOUBLE_EQ(met("Active_plus", "mu_static"), 1.0);
  EXPECT_DOUBLE_EQ(met("Active_plus", "mu_dynamic"), 0.5);
}

TEST(VoxcadDesign, TemperatureComesAsAmplitudeOrAsItsHighest) {
  const Node scene = scene_of_design(small_design());
  EXPECT_EQ(value_of<std::string>(body_of(scene), "temperature_wave"), "sine");
  EXPECT_EQ(value_of<double>(body_of(scene), "temperature_amplitude"), 14.0)
      << "the older TempAmp is absolute: 39 - 25";
  EXPECT_EQ(value_of<double>(body_of(scene), "temperature_period"), 0.2);
  const Node newer =
      scene_of_design(replaced(small_design(), "<TempAmp>39</TempAmp>", "<TempAmplitude>39</TempAmplitude>"));
  EXPECT_EQ(value_of<double>(body_of(newer), "temperature_amplitude"), 39.0);
  EXPECT_EQ(vxa_error(replaced(small_design(), "<TempBase>25", "<TempBase>-2e6")),
            "creature.vxa:12: TempAmp = 2.00004e+06 above TempBase: the difference from TempBase must lie in [-1e+06, "
            "1e+06] K");
  const Node constant = scene_of_design(replaced(small_design(), "<VaryTempEnabled>1", "<VaryTempEnabled>0"));
  EXPECT_EQ(value_of<std::string>(body_of(constant), "temperature_wave"), "constant");
  const Node off = scene_of_design(replaced(small_design(), "<TempEnabled>1", "<TempEnabled>0"));
  EXPECT_EQ(value_of<std::string>(body_of(off), "temperature_wave"), "none");
}

TEST(VoxcadDesign, PhasesAddUpInCycles) {
  const std::string with_layers = replaced(
      small_design(), "</Data>",
      "</Data><PhaseOffset><Layer><![CDATA[0.1,0.2,0.3,0.4,0.5,0.6,]]></Layer><Layer>1,2,3,4,5,6</Layer></PhaseOffset>"
      "<Stiffness><Layer>10,20,30,40,50,60</Layer><Layer>1,2,3,4,5,6</Layer></Stiffness>");
  const Node scene = scene_of_design(with_layers);
  const auto lattice = make_lattice(body_of(scene), scene);
  ASSERT_TRUE(lattice) << lattice.error().message();
  // The filled cells in the file's order are (0,0,0) (1,0,0) (0,1,0)* (1,1,1)* (2,1,1). The material of cells marked *
  // has a phase of pi, which is half a cycle. In a scene, rows begin at the file's largest y.
  const double expected_phase[] = {0.4 + 0.5, 0.1, 0.2, 5 + 0.5, 6};
  const double expected_stiffness[] = {40, 10, 20, 5, 6};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(lattice->phase[i], expected_phase[i], 1e-14) << i;
    EXPECT_EQ(lattice->youngs_override[i], expected_stiffness[i]) << i;
  }
}

TEST(VoxcadDesign, RegionsTouchTheSameVoxels) {
  const Node scene = scene_of_design(small_design());
  const auto regions = body_of(scene).all("region");
  ASSERT_EQ(regions.size(), 1U);
  EXPECT_EQ(value_of<Vec3>(*regions[0], "min"), Vec3(0, 0.5, 0));
  EXPECT_EQ(value_of<Vec3>(*regions[0], "max"), Vec3(0.25, 1, 0.25)) << "large y of the file is small z";
  EXPECT_TRUE(value_of<bool>(*regions[0], "fixed"));
  const Node newer = scene_of_design(
      replaced(replaced(replaced(small_design(), "<Fixed>1</Fixed>",
                                 "<DofFixed>0</DofFixed><ForceX>1</ForceX><ForceY>2</ForceY><ForceZ>3</ForceZ>"),
                        "<Fixed_Regions><NumFixed>1</NumFixed>", "<Boundary_Conditions><NumBCs>1</NumBCs>"),
               "</Fixed_Regions>", "</Boundary_Conditions>"));
  EXPECT_FALSE(value_of<bool>(*body_of(newer).all("region")[0], "fixed"));
  EXPECT_EQ(value_of<Vec3>(*body_of(newer).all("region")[0], "force"), Vec3(1, 3, -2));
}

TEST(VoxcadDesign, GravityAndFloorFollowTheFile) {
  const Node scene = scene_of_design(small_design());
  EXPECT_EQ(value_of<Vec3>(*scene.only("world"), "gravity"), Vec3(0, -3.7, 0));
  EXPECT_EQ(scene.all("collider").size(), 1U);
  const Node off = scene_of_design(
      replaced(replaced(small_design(), "<GravEnabled>1", "<GravEnabled>0"), "<FloorEnabled>1", "<FloorEnabled>0"));
  EXPECT_EQ(value_of<Vec3>(*off.only("world"), "gravity"), Vec3(0, 0, 0));
  EXPECT_TRUE(off.all("collider").empty());
}

TEST(VoxcadDesign, ABareStructureStandsOnAFloorUnderGravity) {
  const std::string text = small_design();
  const auto begin = text.find("<VXC"), end = text.find("</VXC>");
  const auto scene = read_vxa(text.substr(begin, end + 6 - begin), "creature.vxc");
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(value_of<Vec3>(*scene->root.only("world"), "gravity"), Vec3(0, -9.81, 0));
  EXPECT_EQ(scene->root.all("collider").size(), 1U);
  EXPECT_EQ(scene->root.all("material").size(), 2U);
}

TEST(VoxcadDesign, NamesAllUnsupportedFeaturesInOneLine) {
  std::string text = replaced(small_design(), "<MatModel>0", "<MatModel>7");
  text = replaced(
      text, "<Simulator>",
      "<Simulator><Features><MaxVelLimitEnabled>1</MaxVelLimitEnabled></Features><EnableSignals>1</EnableSignals>"
      "<EnableExpansion>1</EnableExpansion>");
  text = replaced(text, "<Fixed>1</Fixed>", "<DofFixed>6</DofFixed><DisplaceX>0.1</DisplaceX>");
  text =
      replaced(text, "</Fixed_Regions>", "<FRegion><PrimType>3</PrimType><Fixed>1</Fixed></FRegion></Fixed_Regions>");
  text = replaced(text, "</Data>", "</Data><FinalVoxelSize><Layer>1</Layer></FinalVoxelSize>");
  text = replaced(text, "<Environment>", "<Environment><StickyFloor>1</StickyFloor>");
  const auto scene = read_vxa(text, "creature.vxa");
  ASSERT_TRUE(scene) << scene.error().message();
  ASSERT_EQ(scene->warnings.size(), 1U);
  EXPECT_EQ(
      scene->warnings[0],
      "creature.vxa: these features are not supported and are ignored or replaced: material models above 3 (MatModel), "
      "displacement in directions that are not fixed (Displace, AngDisplace), regions with the shape of a mesh, "
      "velocity limit (MaxVelLimitEnabled), signals (EnableSignals), sticky floor (StickyFloor), layers of "
      "FinalVoxelSize");
  EXPECT_EQ(vxa_error(text, {.strict = true}).rfind("creature.vxa: these features are not supported", 0), 0U);
  EXPECT_EQ(vxa_error(small_design(), {.strict = true}), "accepted");
}

TEST(VoxcadDesign, ErrorsSayWhatWasFoundAndExpected) {
  const auto broken = [](const std::string& from, const std::string& to) {
    return vxa_error(replaced(small_design(), from, to));
  };
  EXPECT_EQ(broken("110200", "11020"), "creature.vxa:27: Structure.Data.Layer 1 = 5 voxels: expected 3 x 2 = 6 voxels");
  EXPECT_EQ(
      broken("110200", "110300"),
      "creature.vxa:27: Structure.Data.Layer 1 = material 3: must be 0 (empty) or a material of the Palette, 1 to 2");
  EXPECT_EQ(broken("<Z_Voxels>2", "<Z_Voxels>3"), "creature.vxa:26: Structure.Data = 2 layers: expected Z_Voxels = 3");
  EXPECT_EQ(broken("<X_Voxels>3", "<X_Voxels>-3"),
            "creature.vxa:25: X_Voxels = -3.0: must be a whole number from 1 to 4194304");
  EXPECT_EQ(broken("<X_Voxels>3", "<X_Voxels>4194304"),
            "creature.vxa:24: Structure = 4194304 x 2 x 2 voxels: may have at most 4194304 cells");
  EXPECT_EQ(broken("<Elastic_Mod>5e+006", "<Elastic_Mod>-5e6"),
            "creature.vxa:18: Elastic_Mod = -5e+06 Pa: must lie in [1, 1e+13] Pa");
  EXPECT_EQ(broken("<Elastic_Mod>5e+006", "<Elastic_Mod>soft"),
            "creature.vxa:18: Elastic_Mod = soft: must be a number");
  EXPECT_EQ(broken("<TempPeriod>0.2", "<TempPeriod>nan"), "creature.vxa:12: TempPeriod = nan: must be finite");
  EXPECT_EQ(broken("<Lattice_Dim>0.02", "<Lattice_Dim>0"),
            "creature.vxa:15: Lattice_Dim = 0.0 m: must lie in [1e-09, 1000] m");
  EXPECT_EQ(broken("ASCII_READABLE", "ZLIB"),
            "creature.vxa:27: Structure.Data.Layer 1 = zlib data that are damaged or too long: expected 6 voxels");
  EXPECT_EQ(broken("</Structure>", "</Strukture>"), "creature.vxa:30: is not well-formed XML: Start-end tags mismatch");
  EXPECT_EQ(broken("110200", "000000").rfind("accepted", 0), 0U);
  EXPECT_EQ(vxa_error("<html></html>"),
            "creature.vxa:1: <html>: must be <VXA>, <VXC> or <DMF>; the file is not a VoxCAD design");
  EXPECT_EQ(vxa_error(replaced(replaced(small_design(), "110200", "000000"), "000021", "000000")),
            "creature.vxa:24: Structure = no filled voxel: must contain at least one voxel");
}

TEST(VoxcadDesign, AnEmptyNumberIsRefused) {
  const auto emptied = [](const std::string& leaf, const std::string& value, const std::string& to) {
    return vxa_error(replaced(small_design(), "<" + leaf + ">" + value + "</" + leaf + ">", to));
  };
  EXPECT_EQ(emptied("Elastic_Mod", "5e+006", "<Elastic_Mod></Elastic_Mod>"),
            "creature.vxa:18: Elastic_Mod = an empty element: must be a number");
  EXPECT_EQ(emptied("Lattice_Dim", "0.02", "<Lattice_Dim/>"),
            "creature.vxa:15: Lattice_Dim = an empty element: must be a number");
  EXPECT_EQ(emptied("GravAcc", "-3.7", "<GravAcc> </GravAcc>"),
            "creature.vxa:11: GravAcc = an empty element: must be a number");
  EXPECT_EQ(emptied("GravEnabled", "1", "<GravEnabled/>"),
            "creature.vxa:11: GravEnabled = an empty element: must be a number");
}

TEST(VoxcadDesign, ASwitchIsZeroOrOne) {
  for (const char* name : {"GravEnabled", "FloorEnabled", "TempEnabled", "VaryTempEnabled"})
    for (const char* value : {"2", "1e300", "-3", "0.5"}) {
      const std::string error =
          vxa_error(replaced(small_design(), std::string("<") + name + ">1", std::string("<") + name + ">" + value));
      EXPECT_NE(error.find(std::string(name) + " = " + value + ": must be 0 or 1"), std::string::npos) << error;
      EXPECT_EQ(error.rfind("creature.vxa:1", 0), 0U) << error;
    }
  for (const char* value : {"0", "1", "true", "false", "1.0"})
    EXPECT_EQ(vxa_error(replaced(small_design(), "<GravEnabled>1", std::string("<GravEnabled>") + value)), "accepted")
        << value;
  EXPECT_EQ(vxa_error(replaced(small_design(), "<Environment>", "<Environment><StickyFloor>2</StickyFloor>")),
            "creature.vxa:7: StickyFloor = 2: must be 0 or 1");
}

TEST(VoxcadDesign, ASecondRootOrStructureIsReportedWithItsLine) {
  EXPECT_EQ(vxa_error(small_design() + "<VXA/>"),
            "creature.vxa:33: is not well-formed XML: <VXA> is a second root element");
  EXPECT_EQ(vxa_error(small_design() + "<!-- the end -->"), "accepted");
  EXPECT_EQ(vxa_error(replaced(small_design(), "<Structure ", "<Structure>x</Structure><Structure ")),
            "creature.vxa:24: X_Voxels: is missing; it must be a whole number from 1 to 4194304");
}

TEST(VoxcadDesign, ADecompressionBombIsRefused) {
  const std::string bomb = base64(deflated(std::string(50'000'000, '\0')), true);
  EXPECT_EQ(vxa_error(packed_design("ZLIB", bomb, bomb)),
            "creature.vxa:27: Structure.Data.Layer 1 = zlib data that are damaged or too long: expected 6 voxels");
}

struct Sample {
  const char* file;
  std::size_t cells, filled;  ///< counted from the file by another program
  std::size_t materials;
  const char* names;  ///< a phrase of the expected warning
};

TEST(VoxcadSamples, LoadWithTheVoxelCountsOfTheirFiles) {
  const std::string folder = std::string(VOXWAKE_SOURCE_DIR) + "/../shared/samples/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no samples beside the source tree";
  const Sample samples[] = {
      {"VoxCAD_SampleSimulation_ZLIB.vxa", 250, 250, 1, nullptr},
      {"evosoro_Example_stickyFloorBC_ZLIB_v094.vxa", 1000, 642, 4, nullptr},
      {"evosoro_Example_withPhaseOffset_ASCII.vxa", 125, 79, 5, nullptr},
      {"voxcraft_base.vxa", 2, 1, 1, nullptr},
  };
  for (const Sample& sample : samples) {
    const auto scene = load_scene(folder + sample.file);
    ASSERT_TRUE(scene) << scene.error().message();
    const Node& body = body_of(scene->root);
    EXPECT_EQ(value_of<Vec3>(body, "size").prod(), static_cast<double>(sample.cells)) << sample.file;
    EXPECT_EQ(filled_cells(body), sample.filled) << sample.file;
    const auto lattice = make_lattice(body, scene->root);
    ASSERT_TRUE(lattice) << lattice.error().message();
    EXPECT_EQ(lattice->cell.size(), sample.filled) << sample.file;
    EXPECT_EQ(scene->root.all("material").size(), sample.materials) << sample.file;
    ASSERT_EQ(scene->warnings.size(), sample.names == nullptr ? 0U : 1U) << sample.file;
    if (sample.names != nullptr) {
      EXPECT_NE(scene->warnings[0].find(sample.names), std::string::npos) << scene->warnings[0];
    }
    const auto back = read_scene_toml(write_scene_toml(scene->root), "copy.toml");
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_TRUE(same_node(back->root, scene->root)) << sample.file;
  }
}

TEST(VoxcadSamples, TheStickyFloorSampleIsHeldAtItsBottomLayer) {
  const std::string path =
      std::string(VOXWAKE_SOURCE_DIR) + "/../shared/samples/evosoro_Example_stickyFloorBC_ZLIB_v094.vxa";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no samples beside the source tree";
  const auto scene = load_scene(path);
  ASSERT_TRUE(scene);
  const Node& region = *body_of(scene->root).all("region").at(0);
  EXPECT_EQ(value_of<Vec3>(region, "min"), Vec3(0, 0, 0));
  EXPECT_EQ(value_of<Vec3>(region, "max"), Vec3(1, 0.01, 1));
  EXPECT_EQ(value_of<double>(body_of(scene->root), "temperature_amplitude"), 14.0);
  EXPECT_EQ(value_of<Vec3>(*scene->root.only("world"), "gravity").y(), -27.468);
}

TEST(VoxcadSamplesValidation, EveryRealDesignRunsASecondInGoodHealth) {
  const std::string folder = std::string(VOXWAKE_SOURCE_DIR) + "/../shared/samples/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no samples beside the source tree";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".vxa") continue;
    auto scene = api::open_scene(entry.path().string());
    ASSERT_TRUE(scene) << scene.error().message();
    auto run = api::Run::create(std::move(*scene));
    ASSERT_TRUE(run) << run.error().message();
    while (run->time_s() < 1) ASSERT_TRUE(run->step()) << run->failure();
  }
}

}  // namespace
}  // namespace vw

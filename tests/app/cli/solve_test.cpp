// The commands `voxwake solve` and `voxwake modes` as users run them: values, files, and the messages if there is no
// solution.
#include <algorithm>
#include <cmath>

#include "tests/app/cli/program.h"

namespace vw {
namespace {

constexpr const char* beam_text = R"(format = 1
title = "Beam"

[[material]]
name = "rubber"
youngs_modulus = 1e6
bond_damping = 0.5

[[system]]
kind = "voxel_body"
name = "beam"
material = "rubber"
size = [10, 1, 1]
voxel_size = 0.005
position = [0, 0.1, 0]

[[system.region]]
name = "clamp"
max = [0.05, 1, 1]
)";

constexpr double edge = 0.005, area = edge * edge, stiffness = 1e6 * area * area / 12, line_load = 1000 * area * 9.81;

class SolveTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    write("beam.toml", beam_text);
  }
  [[nodiscard]] static nlohmann::json parsed(const ProgramResult& result) {
    return nlohmann::json::parse(result.out, nullptr, false);
  }
};

TEST_F(SolveTest, ABeamSagsUnderItsWeightAsTheFormulaSays) {
  const auto result = run({"solve", "beam.toml", "--json", "--set", "world.gravity=[0,-0.981,0]"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto report = parsed(result);
  // Expected deflection of the tip. Under a line load q, a continuous cantilever of length L and bending stiffness E I
  // deflects by q L^4 / (8 E I). Here, the weight acts at the centres of the nine free voxels, so the deflections due
  // to nine single loads are added.
  double expected = 0;
  for (int i = 1; i <= 9; ++i) {
    const double at = i * edge, tip = 9 * edge;
    expected += 0.1 * line_load * edge * at * at * (3 * tip - at) / (6 * stiffness);
  }
  EXPECT_NEAR(report["largest_displacement"].get<double>(), expected, 0.005 * expected);
  EXPECT_EQ(report["largest_displacement_voxel"], 9);
  EXPECT_LT(report["relative_residual"].get<double>(), 1e-8);
  EXPECT_NEAR(report["reaction"][1].get<double>(), 0.1 * 10 * line_load * edge, 0.12 * 10 * 0.1 * line_load * edge);
  EXPECT_TRUE(report["stable"].get<bool>());
  EXPECT_EQ(report["state_hash"].get<std::string>().size(), 16U);
}

TEST_F(SolveTest, WhatIsSolvedStaysAtRestWhenItRunsOn) {
  ASSERT_EQ(run({"solve", "beam.toml", "--save", "rest.state", "--out", "rest.csv"}).code, 0);
  EXPECT_EQ(slurp(path("rest.csv")).rfind("time,system,index,x,y,z,vx,vy,vz", 0), 0U);
  const auto result = run({"run", "--resume", "rest.state", "--until", "0.2", "--report", "-"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto body = parsed(result)["systems"][0];
  EXPECT_LT(body["kinetic_energy"].get<double>(), 1e-9 * body["elastic_energy"].get<double>());
}

TEST_F(SolveTest, FrequenciesAreThoseOfACantilever) {
  const auto result = run({"modes", "beam.toml", "--count", "4", "--json", "--out", "shapes.csv"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto report = parsed(result);
  ASSERT_EQ(report["modes"].size(), 4U);
  const double expected =
      1.8751041 * 1.8751041 / (2 * M_PI) * std::sqrt(stiffness / (1000 * area * std::pow(9.5 * edge, 4)));
  EXPECT_NEAR(report["modes"][0]["hertz"].get<double>(), expected, 0.01 * expected);
  EXPECT_EQ(report["modes"][0]["kind"], "flexible");
  const std::string table = slurp(path("shapes.csv"));
  EXPECT_EQ(table.rfind("mode,hertz,kind,voxel,x,y,z,ux,uy,uz,rx,ry,rz\n", 0), 0U);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 4 * 10);
}

TEST_F(SolveTest, TheDampingOfImplicitStepsIsPrinted) {
  const std::vector<std::string> implicit{"--set", "system.beam.integrator=implicit", "--set", "world.dt=0.01",
                                          "--set", "system.beam.implicit_step=0.004"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), implicit.begin(), implicit.end());
    return run(arguments);
  };
  // Damping ratio of a mode of frequency `hertz` [Hz] under implicit steps of `h` [s]. With z = 2 pi hertz h, a step
  // reduces the amplitude by the factor exp(-decay) and advances the phase by atan z. The damping ratio is decay /
  // hypot(decay, atan z).
  const auto damping = [](double hertz, double h) {
    const double z = 2 * M_PI * hertz * h, decay = 0.5 * std::log1p(z * z);
    return decay / std::hypot(decay, std::atan(z));
  };
  const auto modes = parsed(with({"modes", "beam.toml", "--count", "2", "--json"}));
  EXPECT_DOUBLE_EQ(modes["implicit_step"].get<double>(), 0.01 / 3);
  const double expected = damping(modes["modes"][0]["hertz"].get<double>(), 0.01 / 3);
  EXPECT_GT(expected, 0.05);
  EXPECT_NEAR(modes["modes"][0]["numerical_damping"].get<double>(), expected, 1e-12);
  EXPECT_NE(with({"modes", "beam.toml", "--count", "2"}).out.find("numerical damping [%]"), std::string::npos);
  const auto totals = parsed(with({"run", "beam.toml", "--steps", "3", "--report", "-"}))["systems"][0]["totals"];
  EXPECT_NEAR(totals["numerical_damping_at_10_hz"].get<double>(), damping(10, 0.01 / 3), 1e-12);
  EXPECT_GT(totals["implicit_residual"].get<double>(), 0);
  EXPECT_LT(totals["implicit_residual"].get<double>(), 1e-4);
  const auto plain = run({"modes", "beam.toml", "--count", "2"});
  EXPECT_EQ(plain.out.find("damping"), std::string::npos) << "explicit steps do not damp, so no damping is printed";
}

TEST_F(SolveTest, AFreeBodyHasSixRigidMotionsAndATableSaysSo) {
  const auto result = run({"modes", "small.toml", "--count", "7"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("6 rigid-body modes"), std::string::npos) << result.out;
  std::size_t rigid = 0, at = 0;
  while ((at = result.out.find("  rigid ", at)) != std::string::npos) ++rigid, ++at;
  EXPECT_EQ(rigid, 6U) << result.out;
}

TEST_F(SolveTest, NothingIsWrittenWithoutASolution) {
  write("two.toml", std::string(beam_text) + R"(
[[system]]
kind = "voxel_body"
name = "block"
size = [2, 2, 2]
)");
  write("none.toml", "format = 1\ntitle = \"Nothing\"\n");
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string sentence;
  };
  const std::vector<Case> cases{
      {{"solve", "small.toml", "--set", "world.gravity=[1,0,0]", "--out", "x.csv"}, 1, "the body is not held"},
      {{"solve", "none.toml"}, 2, "the scene has no voxel body"},
      {{"modes", "none.toml"}, 2, "the scene has no voxel body"},
      {{"solve", "two.toml"}, 2, "the scene has 2 voxel bodies: choose one of beam, block"},
      {{"modes", "two.toml", "--system", "baem"}, 2, "no voxel body \"baem\""},
      {{"solve", "missing.toml"}, 2, "missing.toml"},
      {{"solve", "beam.toml", "--tolerance", "0"}, 2, "--tolerance = 0"},
      {{"modes", "beam.toml", "--count", "0"}, 2, "--count = 0: must be a whole number from 1 to 500"},
      {{"modes", "beam.toml", "--out", "no/such/x.csv"}, 2, "no/such/x.csv: cannot be written"},
      {{"solve", "beam.toml", "--out", "beam.toml"}, 2, "is the scene itself"},
      {{"modes", "beam.toml", "--set", "system.beam.region.clamp.max=[1,1,1]"}, 1, "every voxel is held"},
  };
  for (const Case& one : cases) {
    const auto result = run(one.arguments);
    EXPECT_EQ(result.code, one.code) << one.sentence << "\n" << result.err;
    EXPECT_NE(result.err.find(one.sentence), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
  EXPECT_FALSE(std::filesystem::exists(path("x.csv")));
}

}  // namespace
}  // namespace vw

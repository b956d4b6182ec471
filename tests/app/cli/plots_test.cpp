// The option `voxwake run --plots`, which writes the curves of a scene as a table.
#include <cmath>
#include <map>

#include "tests/app/cli/program.h"

namespace vw {
namespace {

std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST_F(CliTest, PlotsAreWrittenWithWhatIsMeasuredBesideWhatTheorySays) {
  const auto result = run({"run", "lab-slide", "--until", "2", "--every", "0.5", "--plots", "plots.csv"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto rows = rows_of(slurp(path("plots.csv")));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front(), (std::vector<std::string>{"time", "plot", "curve", "system", "x", "y"}));
  std::map<std::string, std::map<double, double>> way;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 6U);
    if (rows[i][1] == "way") way[rows[i][2]][std::round(std::stod(rows[i][4]) * 1e6) / 1e6] = std::stod(rows[i][5]);
  }
  ASSERT_EQ(way["theory"].size(), 5U) << "at 0, 0.5, 1, 1.5 and 2 s";
  EXPECT_NEAR(way["theory"][2.0], 4.71257, 5e-6);
  EXPECT_NEAR(way["exact"][2.0], way["theory"][2.0], 1e-3 * 4.7) << "accuracy required by SPEC 2";
  EXPECT_EQ(way["exact"][0.0], 0);
}

TEST_F(CliTest, PointsOverAParameterNameTheirSystem) {
  ASSERT_EQ(run({"run", "lab-convergence", "--until", "1", "--every", "1", "--plots", "plots.csv"}).code, 0);
  int points = 0;
  for (const auto& row : rows_of(slurp(path("plots.csv"))))
    points += row.size() == 6 && row[2] == "loop" && row[3].starts_with("loop-") ? 1 : 0;
  EXPECT_EQ(points, 6);
}

TEST_F(CliTest, ProbesOfAFluidGoIntoTheTable) {
  write("tank.toml", R"(
format = 1
[world]
dt = 0.005
gravity = [0, 0, 0]
[[system]]
kind = "fluid"
name = "water"
spacing = 0.02
[[system.fill]]
kind = "box"
name = "block"
position = [0, 0.1, 0]
size = [0.2, 0.2, 0.2]
[[plot]]
name = "probes"
[[plot.curve]]
kind = "measured"
name = "height"
system = "water"
quantity = "surface_height"
[[plot.curve]]
kind = "measured"
name = "density"
system = "water"
quantity = "at_point"
channel = "density"
point = [0, 0.1, 0]
[[plot.curve]]
kind = "measured"
name = "flow"
system = "water"
quantity = "flow_rate"
point = [0, 0.1, 0]
)");
  const auto result = run({"run", "tank.toml", "--steps", "2", "--every", "0.005", "--plots", "plots.csv"});
  ASSERT_EQ(result.code, 0) << result.err;
  std::map<std::string, std::vector<double>> curves;
  for (const auto& row : rows_of(slurp(path("plots.csv"))))
    if (row[1] == "probes") curves[row[2]].push_back(std::stod(row[5]));
  // Without gravity, a block of water keeps its shape. Its top is half a spacing above the centres of the uppermost
  // particles. Its density is that of water.
  EXPECT_EQ(curves["height"].size(), 3U);
  for (const double height : curves["height"]) EXPECT_NEAR(height, 0.2, 1e-3);
  for (const double density : curves["density"]) EXPECT_NEAR(density, 1000, 20);
  for (const double flow : curves["flow"]) EXPECT_NEAR(flow, 0, 1e-5);
}

TEST_F(CliTest, PlotsOfASceneWithoutPlotsAreOneSentence) {
  const auto result = run({"run", "small.toml", "--steps", "1", "--plots", "plots.csv"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("this scene has no plots"), std::string::npos) << result.err;
}

TEST_F(CliTest, APlotOfAnUnknownSystemIsRefusedWithFileAndLine) {
  write("bad.toml",
        std::string(small_scene) +
            "\n[[plot]]\nname = \"p\"\n[[plot.curve]]\nkind = \"measured\"\nname = \"c\"\nsystem = \"grain\"\n");
  const auto result = run({"check", "bad.toml"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(
      result.err.find("plot.p.curve.c.system = \"grain\": must name a system of this scene (did you mean \"grains\"?)"),
      std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("bad.toml:"), std::string::npos);
}

TEST_F(CliTest, TheListingShowsTheLabTogether) {
  const auto result = run({"scenes"});
  ASSERT_EQ(result.code, 0);
  std::vector<bool> lab;
  std::istringstream in(result.out);
  for (std::string line; std::getline(in, line);) lab.push_back(line.find("[lab] ") != std::string::npos);
  EXPECT_GT(std::count(lab.begin(), lab.end(), true), 8);
  EXPECT_TRUE(std::is_sorted(lab.begin(), lab.end())) << "scenes of the lab must come after the others";
}

}  // namespace
}  // namespace vw

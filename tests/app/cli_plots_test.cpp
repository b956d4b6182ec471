// voxwake run --plots: the curves of a scene as a table.
#include <cmath>
#include <map>

#include "tests/app/cli_program.h"

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
  EXPECT_NEAR(way["exact"][2.0], way["theory"][2.0], 1e-3 * 4.7) << "SPEC 2";
  EXPECT_EQ(way["exact"][0.0], 0);
}

TEST_F(CliTest, PointsOverAParameterNameTheirSystem) {
  ASSERT_EQ(run({"run", "lab-convergence", "--until", "1", "--every", "1", "--plots", "plots.csv"}).code, 0);
  int points = 0;
  for (const auto& row : rows_of(slurp(path("plots.csv")))) points += row.size() == 6 && row[2] == "loop" && row[3].starts_with("loop-") ? 1 : 0;
  EXPECT_EQ(points, 6);
}

TEST_F(CliTest, PlotsOfASceneWithoutPlotsAreOneSentence) {
  const auto result = run({"run", "small.toml", "--steps", "1", "--plots", "plots.csv"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("this scene has no plots"), std::string::npos) << result.err;
}

TEST_F(CliTest, APlotThatNamesNobodyIsRefusedWithFileAndLine) {
  write("bad.toml", std::string(small_scene) + "\n[[plot]]\nname = \"p\"\n[[plot.curve]]\nkind = \"measured\"\nname = \"c\"\nsystem = \"grain\"\n");
  const auto result = run({"check", "bad.toml"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("plot.p.curve.c.system = \"grain\": must name a system of this scene (did you mean \"grains\"?)"), std::string::npos)
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
  EXPECT_TRUE(std::is_sorted(lab.begin(), lab.end())) << "after the others";
}

}  // namespace
}  // namespace vw

// The command `voxwake field` as users run it. The written files are read back according to their formats and compared
// with the formula of the wind.
#include <cmath>
#include <cstring>
#include <map>

#include <gmock/gmock.h>

#include "tests/app/cli/program.h"

namespace vw {
namespace {

using testing::HasSubstr;

/// A scene with two winds. In the first, the air rotates rigidly about y with a period of 2 pi seconds and has the
/// velocity (z, 0, -x). The second is uniform and limited to a box.
constexpr const char* wind_scene = R"(format = 1
title = "Winds"

[[field]]
kind = "vortex"
name = "spin"
profile = "rankine"
core = 10
circulation = 628.318530717958647

[[field]]
kind = "uniform"
name = "corner"
velocity = [0, 3, 0]
region = "box"
region_center = [0.75, 0.5, 0.25]
region_size = [0.5, 1, 1.5]
)";

constexpr const char* spectral_scene = R"(format = 1
title = "Eddies"

[[field]]
kind = "spectral"
name = "eddies"
period = 2
nodes = 32
grids = 1
strength = 0.5

[[field]]
kind = "uniform"
name = "mean"
)";

struct Samples {
  std::vector<std::size_t> shape;
  std::vector<float> value;
};

class FieldTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    setenv("VOXWAKE_CACHE", "off", 1);
    write("wind.toml", wind_scene);
    write("eddies.toml", spectral_scene);
  }

  /// Reads a .npy file (version 1.0 of NumPy's format).
  [[nodiscard]] Samples npy(const std::string& name) const {
    const std::string bytes = slurp(path(name));
    Samples out;
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    if (bytes.size() < 10) return out;
    const std::size_t header = static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ((10 + header) % 64, 0U);
    const std::string literal = bytes.substr(10, header);
    EXPECT_THAT(literal, HasSubstr("'descr': '<f4'"));
    EXPECT_THAT(literal, HasSubstr("'fortran_order': False"));
    EXPECT_EQ(literal.back(), '\n');
    std::size_t all = 1;
    std::istringstream shape(literal.substr(literal.find('(') + 1));
    for (std::size_t n = 0; shape >> n; shape.ignore(1)) {
      out.shape.push_back(n);
      all *= n;
    }
    EXPECT_EQ(bytes.size(), 10 + header + all * sizeof(float));
    out.value.resize((bytes.size() - 10 - header) / sizeof(float));
    std::memcpy(out.value.data(), bytes.data() + 10 + header, out.value.size() * sizeof(float));
    return out;
  }

  /// Reads the point data of a VTK file (XML ImageData with raw appended data).
  [[nodiscard]] std::map<std::string, Samples> vti(const std::string& name) const {
    const std::string bytes = slurp(path(name));
    const std::string mark = "<AppendedData encoding=\"raw\">\n_";
    const std::size_t data = bytes.find(mark) + mark.size();
    EXPECT_THAT(bytes.substr(0, data), HasSubstr("byte_order=\"LittleEndian\" header_type=\"UInt64\""));
    EXPECT_TRUE(bytes.ends_with("\n</AppendedData>\n</VTKFile>\n"));
    std::map<std::string, Samples> arrays;
    const std::string tag = "<DataArray type=\"Float32\" Name=\"";
    for (std::size_t at = bytes.find(tag); at < data; at = bytes.find(tag, at + 1)) {
      const std::string rest = bytes.substr(at + tag.size(), 200);
      const auto after = [&](const std::string& key) { return std::stoul(rest.substr(rest.find(key) + key.size())); };
      Samples& array = arrays[rest.substr(0, rest.find('"'))];
      array.shape = {after("NumberOfComponents=\"")};
      std::uint64_t size = 0;
      std::memcpy(&size, bytes.data() + data + after("offset=\""), sizeof(size));
      array.value.resize(size / sizeof(float));
      EXPECT_LE(data + after("offset=\"") + sizeof(size) + size, bytes.size());
      std::memcpy(array.value.data(), bytes.data() + data + after("offset=\"") + sizeof(size), size);
    }
    return arrays;
  }
};

TEST_F(FieldTest, ANumPyFileHoldsTheVelocityInTheOrderThatItsShapeSays) {
  const auto result = run({"field", "wind.toml", "--grid", "5x4x3", "--box", "-1,-2,-3,1,1,1", "--out", "u.npy"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("u.npy: velocity of all fields at 5x4x3 points from (-1, -2, -3) to (1, 1, 1) m, 0 s"));
  const Samples u = npy("u.npy");
  ASSERT_EQ(u.shape, (std::vector<std::size_t>{3, 4, 5, 3}));
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t i = 0; i < 5; ++i) {
        const double x = -1 + 0.5 * static_cast<double>(i), y = -2 + static_cast<double>(j),
                     z = -3 + 2 * static_cast<double>(k);
        const float* at = &u.value[3 * (i + 5 * (j + 4 * k))];
        EXPECT_NEAR(at[0], z, 1e-6);
        EXPECT_NEAR(at[2], -x, 1e-6);
        const bool in_box = std::abs(x - 0.75) < 0.25 && std::abs(y - 0.5) < 0.5 && std::abs(z - 0.25) < 0.75;
        EXPECT_NEAR(at[1], in_box ? 3 : 0, 1e-6);
      }
}

TEST_F(FieldTest, OneFieldAndOneQuantityCanBeAskedFor) {
  const auto value_at_end = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"field", "wind.toml",          "--field", "spin",   "--grid", "3",
                                   "--box", "0,0,0,0.5,0.5,0.25", "--out",   "one.npy"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = run(words);
    EXPECT_EQ(result.code, 0) << result.err;
    const Samples found = npy("one.npy");
    EXPECT_EQ(found.shape, (std::vector<std::size_t>{3, 3, 3}));
    return found.value.empty() ? 0.0 : static_cast<double>(found.value.back());
  };
  EXPECT_NEAR(value_at_end({"--quantity", "speed"}), std::hypot(0.5, 0.25), 1e-6);
  EXPECT_NEAR(value_at_end({"--quantity", "velocity_x"}), 0.25, 1e-6);
  EXPECT_NEAR(value_at_end({"--quantity", "vorticity_y"}), 2, 1e-3);
}

TEST_F(FieldTest, PressureIsLowInTheMiddleOfAVortex) {
  ASSERT_EQ(run({"field", "wind.toml", "--field", "spin", "--grid", "3x1x1", "--box", "-1,0,0,1,0,0", "--quantity",
                 "pressure", "--out", "p.npy"})
                .code,
            0);
  const Samples p = npy("p.npy");
  ASSERT_EQ(p.value.size(), 3U);
  // At the distance r from the axis the pressure over density is p0 + r^2 / 2. The magnitude of p0 is some 100 m^2/s^2,
  // where a float has a rounding error of 1e-5 m^2/s^2.
  EXPECT_NEAR(p.value[0] - p.value[1], 0.5, 1e-3);
  EXPECT_NEAR(p.value[2] - p.value[1], 0.5, 1e-3);
}

TEST_F(FieldTest, AVtkFileHoldsSeveralQuantitiesAndWhereTheyAre) {
  const auto result = run({"field", "wind.toml", "--grid", "4x3x2", "--box", "-1,0,0,2,1,1", "--time", "2.5",
                           "--quantity", "velocity,speed,vorticity", "--out", "air.vti"});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string text = slurp(path("air.vti"));
  EXPECT_THAT(text, HasSubstr("WholeExtent=\"0 3 0 2 0 1\" Origin=\"-1 0 0\" Spacing=\"1 0.5 1\""));
  EXPECT_THAT(text, HasSubstr("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">2.5<"));
  const auto arrays = vti("air.vti");
  ASSERT_EQ(arrays.size(), 3U);
  const Samples &u = arrays.at("velocity"), &speed = arrays.at("speed"), &swirl = arrays.at("vorticity");
  ASSERT_EQ(u.value.size(), 72U);
  ASSERT_EQ(speed.value.size(), 24U);
  ASSERT_EQ(swirl.value.size(), 72U);
  EXPECT_EQ(u.shape[0], 3U);
  EXPECT_EQ(speed.shape[0], 1U);
  for (std::size_t i = 0; i < 24; ++i) {
    const double x = -1 + static_cast<double>(i % 4), z = static_cast<double>(i / 12);
    EXPECT_NEAR(u.value[3 * i], z, 1e-6);
    EXPECT_NEAR(u.value[3 * i + 2], -x, 1e-6);
    EXPECT_NEAR(speed.value[i], std::hypot(u.value[3 * i], std::hypot(u.value[3 * i + 1], u.value[3 * i + 2])), 1e-5);
  }
}

TEST_F(FieldTest, SeveralTimesAreOneArrayOrAListOfFiles) {
  const std::vector<std::string> gusts{"--set", "field.corner.gust=1",           "--set", "field.corner.gust_period=4",
                                       "--set", "field.corner.region=everywhere"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), gusts.begin(), gusts.end());
    return run(words);
  };
  ASSERT_EQ(with({"field", "wind.toml", "--field", "corner", "--grid", "2", "--box", "0,0,0,1,1,1", "--times", "0,3,4",
                  "--quantity", "speed", "--out", "t.npy"})
                .code,
            0);
  const Samples found = npy("t.npy");
  ASSERT_EQ(found.shape, (std::vector<std::size_t>{4, 2, 2, 2}));
  for (std::size_t t = 0; t < 4; ++t)
    EXPECT_NEAR(found.value[8 * t + 3], 3 * (1 + std::sin(M_PI / 2 * static_cast<double>(t))), 1e-5);
  ASSERT_EQ(with({"field", "wind.toml", "--field", "corner", "--grid", "2", "--box", "0,0,0,1,1,1", "--times", "0,3,4",
                  "--out", "t.vti"})
                .code,
            0);
  EXPECT_NEAR(vti("t_0001.vti").at("velocity").value[1], 6, 1e-5);
  EXPECT_THAT(slurp(path("t.pvd")), HasSubstr("<DataSet timestep=\"3\" file=\"t_0003.vti\"/>"));
  EXPECT_FALSE(std::filesystem::exists(path("t.vti")));
}

TEST_F(FieldTest, NoFileOfASeriesIsTheScene) {
  std::filesystem::create_hard_link(path("wind.toml"), path("series_0001.vti"));
  const std::string scene = slurp(path("wind.toml"));
  const auto result =
      run({"field", "wind.toml", "--grid", "2", "--box", "0,0,0,1,1,1", "--times", "0,3,4", "--out", "series.vti"});
  EXPECT_NE(result.code, 0);
  EXPECT_EQ(result.err, "voxwake: series_0001.vti: is the scene itself and would be overwritten\n");
  EXPECT_EQ(slurp(path("wind.toml")), scene);
  EXPECT_FALSE(std::filesystem::exists(path("series_0000.vti"))) << "must fail before the first file";
}

TEST_F(FieldTest, ObstaclesCount) {
  const auto speed_beside = [&](const std::string& distance) {
    write(
        "ball.toml",
        std::string(
            "format = 1\ntitle = \"Ball\"\n[[field]]\nkind = \"turbulence\"\nname = \"gusts\"\nobstacle_distance = ") +
            distance + "\n[[collider]]\nkind = \"sphere\"\nname = \"ball\"\nradius = 1\n");
    const auto result = run({"field", "ball.toml", "--grid", "1x1x1", "--box", "0,1.0001,0,0,1.0001,0", "--quantity",
                             "velocity_y", "--out", "v.npy"});
    EXPECT_EQ(result.code, 0) << result.err;
    const Samples found = npy("v.npy");
    return found.value.size() == 1 ? std::abs(static_cast<double>(found.value[0])) : 1e9;
  };
  const double free = speed_beside("0.0"), kept_off = speed_beside("0.5");
  EXPECT_GT(free, 1e-3);
  EXPECT_LT(kept_off, 0.01 * free) << "no wind may blow into a ball";
}

TEST_F(FieldTest, AloneItListsTheFields) {
  const auto result = run({"field", "wind.toml", "--box", "-1,-1,-1,1,1,1"});
  ASSERT_EQ(result.code, 0) << result.err;
  std::istringstream lines(result.out);
  std::string line;
  std::map<std::string, std::vector<std::string>> rows;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name, word;
    words >> name;
    while (words >> word) rows[name].push_back(word);
  }
  ASSERT_EQ(rows["spin"].size(), 8U);
  EXPECT_EQ(rows["spin"][0], "vortex");
  EXPECT_EQ(rows["spin"][1], "everywhere");
  // The squared wind speed is x^2 + z^2. Its mean over the cube from -1 m to 1 m is 2/3.
  EXPECT_NEAR(std::stod(rows["spin"][2]), std::sqrt(2.0 / 3), 0.01);
  EXPECT_LT(std::stod(rows["spin"][4]), 1e-3);
  EXPECT_EQ(rows["spin"][5], "known");
  EXPECT_EQ(rows["corner"][1], "box");
  EXPECT_NEAR(std::stod(rows["corner"][3]), 3, 1e-9);
  EXPECT_EQ(rows["corner"][5], "-");
  EXPECT_THAT(run({"field", "wind.toml", "--set", "field.spin.enabled=false"}).out, HasSubstr("off"));
}

TEST_F(FieldTest, TheSpectrumIsTheOneAskedFor) {
  const auto result = run({"field", "eddies.toml", "--spectrum", "--out", "e.csv"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("eddies: "));
  EXPECT_THAT(result.out, HasSubstr("in a cube of 2 m, one period of the field"));
  std::istringstream rows(slurp(path("e.csv")));
  std::string line;
  std::getline(rows, line);
  EXPECT_EQ(line, "k,measured,asked");
  int count = 0;
  double measured = 0, asked = 0, last_k = 0;
  while (std::getline(rows, line)) {
    double k = 0, e = 0, a = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf", &k, &e, &a), 3) << line;
    EXPECT_GT(k, last_k);
    EXPECT_GT(e, 0);
    last_k = k;
    measured += e;
    asked += a;
    ++count;
  }
  EXPECT_GE(count, 5);
  EXPECT_NEAR(measured / asked, 1, 0.1);
  const auto number_after = [&](const std::string& word) {
    return std::stod(result.out.substr(result.out.find(word) + word.size()));
  };
  EXPECT_NEAR(number_after("slope "), number_after("prescribed "), 0.25) << result.out;
  EXPECT_NEAR(number_after("rms of a component "), 0.5, 0.02);
  EXPECT_LT(number_after("divergence "), 0.02);
}

TEST_F(FieldTest, AnErrorIsOneSentenceAndLeavesNoFile) {
  struct Case {
    std::vector<std::string> words;
    std::string says;
  };
  const std::vector<Case> cases{
      {{"--grid", "4x4", "--out", "a.npy"}, "--grid = 4x4: must be NxNxN or N, with each N from 1 to 8192"},
      {{"--grid", "0x4x4", "--out", "a.npy"}, "--grid = 0x4x4: must be"},
      {{"--grid", "8192", "--out", "a.npy"}, "must have at most"},
      {{"--box", "0,0,0,1,1", "--out", "a.npy"}, "--box = 0,0,0,1,1: must be X0,Y0,Z0,X1,Y1,Z1"},
      {{"--box", "0,0,0,1,1,-1", "--out", "a.npy"}, "with X0 <= X1, Y0 <= Y1 and Z0 <= Z1"},
      {{"--box", "0,0,0,1,1,nan", "--out", "a.npy"}, "--box = 0,0,0,1,1,nan"},
      {{"--out", "a.txt"}, "--out = a.txt: must end in .npy or .vti"},
      {{"--quantity", "sped", "--out", "a.npy"}, "did you mean \"speed\""},
      {{"--quantity", "value", "--out", "a.npy"}, "no field of this scene has the quantity value"},
      {{"--quantity", "speed,velocity", "--out", "a.npy"}, "must be one quantity for a .npy file"},
      {{"--quantity", "speed,speed", "--out", "a.vti"}, "must not repeat a quantity"},
      {{"--field", "spinn", "--out", "a.npy"}, "did you mean \"spin\""},
      {{"--field", "corner", "--quantity", "pressure", "--out", "a.npy"},
       "field corner does not have the quantity pressure"},
      {{"--times", "0,1", "--out", "a.npy"}, "--times = 0,1: must be FIRST,LAST,COUNT"},
      {{"--times", "0,1,2", "--time", "3", "--out", "a.npy"}, "--time"},
      {{"--quantity", "speed"}, "--quantity requires --out"},
      {{"--grid", "8"}, "--grid requires --out or --spectrum"},
      {{"--spectrum", "--box", "0,0,0,1,1,1"}, "--box cannot be used with --spectrum"},
      {{"--spectrum", "--field", "spin", "--out", "a.npy"},
       "--out = a.npy: must name a CSV file if --spectrum is used"},
      {{"--spectrum", "--grid", "3"}, "--grid = 3: must be a whole number from 8 to 256 if --spectrum is used"},
      {{"--spectrum", "--field", "corner"}, "corner is uniform in space and has no spectrum"},
      {{"--out", "no/such/folder/a.npy"}, "cannot be written"},
  };
  for (const Case& one : cases) {
    std::vector<std::string> words{"field", "wind.toml"};
    words.insert(words.end(), one.words.begin(), one.words.end());
    const auto result = run(words);
    EXPECT_EQ(result.code, 2) << one.says;
    EXPECT_THAT(result.err, HasSubstr(one.says));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_FALSE(std::filesystem::exists(path("a.npy")));
  EXPECT_FALSE(std::filesystem::exists(path("a.vti")));
  EXPECT_THAT(run({"field", "small.toml"}).err, HasSubstr("the scene has no field"));
}

TEST_F(FieldTest, AnInterruptThatKeepsNoFileFails) {
  const pid_t child = start(
      {"field", "wind.toml", "--field", "spin", "--grid", "256x256x8192", "--box", "0,0,0,1,1,1", "--out", "i.npy"});
  EXPECT_TRUE(test::in_time([&] {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.folder()))
      if (entry.path().filename().string().starts_with(".i.npy.")) return true;
    return false;
  })) << "the file is being written";
  kill(child, SIGTERM);
  const auto result = wait_for(child);
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_EQ(result.err, "voxwake: interrupted; incomplete files were not kept\n");
  EXPECT_FALSE(std::filesystem::exists(path("i.npy")));
}

TEST_F(FieldTest, TheSameFileComesOfAnyNumberOfThreads) {
  for (const char* threads : {"1", "3"})
    ASSERT_EQ(run({"field", "eddies.toml", "--grid", "20", "--box", "0,0,0,3,3,3", "--time", "1.5", "--threads",
                   threads, "--out", std::string("t") + threads + ".npy"})
                  .code,
              0);
  EXPECT_EQ(slurp(path("t1.npy")), slurp(path("t3.npy")));
  EXPECT_GT(slurp(path("t1.npy")).size(), 20U * 20 * 20 * 12);
}

}  // namespace
}  // namespace vw

// Generates the packaged models. With VOXWAKE_UPDATE_MODELS=1, the test writes assets/models. Otherwise, each file must
// equal the generated model.
#include <cstdlib>
#include <filesystem>

#include "sim/base/files/file.h"
#include "sim/collision/shape/shape_sources.h"
#include "tests/collision/mesh_files.h"
#include "tests/collision/mesh_test_support.h"

namespace {

using namespace vw;
using namespace vw::test;

constexpr int models_around = 48;

/// Returns a round bowl that stands on y = 0. It is 0.5 m wide and 0.2 m high, with a wall thickness of 15 mm.
TriangleList bowl() {
  constexpr double outer = 0.25, wall = 0.015;
  const double rim = std::asin(-0.05 / outer);  // the rim is below the centre of the outer sphere
  std::vector<Eigen::Vector2d> profile;
  constexpr int steps = 16;
  const auto arc = [&](double r, int i) {
    const double turn = -0.5 * pi + (rim + 0.5 * pi) * i / steps;
    return Eigen::Vector2d(i == 0 ? 0 : r * std::cos(turn), outer + r * std::sin(turn));
  };
  for (int i = 0; i <= steps; ++i) profile.push_back(arc(outer, i));
  for (int i = steps; i >= 0; --i) profile.push_back(arc(outer - wall, i));
  return turned_mesh(profile, models_around);
}

/// Returns a funnel. The end of the spout is at y = 0. The upper edge is 0.5 m wide at y = 0.4. The inner diameter of
/// the spout is 40 mm, and the wall is 10 mm thick.
TriangleList funnel() {
  constexpr double wall = 0.01, spout = 0.02, mouth = 0.25;
  std::vector<Eigen::Vector2d> profile{{spout, 0}, {spout + wall, 0}};
  const auto cone = [&](double more, int from, int to) {
    for (int i = from; i != to + (to > from ? 1 : -1); i += to > from ? 1 : -1)
      profile.emplace_back(spout + more + (mouth - spout) * i / 8.0, 0.15 + 0.25 * i / 8.0);
  };
  cone(wall, 0, 8);
  cone(0, 8, 0);
  profile.push_back(profile.front());
  return turned_mesh(profile, models_around);
}

void add_triangle(TriangleList& mesh, int a, int b, int c) {
  mesh.triangle.push_back(
      {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c)});
}

/// Returns a water wheel about the z axis, 0.36 m in diameter and 0.12 m wide. It consists of a hub and eight blades
/// that lean against the direction of rotation.
TriangleList water_wheel() {
  constexpr int blades = 8, pieces = 5;
  constexpr double hub = 0.05, tip = 0.18, half_thickness = 0.009, lean = 0.45, half_width = 0.06;
  // The outline is counter-clockwise: up the right side of a blade and down the left side.
  std::vector<Eigen::Vector2d> outline, middles;
  for (int blade = 0; blade < blades; ++blade) {
    const double base = 2 * pi * blade / blades;
    const auto place = [&](int i, double side) {
      const double way = static_cast<double>(i) / pieces, r = hub + (tip - hub) * way, turn = base + lean * way * way;
      const Eigen::Vector2d out(std::cos(turn), std::sin(turn)), across(-out.y(), out.x());
      return Eigen::Vector2d(r * out + side * half_thickness * across);
    };
    for (int i = 0; i <= pieces; ++i) outline.push_back(place(i, -1));
    for (int i = pieces; i >= 0; --i) outline.push_back(place(i, 1));
  }
  TriangleList mesh;
  const auto count = static_cast<int>(outline.size());
  constexpr int per_blade = 2 * (pieces + 1);
  for (const double z : {-half_width, half_width}) {
    for (const auto& p : outline) mesh.position.emplace_back(p.x(), p.y(), z);
    mesh.position.emplace_back(0, 0, z);
  }
  // Adds a triangle to the cap at -z (`side` 0) or +z (`side` 1), counter-clockwise as seen from +z.
  const auto add = [&](int a, int b, int c, int side) {
    const int first = side * (count + 1);
    if (side == 1)
      add_triangle(mesh, first + a, first + b, first + c);
    else
      add_triangle(mesh, first + a, first + c, first + b);
  };
  for (int side = 0; side < 2; ++side)
    for (int blade = 0; blade < blades; ++blade) {
      const int start = blade * per_blade, end = start + per_blade - 1, next = (start + per_blade) % count;
      add(count, start, end, side);
      add(count, end, next, side);
      for (int i = 0; i < pieces; ++i) {
        add(start + i, start + i + 1, end - i - 1, side);
        add(start + i, end - i - 1, end - i, side);
      }
    }
  for (int i = 0; i < count; ++i) {
    const int j = (i + 1) % count, back = count + 1;
    add_triangle(mesh, i, j, back + j);
    add_triangle(mesh, i, back + j, back + i);
  }
  return mesh;
}

/// Returns the hull of a ship with a flat deck, 0.6 m long, 0.2 m wide and 0.12 m high. The bow points towards +x. The
/// keel is at y = 0.
TriangleList hull() {
  constexpr int stations = 24,
                ribs = 10;  // each rib runs from one edge of the deck around the keel to the other edge
  constexpr double length = 0.6, half_breadth = 0.1, height = 0.12;
  TriangleList mesh;
  for (int s = 0; s < stations; ++s) {
    // Fraction of the length from the stern. The stem closes the hull.
    const double way = static_cast<double>(s) / stations;
    const double breadth = half_breadth * std::min(1.0, 0.75 + way) * std::sqrt(std::max(0.0, 1 - std::pow(way, 5)));
    const double keel = 0.3 * height * std::pow(way, 6) + 0.15 * height * (1 - std::min(1.0, 3 * way));
    for (int r = 0; r <= ribs; ++r) {
      const double turn = pi * r / ribs, fullness = std::pow(std::sin(turn), 0.6);
      mesh.position.emplace_back((way - 0.5) * length, height - (height - keel) * fullness, breadth * std::cos(turn));
    }
  }
  const int stem = static_cast<int>(mesh.position.size());
  mesh.position.emplace_back(0.5 * length, height, 0);
  const int across = ribs + 1;
  for (int s = 0; s + 1 < stations; ++s)
    for (int r = 0; r < ribs; ++r) {
      const int a = s * across + r, b = a + across;
      add_triangle(mesh, a, a + 1, b + 1);
      add_triangle(mesh, a, b + 1, b);
    }
  const int last = (stations - 1) * across;
  for (int r = 0; r < ribs; ++r) {
    add_triangle(mesh, last + r, last + r + 1, stem);
    if (r > 0) add_triangle(mesh, 0, r + 1, r);  // the transom (flat end at the stern)
  }
  for (int s = 0; s + 1 < stations; ++s) {  // adds the deck
    const int a = s * across, b = a + across;
    add_triangle(mesh, a, b, b + ribs);
    add_triangle(mesh, a, b + ribs, a + ribs);
  }
  add_triangle(mesh, last, stem, last + ribs);
  return mesh;
}

std::string model_text(const TriangleList& made, const std::string& about) {
  const auto mesh = mesh_of(made);
  std::string text = "# " + about + " Made by tests/collision/mesh_models_test.cpp; metres, y up.\n";
  for (const Vec3& p : mesh->triangles().position) text += fmt::format("v {:.5f} {:.5f} {:.5f}\n", p.x(), p.y(), p.z());
  for (const auto& t : mesh->triangles().triangle) text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

void expect_model(const std::string& name, const std::string& text, const Vec3& size) {
  const std::string path = std::string(VOXWAKE_SOURCE_DIR) + "/assets/models/" + name;
  if (std::getenv("VOXWAKE_UPDATE_MODELS") != nullptr) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    ASSERT_TRUE(write_file_atomic(path, text));
  }
  const auto found = read_file(path, 1'000'000);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(*found, text) << "stale: run with VOXWAKE_UPDATE_MODELS=1";
  EXPECT_LT(text.size(), 200'000U);
  const auto model = load_mesh({path, 1});
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(model->note, "");  // the model is closed and without defects
  EXPECT_LT((model->geometry->bounds().sizes() - size).norm(), 0.002);
}

TEST(MeshModels, TheBowlIsWhatIsMadeHereAndHollow) {
  expect_model("bowl.obj", model_text(bowl(), "A bowl."), {0.4899, 0.203, 0.4899});
  const auto mesh = mesh_of(bowl());
  EXPECT_GT(mesh->query({0, 0.1, 0}, 1).distance, 0.05);
  EXPECT_LT(mesh->query({0, 0.007, 0}, 1).distance, 0);
}

TEST(MeshModels, TheFunnelIsWhatIsMadeHereAndOpenBelow) {
  expect_model("funnel.obj", model_text(funnel(), "A funnel."), {0.52, 0.4, 0.52});
  const auto mesh = mesh_of(funnel());
  EXPECT_FALSE(mesh->sweep({0, 1, 0}, {0, -1, 0}, 0.019));
  EXPECT_TRUE(mesh->sweep({0, 1, 0}, {0, -1, 0}, 0.021));
  EXPECT_LT(mesh->query({0.025, 0.05, 0}, 1).distance, 0);
}

TEST(MeshModels, TheWaterWheelIsWhatIsMadeHereAndTurnsAboutItsMiddle) {
  expect_model("water-wheel.obj", model_text(water_wheel(), "A water wheel."), {0.3459, 0.3459, 0.12});
  const auto mesh = mesh_of(water_wheel());
  EXPECT_LT(mesh->query({0, 0, 0}, 1).distance, -0.03);
  // The wheel must be unchanged by a quarter turn.
  EXPECT_NEAR(mesh->query({0.1, 0.02, 0}, 1).distance, mesh->query({-0.02, 0.1, 0}, 1).distance, 1e-9);
}

TEST(MeshModels, TheHullIsWhatIsMadeHereAndSymmetric) {
  expect_model("hull.obj", model_text(hull(), "A ship's hull."), {0.6, 0.12, 0.2});
  const auto mesh = mesh_of(hull());
  EXPECT_LT(mesh->query({0, 0.06, 0}, 1).distance, -0.03);
  EXPECT_NEAR(mesh->query({0.1, 0.06, 0.12}, 1).distance, mesh->query({0.1, 0.06, -0.12}, 1).distance, 1e-4);
}

}  // namespace

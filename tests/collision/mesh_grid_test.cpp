// Distance grids compared with the source mesh, heightfields compared with all triangles of the render mesh, and
// rejected inputs.
#include <gmock/gmock.h>
#include <png.h>

#include "sim/collision/shape/distance_grid.h"
#include "sim/collision/shape/heightfield.h"
#include "sim/collision/shape/shape_sources.h"
#include "tests/collision/mesh_files.h"
#include "tests/collision/mesh_test_support.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"

namespace {

using namespace vw;
using namespace vw::test;
using ::testing::HasSubstr;

constexpr double everywhere = std::numeric_limits<double>::infinity();

std::shared_ptr<const Geometry> grid_of(const Shape& shape, double cell) {
  return checked(make_distance_grid(shape, cell));
}

TEST(DistanceGrid, OfARoundShapeItErrsByAThousandthOfACell) {
  const double cell = 0.05;
  const auto grid = grid_of(SphereShape{0.5}, cell);
  double worst = 0, worst_normal = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const Vec3 p = (0.35 + 0.3 * uniform(i, 3)) * random_direction({1, 2}, i);
    const SurfaceQuery found = grid->query(p, everywhere);
    worst = std::max(worst, std::abs(found.distance - (p.norm() - 0.5)));
    worst_normal = std::max(worst_normal, (found.normal - p.normalized()).norm());
  }
  // The error of cubic interpolation comes from third derivatives. It is h^3 / r^2 divided by some tens (h: cell size,
  // r: radius of the sphere).
  EXPECT_LT(worst, 0.002 * cell);
  EXPECT_LT(worst_normal, 0.006);
}

TEST(DistanceGrid, OfAMeshItErrsByLessThanAThirdOfACellAndOnlyAtEdges) {
  const double cell = 0.03;
  const auto mesh = mesh_of(box_mesh({0.4, 0.3, 0.5}));
  const auto grid = grid_of(std::shared_ptr<const Geometry>(mesh), cell);
  double worst = 0, sum = 0;
  std::size_t near = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const Vec3 p = point_in(widened(mesh->bounds(), 0.2), i);
    const double exact = mesh->query(p, everywhere).distance,
                 error = std::abs(grid->query(p, everywhere).distance - exact);
    worst = std::max(worst, error);
    if (std::abs(exact) < cell) sum += error, ++near;
  }
  EXPECT_LT(worst, 0.35 * cell);
  EXPECT_LT(sum / static_cast<double>(near), 0.02 * cell);
}

TEST(DistanceGrid, BeyondReachItsBoundsAreRight) {
  const auto mesh = mesh_of(rock(3, 0.4));
  const auto grid = grid_of(std::shared_ptr<const Geometry>(mesh), 0.04);
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    const Vec3 p = point_in(widened(mesh->bounds(), 1), i);
    const double exact = mesh->query(p, everywhere).distance, told = grid->query(p, 0.05).distance;
    if (std::abs(told) < 0.05) continue;
    EXPECT_EQ(told < 0, exact < 0);
    EXPECT_LE(std::abs(told), std::abs(exact) + 0.35 * 0.04);
  }
}

TEST(DistanceGrid, NormalsHaveNoSteps) {
  // Along a line on the surface of a sphere, the normal rotates by an angle of distance over radius. A jump at the face
  // of a cell would be far larger.
  const auto grid = grid_of(SphereShape{0.5}, 0.1);
  Vec3 before = grid->query({0.5, 0, 0}, everywhere).normal;
  for (int i = 1; i < 4000; ++i) {
    const double turn = 0.0005 * i;
    const Vec3 normal = grid->query(0.5 * Vec3(std::cos(turn), std::sin(turn), 0), everywhere).normal;
    EXPECT_LT((normal - before).norm(), 0.0005 * 1.5);
    before = normal;
  }
}

TEST(DistanceGrid, SweepsTouchWhereTheDistanceIsTheRadius) {
  const auto mesh = mesh_of(rock(2, 0.5));
  const double cell = 0.02;
  const auto grid = grid_of(std::shared_ptr<const Geometry>(mesh), cell);
  std::size_t hits = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    // All radii are smaller than the width of the region that the grid covers around the mesh.
    const double radius = 0.015 * static_cast<double>(i % 3);
    const Vec3 from = 2 * random_direction({3, 4}, i), to = -from + random_direction({3, 5}, i);
    const auto found = grid->sweep(from, to, radius), exact = mesh->sweep(from, to, radius);
    if (found.has_value() != exact.has_value()) {  // the results may differ only for a grazing path
      EXPECT_GT(marched_share(from, to, radius - 0.4 * cell,
                              [&](const Vec3& p) { return std::abs(mesh->query(p, everywhere).distance); }),
                1);
      continue;
    }
    if (!found) continue;
    ++hits;
    EXPECT_NEAR(std::abs(grid->query(from + found->share * (to - from), everywhere).distance), radius, 1e-6 * cell);
    EXPECT_NEAR(std::abs(mesh->query(from + found->share * (to - from), everywhere).distance), radius, 0.35 * cell);
    EXPECT_LT(found->normal.dot(to - from), 0);
  }
  EXPECT_GT(hits, 100U);
}

TEST(DistanceGrid, ThinWallsAreNotPassedAtAnySpeed) {
  const auto grid = grid_of(BoxShape{{0.5, 0.5, 0.03}}, 0.02);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const double far = std::pow(10.0, 4 * uniform(i, 0));
    const Vec3 at(0.8 * uniform(i, 1) - 0.4, 0.8 * uniform(i, 2) - 0.4, 0);
    const auto hit = grid->sweep(at + Vec3(0, 0, far), at - Vec3(0, 0, far), i % 2 == 0 ? 0 : 0.001);
    ASSERT_TRUE(hit);
    EXPECT_GT(hit->normal.z(), 0.99);
  }
}

TEST(DistanceGrid, WhatItCannotHoldIsSaid) {
  EXPECT_THAT(make_distance_grid(PlaneShape{}, 0.1).error().message(), HasSubstr("finite size"));
  EXPECT_THAT(make_distance_grid(SphereShape{1}, 1e-4).error().message(), HasSubstr("the limit is 20000000"));
  EXPECT_THAT(make_distance_grid(SphereShape{1}, 0).error().message(), HasSubstr("must be greater than 0"));
  const std::shared_ptr<const Geometry> sheet = mesh_of(sheet_mesh(1, 4));
  EXPECT_THAT(make_distance_grid(sheet, 0.1).error().message(), HasSubstr("must be closed"));
  EXPECT_THAT(load_distance_grid({{"none.obj", 1}, 1000}).error().message(), HasSubstr("must lie in [4, 400]"));
}

TEST(DistanceGrid, EqualGridsInUseAreOneObject) {
  const Scratch folder;
  const auto write = [&](double size) { return folder.write("part.obj", obj_of(box_mesh({0.3, 0.2, size}))); };
  const std::string path = write(0.1);
  const auto load = [&](int resolution) { return checked(load_distance_grid({{path, 1}, resolution})).geometry; };
  const auto first = load(16);
  EXPECT_EQ(load(16), first);
  EXPECT_NE(load(17), first);
  write(0.15);
  EXPECT_NE(load(16), first) << "the file changed";
}

HeightGrid hills(std::size_t columns, std::size_t rows, double high) {
  HeightGrid grid;
  grid.columns = columns;
  grid.rows = rows;
  for (std::size_t i = 0; i < columns * rows; ++i) grid.height_m.push_back(high * uniform(i, 6));
  grid.size_x_m = 2;
  grid.size_z_m = 1.5;
  grid.depth_m = 0.3;
  return grid;
}

std::shared_ptr<const Geometry> ground_of(HeightGrid grid) { return checked(make_heightfield(std::move(grid))); }

/// Returns the triangles of the render mesh. The coordinates are floats.
std::shared_ptr<const TriangleMesh> mesh_of_picture(const Geometry& ground) {
  return mesh_of(list_of(*ground.picture()));
}

TEST(Heightfield, ItsPictureIsAClosedMeshThatGivesTheSameDistances) {
  for (const auto& [columns, rows] : {std::pair<std::size_t, std::size_t>{2, 2}, {12, 9}, {3, 30}}) {
    const auto ground = ground_of(hills(columns, rows, 0.3));
    const auto mesh = mesh_of_picture(*ground);
    ASSERT_EQ(mesh->report().inside, MeshInside::by_side) << mesh->report().sentence();
    EXPECT_FALSE(mesh->report().turned);
    std::size_t inside = 0;
    for (std::uint64_t i = 0; i < 4'000; ++i) {
      const Vec3 p = point_in(widened(ground->bounds(), 0.2), i);
      const SurfaceQuery exact = mesh->query(p, everywhere), found = ground->query(p, everywhere);
      inside += found.distance < 0 ? 1 : 0;
      EXPECT_NEAR(found.distance, exact.distance, 1e-6) << p.transpose();  // the render mesh stores floats
      const SurfaceQuery near = ground->query(p, 0.05);
      if (std::abs(found.distance) < 0.05)
        EXPECT_NEAR(near.distance, found.distance, 1e-15);
      else
        EXPECT_TRUE(std::abs(near.distance) >= 0.05 && std::abs(near.distance) <= std::abs(found.distance) &&
                    (near.distance < 0) == (found.distance < 0));
      EXPECT_NEAR(found.normal.norm(), 1, 1e-9);
      if (std::abs(found.distance) > 0.01) {
        EXPECT_NEAR(std::abs(mesh->query(p - found.distance * found.normal, everywhere).distance), 0, 1e-6);
      }
    }
    EXPECT_GT(inside, 400U);
  }
}

TEST(Heightfield, APointThatIsNotFiniteIsHarmless) {
  const auto ground = ground_of(hills(40, 30, 0.5));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(ground->query({nan, 0, 0}, 1).distance < 0);
  EXPECT_FALSE(ground->query({0, 0, nan}, everywhere).distance < 0);
}

TEST(Heightfield, SweepsAreThoseOfItsTriangles) {
  const auto ground = ground_of(hills(12, 9, 0.3));
  const auto mesh = mesh_of_picture(*ground);
  std::size_t hits = 0;
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    const double radius = 0.02 * static_cast<double>(i % 4);
    const Vec3 from = point_in(widened(ground->bounds(), 0.5), 2 * i),
               to = point_in(widened(ground->bounds(), 0.5), 2 * i + 1);
    if (std::abs(ground->query(from, everywhere).distance) < radius + 1e-5) continue;
    const auto found = ground->sweep(from, to, radius), exact = mesh->sweep(from, to, radius);
    // The render mesh stores floats, so a grazing path may hit one of the two surfaces and miss the other.
    if (found.has_value() != exact.has_value()) {
      const auto distance_at = [&](const Vec3& p) { return std::abs(ground->query(p, everywhere).distance); };
      EXPECT_GT(marched_share(from, to, radius - 1e-6, distance_at), 1);
      continue;
    }
    if (!found) continue;
    ++hits;
    EXPECT_NEAR(std::abs(ground->query(from + found->share * (to - from), everywhere).distance), radius, 1e-9);
    EXPECT_NEAR(found->share, exact->share, 2e-4);
  }
  EXPECT_GT(hits, 500U);
}

TEST(Heightfield, ABallThatRollsOverFlatGroundMeetsNoEdges) {
  HeightGrid flat = hills(30, 30, 0);
  const auto ground = ground_of(flat);
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const double turn = 2 * pi * uniform(i, 2), sunk = 0.02 * std::pow(10.0, -1 - 10 * uniform(i, 3));
    const Vec3 from(1.2 * uniform(i, 0) - 0.6, 0.02 - sunk, uniform(i, 1) - 0.5);
    EXPECT_FALSE(ground->sweep(from, from + 0.2 * Vec3(std::cos(turn), 0, std::sin(turn)), 0.02)) << i;
  }
}

TEST(Heightfield, NothingFallsThroughHoweverFast) {
  const auto ground = ground_of(hills(40, 30, 0.1));
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    const Vec3 at(1.9 * uniform(i, 0) - 0.95, 0, 1.4 * uniform(i, 1) - 0.7);
    const double far = std::pow(10.0, 4 * uniform(i, 2));
    const auto hit = ground->sweep(at + Vec3(0, far, 0), at - Vec3(0, far, 0), i % 2 == 0 ? 0 : 0.005);
    ASSERT_TRUE(hit);
    EXPECT_GT(hit->normal.y(), 0);
  }
}

TEST(Heightfield, PointsThatAreNotFiniteReadNothingOutsideTheGrid) {
  const auto ground = ground_of(hills(4, 300, 0.3));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Vec3& p : {Vec3(nan, 0, 0), Vec3(0, nan, 0), Vec3(0, 0, nan), Vec3(nan, nan, nan), Vec3(everywhere, 0, 0),
                        Vec3(0, 0, -everywhere)})
    for (const double reach : {0.1, everywhere}) {
      EXPECT_FALSE(ground->query(p, reach).distance < 0);
      (void)ground->sweep(p, Vec3(0, -1, 0), 0.01);
      (void)ground->sweep(Vec3(0, 1, 0), p, 0.01);
    }
}

TEST(Heightfield, SamplesLieOnTheGroundAndAreUniformOverIt) {
  const auto ground = ground_of(hills(12, 9, 0.3));
  double left = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const SurfacePoint on = ground->sample({uniform(i, 0), uniform(i, 1), uniform(i, 2)});
    EXPECT_NEAR(ground->query(on.position, 1).distance, 0, 1e-12);
    EXPECT_GT(on.normal.y(), 0);
    left += on.position.x() < 0 ? 1 : 0;
  }
  EXPECT_NEAR(left / 10'000, 0.5, 0.06);  // random hills do not have equal areas on both sides
}

/// Writes a PNG file with the given bit depth and colour type, and returns its path. `pixels` contains the bytes of the
/// rows as they are in the file, so 16-bit samples are big-endian.
std::string png_of(const Scratch& folder, const std::string& name, png_uint_32 columns, png_uint_32 rows, int bits,
                   int color, const std::string& pixels) {
  std::FILE* file = std::fopen(folder.path(name).c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, columns, rows, bits, color, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  const std::size_t row_bytes = pixels.size() / rows;
  for (png_uint_32 j = 0; j < rows; ++j)
    png_write_row(png, reinterpret_cast<png_const_bytep>(pixels.data() + j * row_bytes));
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
  return folder.path(name);
}

TEST(HeightFile, GreyPicturesOfEightAndSixteenBitsAreHeights) {
  const Scratch folder;
  const auto eight = read_height_picture(
      png_of(folder, "8.png", 3, 2, 8, PNG_COLOR_TYPE_GRAY, std::string("\x00\x33\xff\xff\x00\x80", 6)), -1, 4);
  ASSERT_TRUE(eight) << eight.error().message();
  EXPECT_EQ(eight->columns, 3U);
  EXPECT_EQ(eight->rows, 2U);
  EXPECT_NEAR(eight->height_m[0], -1, 1e-12);
  EXPECT_NEAR(eight->height_m[1], 0, 1e-12);
  EXPECT_NEAR(eight->height_m[2], 4, 1e-12);
  const auto sixteen =
      read_height_picture(png_of(folder, "16.png", 2, 2, 16, PNG_COLOR_TYPE_GRAY_ALPHA,
                                 std::string("\x00\x01\xff\xff\xff\xff\xff\xff\x80\x00\x12\x34\x00\x00\x00\x00", 16)),
                          0, 65535);
  ASSERT_TRUE(sixteen) << sixteen.error().message();
  EXPECT_EQ(sixteen->height_m, (std::vector<double>{1, 65535, 32768, 0}));
}

TEST(HeightFile, RowsOfNumbersAreHeights) {
  const Scratch folder;
  const auto found =
      load_heightfield({folder.write("h.csv", "# metres\n0, 0.5,1e-1\r\n\n 1;2 3 # last\n"), 2, 1, 0, 1, 1});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_LT(found->geometry->query({-0.999, -0.01, -0.499}, everywhere).distance, 0);
  EXPECT_GT(found->geometry->query({-0.999, 0.02, -0.499}, everywhere).distance, 0);
  EXPECT_LT(found->geometry->query({0.999, 2.98, 0.499}, everywhere).distance, 0);
  EXPECT_NEAR(found->geometry->bounds().max().y(), 3, 1e-12);
  EXPECT_NEAR(found->geometry->bounds().min().y(), -1, 1e-12);
}

TEST(HeightFile, WhatIsNoHeightsIsSaid) {
  const Scratch folder;
  const auto said = [&](const std::string& name, const std::string& bytes) {
    return load_heightfield({folder.write(name, bytes)}).error().message();
  };
  EXPECT_THAT(load_heightfield({folder.path("none.png")}).error().message(), HasSubstr("none.png: cannot be opened"));
  EXPECT_THAT(said("a.png", "not a picture"), HasSubstr("a.png: is not a PNG file"));
  EXPECT_THAT(said("a.csv", "1 2\n3 4 5\n"), HasSubstr("a.csv:2: has 3 heights in this row, but 2 in the rows before"));
  EXPECT_THAT(said("a.csv", "1 2\n3 nan\n"), HasSubstr("a.csv:2: value 2 of the row is not a finite number"));
  EXPECT_THAT(said("a.csv", ""), HasSubstr("a.csv: has no heights"));
  EXPECT_THAT(said("a.csv", "1 2 3\n"), HasSubstr("a.csv: has 3 x 1 heights: must have at least 2 x 2"));
  const std::string color = png_of(folder, "rgb.png", 2, 1, 8, PNG_COLOR_TYPE_RGB, "abcdef");
  EXPECT_THAT(load_heightfield({color}).error().message(), HasSubstr("is a colour image"));
  const std::string whole = png_of(folder, "whole.png", 64, 64, 8, PNG_COLOR_TYPE_GRAY, std::string(4096, 'x'));
  const std::string bytes = [&] {
    std::ifstream file(whole, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  EXPECT_THAT(said("cut.png", bytes.substr(0, bytes.size() - 30)), HasSubstr("cut.png: the PNG cannot be read"));
  std::string huge = bytes;
  huge.replace(16, 8, std::string("\x7f\xff\xff\xff\x7f\xff\xff\xff", 8));
  EXPECT_THAT(said("huge.png", huge), HasSubstr("huge.png: "));
  for (std::uint64_t i = 0; i < 150; ++i) {
    std::string changed = bytes;
    for (std::uint64_t k = 0; k < 3; ++k)
      changed[static_cast<std::size_t>(uniform(i, 2 * k) * static_cast<double>(changed.size()))] =
          static_cast<char>(static_cast<unsigned char>(256 * uniform(i, 2 * k + 1)));
    const auto found = load_heightfield({folder.write("changed.png", changed)});
    EXPECT_THAT(found ? "changed.png" : found.error().message(), HasSubstr("changed.png"));
  }
  EXPECT_THAT(load_heightfield({whole, -1, 1, 0, 1, 1}).error().message(), HasSubstr("each must lie in (0, 1e6] m"));
}

}  // namespace

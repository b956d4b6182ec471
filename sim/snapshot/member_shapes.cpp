// Makes the meshes. Bodies are lofted through elliptical cross-sections. Fins and wings are two-sided sheets.
#include "sim/snapshot/member_shapes.h"

#include <array>
#include <initializer_list>
#include <span>
#include <vector>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

/// An elliptical cross-section perpendicular to x.
struct Section {
  float x, y;                     ///< centre
  float half_height, half_width;  ///< semi-axes along y and z
};

struct Direction {
  float cosine, sine;
};
Direction direction(double angle) {
  const elementary::SinCos both = elementary::sin_cos(angle);
  return {static_cast<float>(both.cos), static_cast<float>(both.sin)};
}

class MeshMaker {
 public:
  /// Adds a closed body that begins at the point `nose`, passes through the sections and ends at the point `tail`. Each
  /// section has `around` corners.
  void loft(const Vec3f& nose, std::span<const Section> sections, const Vec3f& tail, std::uint32_t around) {
    const std::uint32_t first = count(), last = first + around * static_cast<std::uint32_t>(sections.size());
    for (const Section& s : sections)
      for (std::uint32_t k = 0; k < around; ++k) {
        const Direction turn = direction(2 * pi * k / around);
        add({s.x, s.y + s.half_height * turn.cosine, s.half_width * turn.sine});
      }
    add(nose);
    add(tail);
    for (std::uint32_t k = 0; k < around; ++k) {
      const std::uint32_t next = (k + 1) % around;
      triangle(last, first + k, first + next);
      for (std::uint32_t row = first; row + around < last; row += around) {
        triangle(row + k, row + around + k, row + next);
        triangle(row + next, row + around + k, row + around + next);
      }
      triangle(last - around + k, last + 1, last - around + next);
    }
    smooth(first);
  }

  /// Adds a grid with `across` corners in each row. The grid is visible from both sides and has smooth normals.
  void sheet(std::span<const Vec3f> corners, std::uint32_t across) {
    for (const bool back : {false, true}) {
      const std::uint32_t first = count();
      for (const Vec3f& p : corners) add(p);
      for (std::uint32_t row = first; row + 2 * across <= count(); row += across)
        for (std::uint32_t k = row; k + 1 < row + across; ++k) {
          two_sided(back, k, k + 1, k + across);
          two_sided(back, k + 1, k + across + 1, k + across);
        }
      smooth(first);
    }
  }
  void sheet(std::initializer_list<Vec3f> corners, std::uint32_t across) {
    sheet(std::span(corners.begin(), corners.size()), across);
  }
  /// Adds a sheet in the same way as sheet(), and its mirror image on the other side of the body.
  void sheets(std::initializer_list<Vec3f> corners, std::uint32_t across) {
    std::vector<Vec3f> there(corners);
    sheet(there, across);
    for (Vec3f& p : there) p.z() = -p.z();
    sheet(there, across);
  }
  /// Adds a single flat face.
  void face(const Vec3f& a, const Vec3f& b, const Vec3f& c) {
    const std::uint32_t first = count();
    add(a), add(b), add(c);
    triangle(first, first + 1, first + 2);
    smooth(first);
  }
  [[nodiscard]] std::shared_ptr<const SurfaceMesh> take() {
    return std::make_shared<const SurfaceMesh>(std::move(mesh_));
  }

 private:
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(mesh_.position.size()); }
  void add(const Vec3f& p) { mesh_.position.push_back(p); }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const Vec3f &p = mesh_.position[a], &q = mesh_.position[b], &r = mesh_.position[c];
    // A sheet may end in a point. The degenerate triangles at this point are skipped.
    if ((q - p).cross(r - p).squaredNorm() > 1e-14F) mesh_.triangle.push_back({a, b, c});
  }
  void two_sided(bool back, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    back ? triangle(a, c, b) : triangle(a, b, c);
  }
  /// Computes the normals of the corners whose index is at least `first`. Each normal is the area-weighted mean of the
  /// normals of the adjacent faces.
  void smooth(std::uint32_t first) {
    mesh_.normal.resize(mesh_.position.size(), Vec3f::Zero());
    for (const auto& t : mesh_.triangle) {
      if (t[0] < first) continue;
      const Vec3f& a = mesh_.position[t[0]];
      const Vec3f n = (mesh_.position[t[1]] - a).cross(mesh_.position[t[2]] - a);
      for (const std::uint32_t k : t) mesh_.normal[k] += n;
    }
    for (std::size_t k = first; k < mesh_.normal.size(); ++k)
      mesh_.normal[k] = mesh_.normal[k].squaredNorm() > 0 ? mesh_.normal[k].normalized() : Vec3f::UnitY();
  }

  SurfaceMesh mesh_;
};

std::shared_ptr<const SurfaceMesh> make_fish(bool fine) {
  MeshMaker make;
  if (fine) {
    constexpr auto body = std::to_array<Section>({{0.93F, -0.01F, 0.07F, 0.05F},
                                                  {0.74F, 0.01F, 0.17F, 0.105F},
                                                  {0.42F, 0.02F, 0.26F, 0.135F},
                                                  {0.05F, 0.015F, 0.265F, 0.12F},
                                                  {-0.32F, 0.01F, 0.17F, 0.07F},
                                                  {-0.64F, 0.01F, 0.06F, 0.026F}});
    make.loft({1, -0.025F, 0}, body, {-0.72F, 0.01F, 0}, 8);
    make.sheets({{0.42F, -0.10F, 0.125F}, {0.12F, -0.13F, 0.27F}, {0.33F, -0.15F, 0.12F}, {0.10F, -0.22F, 0.24F}}, 2);
  } else {
    constexpr auto body = std::to_array<Section>(
        {{0.74F, 0, 0.20F, 0.125F}, {0.18F, 0.02F, 0.315F, 0.165F}, {-0.58F, 0.01F, 0.08F, 0.035F}});
    make.loft({1, -0.025F, 0}, body, {-0.72F, 0.01F, 0}, 4);
  }
  // The following sheets are the forked tail (two sheets), the dorsal fin and, in the fine mesh only, the ventral fin.
  make.sheet(
      {{-0.60F, 0.05F, 0}, {-0.60F, -0.04F, 0}, {-0.80F, 0.15F, 0}, {-0.84F, 0, 0}, {-1, 0.36F, 0}, {-0.84F, 0, 0}}, 2);
  make.sheet(
      {{-0.60F, 0.05F, 0}, {-0.60F, -0.04F, 0}, {-0.84F, 0, 0}, {-0.80F, -0.15F, 0}, {-0.84F, 0, 0}, {-1, -0.36F, 0}},
      2);
  make.sheet({{0.36F, 0.26F, 0},
              {0.20F, 0.42F, 0},
              {0.05F, 0.25F, 0},
              {-0.08F, 0.36F, 0},
              {-0.36F, 0.14F, 0},
              {-0.38F, 0.23F, 0}},
             2);
  if (fine) make.sheet({{-0.06F, -0.23F, 0}, {-0.20F, -0.36F, 0}, {-0.42F, -0.11F, 0}, {-0.44F, -0.20F, 0}}, 2);
  return make.take();
}

std::shared_ptr<const SurfaceMesh> make_bird(bool fine) {
  MeshMaker make;
  if (fine) {
    constexpr auto body = std::to_array<Section>({{0.86F, 0.055F, 0.03F, 0.025F},
                                                  {0.76F, 0.065F, 0.095F, 0.085F},
                                                  {0.60F, 0.06F, 0.115F, 0.10F},
                                                  {0.38F, 0.01F, 0.15F, 0.135F},
                                                  {0.05F, -0.02F, 0.165F, 0.15F},
                                                  {-0.30F, 0.0F, 0.10F, 0.095F},
                                                  {-0.55F, 0.02F, 0.035F, 0.05F}});
    make.loft({1, 0.04F, 0}, body, {-0.66F, 0.02F, 0}, 8);
    // Adds a wing from the shoulder to the tip. Each row contains a point of the leading edge, of the camber line and
    // of the trailing edge.
    make.sheets({{0.44F, 0.06F, 0.05F},
                 {0.26F, 0.12F, 0.05F},
                 {-0.18F, 0.04F, 0.05F},
                 {0.48F, 0.09F, 0.42F},
                 {0.33F, 0.135F, 0.42F},
                 {-0.12F, 0.05F, 0.42F},
                 {0.42F, 0.09F, 0.82F},
                 {0.29F, 0.12F, 0.82F},
                 {-0.12F, 0.06F, 0.80F},
                 {0.16F, 0.08F, 1.22F},
                 {0.07F, 0.09F, 1.20F},
                 {-0.16F, 0.06F, 1.12F},
                 {-0.16F, 0.07F, 1.48F},
                 {-0.20F, 0.07F, 1.46F},
                 {-0.26F, 0.065F, 1.40F}},
                3);
  } else {
    constexpr auto body = std::to_array<Section>(
        {{0.74F, 0.06F, 0.10F, 0.09F}, {0.15F, -0.01F, 0.17F, 0.15F}, {-0.52F, 0.02F, 0.04F, 0.05F}});
    make.loft({1, 0.04F, 0}, body, {-0.66F, 0.02F, 0}, 4);
    make.sheets({{0.44F, 0.08F, 0.05F},
                 {-0.18F, 0.05F, 0.05F},
                 {0.42F, 0.11F, 0.82F},
                 {-0.12F, 0.07F, 0.80F},
                 {-0.16F, 0.07F, 1.48F},
                 {-0.26F, 0.065F, 1.40F}},
                2);
  }
  // The following sheet is the tail, which is slightly spread.
  make.sheet({{-0.42F, 0.035F, -0.06F},
              {-0.42F, 0.04F, 0},
              {-0.42F, 0.035F, 0.06F},
              {-0.97F, 0.02F, -0.20F},
              {-1, 0.035F, 0},
              {-0.97F, 0.02F, 0.20F}},
             3);
  return make.take();
}

std::shared_ptr<const SurfaceMesh> make_dart() {
  const Vec3f nose{1, 0, 0}, left{-1, 0, -0.55F}, right{-1, 0, 0.55F}, back{-0.75F, 0.26F, 0}, notch{-0.6F, 0, 0};
  MeshMaker make;
  make.face(nose, left, back);
  make.face(nose, back, right);
  make.face(back, left, notch);
  make.face(back, notch, right);
  make.face(nose, notch, left);
  make.face(nose, right, notch);
  return make.take();
}

std::shared_ptr<const SurfaceMesh> make_ball(std::uint32_t rows, std::uint32_t around) {
  std::vector<Section> sections;
  for (std::uint32_t k = 1; k < rows; ++k) {
    const Direction turn = direction(pi * k / rows);
    sections.push_back({turn.cosine, 0, turn.sine, turn.sine});
  }
  MeshMaker make;
  make.loft({1, 0, 0}, sections, {-1, 0, 0}, around);
  return make.take();
}

/// Makes the coarsest mesh of a fish. It is used if the fish is only a few pixels long on screen.
std::shared_ptr<const SurfaceMesh> make_least_fish() {
  MeshMaker make;
  make.loft({1, -0.02F, 0}, std::array{Section{0.22F, 0.015F, 0.36F, 0.19F}}, {-0.74F, 0, 0}, 4);
  make.sheet({{-0.56F, 0, 0}, {-0.56F, 0, 0}, {-0.97F, 0.34F, 0}, {-0.97F, -0.34F, 0}}, 2);
  return make.take();
}
std::shared_ptr<const SurfaceMesh> make_least_bird() {
  MeshMaker make;
  make.loft({1, 0.03F, 0}, std::array{Section{0.2F, 0, 0.165F, 0.15F}}, {-0.95F, 0.02F, 0}, 4);
  make.sheets({{0.46F, 0.08F, 0.05F}, {-0.18F, 0.05F, 0.05F}, {0.14F, 0.08F, 1.42F}, {-0.30F, 0.065F, 1.42F}}, 2);
  return make.take();
}

using Details = std::array<std::shared_ptr<const SurfaceMesh>, 3>;
struct Shapes {
  Details fish{make_fish(true), make_fish(false), make_least_fish()},
      bird{make_bird(true), make_bird(false), make_least_bird()}, dart{},
      ball{make_ball(8, 10), make_ball(4, 6), make_ball(2, 5)};
  Shapes() { dart.fill(make_dart()); }
};
const Shapes& shapes() {
  static const Shapes all;
  return all;
}

}  // namespace

SpeciesLook fish_look() { return {shapes().fish[0], MemberMotion::swim}; }
SpeciesLook bird_look() { return {shapes().bird[0], MemberMotion::flap}; }
SpeciesLook dart_look() { return {shapes().dart[0], MemberMotion::none}; }
SpeciesLook ball_look() { return {shapes().ball[0], MemberMotion::none}; }

std::array<std::shared_ptr<const SurfaceMesh>, 3> meshes_by_detail(const SpeciesLook& look) {
  for (const Details* shape : {&shapes().fish, &shapes().bird, &shapes().ball})
    if (shape->front() == look.mesh) return *shape;
  return {look.mesh, look.mesh, look.mesh};
}

Vec3f eye_of(const SpeciesLook& look) {
  if (look.mesh == shapes().fish[0]) return {0.775F, 0.055F, 0.036F};
  if (look.mesh == shapes().bird[0]) return {0.80F, 0.085F, 0.024F};
  return Vec3f::Zero();
}

}  // namespace vw

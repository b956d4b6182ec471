// Samples the air velocity at exposed voxels, determines the shelter of exposed faces, and sums the wind forces on the
// faces of a voxel.
#include "sim/system/voxel/wind.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t wind_grain = 1024;

/// Returns a measure of how uniform the direction of the relative wind is over the body, from 0 to 1. `sum` is the sum
/// of the relative velocities of `count` voxels, and `sum_of_squares` the sum of their squared magnitudes. The result
/// is 1 if the wind has a clear direction, and 0 if the wind comes from all sides, as for a body that spins on the
/// spot.
double direction_coherence(const Vec3& sum, double sum_of_squares, std::size_t count) {
  const double all = static_cast<double>(count) * sum_of_squares;
  return all > 0 ? std::min(1.0, 2 * sum.squaredNorm() / all) : 0;
}

}  // namespace

Range wind_rows(const WindView& wind, Range voxels) {
  const auto at = [&](std::size_t voxel) {
    const auto found = std::lower_bound(wind.rows.begin(), wind.rows.end(), voxel,
                                        [](const WindRow& row, std::size_t v) { return row.voxel < v; });
    return static_cast<std::size_t>(found - wind.rows.begin());
  };
  return {at(voxels.begin), at(voxels.end)};
}

Vec3 wind_force(const WindView& wind, std::size_t row, const Vec3& velocity, const Quat& orientation, double half_edge,
                double mass, double dt) {
  const Vec3 u = wind.air[row] - velocity;
  const Mat3 axes = orientation.toRotationMatrix();
  const double area = 4 * half_edge * half_edge;
  const WindRow& at = wind.rows[row];
  std::size_t share = at.first;
  Vec3 sum = Vec3::Zero();
  for (int face = 0; face < face_count; ++face) {
    if ((at.faces >> face & 1) == 0) continue;
    const Vec3 normal = face % 2 == 0 ? Vec3(-axes.col(face / 2)) : Vec3(axes.col(face / 2));
    const double dry = wind.wet.empty() ? area : area * (1 - static_cast<double>(wind.wet[share]));
    sum += face_force(wind.drag, u, normal, dry, wind.shares.empty() ? FaceShade{} : wind.shares[share]);
    ++share;
  }
  const double limit = mass * std::abs(u.dot(sum)), wanted = dt * sum.squaredNorm();
  return wanted > limit ? Vec3(sum * (limit / wanted)) : sum;
}

void BodyWind::keep_off(std::size_t voxel, const std::array<float, face_count>& wet) {
  const std::size_t r = wind_rows({{}, rows_, {}, {}, {}}, {voxel, voxel}).begin;
  if (r == rows_.size() || rows_[r].voxel != voxel) return;
  if (wet_.empty()) {
    if (std::all_of(wet.begin(), wet.end(), [](float one) { return one == 0; })) return;
    wet_.assign(rows_.back().first + static_cast<std::size_t>(std::popcount(rows_.back().faces)), 0);
  }
  std::size_t next = rows_[r].first;
  for (std::size_t face = 0; face < wet.size(); ++face) {
    if ((rows_[r].faces >> face & 1) == 0) continue;
    wet_[next] = std::max(wet_[next], wet[face]);  // several liquids may wet the same face
    ++next;
  }
}

void BodyWind::look(const FieldSet& fields, double time, std::span<const std::uint8_t> open_faces,
                    const Elements& elements, double shielding) {
  rows_.clear(), place_.clear(), wet_.clear();
  std::uint32_t first = 0;
  for (std::size_t v = 0; v < open_faces.size(); ++v) {
    if (open_faces[v] == 0) continue;
    rows_.push_back({static_cast<std::uint32_t>(v), first, open_faces[v]});
    place_.push_back(elements.position[v]);
    first += static_cast<std::uint32_t>(std::popcount(open_faces[v]));
  }
  air_.resize(rows_.size());
  fields.velocity(place_, time, air_);
  faces_.resize(shielding > 0 ? first : 0);
  shares_.resize(faces_.size());
  if (shielding > 0) shade(elements, shielding);
}

void BodyWind::shade(const Elements& elements, double shielding) {
  Vec3 sum = Vec3::Zero();
  double squares = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Vec3 u = air_[r] - elements.velocity[rows_[r].voxel];
    sum += u;
    squares += u.squaredNorm();
  }
  const double weight = shielding * direction_coherence(sum, squares, rows_.size());
  if (!(weight > 0)) return std::fill(shares_.begin(), shares_.end(), FaceShade{});
  parallel_for(rows_.size(), wind_grain, [&](Range range, std::size_t) {
    for (std::size_t r = range.begin; r < range.end; ++r) {
      const std::uint32_t v = rows_[r].voxel;
      const Mat3 half = elements.radius[v] * elements.orientation[v].toRotationMatrix();
      std::size_t next = rows_[r].first;
      for (int face = 0; face < face_count; ++face) {
        if ((rows_[r].faces >> face & 1) == 0) continue;
        const double side = face % 2 == 0 ? -1 : 1;
        const int axis = face / 2;
        faces_[next++] = {elements.position[v] + side * half.col(axis), half.col((axis + 1) % 3),
                          side * half.col((axis + 2) % 3)};
      }
    }
  });
  const double edge = 2 * *std::max_element(elements.radius.begin(), elements.radius.end());
  shade_.evaluate(faces_, sum.normalized(), edge / 3, edge, shares_);
  for (FaceShade& share : shares_) share = {1 - weight * (1 - share.struck), 1 - weight * (1 - share.rubbed)};
}

}  // namespace vw

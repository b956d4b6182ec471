#include "sim/snapshot/extent.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

void extend(Box3f& box, const Vec3f& place, float radius) {
  if (!std::isfinite(place.sum() + radius)) return;
  box.extend(place - Vec3f::Constant(radius));
  box.extend(place + Vec3f::Constant(radius));
}

void extend(Box3f& box, const SystemSnapshot& system) {
  constexpr std::size_t grain = 16384;
  const float share = system.look_kind() == LookKind::voxels ? 0.5F : 1.0F;
  const std::size_t count = system.position.size();
  const auto extend_rows = [&](Box3f& by, Range part) {
    for (std::size_t i = part.begin; i < part.end; ++i)
      extend(by, system.position[i], share * (i < system.size.size() ? system.size[i] : 0));
  };
  if (count <= grain) return extend_rows(box, {0, count});
  std::vector<Box3f> rows(chunk_count(count, grain));
  parallel_for(count, grain, [&](Range part, std::size_t chunk) { extend_rows(rows[chunk], part); });
  for (const Box3f& row : rows)
    if (!row.isEmpty()) box.extend(row);
}

void extend(Box3f& box, const ColliderSnapshot& collider) {
  using Kind = ColliderSnapshot::Kind;
  if (collider.kind == Kind::sphere) extend(box, collider.position, collider.half_extent.x());
  if (collider.kind == Kind::mesh && collider.mesh != nullptr)
    for (const Vec3f& p : collider.mesh->position) extend(box, collider.position + collider.orientation * p, 0);
  if (collider.kind != Kind::box) return;
  const Vec3f h = collider.half_extent;
  for (unsigned i = 0; i < 8; ++i) {
    const Vec3f corner{(i & 1U) != 0 ? h.x() : -h.x(), (i & 2U) != 0 ? h.y() : -h.y(), (i & 4U) != 0 ? h.z() : -h.z()};
    extend(box, collider.position + collider.orientation * corner, 0);
  }
}

constexpr double least_mass_share = 0.01;
/// At either end of each axis, 1 / `strays_per` of the elements are regarded as outliers.
constexpr std::size_t strays_per = 100;
/// If a system has more elements than this number, trimmed_extent() considers only evenly chosen elements.
constexpr std::size_t most_sampled = 16384;

/// Returns the bounding box of a system's elements without outliers. A system of fewer than `strays_per` elements has
/// no outliers.
Box3f trimmed_extent(const SystemSnapshot& system) {
  Box3f box;
  if (system.position.size() < strays_per) {
    extend(box, system);
    return box;
  }
  const float radius =
      system.size.empty() ? 0 : (system.look_kind() == LookKind::voxels ? 0.5F : 1.0F) * system.size.front();
  Vec3f low = Vec3f::Zero(), high = Vec3f::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<float> along;
    const std::size_t stride = system.position.size() / most_sampled + 1;  // a sample is sufficient here
    along.reserve(system.position.size() / stride + 1);
    for (std::size_t i = 0; i < system.position.size(); i += stride)
      if (std::isfinite(system.position[i][axis])) along.push_back(system.position[i][axis]);
    if (along.empty()) return box;
    const auto strays = static_cast<std::ptrdiff_t>(along.size() / strays_per);
    std::nth_element(along.begin(), along.begin() + strays, along.end());
    low[axis] = along[static_cast<std::size_t>(strays)] - radius;
    std::nth_element(along.begin(), along.end() - 1 - strays, along.end());
    high[axis] = *(along.end() - 1 - strays) + radius;
  }
  return {low, high};
}

/// Returns the least mass [kg] of a system that belongs to the subject.
double least_mass_of(const Snapshot& snapshot) {
  double all = 0;
  for (const SystemSnapshot& system : snapshot.systems)
    if (std::isfinite(system.mass_kg)) all += system.mass_kg;
  return least_mass_share * all;
}

bool is_subject(const SystemSnapshot& system, double least_kg) {
  return !system.position.empty() && (least_kg <= 0 || system.mass_kg >= least_kg);
}

/// Adds the vertices of a rigid body's surface. Adds at most `most_body_points` vertices.
void add_body_points(const SurfaceMesh& mesh, const Vec3f& place, const Quatf& turn, SubjectPoints& out) {
  constexpr std::size_t most_body_points = 256;
  const std::size_t stride = mesh.position.size() / most_body_points + 1;
  for (std::size_t i = 0; i < mesh.position.size(); i += stride) {
    const Vec3f point = place + turn * mesh.position[i];
    if (!point.allFinite()) continue;
    out.position.push_back(point);
    out.radius.push_back(0);
  }
}

/// Adds points of the system. Adds the sum of the velocities of the elements to the drift. Returns the number of
/// elements.
std::size_t add_points(const SystemSnapshot& system, SubjectPoints& out) {
  constexpr std::size_t most_points = 4096;
  const std::size_t count = system.position.size(), stride = (count - 1) / most_points + 1;
  const bool is_cube = system.look_kind() == LookKind::voxels;
  const auto meshes = meshes_of(system);
  const Box3f kept = trimmed_extent(system);
  std::size_t elements = 0;
  for (std::size_t i = 0; i < count; i += stride) {
    const Vec3f& place = system.position[i];
    // The radius of the ball around a cube is half the diagonal, so the ball contains the corners in any orientation.
    const float radius = i < system.size.size() ? (is_cube ? 0.866F : 1.0F) * system.size[i] : 0;
    if (!place.allFinite() || !std::isfinite(radius) || (count >= strays_per && !kept.contains(place))) continue;
    if (i < meshes.size() && meshes[i] != nullptr && i < system.orientation.size()) {
      add_body_points(*meshes[i], place, system.orientation[i], out);
    } else {
      out.position.push_back(place);
      out.radius.push_back(radius);
    }
    ++elements;
    if (i < system.velocity.size() && system.velocity[i].allFinite()) out.drift_mps += system.velocity[i];
  }
  return elements;
}

}  // namespace

Box3f subject_extent(const Snapshot& snapshot) {
  const double least_kg = least_mass_of(snapshot);
  Box3f box;
  for (const SystemSnapshot& system : snapshot.systems)
    if (is_subject(system, least_kg)) box.extend(trimmed_extent(system));
  return box.isEmpty() ? extent_of(snapshot) : box;
}

void subject_points(const Snapshot& snapshot, SubjectPoints& out) {
  out.clear();
  const double least_kg = least_mass_of(snapshot);
  std::size_t elements = 0;
  for (const SystemSnapshot& system : snapshot.systems)
    if (is_subject(system, least_kg)) elements += add_points(system, out);
  if (elements > 0) out.drift_mps /= static_cast<float>(elements);
  const Box3f box = out.position.empty() ? extent_of(snapshot) : Box3f();
  if (box.isEmpty()) return;
  for (int i = 0; i < 8; ++i) {
    out.position.push_back(box.corner(static_cast<Box3f::CornerType>(i)));
    out.radius.push_back(0);
  }
}

Box3f extent_of(const Snapshot& snapshot) {
  Box3f box;
  for (const SystemSnapshot& system : snapshot.systems) extend(box, system);
  for (const ColliderSnapshot& collider : snapshot.colliders) extend(box, collider);
  return box;
}

}  // namespace vw

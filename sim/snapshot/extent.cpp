#include "sim/snapshot/extent.h"

#include <cmath>
#include <vector>

#include "sim/base/parallel.h"

namespace vw {
namespace {

void extend(Box3f& box, const Vec3f& place, float radius) {
  if (!std::isfinite(place.sum() + radius)) return;
  box.extend(place - Vec3f::Constant(radius));
  box.extend(place + Vec3f::Constant(radius));
}

void extend(Box3f& box, const SystemSnapshot& system) {
  constexpr std::size_t grain = 16384;
  const float share = system.look == Look::voxels ? 0.5F : 1.0F;
  const std::size_t count = system.position.size();
  const auto extend_rows = [&](Box3f& by, Range part) {
    for (std::size_t i = part.begin; i < part.end; ++i) extend(by, system.position[i], share * (i < system.size.size() ? system.size[i] : 0));
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

}  // namespace

Box3f extent_of(const Snapshot& snapshot) {
  Box3f box;
  for (const SystemSnapshot& system : snapshot.systems) extend(box, system);
  for (const ColliderSnapshot& collider : snapshot.colliders) extend(box, collider);
  return box;
}

}  // namespace vw

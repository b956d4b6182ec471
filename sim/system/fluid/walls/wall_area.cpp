#include "sim/system/fluid/walls/wall_area.h"

#include <memory>
#include <variant>

#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/hollow.h"

namespace vw {

double wall_area(const Collider& collider) {
  const double listed = area(collider.shape);
  const auto* data = std::get_if<std::shared_ptr<const Geometry>>(&collider.shape);
  const bool is_whole = data == nullptr || hole_of(collider.shape) != nullptr ||
                        dynamic_cast<const TriangleMesh*>(data->get()) != nullptr;
  if (is_whole) return listed;
  const Vec3 size = bounds(collider.shape).sizes();
  return listed + size.x() * size.z() + 2 * size.y() * (size.x() + size.z());
}

}  // namespace vw

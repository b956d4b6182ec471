// Geometry of an inverted shape: it uses the queries of the hole's shape and reverses their sign.
#include "sim/collision/shape/hollow.h"

#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/collision/shape/shape_sweep.h"

namespace vw {
namespace {

class Hollow final : public Geometry {
 public:
  explicit Hollow(Shape hole) : hole_(std::move(hole)) {}
  [[nodiscard]] const Shape& hole() const { return hole_; }

  [[nodiscard]] SurfaceQuery query(const Vec3& point, double reach) const override {
    const SurfaceQuery found = vw::query(hole_, point, reach);
    return {-found.distance, -found.normal};
  }
  [[nodiscard]] std::optional<SweepHit> sweep(const Vec3& from, const Vec3& to, double radius) const override {
    return sweep_sheet(hole_, from, to, radius);  // The surface of the hole can be hit from both sides.
  }
  [[nodiscard]] Box3 bounds() const override { return vw::bounds(hole_); }
  [[nodiscard]] double area() const override { return vw::area(hole_); }
  [[nodiscard]] double thickness() const override { return std::numeric_limits<double>::infinity(); }
  [[nodiscard]] SurfacePoint sample(const Draw3& draw) const override {
    const SurfacePoint at = sample_surface(hole_, draw);
    return {at.position, -at.normal};
  }
  /// Returns a mesh whose triangles face into the hole. Seen from outside, the near triangles are back faces, so the
  /// interior stays visible.
  [[nodiscard]] std::shared_ptr<const SurfaceMesh> picture() const override {
    const auto outside = picture_of(hole_);
    if (outside == nullptr) return nullptr;
    auto mesh = std::make_shared<SurfaceMesh>(*outside);
    for (Vec3f& normal : mesh->normal) normal = -normal;
    for (auto& triangle : mesh->triangle) std::swap(triangle[1], triangle[2]);
    return mesh;
  }

 private:
  Shape hole_;
};

bool has_no_inside(const Shape& shape) {
  if (std::holds_alternative<PlaneShape>(shape)) return true;
  const auto* geometry = std::get_if<std::shared_ptr<const Geometry>>(&shape);
  const auto* mesh = geometry != nullptr ? dynamic_cast<const TriangleMesh*>(geometry->get()) : nullptr;
  return mesh != nullptr && mesh->report().inside == MeshInside::nowhere;
}

}  // namespace

Result<Shape> turned_inside_out(Shape hole) {
  if (has_no_inside(hole)) return fail("the shape has no inside");
  return Shape(std::make_shared<const Hollow>(std::move(hole)));
}

const Shape* hole_of(const Shape& shape) {
  const auto* geometry = std::get_if<std::shared_ptr<const Geometry>>(&shape);
  const auto* hollow = geometry != nullptr ? dynamic_cast<const Hollow*>(geometry->get()) : nullptr;
  return hollow != nullptr ? &hollow->hole() : nullptr;
}

bool is_solid(const Shape& shape) { return !has_no_inside(shape) && hole_of(shape) == nullptr; }

Box3 skin_bounds(const Shape& shape, double depth_m) {
  const Box3 box = bounds(shape);
  if (hole_of(shape) == nullptr) return box;
  return {box.min() - Vec3::Constant(depth_m), box.max() + Vec3::Constant(depth_m)};
}

}  // namespace vw

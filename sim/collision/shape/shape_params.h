// Parameters of the shapes that a scene describes by dimensions or by a mesh file. Colliders, rigid bodies, fills,
// drains, emitters and swarms derive their parameter structs from ShapeParams and list the rows of shape_params().
#pragma once

#include <string>

#include "sim/base/data/parameter.h"
#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"
#include "sim/collision/shape/shape_sources.h"

namespace vw {

/// Shapes in the order of their names. The axis of a capsule and of a cylinder is y.
enum class ShapeKind { box, capsule, cylinder, mesh, sphere };

/// Parameters of all shapes. Each shape uses a subset. The constructor of a derived struct may set other defaults.
struct ShapeParams {
  Vec3 size_m{0.2, 0.2, 0.2};  ///< Edge lengths of a box.
  double radius_m = 0.1;       ///< Radius of a sphere, a capsule or a cylinder.
  double length_m = 0.2;       ///< Length of a cylinder, or distance between the centres of a capsule's end caps.
  std::string source;          ///< Path of a mesh file.
  double scale = 1;            ///< Metres per unit of the mesh file.
};

/// Allowed dimensions of a solid [m].
inline constexpr Bounds solid_range_m{1e-6, 1e4};

/// Smallest allowed dimension of a shape: `positive` for solids, which need a volume, and `zero` for regions in which
/// elements start. Such a region may be a flat box, a line or a point.
enum class Smallest { positive, zero };

/// Rows of the parameters of a shape. `live` applies only to the dimensions, because a mesh file is read only at a
/// reset. The length of a capsule may always be 0, because the capsule then is a sphere.
[[nodiscard]] ParamTable<ShapeParams> shape_params(ShapeKind kind, Live live, Smallest smallest = Smallest::positive);
/// Row of the parameter `radius` alone, for discs.
[[nodiscard]] Param<ShapeParams> radius_param(Live live, Smallest smallest = Smallest::positive);

/// A shape, and properties of the file that the shape was read from.
struct SourcedShape {
  Shape shape;
  std::string note = {};       ///< See SourcedGeometry::note.
  Vec3 middle = Vec3::Zero();  ///< See SourcedGeometry::middle.
};
[[nodiscard]] SourcedShape sourced_shape(SourcedGeometry geometry);

/// Options of a mesh. MeshSource describes them.
struct MeshOptions {
  bool two_sided = false;
  bool centred = false;
};

/// Shape with the given parameters. Only the kind `mesh` reads a file, uses `options` and can fail. Its error comes
/// from load_mesh() and is one sentence that begins with the path.
[[nodiscard]] Result<SourcedShape> make_shape(ShapeKind kind, const ShapeParams& params,
                                              const MeshOptions& options = {});

/// Whether two sets of parameters describe the same shape.
[[nodiscard]] bool describe_same_shape(const ShapeParams& a, const ShapeParams& b);

}  // namespace vw

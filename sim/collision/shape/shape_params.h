// Parameters of shapes that are described by dimensions or by a mesh file. Colliders, rigid bodies, fills, drains,
// emitters and swarms derive their parameter structs from ShapeParams, and include shape_params() in their tables.
#pragma once

#include <string>

#include "sim/base/data/parameter.h"
#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"
#include "sim/collision/shape/shape_sources.h"

namespace vw {

/// Kinds of shapes, in alphabetical order. The axis of a capsule and of a cylinder is y.
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

/// Smallest allowed dimension. Solids need a volume (`positive`). A region in which elements start may also be a flat
/// box, a line or a point (`zero`).
enum class Smallest { positive, zero };

/// Returns the table rows of the parameters of a shape. `live` applies only to dimensions, because a mesh file is read
/// only at a reset. The length of a capsule may always be 0, which makes it a sphere.
[[nodiscard]] ParamTable<ShapeParams> shape_params(ShapeKind kind, Live live, Smallest smallest = Smallest::positive);
/// Returns the table row of the parameter `radius` alone, for discs.
[[nodiscard]] Param<ShapeParams> radius_param(Live live, Smallest smallest = Smallest::positive);

/// A shape, and properties of the file from which it was read.
struct SourcedShape {
  Shape shape;
  std::string note = {};       ///< See SourcedGeometry::note.
  Vec3 middle = Vec3::Zero();  ///< See SourcedGeometry::middle.
};
[[nodiscard]] SourcedShape sourced_shape(SourcedGeometry geometry);

/// Options of a mesh. For their meaning, see MeshSource.
struct MeshOptions {
  bool two_sided = false;
  bool centred = false;
};

/// Creates the shape that the parameters describe. Only the kind `mesh` reads a file, uses `options` and can fail. Its
/// error, from load_mesh(), is one sentence that begins with the path.
[[nodiscard]] Result<SourcedShape> make_shape(ShapeKind kind, const ShapeParams& params,
                                              const MeshOptions& options = {});

/// Returns whether two sets of parameters describe the same shape.
[[nodiscard]] bool describe_same_shape(const ShapeParams& a, const ShapeParams& b);

}  // namespace vw

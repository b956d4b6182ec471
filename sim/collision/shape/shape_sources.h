// Geometry from the files that the shapes of a scene name. Time and memory are about proportional to the size of the
// file. For a distance grid, they also grow with the third power of the resolution. Each error is one sentence.
#pragma once

#include <memory>
#include <string>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Geometry from a file, and a note about the file.
struct SourcedGeometry {
  std::shared_ptr<const Geometry> geometry;
  /// One sentence for the user ("jug.obj: 3 triangles without area were omitted"), or empty.
  std::string note;
  Vec3 middle = Vec3::Zero();  ///< Position of the geometry's origin in the coordinates of the file, after scaling [m].
};

/// A mesh from an OBJ, STL, PLY or glTF file. The extension of the file name determines the format. All meshes of the
/// file are transformed by the file's nodes and merged into one mesh. Coordinates are in metres, y up.
struct MeshSource {
  std::string path;
  double scale = 1;        ///< Metres per unit of the file.
  bool two_sided = false;  ///< Whether the mesh is meant to be a sheet. The note then does not mention it.
  /// Whether the origin is moved to the centre of the bounds. This is useful for files with map coordinates, whose
  /// origin is far away.
  bool centred = false;
};
[[nodiscard]] Result<SourcedGeometry> load_mesh(const MeshSource& source);

/// Grid of distances to a mesh. The cost of a query does not depend on the number of triangles. Edges of the mesh are
/// rounded by about one cell. Equal grids that are in use at the same time share one object.
struct DistanceGridSource {
  MeshSource mesh;
  int resolution = 64;  ///< Number of cells along the longest side of the mesh, 4 to 400.
};
[[nodiscard]] Result<SourcedGeometry> load_distance_grid(const DistanceGridSource& source);

/// Ground whose heights are given on a regular grid, centred on the origin. A file with the extension .png is a
/// greyscale image in which black is `low_m` and white is `high_m`. Any other file is a text file of heights in metres
/// (heightfield.h). The first row is at -z and the first column at -x.
struct HeightfieldSource {
  std::string path;
  double size_x_m = 1, size_z_m = 1;
  double low_m = 0, high_m = 0.1;
  double depth_m = 1;  ///< Depth of the solid below the lowest height [m].
};
[[nodiscard]] Result<SourcedGeometry> load_heightfield(const HeightfieldSource& source);

}  // namespace vw

// Geometry from files, which colliders, emitters and fills name by a path. Time and memory are proportional to the size
// of the file. Each error is one sentence.
#pragma once

#include <memory>
#include <string>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Geometry from a file, and a note about the file.
struct SourcedGeometry {
  std::shared_ptr<const Geometry> geometry;
  /// One sentence for the user ("jug.obj: 3 triangles without area were omitted"); empty if there is nothing to report.
  std::string note;
  Vec3 middle = Vec3::Zero();  ///< Position of the geometry's origin in the file's coordinates, scaled [m].
};

/// OBJ, STL, PLY or glTF, by the file name's extension. All meshes of the file become one, transformed by its nodes.
/// Coordinates are in metres, y up.
struct MeshSource {
  std::string path;
  double scale = 1;        ///< Metres per unit of the file.
  bool two_sided = false;  ///< A sheet is intended: no note that the mesh is one.
  /// Moves the origin to the centre of the bounds, for files with map coordinates, which lie far from their origin.
  bool centred = false;
};
[[nodiscard]] Result<SourcedGeometry> load_mesh(const MeshSource& source);

/// Distances to a mesh on a grid. A query takes the same time for any number of triangles; edges are rounded by about a
/// cell.
struct DistanceGridSource {
  MeshSource mesh;
  int resolution = 64;  ///< Cells along the longest side of the mesh, 4 to 400.
};
[[nodiscard]] Result<SourcedGeometry> load_distance_grid(const DistanceGridSource& source);

/// Ground from heights on a regular grid about the origin: a greyscale PNG (8 or 16 bits) whose black is `low_m` and
/// whose white is `high_m`, or a text file of heights in metres (rows of equal length, separated by blanks or commas).
/// First row at -z, first column at -x.
struct HeightfieldSource {
  std::string path;
  double size_x_m = 1, size_z_m = 1;
  double low_m = 0, high_m = 0.1;
  double depth_m = 1;  ///< Depth of the solid below the lowest height.
};
[[nodiscard]] Result<SourcedGeometry> load_heightfield(const HeightfieldSource& source);

}  // namespace vw

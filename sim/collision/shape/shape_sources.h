// Geometry from files: what colliders, emitters and fills name by a path. Reading takes time and memory in proportion to the file, and everything
// that can be wrong with it gives one sentence.
#pragma once

#include <memory>
#include <string>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// What a file gave, and what there is to say about it.
struct SourcedGeometry {
  std::shared_ptr<const Geometry> geometry;
  std::string note;            ///< one sentence for the user ("jug.obj: 3 triangles without area left out"); empty when nothing was amiss
  Vec3 middle = Vec3::Zero();  ///< where the geometry's origin is in the coordinates of the file, scaled [m]
};

/// OBJ, STL, PLY, glTF by the name's ending. All meshes of the file as one, moved as its nodes say. Coordinates count as metres, y up.
struct MeshSource {
  std::string path;
  double scale = 1;        ///< metres for a unit of the file
  bool two_sided = false;  ///< a sheet is what is wanted: no note that it is one
  bool centred = false;    ///< its origin becomes the middle of its bounds: files of places on a map lie far from theirs
};
[[nodiscard]] Result<SourcedGeometry> load_mesh(const MeshSource& source);

/// Distances to a mesh on a grid: the query takes the same time for any number of triangles, edges are rounded by about a cell.
struct DistanceGridSource {
  MeshSource mesh;
  int resolution = 64;  ///< cells along the longest side of the mesh, 4 to 400
};
[[nodiscard]] Result<SourcedGeometry> load_distance_grid(const DistanceGridSource& source);

/// Ground from heights on a regular grid about the origin: a grey PNG (8 or 16 bits) whose black is `low_m` and white `high_m`, or a text of numbers
/// (rows of equal length, apart by blanks or commas), which are heights in metres. First row at -z, first column at -x.
struct HeightfieldSource {
  std::string path;
  double size_x_m = 1, size_z_m = 1;
  double low_m = 0, high_m = 0.1;
  double depth_m = 1;  ///< solid down to so far below the lowest height
};
[[nodiscard]] Result<SourcedGeometry> load_heightfield(const HeightfieldSource& source);

}  // namespace vw

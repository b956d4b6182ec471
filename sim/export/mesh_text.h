// Contents of the mesh files of one frame: PLY (binary, little-endian) and Wavefront OBJ.
#pragma once

#include <string>

#include "sim/export/frame.h"

namespace vw {

/// Returns the content of a .ply file. All arrays of the points become properties of the vertices: a vector `velocity`
/// becomes velocity_x, velocity_y and velocity_z, `color` becomes red, green, blue and alpha, and `normal` becomes nx,
/// ny and nz. Arrays of the faces become properties of the faces.
[[nodiscard]] std::string ply_text(const ExportPiece& piece);
/// Returns the content of a .obj file: points, normals if the piece has them, and faces.
[[nodiscard]] std::string obj_text(const ExportPiece& piece);

}  // namespace vw

// Mesh files of one frame: PLY (binary, little-endian) and Wavefront OBJ.
#pragma once

#include <string>

#include "sim/export/frame.h"

namespace vw {

/// Content of a .ply file. Points of a surface have normals, if the piece has them. Elements have all their arrays as
/// properties: a vector `velocity` becomes velocity_x, velocity_y, velocity_z, and `color` becomes red, green, blue,
/// alpha. The arrays of faces become properties of the faces.
[[nodiscard]] std::string ply_text(const ExportPiece& piece);
/// Content of a .obj file: points, normals if the piece has them, and faces.
[[nodiscard]] std::string obj_text(const ExportPiece& piece);

}  // namespace vw

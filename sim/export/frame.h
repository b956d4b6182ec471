// The contents of one exported frame, independent of the file format: points and meshes with arrays, and regular grids.
// A frame is created from a snapshot and then written by one of the writers in sim/export/writer.h. The functions may
// be called from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/math.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// An array of values for the points, the faces or the grid points. Each point or face has a row of `columns` values,
/// and rows are contiguous. Values that are not finite are kept.
struct ExportArray {
  using Values = std::variant<std::vector<float>, std::vector<std::uint32_t>, std::vector<std::uint8_t>>;
  std::string name;  ///< Name, such as "velocity" or "strain".
  std::string unit;  ///< Unit, such as "m/s". It is empty if there is none.
  std::size_t columns = 1;
  Values values;
};

/// Component of a frame: the elements of a system as points, or a surface. No two pieces of a frame have the same name.
struct ExportPiece {
  /// `elements`: points, one for each element. `skin`: surface of a voxel body. `bodies`: surfaces of all rigid bodies.
  /// `fluid_surface`: surface of a fluid. `collider`: surface of an obstacle.
  enum class Role : std::uint8_t { elements, skin, bodies, fluid_surface, collider };
  std::string name;    ///< "pool", "cube-skin", "pool-surface", "collider-ground": only letters, digits, _ and -.
  std::string system;  ///< Name of the system or the collider.
  Role role = Role::elements;
  std::vector<Vec3f> position = {};  ///< Positions of the points [m].
  std::size_t corners = 0;           ///< Number of corners of each face: 3 or 4 for
                                     ///< a surface, 0 if there are only points.
  /// Indices of the `corners` corners of each face, counter-clockwise seen from outside.
  std::vector<std::uint32_t> face = {};
  std::vector<ExportArray> point_data = {};         ///< One row for each point.
  std::vector<ExportArray> face_data = {};          ///< One row for each face.
  std::array<float, 4> color{0.8F, 0.8F, 0.8F, 1};  ///< Linear RGB and opacity of the piece.

  [[nodiscard]] std::size_t faces() const { return corners == 0 ? 0 : face.size() / corners; }
};

/// Samples on a regular grid, x fastest: the wind in a box.
struct ExportGrid {
  std::string name;
  std::array<std::size_t, 3> count{1, 1, 1};
  Vec3 origin = Vec3::Zero(), spacing = Vec3::Ones();  ///< Both in [m].
  std::vector<ExportArray> data = {};                  ///< One row for each grid point.
  [[nodiscard]] std::size_t size() const { return count[0] * count[1] * count[2]; }
};

struct ExportFrame {
  double time_s = 0;
  std::vector<ExportPiece> pieces;
  std::vector<ExportGrid> grids;
};

struct FrameOptions {
  std::string system = {};      ///< Name of the only system to export. Empty means all systems and colliders.
  bool fluid_surfaces = false;  ///< Whether to create a surface for each fluid (sim/surface).
};

/// Fills `out` with the contents of a snapshot, except grids. Each system becomes a piece of points with the name of
/// the system. Its arrays are id, material, radius (half the edge of a voxel), velocity, orientation (quaternion x, y,
/// z, w), color (8 bits, sRGB and opacity), asleep, and the channels and vectors that the snapshot contains. Voxel
/// bodies, rigid bodies, colliders except planes and, if `fluid_surfaces` is set, fluids also become surfaces. Returns
/// an error of one sentence if the surface of a fluid cannot be created.
[[nodiscard]] Result<void> make_export_frame(const Snapshot& snapshot, const FrameOptions& options, ExportFrame& out);

/// Returns the positions of the vertices of a skin [m] (VoxelSkin in sim/snapshot/snapshot.h).
[[nodiscard]] std::vector<Vec3f> skin_positions(const VoxelSkin& skin, const SystemSnapshot& system);
/// Returns the surface of a collider in its own frame. The result is empty for a plane.
[[nodiscard]] SurfaceMesh collider_surface(const ColliderSnapshot& collider);
/// Returns the linear RGB colour and the opacity of an element.
[[nodiscard]] std::array<float, 4> element_color(const SystemSnapshot& system, std::size_t element);

/// Returns the array with this name, or null if there is none.
[[nodiscard]] const ExportArray* find_array(std::span<const ExportArray> arrays, std::string_view name);
/// Returns the total number of values in an array.
[[nodiscard]] std::size_t value_count(const ExportArray& array);
/// Returns the values of an array as bytes in the byte order of the machine (little-endian).
[[nodiscard]] std::string_view value_bytes(const ExportArray& array);
/// Returns the elements of a vector as bytes.
template <class T>
[[nodiscard]] std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace vw

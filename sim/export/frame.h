// The contents of one exported frame, independent of the file format: points with arrays, meshes with arrays, and
// regular grids. The frame is made from a snapshot; the writers of sim/export/writer.h write it. The functions may be
// called from any thread.
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

/// An array with `columns` values for each point, face or grid point, row after row. Values that are not finite are
/// kept.
struct ExportArray {
  using Values = std::variant<std::vector<float>, std::vector<std::uint32_t>, std::vector<std::uint8_t>>;
  std::string name;  ///< "velocity", "strain", ...
  std::string unit;  ///< "m/s", or empty
  std::size_t columns = 1;
  Values values;
};

/// Part of a frame: the elements of a system as points, or a surface. The names of the pieces of a frame differ.
struct ExportPiece {
  /// `elements`: points, one for each element. `skin`: surface of a voxel body. `bodies`: surfaces of all rigid bodies.
  /// `fluid_surface`: surface of a fluid. `collider`: surface of an obstacle.
  enum class Role : std::uint8_t { elements, skin, bodies, fluid_surface, collider };
  std::string name;    ///< "pool", "cube-skin", "pool-surface", "collider-ground": letters, digits, _ and -
  std::string system;  ///< name of the system or the collider
  Role role = Role::elements;
  std::vector<Vec3f> position = {};  ///< points [m]
  std::size_t corners = 0;           ///< corners of each face: 0 for points only, 3 or 4 for a surface
  /// Indices of the corners of the faces, counter-clockwise seen from outside, `corners` for each face.
  std::vector<std::uint32_t> face = {};
  std::vector<ExportArray> point_data = {};         ///< one row for each point
  std::vector<ExportArray> face_data = {};          ///< one row for each face
  std::array<float, 4> color{0.8F, 0.8F, 0.8F, 1};  ///< linear RGB and opacity of the piece as a whole
  /// Number that changes when the rows or the faces change their meaning.
  std::uint64_t revision = 0;

  [[nodiscard]] std::size_t faces() const { return corners == 0 ? 0 : face.size() / corners; }
};

/// Regular grid of samples, x fastest: the wind in a box.
struct ExportGrid {
  std::string name;
  std::array<std::size_t, 3> count{1, 1, 1};
  Vec3 origin = Vec3::Zero(), spacing = Vec3::Ones();  ///< [m]
  std::vector<ExportArray> data = {};                  ///< one row for each grid point
  [[nodiscard]] std::size_t size() const { return count[0] * count[1] * count[2]; }
};

struct ExportFrame {
  double time_s = 0;
  std::vector<ExportPiece> pieces;
  std::vector<ExportGrid> grids;
};

struct FrameOptions {
  std::string system = {};      ///< the only system to export; empty means all systems and colliders
  bool fluid_surfaces = false;  ///< whether each fluid has a surface (sim/surface)
};

/// Fills `out` with the contents of a snapshot, without grids. Each system becomes a piece of points named as the
/// system with the arrays id, material, radius (half the edge of a voxel), velocity, orientation (quaternion x, y, z,
/// w), color (8 bits, sRGB and opacity), asleep, and the channels and vectors that the snapshot holds. Voxel bodies,
/// rigid bodies and, if wanted, fluids also become surfaces. Bounded colliders become surfaces; planes are left out.
/// Returns an error of one sentence if a surface of a fluid cannot be made.
[[nodiscard]] Result<void> make_export_frame(const Snapshot& snapshot, const FrameOptions& options, ExportFrame& out);

/// Positions of the vertices of a skin [m] (VoxelSkin in sim/snapshot/snapshot.h).
[[nodiscard]] std::vector<Vec3f> skin_positions(const VoxelSkin& skin, const SystemSnapshot& system);
/// Surface of a bounded collider in its own frame, or an empty mesh for a plane.
[[nodiscard]] SurfaceMesh collider_surface(const ColliderSnapshot& collider);
/// Linear RGB and opacity of an element.
[[nodiscard]] std::array<float, 4> element_color(const SystemSnapshot& system, std::size_t element);

/// The array named `name`, or null.
[[nodiscard]] const ExportArray* find_array(std::span<const ExportArray> arrays, std::string_view name);
/// Number of values of an array.
[[nodiscard]] std::size_t value_count(const ExportArray& array);
/// The values of an array as bytes in the order of the machine (little-endian).
[[nodiscard]] std::string_view value_bytes(const ExportArray& array);
/// The elements of a vector as bytes.
template <class T>
[[nodiscard]] std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace vw

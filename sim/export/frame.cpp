#include "sim/export/frame.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "sim/base/elementary/elementary.h"
#include "sim/base/srgb.h"
#include "sim/surface/fluid_surface.h"

namespace vw {
namespace {

static_assert(std::endian::native == std::endian::little, "exported files are little-endian");
static_assert(sizeof(Vec3f) == 3 * sizeof(float));

std::vector<float> numbers_of(const std::vector<Vec3f>& vectors, std::size_t rows) {
  std::vector<float> out(3 * rows, 0.0F);
  for (std::size_t i = 0; i < std::min(rows, vectors.size()); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) out[3 * i + axis] = vectors[i][static_cast<Eigen::Index>(axis)];
  return out;
}

/// Returns a copy of a column. If the column has fewer than `rows` entries, the remaining entries are `missing`.
template <class T>
std::vector<T> column_of(const std::vector<T>& values, std::size_t rows, T missing) {
  std::vector<T> out = values;
  out.resize(rows, missing);
  return out;
}

std::uint8_t color_byte(float value, bool is_linear) {
  const double linear = std::isfinite(value) ? std::clamp(static_cast<double>(value), 0.0, 1.0) : 0.0;
  return static_cast<std::uint8_t>(std::lround(255 * (is_linear ? srgb_of_linear(linear) : linear)));
}

std::vector<std::uint8_t> color_bytes(const SystemSnapshot& system) {
  std::vector<std::uint8_t> out;
  out.reserve(4 * system.position.size());
  for (std::size_t i = 0; i < system.position.size(); ++i) {
    const std::array<float, 4> color = element_color(system, i);
    for (std::size_t k = 0; k < 4; ++k) out.push_back(color_byte(color[k], k < 3));
  }
  return out;
}

/// Returns the radius of each element. For a voxel, it is half the edge.
std::vector<float> radii_of(const SystemSnapshot& system) {
  std::vector<float> out = column_of(system.size, system.position.size(), 0.0F);
  if (system.look_kind() == LookKind::voxels)
    for (float& r : out) r *= 0.5F;
  return out;
}

std::array<float, 4> mean_color(const SystemSnapshot& system) {
  std::array<float, 4> mean{0.8F, 0.8F, 0.8F, 1};
  if (!system.position.empty()) mean = element_color(system, 0);
  return mean;
}

std::vector<ExportArray> element_arrays(const SystemSnapshot& system) {
  const std::size_t n = system.position.size();
  std::vector<ExportArray> out;
  out.push_back({"id", "", 1, column_of(system.id, n, std::uint32_t{0})});
  out.push_back({"material", "", 1, column_of(system.material, n, std::uint8_t{0})});
  out.push_back({"radius", "m", 1, radii_of(system)});
  out.push_back({"velocity", "m/s", 3, numbers_of(system.velocity, n)});
  if (system.orientation.size() == n && (n > 0 || system.look_kind() != LookKind::spheres) &&
      system.look_kind() != LookKind::fluid) {
    std::vector<float> turns;
    for (const Quatf& q : system.orientation) turns.insert(turns.end(), {q.x(), q.y(), q.z(), q.w()});
    out.push_back({"orientation", "", 4, std::move(turns)});
  }
  out.push_back({"color", "", 4, color_bytes(system)});
  out.push_back({"asleep", "", 1, column_of(system.asleep, n, std::uint8_t{0})});
  const auto add = [&](ExportArray array) {
    if (find_array(out, array.name) == nullptr) out.push_back(std::move(array));
  };
  const auto unit_of = [](const std::vector<ChannelInfo>& infos, const std::string& name) {
    const auto found = std::ranges::find(infos, name, &ChannelInfo::name);
    return found == infos.end() ? std::string() : found->unit;
  };
  for (const Channel& channel : system.channels)
    add({channel.name, unit_of(system.available, channel.name), 1, column_of(channel.values, n, 0.0F)});
  for (const VectorChannel& vector : system.vectors)
    add({vector.name, unit_of(system.available_vectors, vector.name), 3, numbers_of(vector.values, n)});
  return out;
}

ExportPiece elements_piece(const SystemSnapshot& system) {
  ExportPiece piece{.name = system.name, .system = system.name};
  piece.position = system.position;
  piece.point_data = element_arrays(system);
  piece.color = mean_color(system);
  return piece;
}

/// Creates an array for faces from an array for elements: face i gets the values of element row[i].
ExportArray gathered(const ExportArray& from, std::span<const std::uint32_t> row) {
  ExportArray out{from.name, from.unit, from.columns, {}};
  out.values = std::visit(
      [&](const auto& values) -> ExportArray::Values {
        std::remove_cvref_t<decltype(values)> picked;
        picked.reserve(row.size() * from.columns);
        for (const std::uint32_t r : row)
          for (std::size_t k = 0; k < from.columns; ++k) picked.push_back(values[r * from.columns + k]);
        return picked;
      },
      from.values);
  return out;
}

ExportPiece skin_piece(const SystemSnapshot& system, const ExportPiece& elements) {
  ExportPiece piece{.name = system.name + "-skin", .system = system.name, .role = ExportPiece::Role::skin};
  piece.corners = 4;
  piece.color = elements.color;
  const std::shared_ptr<const VoxelSkin> skin = skin_of(system);
  piece.position = skin_positions(*skin, system);
  std::vector<std::uint32_t> voxel;
  std::vector<std::uint8_t> side;
  for (const VoxelSkin::Quad& quad : skin->quads) {
    for (const std::int32_t v : quad.vertex) piece.face.push_back(static_cast<std::uint32_t>(v));
    voxel.push_back(static_cast<std::uint32_t>(quad.voxel));
    side.push_back(quad.face);
  }
  for (const ExportArray& array : elements.point_data)
    if (array.name != "orientation" && array.name != "radius") piece.face_data.push_back(gathered(array, voxel));
  piece.face_data.push_back({"side", "", 1, std::move(side)});
  return piece;
}

void append_mesh(ExportPiece& piece, const SurfaceMesh& mesh, const Vec3f& at, const Quatf& turn,
                 std::vector<Vec3f>& normal) {
  const auto first = static_cast<std::uint32_t>(piece.position.size());
  for (const Vec3f& p : mesh.position) piece.position.emplace_back(at + turn * p);
  for (std::size_t i = 0; i < mesh.position.size(); ++i)
    normal.emplace_back(i < mesh.normal.size() ? Vec3f(turn * mesh.normal[i]) : Vec3f(Vec3f::Zero()));
  for (const auto& corners : mesh.triangle)
    for (const std::uint32_t corner : corners) piece.face.push_back(first + corner);
}

ExportPiece bodies_piece(const SystemSnapshot& system, const ExportPiece& elements) {
  ExportPiece piece{.name = system.name + "-bodies", .system = system.name, .role = ExportPiece::Role::bodies};
  piece.corners = 3;
  piece.color = elements.color;
  std::vector<Vec3f> normal;
  std::vector<std::uint32_t> body;
  const auto meshes = meshes_of(system);
  for (std::size_t i = 0; i < system.position.size() && i < meshes.size(); ++i) {
    if (meshes[i] == nullptr) continue;
    append_mesh(piece, *meshes[i], system.position[i], system.orientation[i], normal);
    body.insert(body.end(), meshes[i]->triangle.size(), static_cast<std::uint32_t>(i));
  }
  piece.point_data.push_back({"normal", "", 3, numbers_of(normal, normal.size())});
  for (const ExportArray& array : elements.point_data)
    if (array.name != "orientation" && array.name != "radius") piece.face_data.push_back(gathered(array, body));
  return piece;
}

Result<ExportPiece> surface_piece(const SystemSnapshot& system, const ExportPiece& elements) {
  ExportPiece piece{.name = system.name + "-surface", .system = system.name, .role = ExportPiece::Role::fluid_surface};
  piece.corners = 3;
  piece.color = elements.color;
  std::vector<Vec3> at;
  for (const Vec3f& p : system.position) at.push_back(p.cast<double>());
  auto mesh = fluid_surface(at, {}, {.spacing_m = static_cast<double>(spacing_of_fluid(system))});
  if (!mesh) return fail(system.name + ": the surface cannot be made: " + mesh.error().message());
  for (const Vec3& p : mesh->position) piece.position.emplace_back(p.cast<float>());
  for (const auto& corners : mesh->triangle) piece.face.insert(piece.face.end(), corners.begin(), corners.end());
  piece.point_data.push_back({"normal", "", 3, numbers_of(mesh->normal, mesh->position.size())});
  return piece;
}

ExportPiece collider_piece(const ColliderSnapshot& collider, const SurfaceMesh& mesh) {
  ExportPiece piece{.name = "collider-" + collider.name, .system = collider.name, .role = ExportPiece::Role::collider};
  piece.corners = 3;
  piece.color = {collider.color.x(), collider.color.y(), collider.color.z(), collider.opacity};
  std::vector<Vec3f> normal;
  append_mesh(piece, mesh, collider.position, collider.orientation, normal);
  piece.point_data.push_back({"normal", "", 3, numbers_of(normal, normal.size())});
  return piece;
}

/// Returns the surface of a box, with separate vertices and one normal for each side.
SurfaceMesh box_surface(const Vec3f& half) {
  SurfaceMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {-1.0F, 1.0F}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto first = static_cast<std::uint32_t>(mesh.position.size());
      for (const auto& [a, b] : {std::pair{-1.0F, -1.0F}, {1.0F, -1.0F}, {1.0F, 1.0F}, {-1.0F, 1.0F}}) {
        Vec3f p;
        p[axis] = sign * half[axis], p[u] = sign * a * half[u], p[v] = b * half[v];
        mesh.position.push_back(p);
        mesh.normal.emplace_back(sign * Vec3f::Unit(axis));
      }
      mesh.triangle.push_back({first, first + 1, first + 2});
      mesh.triangle.push_back({first, first + 2, first + 3});
    }
  return mesh;
}

/// Returns the surface of a sphere: a closed mesh with two poles and rings of vertices between them.
SurfaceMesh sphere_surface(float radius) {
  constexpr std::uint32_t around = 24, rings = 11;
  SurfaceMesh mesh;
  mesh.normal.emplace_back(Vec3f::UnitY());
  for (std::uint32_t j = 1; j <= rings; ++j)
    for (std::uint32_t i = 0; i < around; ++i) {
      const elementary::SinCos polar = elementary::sin_cos(pi * j / (rings + 1)),
                               azimuth = elementary::sin_cos(2 * pi * i / around);
      mesh.normal.emplace_back(static_cast<float>(polar.sin * azimuth.cos), static_cast<float>(polar.cos),
                               static_cast<float>(-polar.sin * azimuth.sin));
    }
  mesh.normal.emplace_back(-Vec3f::UnitY());
  for (const Vec3f& n : mesh.normal) mesh.position.emplace_back(radius * n);
  const auto last = static_cast<std::uint32_t>(mesh.normal.size() - 1);
  const auto at = [&](std::uint32_t j, std::uint32_t i) { return 1 + (j - 1) * around + i % around; };
  for (std::uint32_t i = 0; i < around; ++i) {
    mesh.triangle.push_back({0, at(1, i), at(1, i + 1)});
    mesh.triangle.push_back({at(rings, i), last, at(rings, i + 1)});
    for (std::uint32_t j = 1; j < rings; ++j) {
      mesh.triangle.push_back({at(j, i), at(j + 1, i), at(j + 1, i + 1)});
      mesh.triangle.push_back({at(j, i), at(j + 1, i + 1), at(j, i + 1)});
    }
  }
  return mesh;
}

Result<void> add_system(const SystemSnapshot& system, const FrameOptions& options, std::vector<ExportPiece>& out) {
  ExportPiece elements = elements_piece(system);
  const std::size_t n = system.position.size();
  std::optional<ExportPiece> surface;
  if (skin_of(system) != nullptr && system.orientation.size() == n)
    surface = skin_piece(system, elements);
  else if (system.look_kind() == LookKind::rigid && system.orientation.size() == n)
    surface = bodies_piece(system, elements);
  else if (system.look_kind() == LookKind::fluid && options.fluid_surfaces) {
    auto made = surface_piece(system, elements);
    if (!made) return Unexpected(made.error());
    surface = std::move(*made);
  }
  out.push_back(std::move(elements));
  if (surface) out.push_back(std::move(*surface));
  return {};
}

/// Makes the names of the pieces unique. Pieces of elements keep the names of their systems. The name of another piece
/// may be in use, for example "cube-skin" if a system has this name.
void make_names_unique(std::vector<ExportPiece>& pieces) {
  std::set<std::string> used;
  for (const ExportPiece& piece : pieces)
    if (piece.role == ExportPiece::Role::elements) used.insert(piece.name);
  for (ExportPiece& piece : pieces) {
    if (piece.role == ExportPiece::Role::elements) continue;
    while (!used.insert(piece.name).second) piece.name += "-2";
  }
}

}  // namespace

Result<void> make_export_frame(const Snapshot& snapshot, const FrameOptions& options, ExportFrame& out) {
  out.time_s = snapshot.time_s;
  out.pieces.clear();
  out.grids.clear();
  for (const SystemSnapshot& system : snapshot.systems)
    if (options.system.empty() || options.system == system.name)
      if (auto good = add_system(system, options, out.pieces); !good) return good;
  if (options.system.empty())
    for (const ColliderSnapshot& collider : snapshot.colliders)
      if (const SurfaceMesh mesh = collider_surface(collider); !mesh.triangle.empty())
        out.pieces.push_back(collider_piece(collider, mesh));
  make_names_unique(out.pieces);
  return {};
}

std::vector<Vec3f> skin_positions(const VoxelSkin& skin, const SystemSnapshot& system) {
  std::vector<Vec3f> out;
  out.reserve(skin.vertices.size());
  for (const VoxelSkin::Vertex& vertex : skin.vertices) {
    Vec3f sum = Vec3f::Zero();
    float voxels = 0;
    for (std::size_t k = 0; k < vertex.voxel.size() && vertex.voxel[k] >= 0; ++k, voxels += 1) {
      const auto v = static_cast<std::size_t>(vertex.voxel[k]);
      const float half = 0.5F * (v < system.size.size() ? system.size[v] : skin.edge_m);
      const int corner = vertex.corner[k];
      const Vec3f offset((corner & 1) != 0 ? half : -half, (corner & 2) != 0 ? half : -half,
                         (corner & 4) != 0 ? half : -half);
      sum += system.position[v] + system.orientation[v] * offset;
    }
    out.emplace_back(voxels > 0 ? Vec3f(sum / voxels) : sum);
  }
  return out;
}

SurfaceMesh collider_surface(const ColliderSnapshot& collider) {
  switch (collider.kind) {
    case ColliderSnapshot::Kind::plane: return {};
    case ColliderSnapshot::Kind::sphere: return sphere_surface(collider.half_extent.x());
    case ColliderSnapshot::Kind::box: return box_surface(collider.half_extent);
    case ColliderSnapshot::Kind::mesh: return collider.mesh != nullptr ? *collider.mesh : SurfaceMesh{};
  }
  return {};
}

std::array<float, 4> element_color(const SystemSnapshot& system, std::size_t element) {
  if (element < system.tint.size()) {
    const Vec4f& tint = system.tint[element];
    return {tint.x(), tint.y(), tint.z(), tint.w()};
  }
  const std::size_t material = element < system.material.size() ? system.material[element] : 0;
  if (material >= system.palette.size()) return {0.8F, 0.8F, 0.8F, 1};
  const Vec3f& color = system.palette[material];
  return {color.x(), color.y(), color.z(), 1};
}

const ExportArray* find_array(std::span<const ExportArray> arrays, std::string_view name) {
  const auto found = std::ranges::find(arrays, name, &ExportArray::name);
  return found == arrays.end() ? nullptr : &*found;
}

std::size_t value_count(const ExportArray& array) {
  return std::visit([](const auto& values) { return values.size(); }, array.values);
}

std::string_view value_bytes(const ExportArray& array) {
  return std::visit([](const auto& values) { return bytes_of(values); }, array.values);
}

}  // namespace vw

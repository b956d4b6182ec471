#include "sim/export/mesh_text.h"

#include <iterator>

#include <fmt/format.h>

namespace vw {
namespace {

constexpr std::array<std::string_view, 3> ply_types{"float", "uint", "uchar"};  // Same order as ExportArray::Values.
constexpr std::array<std::size_t, 3> ply_sizes{4, 4, 1};

/// Returns the names of the PLY properties that represent the columns of an array.
std::vector<std::string> property_names(const ExportArray& array) {
  if (array.name == "normal") return {"nx", "ny", "nz"};
  if (array.name == "color") return {"red", "green", "blue", "alpha"};
  if (array.columns == 1) return {array.name};
  std::vector<std::string> names;
  for (std::size_t k = 0; k < array.columns; ++k) names.push_back(array.name + "_" + "xyzw"[k % 4]);
  return names;
}

void append_properties(std::string& out, const std::vector<ExportArray>& arrays) {
  for (const ExportArray& array : arrays)
    for (const std::string& name : property_names(array))
      fmt::format_to(std::back_inserter(out), "property {} {}\n", ply_types[array.values.index()], name);
}

void append_row(std::string& out, const std::vector<ExportArray>& arrays, std::size_t row) {
  for (const ExportArray& array : arrays) {
    const std::size_t bytes = array.columns * ply_sizes[array.values.index()];
    out += value_bytes(array).substr(row * bytes, bytes);
  }
}

}  // namespace

std::string ply_text(const ExportPiece& piece) {
  std::string out = "ply\nformat binary_little_endian 1.0\ncomment Voxwake: y is up, metres\n";
  out +=
      fmt::format("element vertex {}\nproperty float x\nproperty float y\nproperty float z\n", piece.position.size());
  append_properties(out, piece.point_data);
  if (piece.corners > 0) {
    out += fmt::format("element face {}\nproperty list uchar uint vertex_indices\n", piece.faces());
    append_properties(out, piece.face_data);
  }
  out += "end_header\n";
  for (std::size_t i = 0; i < piece.position.size(); ++i) {
    out.append(reinterpret_cast<const char*>(piece.position[i].data()), sizeof(Vec3f));
    append_row(out, piece.point_data, i);
  }
  for (std::size_t f = 0; f < piece.faces(); ++f) {
    out += static_cast<char>(piece.corners);
    out.append(reinterpret_cast<const char*>(piece.face.data() + f * piece.corners),
               piece.corners * sizeof(std::uint32_t));
    append_row(out, piece.face_data, f);
  }
  return out;
}

std::string obj_text(const ExportPiece& piece) {
  std::string out = "# Voxwake: y is up, metres\no " + piece.name + "\n";
  auto end = std::back_inserter(out);
  for (const Vec3f& p : piece.position) fmt::format_to(end, "v {} {} {}\n", p.x(), p.y(), p.z());
  const ExportArray* normal = find_array(piece.point_data, "normal");
  if (normal != nullptr) {
    const auto& values = std::get<std::vector<float>>(normal->values);
    for (std::size_t i = 0; i + 2 < values.size(); i += 3)
      fmt::format_to(end, "vn {} {} {}\n", values[i], values[i + 1], values[i + 2]);
  }
  for (std::size_t f = 0; f < piece.faces(); ++f) {
    out += 'f';
    for (std::size_t k = 0; k < piece.corners; ++k) {
      const std::uint32_t corner = piece.face[f * piece.corners + k] + 1;
      if (normal != nullptr)
        fmt::format_to(end, " {}//{}", corner, corner);
      else
        fmt::format_to(end, " {}", corner);
    }
    out += '\n';
  }
  return out;
}

}  // namespace vw

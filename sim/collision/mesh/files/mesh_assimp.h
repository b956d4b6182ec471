// Import of triangles with assimp. A guard (mesh_text_guard.cpp or mesh_gltf_guard.cpp) must already have checked the
// bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/base/error.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

/// Input of assimp. assimp can read the entries of `files`, but no files on disk.
struct MeshInput {
  const char* importer = "";  ///< Name of the importer in assimp.
  std::string main_file;      ///< Name of the entry of `files` that the importer opens first.
  std::map<std::string, std::string, std::less<>> files;
  /// Expected number of triangles. Importers silently skip invalid data, so a different number is an error.
  std::uint64_t triangles = 0;

  MeshInput(const char* by, std::string name) : importer(by), main_file(std::move(name)) {}
  MeshInput(const char* by, std::string name, std::string bytes, std::uint64_t count)
      : importer(by), main_file(std::move(name)), triangles(count) {
    files.emplace(main_file, std::move(bytes));
  }
};

[[nodiscard]] Result<TriangleList> import_mesh(const MeshInput& input, const std::string& path);

}  // namespace vw

// Triangles out of assimp, for formats whose bytes have been looked over before (mesh_text_guard.cpp, mesh_gltf_guard.cpp).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/base/error.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

/// What is handed to assimp: it sees these bytes and no file of the disk.
struct MeshInput {
  const char* importer = "";  ///< the one that may run, by assimp's name for it
  std::string main_file;      ///< the name among `files` that it begins with
  std::map<std::string, std::string, std::less<>> files;
  std::uint64_t triangles = 0;  ///< as many must come out: an importer passes over what it cannot make sense of

  MeshInput(const char* by, std::string name) : importer(by), main_file(std::move(name)) {}
  MeshInput(const char* by, std::string name, std::string bytes, std::uint64_t count) : importer(by), main_file(std::move(name)), triangles(count) {
    files.emplace(main_file, std::move(bytes));
  }
};

[[nodiscard]] Result<TriangleList> import_mesh(const MeshInput& input, const std::string& path);

}  // namespace vw

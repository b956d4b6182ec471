// The only file that uses assimp. It converts the bytes of a mesh file to triangles and applies the transformations of
// the nodes in that file.
#include "sim/collision/mesh/files/mesh_assimp.h"

#include <assimp/BaseImporter.h>
#include <assimp/importerdesc.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cstring>
#include <exception>
#include <memory>

#include <fmt/format.h>

#include "sim/collision/mesh/files/mesh_formats.h"

namespace vw {
namespace {

using Place = Eigen::Affine3d;

class MemoryStream final : public Assimp::IOStream {
 public:
  explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}
  size_t Read(void* to, size_t size, size_t count) override {
    if (size == 0) return 0;
    count = std::min(count, (bytes_.size() - at_) / size);
    if (count > 0) std::memcpy(to, bytes_.data() + at_, size * count);
    at_ += size * count;
    return count;
  }
  size_t Write(const void*, size_t, size_t) override { return 0; }
  aiReturn Seek(size_t offset, aiOrigin origin) override {
    const size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at_ : bytes_.size();
    if (offset > bytes_.size() - from) return aiReturn_FAILURE;
    at_ = from + offset;
    return aiReturn_SUCCESS;
  }
  [[nodiscard]] size_t Tell() const override { return at_; }
  [[nodiscard]] size_t FileSize() const override { return bytes_.size(); }
  void Flush() override {}

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

/// File system for assimp. It contains only the files of the input, so assimp cannot open any file on disk.
class MemoryFiles final : public Assimp::IOSystem {
 public:
  explicit MemoryFiles(const MeshInput& input) : input_(input) {}
  bool Exists(const char* name) const override { return input_.files.contains(std::string_view(name)); }
  [[nodiscard]] char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    const auto found = input_.files.find(std::string_view(name));
    if (found == input_.files.end() || std::strchr(mode, 'w') != nullptr) return nullptr;
    return std::make_unique<MemoryStream>(found->second).release();
  }
  void Close(Assimp::IOStream* stream) override { std::default_delete<Assimp::IOStream>()(stream); }

 private:
  const MeshInput& input_;
};

/// Removes all importers except `name`, so that assimp does not choose another importer because of the content of a
/// file.
void keep_importer(Assimp::Importer& importer, const char* name) {
  for (size_t i = importer.GetImporterCount(); i-- > 0;) {
    if (std::strcmp(importer.GetImporterInfo(i)->mName, name) == 0) continue;
    const std::unique_ptr<Assimp::BaseImporter> other(importer.GetImporter(i));
    importer.UnregisterLoader(other.get());
  }
}

Place place_of(const aiMatrix4x4& m) {
  Place place = Place::Identity();
  place.matrix().topRows<3>() << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4;
  return place;
}

class SceneReader {
 public:
  SceneReader(const aiScene& scene, const std::string& path) : scene_(scene), path_(path) {}

  /// Adds a node and its children recursively. The guards have limited the depth and the number of the nodes.
  Result<void> add_node(const aiNode& node, const Place& parent) {
    const Place place = parent * place_of(node.mTransformation);
    for (unsigned i = 0; i < node.mNumMeshes; ++i) {
      if (node.mMeshes[i] >= scene_.mNumMeshes) return wrong_file(path_, "a node refers to a missing mesh");
      if (auto fine = add_mesh(*scene_.mMeshes[node.mMeshes[i]], place); !fine) return fine;
    }
    for (unsigned i = 0; i < node.mNumChildren; ++i)
      if (auto fine = add_node(*node.mChildren[i], place); !fine) return fine;
    return {};
  }
  TriangleList list;

 private:
  Result<void> add_mesh(const aiMesh& mesh, const Place& place) {
    const std::size_t first = list.position.size();
    if (first + mesh.mNumVertices > 0xffffffffU) return too_many_triangles(path_, max_triangles + 1);
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D& v = mesh.mVertices[i];
      const Vec3 at = place * Vec3(v.x, v.y, v.z);
      if (!at.allFinite())
        return wrong_file(
            path_, fmt::format("vertex {} is at ({}, {}, {}): coordinates must be finite", i, at.x(), at.y(), at.z()));
      list.position.push_back(at);
    }
    const bool mirrored = place.linear().determinant() < 0;
    for (unsigned i = 0; i < mesh.mNumFaces; ++i)
      if (auto fine = add_face(mesh.mFaces[i], first, mesh.mNumVertices, mirrored); !fine) return fine;
    return {};
  }

  /// Adds a face. Points and lines are skipped, because they have no surface. add_polygon() divides polygons
  /// into triangles, because assimp's triangulation takes at least quadratic time in the number of corners.
  Result<void> add_face(const aiFace& face, std::size_t first, unsigned vertices, bool mirrored) {
    corner_.clear();
    for (unsigned k = 0; k < face.mNumIndices; ++k) {
      if (face.mIndices[k] >= vertices)
        return wrong_file(path_, fmt::format("a face refers to vertex {}, but the number of vertices is {}",
                                             face.mIndices[k], vertices));
      corner_.push_back(static_cast<std::uint32_t>(first + face.mIndices[k]));
    }
    if (mirrored) std::reverse(corner_.begin(), corner_.end());
    if (!add_polygon(list, corner_)) return too_many_triangles(path_, list.triangle.size() + corner_.size() - 2);
    return {};
  }

  const aiScene& scene_;
  const std::string& path_;
  std::vector<std::uint32_t> corner_;
};

Result<TriangleList> import_or_throw(const MeshInput& input, const std::string& path) {
  Assimp::Importer importer;
  importer.SetIOHandler(std::make_unique<MemoryFiles>(input).release());  // The importer takes ownership.
  keep_importer(importer, input.importer);
  const aiScene* scene = importer.ReadFile(input.main_file, 0);
  if (scene == nullptr) return wrong_file(path, fmt::format("cannot be read: {}", importer.GetErrorString()));
  SceneReader reader(*scene, path);
  if (scene->mRootNode != nullptr)
    if (const auto fine = reader.add_node(*scene->mRootNode, Place::Identity()); !fine) return Unexpected(fine.error());
  const std::size_t found = reader.list.triangle.size();
  if (found != input.triangles)
    return wrong_file(path, fmt::format("has {} triangles, of which {} are valid; the others refer to missing vertices",
                                        input.triangles, found));
  return std::move(reader.list);
}

}  // namespace

Result<TriangleList> import_mesh(const MeshInput& input, const std::string& path) {
  try {
    return import_or_throw(input, path);
  } catch (const std::bad_alloc&) {
    return wrong_file(path, "cannot be read: there is not enough memory");
  } catch (const std::exception& problem) {
    return wrong_file(path, fmt::format("cannot be read: {}", problem.what()));
  } catch (...) {
    return wrong_file(path, "cannot be read: Assimp reports no reason");
  }
}

}  // namespace vw

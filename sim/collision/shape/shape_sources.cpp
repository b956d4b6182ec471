#include "sim/collision/shape/shape_sources.h"

#include <map>
#include <mutex>
#include <tuple>

#include <fmt/format.h>
#include <xxhash.h>

#include "sim/base/text.h"
#include "sim/collision/mesh/files/mesh_file.h"
#include "sim/collision/shape/distance_grid.h"
#include "sim/collision/shape/heightfield.h"

namespace vw {
namespace {

Unexpected of_file(Error error, const std::string& path) {
  if (error.file.empty()) error.file = path;
  return fail(std::move(error));
}

struct SourcedMesh {
  std::shared_ptr<const TriangleMesh> mesh;
  Vec3 middle = Vec3::Zero();
};

Result<SourcedMesh> mesh_of(const MeshSource& source) {
  auto list = read_mesh_file(source.path, source.scale);
  if (!list) return Unexpected(list.error());
  SourcedMesh sourced;
  if (source.centred) {
    Box3 box;
    for (const Vec3& p : list->position) box.extend(p);
    if (box.center().allFinite()) sourced.middle = box.center();
    for (Vec3& p : list->position) p -= sourced.middle;
  }
  auto mesh = TriangleMesh::make(std::move(*list));
  if (!mesh) return of_file(std::move(mesh.error()), source.path);
  sourced.mesh = std::move(*mesh);
  return sourced;
}

/// Distance grids in use, by the content of their mesh and the resolution. A large grid takes seconds to compute. The
/// colliders, the systems and the checks of a scene read the files independently and share the grid.
class GridsInUse {
 public:
  using Key = std::tuple<std::uint64_t, std::uint64_t, int>;
  [[nodiscard]] static Key key_of(const TriangleList& list, int resolution) {
    const XXH128_hash_t place = XXH3_128bits(list.position.data(), list.position.size() * sizeof(Vec3)),
                        corner = XXH3_128bits(list.triangle.data(), list.triangle.size() * sizeof(list.triangle[0]));
    return {place.low64 ^ corner.high64, place.high64 ^ corner.low64, resolution};
  }
  [[nodiscard]] std::shared_ptr<const Geometry> find(const Key& key) {
    const std::scoped_lock lock(mutex_);
    const auto at = grids_.find(key);
    return at == grids_.end() ? nullptr : at->second.lock();
  }
  void add(const Key& key, const std::shared_ptr<const Geometry>& grid) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(grids_, [](const auto& entry) { return entry.second.expired(); });
    grids_[key] = grid;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::weak_ptr<const Geometry>> grids_;
};

GridsInUse& grids_in_use() {
  static GridsInUse grids;
  return grids;
}

std::string note_of(const TriangleMesh& mesh, const MeshSource& source) {
  const std::string sentence = mesh.report().sentence(source.two_sided);
  return sentence.empty() ? sentence : source.path + ": " + sentence;
}

}  // namespace

Result<SourcedGeometry> load_mesh(const MeshSource& source) {
  const auto mesh = mesh_of(source);
  if (!mesh) return Unexpected(mesh.error());
  return SourcedGeometry{mesh->mesh, note_of(*mesh->mesh, source), mesh->middle};
}

Result<SourcedGeometry> load_distance_grid(const DistanceGridSource& source) {
  if (source.resolution < 4 || source.resolution > 400)
    return fail(fmt::format("the resolution of a distance grid is {}: must lie in [4, 400]", source.resolution));
  const auto mesh = mesh_of(source.mesh);
  if (!mesh) return Unexpected(mesh.error());
  const GridsInUse::Key key = GridsInUse::key_of(mesh->mesh->triangles(), source.resolution);
  std::shared_ptr<const Geometry> grid = grids_in_use().find(key);
  if (grid == nullptr) {
    const std::shared_ptr<const Geometry> shape = mesh->mesh;
    auto made = make_distance_grid(Shape(shape), shape->bounds().sizes().maxCoeff() / source.resolution);
    if (!made) return of_file(std::move(made.error()), source.mesh.path);
    grid = std::move(*made);
    grids_in_use().add(key, grid);
  }
  return SourcedGeometry{std::move(grid), note_of(*mesh->mesh, source.mesh), mesh->middle};
}

Result<SourcedGeometry> load_heightfield(const HeightfieldSource& source) {
  const bool picture = lowercase(source.path).ends_with(".png");
  auto grid = picture ? read_height_picture(source.path, source.low_m, source.high_m) : read_height_text(source.path);
  if (!grid) return Unexpected(grid.error());
  grid->size_x_m = source.size_x_m;
  grid->size_z_m = source.size_z_m;
  grid->depth_m = source.depth_m;
  auto ground = make_heightfield(std::move(*grid));
  if (!ground) return of_file(std::move(ground.error()), source.path);
  return SourcedGeometry{std::move(*ground), {}, {}};
}

}  // namespace vw

// Writes the surface meshes ("skins") of voxel bodies as point caches (.pc2), each beside a mesh (.obj) of its first
// frame. Blender's modifier Mesh Cache reads both. A cache contains the moving vertices of a mesh whose faces do not
// change. When a body breaks, its skin changes, and a new mesh and a new cache begin.
//
// Format (3ds Max Point Cache 2): "POINTCACHE2\0", int32 version 1, int32 number of points, float number of the first
// frame, float frames per sample, int32 number of samples. Then follow the points of each sample, as three floats each.
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files/atomic_file.h"
#include "sim/base/files/file.h"
#include "sim/export/mesh_text.h"
#include "sim/export/series_index.h"
#include "sim/export/writer.h"

namespace vw {
namespace {

template <class T>
void put_number(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

constexpr std::uint64_t samples_at = 28;  // Byte offset of the number of samples in the header.

/// A cache that is being written.
struct PointCache {
  AtomicFile file;
  std::string name;  ///< File name without its ending.
  std::vector<std::uint32_t> face;
  std::size_t points = 0;
  std::int32_t samples = 0;
};

class Pc2Writer final : public ExportWriter {
 public:
  Pc2Writer(const std::string& path, const ExportOptions& options)
      : folder_(series_folder(path)), index_(path, options) {}

  Result<void> add(const Snapshot& /*snapshot*/, const ExportFrame& frame) override {
    for (const ExportPiece& piece : frame.pieces)
      if (piece.role == ExportPiece::Role::skin)
        if (auto good = add_skin(piece); !good) return good;
    ++frames_;
    return {};
  }

  Result<void> finish() override {
    for (auto& [name, cache] : caches_)
      if (auto good = finish_cache(cache); !good) return good;
    caches_.clear();
    return index_.write(frames_);
  }

  std::vector<std::string> notes() const override {
    if (begun_.empty())
      return {"the scene has no voxel body; a point cache contains only the surfaces of voxel bodies"};
    std::vector<std::string> all;
    for (const auto& [name, parts] : begun_)
      if (parts > 1)
        all.push_back(
            fmt::format("the surface mesh of {} changed during the run, so it was written as {} point caches, each "
                        "with its own mesh",
                        name, parts));
    return all;
  }

 private:
  Result<void> add_skin(const ExportPiece& piece) {
    auto found = caches_.find(piece.name);
    if (found != caches_.end() && (found->second.points != piece.position.size() || found->second.face != piece.face)) {
      if (auto good = finish_cache(found->second); !good) return good;
      caches_.erase(found);
      found = caches_.end();
    }
    if (found == caches_.end()) {
      auto begun = begin_cache(piece);
      if (!begun) return Unexpected(begun.error());
      found = caches_.emplace(piece.name, std::move(*begun)).first;
    }
    ++found->second.samples;
    index_.add(piece, "pc2", found->second.name + ".pc2", frames_);
    return found->second.file.write(bytes_of(piece.position));
  }

  Result<PointCache> begin_cache(const ExportPiece& piece) {
    const std::size_t part = ++begun_[piece.name];
    const std::string name = part == 1 ? piece.name : fmt::format("{}_part{}", piece.name, part);
    const std::string stem = (std::filesystem::path(folder_) / name).string();
    if (auto good = write_file_atomic(stem + ".obj", obj_text(piece)); !good) return Unexpected(good.error());
    auto file = AtomicFile::open(stem + ".pc2");
    if (!file) return Unexpected(file.error());
    std::string head("POINTCACHE2\0", 12);
    put_number(head, std::int32_t{1});
    put_number(head, static_cast<std::int32_t>(piece.position.size()));
    put_number(head, static_cast<float>(frames_));
    put_number(head, 1.0F);
    put_number(head, std::int32_t{0});
    if (auto good = file->write(head); !good) return Unexpected(good.error());
    return PointCache{std::move(*file), name, piece.face, piece.position.size(), 0};
  }

  static Result<void> finish_cache(PointCache& cache) {
    std::string count;
    put_number(count, cache.samples);
    if (auto good = cache.file.overwrite(samples_at, count); !good) return good;
    return cache.file.finish();
  }

  std::string folder_;
  std::size_t frames_ = 0;
  std::map<std::string, PointCache> caches_;  ///< The key is the name of the piece.
  std::map<std::string, std::size_t> begun_;
  SeriesIndex index_;
};

}  // namespace

OpenedExport open_pc2(const std::string& path, const ExportOptions& options) {
  if (auto good = make_series_folder(path); !good) return Unexpected(good.error());
  return std::make_unique<Pc2Writer>(path, options);
}

}  // namespace vw

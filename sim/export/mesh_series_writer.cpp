// Writes one .ply or .obj file for each piece and frame into a folder. A .ply file contains a surface, or the elements
// of a system with all arrays. A .obj file contains a surface.
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files/file.h"
#include "sim/export/mesh_text.h"
#include "sim/export/series_index.h"
#include "sim/export/writer.h"

namespace vw {
namespace {

class MeshSeriesWriter final : public ExportWriter {
 public:
  MeshSeriesWriter(std::string path, bool is_ply, const ExportOptions& options)
      : folder_(series_folder(path)), is_ply_(is_ply), index_(path, options) {}

  Result<void> add(const Snapshot& /*snapshot*/, const ExportFrame& frame) override {
    const std::string ending = is_ply_ ? ".ply" : ".obj";
    for (const ExportPiece& piece : frame.pieces) {
      if (!is_ply_ && piece.corners == 0) continue;
      const std::string file = (std::filesystem::path(folder_) / frame_file(piece.name, frames_, ending)).string();
      if (auto good = write_file_atomic(file, is_ply_ ? ply_text(piece) : obj_text(piece)); !good) return good;
      index_.add(piece, is_ply_ ? "ply" : "obj", piece.name + "_######" + ending, frames_);
      wrote_ = true;
    }
    ++frames_;
    return {};
  }
  Result<void> finish() override { return index_.write(frames_); }

  std::vector<std::string> notes() const override {
    if (is_ply_ || wrote_ || frames_ == 0) return {};
    return {"the frames contain no surface, so no .obj file was written; export to .ply to keep the elements"};
  }

 private:
  std::string folder_;
  bool is_ply_, wrote_ = false;
  std::size_t frames_ = 0;
  SeriesIndex index_;
};

OpenedExport open_mesh_series(const std::string& path, bool is_ply, const ExportOptions& options) {
  if (auto good = make_series_folder(path); !good) return Unexpected(good.error());
  return std::make_unique<MeshSeriesWriter>(path, is_ply, options);
}

}  // namespace

OpenedExport open_ply(const std::string& path, const ExportOptions& options) {
  return open_mesh_series(path, true, options);
}
OpenedExport open_obj(const std::string& path, const ExportOptions& options) {
  return open_mesh_series(path, false, options);
}

}  // namespace vw

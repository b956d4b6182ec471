// Writes .vtp and .vti files into a folder, and an index (.pvd) beside the folder. While a piece does not change, it
// has only one file. The index then refers to this file at several times.
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "sim/base/files/file.h"
#include "sim/export/vtk_xml.h"
#include "sim/export/writer.h"

namespace vw {
namespace {

class PvdWriter final : public ExportWriter {
 public:
  explicit PvdWriter(std::string path) : path_(std::move(path)), folder_(series_folder(path_)) {}

  Result<void> add(const Snapshot& /*snapshot*/, const ExportFrame& frame) override {
    std::vector<SeriesEntry> now;
    for (const ExportPiece& piece : frame.pieces)
      if (auto good = add_part(now, frame.time_s, piece.name, ".vtp", vtp_text(piece)); !good) return good;
    for (const ExportGrid& grid : frame.grids)
      if (auto good = add_part(now, frame.time_s, grid.name, ".vti", vti_text(grid)); !good) return good;
    entries_.insert(entries_.end(), now.begin(), now.end());
    ++frames_;
    // The index is written after each of the first 50 frames, then after every 50th frame and at the end. If it were
    // written after every frame, the total time would grow with the square of the number of frames.
    return frames_ <= 50 || frames_ % 50 == 0 ? write_index() : Result<void>{};
  }

  Result<void> finish() override { return write_index(); }

 private:
  struct LastFile {
    std::uint64_t hash = 0;
    std::size_t bytes = 0;
    std::string file;
  };

  Result<void> add_part(std::vector<SeriesEntry>& now, double time_s, const std::string& name,
                        const std::string& ending, const std::string& text) {
    const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
    LastFile& last = last_[name + ending];
    if (last.file.empty() || last.hash != hash || last.bytes != text.size()) {
      const std::string file = frame_file(name, frames_, ending);
      if (auto good = write_file_atomic((std::filesystem::path(folder_) / file).string(), text); !good) return good;
      last = {hash, text.size(), std::filesystem::path(folder_).filename().string() + "/" + file};
    }
    // ParaView requires that a part number refers to the same piece at all times.
    const std::size_t part = parts_.try_emplace(name + ending, parts_.size()).first->second;
    now.push_back({time_s, part, name, last.file});
    return {};
  }

  [[nodiscard]] Result<void> write_index() const { return write_file_atomic(path_, pvd_text(entries_)); }

  std::string path_, folder_;
  std::size_t frames_ = 0;
  std::vector<SeriesEntry> entries_;
  std::map<std::string, LastFile> last_;
  std::map<std::string, std::size_t> parts_;
};

}  // namespace

OpenedExport open_pvd(const std::string& path, const ExportOptions& /*options*/) {
  if (auto good = make_series_folder(path); !good) return Unexpected(good.error());
  return std::make_unique<PvdWriter>(path);
}

}  // namespace vw

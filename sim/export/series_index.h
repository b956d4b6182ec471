// Index of the files of a series: a JSON file FORMAT.json in their folder, which the Blender add-on reads
// (tools/blender). It contains title, interval and camera, and the name, frames and colour of each piece.
#pragma once

#include <map>
#include <string>

#include "sim/export/writer.h"

namespace vw {

class SeriesIndex {
 public:
  /// `path` is the path of the export. Its ending determines the format.
  SeriesIndex(const std::string& path, const ExportOptions& options);
  /// Records the file of a piece at a frame. `pattern` is the file name with ###### in place of the frame number.
  void add(const ExportPiece& piece, const std::string& format, const std::string& pattern, std::size_t frame);
  void add(const std::string& name, const std::string& role, const std::string& format, const std::string& pattern,
           std::size_t frame, const std::array<float, 4>& color);
  /// Writes the index. Call this function once, at the end.
  [[nodiscard]] Result<void> write(std::size_t frames) const;

 private:
  struct Entry {
    std::string name, role, format;
    std::array<float, 4> color{};
    std::size_t first = 0, count = 0;
  };
  std::string file_;
  ExportOptions options_;
  std::map<std::string, Entry> entries_;  ///< The key is the pattern of the file name.
};

}  // namespace vw

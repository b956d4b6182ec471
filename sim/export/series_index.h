// Index of the files that a series writes in its folder, as JSON: FORMAT.json beside the files. The add-on for Blender
// (tools/blender) reads it: title, interval, camera, and for each piece the names, the frames and the colour.
#pragma once

#include <map>
#include <string>

#include "sim/export/writer.h"

namespace vw {

class SeriesIndex {
 public:
  /// `path` is the path of the export, whose ending names the format.
  SeriesIndex(const std::string& path, const ExportOptions& options);
  /// Records a file of a piece at a frame. `pattern` is the name of the file with ###### in place of the number of the
  /// frame.
  void add(const ExportPiece& piece, const std::string& format, const std::string& pattern, std::size_t frame);
  void add(const std::string& name, const std::string& role, const std::string& format, const std::string& pattern,
           std::size_t frame, const std::array<float, 4>& color);
  /// Writes the index. Call this function at the end.
  [[nodiscard]] Result<void> write(std::size_t frames) const;

 private:
  struct Entry {
    std::string name, role, format;
    std::array<float, 4> color{};
    std::size_t first = 0, count = 0;
  };
  std::string file_;
  ExportOptions options_;
  std::map<std::string, Entry> entries_;  ///< by pattern
};

}  // namespace vw

// Contents of VTK XML files: PolyData (.vtp) and ImageData (.vti). Their arrays are compressed by zlib and
// appended as raw bytes (VTK file formats, "XML File Formats"; header_type UInt64, vtkZLibDataCompressor).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/export/frame.h"

namespace vw {

/// Returns the text with &, < and " replaced by their entities.
[[nodiscard]] std::string xml_text(std::string_view text);

/// Returns the content of a .vtp file. If the piece has no faces, each point becomes a vertex cell.
[[nodiscard]] std::string vtp_text(const ExportPiece& piece);
/// Returns the content of a .vti file.
[[nodiscard]] std::string vti_text(const ExportGrid& grid);

/// One file of a series: its time [s], its part number in the frame, its name, and its path relative to the index.
struct SeriesEntry {
  double time_s = 0;
  std::size_t part = 0;
  std::string name, file;
};
/// Returns the content of the index (.pvd) of a series for ParaView.
[[nodiscard]] std::string pvd_text(const std::vector<SeriesEntry>& entries);

}  // namespace vw

#include "sim/export/vtk_xml.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <fmt/format.h>
#include <zlib.h>

namespace vw {
namespace {

/// Number of bytes in a block. Each block is compressed separately.
constexpr std::size_t vtk_block = std::size_t{1} << 20;

void put_u64(std::string& out, std::uint64_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

/// Appends an array as compressed blocks, preceded by a header: number of blocks, size of a block, size of the last
/// block (0 if it is full), and compressed size of each block.
void append_blocks(std::string& out, std::string_view bytes) {
  const std::size_t blocks = (bytes.size() + vtk_block - 1) / vtk_block;
  put_u64(out, blocks);
  put_u64(out, vtk_block);
  put_u64(out, bytes.size() % vtk_block);
  const std::size_t sizes = out.size();
  for (std::size_t i = 0; i < blocks; ++i) put_u64(out, 0);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::string_view part = bytes.substr(i * vtk_block, vtk_block);
    const std::size_t at = out.size();
    uLongf length = compressBound(static_cast<uLong>(part.size()));
    out.resize(at + length);
    // Level 1 is used, because higher levels hardly compress the values of a simulation better.
    (void)compress2(reinterpret_cast<Bytef*>(out.data() + at), &length, reinterpret_cast<const Bytef*>(part.data()),
                    static_cast<uLong>(part.size()), 1);
    out.resize(at + length);
    const std::uint64_t size = length;
    std::memcpy(out.data() + sizes + i * sizeof(size), &size, sizeof(size));
  }
}

/// The XML text, which describes the arrays, and the bytes of the arrays, which are appended to it.
struct VtkText {
  std::string xml, appended;

  void array(std::string_view type, const std::string& name, std::size_t columns, std::string_view bytes) {
    xml += fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", type,
        xml_text(name), columns, appended.size());
    append_blocks(appended, bytes);
  }
  void array(const ExportArray& array_of_piece) {
    // Same order as ExportArray::Values.
    constexpr std::array<std::string_view, 3> types{"Float32", "UInt32", "UInt8"};
    array(types[array_of_piece.values.index()], array_of_piece.name, array_of_piece.columns,
          value_bytes(array_of_piece));
  }
  void data(std::string_view element, const std::vector<ExportArray>& arrays) {
    xml += fmt::format("<{}>\n", element);
    for (const ExportArray& one : arrays) array(one);
    xml += fmt::format("</{}>\n", element);
  }
  /// Appends cells with `corners` points each.
  void cells(std::string_view element, std::size_t corners, const std::vector<std::uint32_t>& connectivity) {
    const std::vector<std::int64_t> wide(connectivity.begin(), connectivity.end());
    std::vector<std::int64_t> end(corners == 0 ? 0 : connectivity.size() / corners);
    for (std::size_t i = 0; i < end.size(); ++i) end[i] = static_cast<std::int64_t>((i + 1) * corners);
    xml += fmt::format("<{}>\n", element);
    array("Int64", "connectivity", 1, bytes_of(wide));
    array("Int64", "offsets", 1, bytes_of(end));
    xml += fmt::format("</{}>\n", element);
  }
  [[nodiscard]] std::string file(std::string_view type) const {
    std::string out = fmt::format(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n",
        type);
    out += xml;
    out += "<AppendedData encoding=\"raw\">\n_";
    out += appended;
    return out + "\n</AppendedData>\n</VTKFile>\n";
  }
};

}  // namespace

std::string xml_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string vtp_text(const ExportPiece& piece) {
  const bool is_surface = piece.corners > 0;
  VtkText text;
  text.xml = fmt::format(
      "<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      piece.position.size(), is_surface ? 0 : piece.position.size(), piece.faces());
  text.data("PointData", piece.point_data);
  text.data("CellData", piece.face_data);
  text.xml += "<Points>\n";
  text.array("Float32", "Points", 3, bytes_of(piece.position));
  text.xml += "</Points>\n";
  if (is_surface) {
    text.cells("Polys", piece.corners, piece.face);
  } else {
    std::vector<std::uint32_t> point(piece.position.size());
    std::iota(point.begin(), point.end(), 0U);
    text.cells("Verts", 1, point);
  }
  text.xml += "</Piece>\n</PolyData>\n";
  return text.file("PolyData");
}

std::string vti_text(const ExportGrid& grid) {
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", grid.count[0] - 1, grid.count[1] - 1, grid.count[2] - 1);
  VtkText text;
  text.xml = fmt::format(
      "<ImageData WholeExtent=\"{}\" Origin=\"{} {} {}\" Spacing=\"{} {} {}\">\n<Piece Extent=\"{}\">\n", extent,
      grid.origin.x(), grid.origin.y(), grid.origin.z(), grid.spacing.x(), grid.spacing.y(), grid.spacing.z(), extent);
  text.data("PointData", grid.data);
  text.xml += "<CellData/>\n</Piece>\n</ImageData>\n";
  return text.file("ImageData");
}

std::string pvd_text(const std::vector<SeriesEntry>& entries) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  for (const SeriesEntry& entry : entries)
    text += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"{}\"/>\n", entry.time_s, entry.part,
                        xml_text(entry.name), xml_text(entry.file));
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace vw

// Reads the lattice of a VoxCAD file: sizes, layers of material indices in four encodings, layers of numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/scene/codec.h"
#include "sim/scene/designs/vxa_parts.h"
#include "sim/scene/toml/text.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw {
namespace {

std::string without_space(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), is_space), text.end());
  return text;
}

class StructureReader {
 public:
  StructureReader(XmlReader& xml, pugi::xml_node vxc, VoxelDesign& design)
      : xml_(xml), vxc_(vxc), structure_(vxc.child("Structure")), design_(design) {}

  void run() {
    if (!structure_)
      return xml_.refuse(vxc_, "Structure", "", "is missing; the VXC element of a design must contain a Structure");
    if (!read_sizes()) return;
    const pugi::xml_node data = structure_.child("Data");
    if (!data) return xml_.refuse(structure_, "Structure.Data", "", "is missing");
    if (!data.child("Layer"))
      read_raw(data);
    else
      read_layers(data);
    read_number_layers("PhaseOffset", design_.phase_cycles, {-1e9, 1e9});
    read_number_layers("Stiffness", design_.stiffness_pa, {0, 1e13});
  }

 private:
  bool read_sizes() {
    constexpr auto most = static_cast<std::int64_t>(max_lattice_cells);
    const std::int64_t x = xml_.integer(structure_, "X_Voxels", 0, 1, most),
                       y = xml_.integer(structure_, "Y_Voxels", 0, 1, most),
                       z = xml_.integer(structure_, "Z_Voxels", 0, 1, most);
    if (xml_.error()) return false;
    const std::string sizes = fmt::format("{} x {} x {} voxels", x, y, z);
    if (x == 0 || y == 0 || z == 0)
      return xml_.refuse(structure_, "Structure", sizes, "must have X_Voxels, Y_Voxels and Z_Voxels of at least 1"),
             false;
    if (static_cast<double>(x) * static_cast<double>(y) * static_cast<double>(z) > static_cast<double>(most))
      return xml_.refuse(structure_, "Structure", sizes, fmt::format("may have at most {} cells", most)), false;
    design_.nx = static_cast<std::size_t>(x);
    design_.ny = static_cast<std::size_t>(y);
    design_.nz = static_cast<std::size_t>(z);
    return true;
  }

  [[nodiscard]] std::size_t layer_cells() const { return design_.nx * design_.ny; }

  void refuse_layer(pugi::xml_node node, std::size_t layer, std::string found, std::string expected) {
    xml_.refuse(node, fmt::format("Structure.Data.Layer {}", layer + 1), std::move(found), std::move(expected));
  }

  /// Appends the material codes of one layer. The code of a cell is the value of its character minus `offset`.
  void append(pugi::xml_node node, std::size_t layer, const std::string& bytes, int offset) {
    if (bytes.size() != layer_cells())
      return refuse_layer(node, layer, fmt::format("{} voxels", bytes.size()),
                          fmt::format("expected {} x {} = {} voxels", design_.nx, design_.ny, layer_cells()));
    for (const char c : bytes) {
      const int code = static_cast<unsigned char>(c) - offset;
      if (code < 0 || static_cast<std::size_t>(code) > design_.materials.size())
        return refuse_layer(
            node, layer, fmt::format("material {}", code),
            fmt::format("must be 0 (empty) or a material of the Palette, 1 to {}", design_.materials.size()));
      design_.code.push_back(static_cast<std::uint16_t>(code));
    }
  }

  void read_layers(pugi::xml_node data) {
    const auto layers = data.children("Layer");
    const auto count = static_cast<std::size_t>(std::distance(layers.begin(), layers.end()));
    if (count != design_.nz)
      return xml_.refuse(data, "Structure.Data", fmt::format("{} layers", count),
                         fmt::format("expected Z_Voxels = {}", design_.nz));
    design_.code.reserve(design_.cells());
    const std::string_view packing = structure_.attribute("Compression").value();
    std::size_t layer = 0;
    for (const pugi::xml_node node : layers) {
      read_layer(node, layer++, packing);
      if (xml_.error()) return;
    }
  }

  void read_layer(pugi::xml_node node, std::size_t layer, std::string_view packing) {
    const std::string text = text_of(node);
    if (packing == "ASCII_READABLE") return append(node, layer, without_space(text), 48);
    const auto packed = decode_base64(text);
    if (!packed) return refuse_layer(node, layer, std::string(trimmed(text)), "must be Base64 text");
    // The limit is one byte more than the size of a layer, so that a layer that is too long is distinguished from
    // damaged data.
    const std::size_t limit = layer_cells() + 1;
    // Any other name of the encoding stands for BASE64, as in VoxCAD.
    if (packing != "ZLIB" && packing != "QT_ZLIB") return append(node, layer, *packed, 0);
    const auto bytes = packing == "ZLIB" ? inflate_zlib(*packed, limit) : inflate_qt(*packed, limit);
    if (!bytes)
      return refuse_layer(node, layer, "zlib data that are damaged or too long",
                          fmt::format("expected {} voxels", layer_cells()));
    append(node, layer, *bytes, 0);
  }

  /// Reads the structure of version 0.92, which contains all voxels in one text. Line breaks are ignored. There are two
  /// encodings. If all characters except white space have values of at least 48 (the digit 0), white space is ignored,
  /// and a character is 48 plus the code of a material. Otherwise, each character is the code itself.
  void read_raw(pugi::xml_node data) {
    std::string text = text_of(data);
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }), text.end());
    const auto is_digit = [](char c) { return static_cast<unsigned char>(c) >= 48; };
    if (!std::all_of(text.begin(), text.end(), is_digit) &&
        std::all_of(text.begin(), text.end(), [&](char c) { return is_digit(c) || is_space(c); }))
      text = without_space(std::move(text));
    if (text.size() != design_.cells())
      return xml_.refuse(
          data, "Structure.Data", fmt::format("{} voxels", text.size()),
          fmt::format("expected {} x {} x {} = {} voxels", design_.nx, design_.ny, design_.nz, design_.cells()));
    const int offset = std::all_of(text.begin(), text.end(), is_digit) ? 48 : 0;
    for (std::size_t layer = 0; layer < design_.nz && !xml_.error(); ++layer)
      append(data, layer, text.substr(layer * layer_cells(), layer_cells()), offset);
  }

  void read_number_layers(const char* name, std::vector<double>& out, Bounds bounds) {
    const pugi::xml_node block = structure_.child(name);
    if (!block || xml_.error()) return;
    std::size_t layers = 0;
    for (const pugi::xml_node node : block.children("Layer")) {
      if (++layers > design_.nz) break;
      append_numbers(node, fmt::format("Structure.{}.Layer {}", name, layers), out, bounds);
      if (xml_.error()) return;
    }
    if (layers != design_.nz)
      xml_.refuse(block, fmt::format("Structure.{}", name),
                  layers > design_.nz ? "too many layers" : fmt::format("{} layers", layers),
                  fmt::format("expected Z_Voxels = {}", design_.nz));
  }

  void append_numbers(pugi::xml_node node, const std::string& key, std::vector<double>& out, Bounds bounds) {
    const std::string text = text_of(node);
    std::string_view rest = trimmed(text);
    std::size_t count = 0;
    while (!rest.empty()) {
      const auto comma = rest.find(',');
      const std::string_view item = rest.substr(0, comma);
      rest = comma == std::string_view::npos ? std::string_view{} : trimmed(rest.substr(comma + 1));
      const auto x = read_number(item);
      if (!x || !std::isfinite(*x) || *x < bounds.min || *x > bounds.max)
        return xml_.refuse(node, key, std::string(trimmed(item)),
                           fmt::format("must be a number in [{:g}, {:g}]", bounds.min, bounds.max));
      if (++count > layer_cells()) break;
      out.push_back(*x);
    }
    if (count != layer_cells())
      xml_.refuse(node, key, count > layer_cells() ? "too many numbers" : fmt::format("{} numbers", count),
                  fmt::format("expected {} numbers, one per cell", layer_cells()));
  }

  XmlReader& xml_;
  pugi::xml_node vxc_, structure_;
  VoxelDesign& design_;
};

}  // namespace

void read_vxa_structure(XmlReader& xml, pugi::xml_node vxc, VoxelDesign& design) {
  StructureReader(xml, vxc, design).run();
}

}  // namespace vw

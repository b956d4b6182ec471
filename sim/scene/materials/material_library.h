// The material library: measured figures of real materials, with a source for each figure. A material is a TOML file
// with the keys title, group, state, note and color, and one table for each figure:
//   [density]
//   value = 998.21
//   at = "20 °C, 1 atm"
//   source = "IAPWS R6-95(2018), ..."
//   checked = "cited"
// A figure without a source is an error. The packaged files are in `materials/` of assets_folder().
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/parameter.h"
#include "sim/base/error.h"

namespace vw {

enum class MatterState : std::uint8_t { solid, liquid, gas };
/// Returns the name of a state in files and messages: "solid", "liquid" or "gas".
[[nodiscard]] std::string_view name_of(MatterState state);

/// A physical property that a material may have.
struct FigureKind {
  std::string key;    ///< name of the table in the file: "dynamic_viscosity"
  std::string label;  ///< name in the window: "Dynamic viscosity"
  Unit unit = Unit::none;
  Bounds bounds;  ///< range of plausible values
  std::string doc;
};
/// Returns all properties, in the order of their display.
[[nodiscard]] std::span<const FigureKind> figure_kinds();

/// One figure of a material.
struct MaterialFigure {
  const FigureKind* kind = nullptr;  ///< element of figure_kinds()
  double value = 0;                  ///< in the unit of the kind
  std::string at;                    ///< conditions, such as "20 °C, 1 atm"; may be empty
  std::string source;                ///< document that states the figure, and the figure as stated in that document
  bool read = false;  ///< whether the figure was read in `source` itself; false if it was taken from another document
                      ///< (docs/materials.md)
};

struct LibraryMaterial {
  std::string name;   ///< file name without extension; unique in a library
  std::string file;   ///< path of the file
  std::string title;  ///< such as "Dragon Skin 10"
  std::string group;  ///< such as "silicone rubber"
  std::string note;
  MatterState state = MatterState::solid;
  Vec3 color{0.8, 0.8, 0.8};            ///< linear red, green and blue
  std::vector<MaterialFigure> figures;  ///< in the order of figure_kinds()

  /// Returns the figure with this key, or null if the material has none.
  [[nodiscard]] const MaterialFigure* find(std::string_view key) const;
};

struct MaterialLibrary {
  std::vector<LibraryMaterial> materials;  ///< sorted by group, then by title
  std::vector<Error> errors;               ///< one for each file that could not be read

  /// Returns the material with this name, or null.
  [[nodiscard]] const LibraryMaterial* find(std::string_view name) const;
};

/// Reads the text of one material file. `name` becomes the name of the material. An error names the file, the line, the
/// key, the value and the valid values.
[[nodiscard]] Result<LibraryMaterial> read_material(std::string_view text, const std::string& file, std::string name);
/// Reads all .toml files of the folders. A missing folder counts as empty. If several folders have a material of the
/// same name, the material of the last of these folders is used. A file with an error is listed in `errors`; all other
/// files are read.
[[nodiscard]] MaterialLibrary read_material_library(std::span<const std::string> folders);
/// Returns the folder of the packaged materials.
[[nodiscard]] std::string packaged_materials_folder();
/// Returns a value with its unit in a readable notation, such as "998.21 kg/m^3" or "1.0016e-03 Pa s".
[[nodiscard]] std::string figure_text(const MaterialFigure& figure);

}  // namespace vw

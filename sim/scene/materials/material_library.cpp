#include "sim/scene/materials/material_library.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/data/node.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "sim/scene/toml/text.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_material_bytes = std::uint64_t{1} << 20;
constexpr std::size_t max_materials = 10'000;  ///< largest number of materials in one folder

/// Default of a number that every file must contain. It marks a missing number, because no valid number is NaN.
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

ParamSpec text_row(std::string key, std::string doc) {
  return {
      .name = std::move(key), .type = ParamType::text, .default_value = Value(std::string()), .doc = std::move(doc)};
}

ParamSpec choice_row(std::string key, std::vector<std::string> choices, std::string doc) {
  ParamSpec row = text_row(std::move(key), std::move(doc));
  row.type = ParamType::choice;
  row.choices = std::move(choices);
  return row;
}

Schema schema_of(const FigureKind& kind) {
  return {.kind = kind.key,
          .doc = kind.doc,
          .params = {{.name = "value",
                      .type = ParamType::real,
                      .unit = kind.unit,
                      .default_value = Value(no_number),
                      .bounds = kind.bounds,
                      .doc = "Value in SI units."},
                     text_row("at", "Conditions of the measurement."),
                     text_row("source", "Document that gives the figure, and the figure as the document gives it."),
                     choice_row("checked", {"read", "cited"}, "Whether the figure was read in the source.")},
          .slots = {}};
}

const Schema& material_file_schema() {
  static const std::vector<Schema> figures = [] {
    std::vector<Schema> all;
    for (const FigureKind& kind : figure_kinds()) all.push_back(schema_of(kind));
    return all;
  }();
  static const Schema schema = [] {
    Schema root{.kind = "material",
                .doc = "A material of the library.",
                .params = {text_row("title", "Name of the material."),
                           text_row("group", "Heading of the material."),
                           choice_row("state", {"solid", "liquid", "gas"}, "State of matter."),
                           text_row("note", "Description of the material."),
                           {.name = "color",
                            .type = ParamType::color,
                            .default_value = Value(Vec3(0.8, 0.8, 0.8)),
                            .bounds = {0, 1},
                            .doc = "Colour in pictures, as linear red, green and blue."}},
                .slots = {}};
    for (const Schema& figure : figures)
      root.slots.push_back({.name = figure.kind, .many = false, .kinds = {&figure}, .doc = figure.doc});
    return root;
  }();
  return schema;
}

const std::string& material_text(const Node& node, std::string_view key) {
  return std::get<std::string>(node.value(key));
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

/// Converts the nodes of one file.
class MaterialReader {
 public:
  MaterialReader(const Node& root, const std::string& file) : root_(root), file_(file) {}

  Result<LibraryMaterial> read(std::string name) const {
    LibraryMaterial material;
    material.name = std::move(name);
    material.file = file_;
    for (const char* key : {"title", "group", "state"})
      if (is_blank(material_text(root_, key))) return missing(root_, key, "");
    material.title = one_line(material_text(root_, "title"));
    material.group = one_line(material_text(root_, "group"));
    material.note = material_text(root_, "note");
    const std::string& state = material_text(root_, "state");
    material.state = state == "solid" ? MatterState::solid : state == "liquid" ? MatterState::liquid : MatterState::gas;
    material.color = std::get<Vec3>(root_.value("color"));
    for (const FigureKind& kind : figure_kinds()) {
      const Node& node = *root_.only(kind.key);
      if (node.line == 0) continue;  // the file does not contain this table
      auto figure = figure_of(node, kind);
      if (!figure) return Unexpected(figure.error());
      material.figures.push_back(std::move(*figure));
    }
    if (!material.figures.empty()) return material;
    return wrong_file(file_, "contains no figure; expected at least one table such as [density]");
  }

 private:
  [[nodiscard]] Unexpected missing(const Node& node, const std::string& key, const std::string& reason) const {
    Error error;
    error.file = file_;
    error.line = node.line;
    error.key = (&node == &root_ ? "" : node.schema->kind + ".") + key;
    error.expected = "is missing" + reason;
    return fail(std::move(error));
  }

  [[nodiscard]] Result<MaterialFigure> figure_of(const Node& node, const FigureKind& kind) const {
    if (std::isnan(std::get<double>(node.value("value")))) return missing(node, "value", "");
    if (is_blank(material_text(node, "source")))
      return missing(node, "source", "; expected the document that gives the figure");
    if (material_text(node, "checked").empty()) return missing(node, "checked", "; expected \"read\" or \"cited\"");
    return MaterialFigure{.kind = &kind,
                          .value = std::get<double>(node.value("value")),
                          .at = material_text(node, "at"),
                          .source = material_text(node, "source"),
                          .read = material_text(node, "checked") == "read"};
  }

  const Node& root_;
  const std::string& file_;
};

/// Returns a sort key of a title in which numbers are compared by value, so that "Air at 3000 m" precedes "Air at 10000
/// m".
std::string natural_key(const std::string& title) {
  constexpr std::size_t digits = 12;
  std::string key;
  for (std::size_t at = 0; at < title.size();) {
    const std::size_t end = std::min(title.find_first_not_of("0123456789", at), title.size());
    if (end - at < digits && end > at) key.append(digits - (end - at), '0');
    key += end > at ? title.substr(at, end - at) : title.substr(at, 1);
    at = std::max(end, at + 1);
  }
  return key;
}

/// Returns the paths of the .toml files of a folder, sorted.
std::vector<std::string> material_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".toml" && files.size() < max_materials) files.push_back(entry->path().string());
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::string_view name_of(MatterState state) {
  switch (state) {
    case MatterState::solid: return "solid";
    case MatterState::liquid: return "liquid";
    case MatterState::gas: return "gas";
  }
  return "";
}

std::span<const FigureKind> figure_kinds() {
  static const std::vector<FigureKind> kinds{
      {"density", "Density", Unit::kilogram_per_m3, {0.01, 25'000}, "Mass per volume."},
      {"youngs_modulus", "Young's modulus", Unit::pascal, {100, 2e12}, "Stress over strain in tension."},
      {"poissons_ratio", "Poisson's ratio", Unit::ratio, {-1, 0.5}, "Transverse contraction over extension."},
      {"cte", "Coefficient of thermal expansion", Unit::per_kelvin, {-1e-3, 1e-2}, "Strain per kelvin."},
      {"failure_stress", "Failure stress", Unit::pascal, {1, 1e11}, "Tensile stress at which the material breaks."},
      {"dynamic_viscosity", "Dynamic viscosity", Unit::pascal_second, {1e-7, 1e6}, "Shear stress over shear rate."},
      {"surface_tension", "Surface tension", Unit::newton_per_meter, {1e-4, 3}, "Force per length of the surface."},
      {"speed_of_sound", "Speed of sound", Unit::meter_per_second, {50, 20'000}, "Speed of longitudinal waves."}};
  return kinds;
}

const MaterialFigure* LibraryMaterial::find(std::string_view key) const {
  const auto found =
      std::ranges::find_if(figures, [&](const MaterialFigure& figure) { return figure.kind->key == key; });
  return found == figures.end() ? nullptr : &*found;
}

const LibraryMaterial* MaterialLibrary::find(std::string_view name) const {
  const auto found = std::ranges::find(materials, name, &LibraryMaterial::name);
  return found == materials.end() ? nullptr : &*found;
}

Result<LibraryMaterial> read_material(std::string_view text, const std::string& file, std::string name) {
  const auto root = read_toml_node(text, file, material_file_schema());
  if (!root) return Unexpected(root.error());
  return MaterialReader(*root, file).read(std::move(name));
}

MaterialLibrary read_material_library(std::span<const std::string> folders) {
  MaterialLibrary library;
  for (const std::string& folder : folders) {
    if (folder.empty()) continue;
    for (const std::string& file : material_files(folder)) {
      const auto text = read_file(file, max_material_bytes);
      auto material = text ? read_material(*text, file, fs::path(file).stem().string())
                           : Result<LibraryMaterial>(Unexpected(text.error()));
      if (!material) {
        library.errors.push_back(material.error());
        continue;
      }
      std::erase_if(library.materials, [&](const LibraryMaterial& other) { return other.name == material->name; });
      library.materials.push_back(std::move(*material));
    }
  }
  std::ranges::sort(library.materials, {}, [](const LibraryMaterial& material) {
    return std::tuple(material.group, natural_key(material.title), material.name);
  });
  return library;
}

std::string packaged_materials_folder() { return (fs::path(assets_folder()) / "materials").string(); }

std::string figure_text(const MaterialFigure& figure) {
  const std::string_view unit = unit_symbol(figure.kind->unit);
  return fmt::format("{:.6g}{}{}", figure.value, unit.empty() ? "" : " ", unit);
}

}  // namespace vw

// Exports a voxel body of a scene as a design file. The extension of the file selects the format.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/text.h"
#include "sim/scene/designs/voxel_design.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

Result<std::string> vxa_text(const VoxelDesign& design) { return design_to_vxa(design); }
Result<std::string> vxd_text(const VoxelDesign& design) { return design_to_vxd(design); }

struct ExportFormat {
  std::string_view ending;
  Result<std::string> (*write)(const VoxelDesign& design);
  /// Sentence on the data that every export in this format omits. It is empty if only unsupported features are omitted.
  std::string_view omits;
};
constexpr auto formats = std::to_array<ExportFormat>(
    {{".vxa", vxa_text, ""},
     {".vxd", vxd_text,
      "a .vxd file contains only cells, materials and the voxel size; damping, regions and world are those of base.vxa "
      "in the same folder"},
     {".vox", design_to_vox,
      "a .vox file contains only cells and colours; the voxel size, the properties of materials, regions and the world "
      "are omitted"},
     {".binvox", design_to_binvox,
      "a .binvox file contains only cells and the voxel size; materials, regions and the world are omitted"}});

Result<const Node*> body_to_export(const Node& scene, const std::string& name) {
  std::vector<std::string> bodies;
  const Node* found = nullptr;
  for (const Node* system : scene.all("system")) {
    if (system->schema != &voxel_body_schema()) continue;
    bodies.push_back(system->name);
    if (name.empty() || system->name == name) found = system;
  }
  if (found != nullptr && (!name.empty() || bodies.size() == 1)) return found;
  Error error;
  error.key = "system";
  error.found = name.empty() ? fmt::format("{} voxel bodies", bodies.size()) : '"' + name + '"';
  error.expected = name.empty() && !bodies.empty() ? fmt::format("choose one of {}", fmt::join(bodies, ", "))
                   : name.empty()                  ? "the scene must contain a voxel body to export"
                                                   : "must name a voxel body of this scene";
  if (!name.empty()) error.hint = nearest_word(name, bodies);
  return fail(std::move(error));
}

}  // namespace

const std::vector<std::string>& export_endings() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    list.reserve(formats.size());
    for (const ExportFormat& format : formats) list.emplace_back(format.ending);
    return list;
  }();
  return all;
}

Result<ExportedDesign> write_design(const Node& scene, const std::string& system, const std::string& path) {
  const std::string name = lowercase(path);
  const auto format =
      std::find_if(formats.begin(), formats.end(), [&](const ExportFormat& f) { return name.ends_with(f.ending); });
  if (format == formats.end())
    return wrong_file(path, fmt::format("must end in one of {}", fmt::join(export_endings(), " ")));
  const auto body = body_to_export(scene, system);
  if (!body) return Unexpected(body.error());
  const auto design = scene_to_design(scene, **body);
  if (!design) return Unexpected(design.error());
  auto bytes = format->write(*design);
  if (!bytes) {
    Error error = bytes.error();
    error.what = fmt::format("system.{}: {}", (*body)->name, error.what);
    return fail(std::move(error));
  }
  ExportedDesign exported{std::move(*bytes), std::string(format->omits)};
  if (format->omits.empty() && !design->unsupported.empty())
    exported.warning = fmt::format("a {} file cannot represent these features, which are omitted or replaced: {}",
                                   format->ending, fmt::join(design->unsupported, ", "));
  return exported;
}

Result<ExportedDesign> write_vxa(const Node& scene, const std::string& system) {
  return write_design(scene, system, ".vxa");
}

}  // namespace vw

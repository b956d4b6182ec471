// Generates docs/scene-format.md and docs/parameters.md from the declarations. A test compares them with the files in
// docs.
#include <fmt/format.h>

#include <string>

#include "sim/scene/scene.h"
#include "sim/scene/toml_guard.h"
#include "sim/system/voxel/lattice.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string number_text(double x) {
  std::string text = to_text(Value(x));
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string type_text(const ParamSpec& spec) {
  switch (spec.type) {
    case ParamType::boolean: return "true or false";
    case ParamType::integer: return "whole number";
    case ParamType::real: return "number";
    case ParamType::vec3: return "[x, y, z]";
    case ParamType::color: return "[red, green, blue]";
    case ParamType::choice: {
      std::string all;
      for (const auto& choice : spec.choices) all += (all.empty() ? "" : ", ") + ("`\"" + choice + "\"`");
      return "one of " + all;
    }
    case ParamType::text: return "text";
    case ParamType::number_list: return "list of numbers";
    case ParamType::text_list: return "list of texts";
  }
  return "";
}

std::string range_text(const ParamSpec& spec) {
  if (spec.type == ParamType::boolean || spec.type == ParamType::choice || spec.type == ParamType::text ||
      spec.type == ParamType::text_list)
    return "";
  constexpr double huge = 1e300;
  const bool low = spec.bounds.min > -huge, high = spec.bounds.max < huge;
  const std::string min = number_text(spec.bounds.min), max = number_text(spec.bounds.max);
  if (low && high) return min + " to " + max;
  if (low) return "at least " + min;
  return high ? "at most " + max : "any";
}

std::string default_text(const ParamSpec& spec) {
  if (const auto* vec = std::get_if<Vec3>(&spec.default_value))
    return fmt::format("`[{}, {}, {}]`", number_text((*vec)[0]), number_text((*vec)[1]), number_text((*vec)[2]));
  if (const auto* real = std::get_if<double>(&spec.default_value)) return "`" + number_text(*real) + "`";
  return "`" + to_text(spec.default_value) + "`";
}

std::string unit_text(const ParamSpec& spec) { return std::string(unit_symbol(spec.unit)); }

/// Calls visit(slot, schema, path) for every kind of node below `schema`, with paths such as
/// "system.NAME.region.NAME.".
template <class F>
void for_each_kind(const Schema& schema, const std::string& path, F visit) {
  for (const Slot& slot : schema.slots)
    for (const Schema* kind : slot.kinds) {
      const std::string below = path + slot.name + (slot.many ? ".NAME." : ".");
      visit(slot, *kind, below);
      for_each_kind(*kind, below, visit);
    }
}

/// The header of a table for a path: "system.NAME.region.NAME." becomes "system.region".
std::string header_text(const std::string& path) {
  std::string out;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t dot = path.find('.', at);
    const std::string part = path.substr(at, dot - at);
    if (part != "NAME") out += (out.empty() ? "" : ".") + part;
    at = dot + 1;
  }
  return out;
}

std::string key_table(const Schema& schema) {
  std::string out = "| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n";
  for (const ParamSpec& spec : schema.params)
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", spec.name, type_text(spec), unit_text(spec),
                       cell(default_text(spec)), range_text(spec), cell(spec.doc));
  return out + "\n";
}

std::string kind_section(const Slot& slot, const Schema& schema, const std::string& path) {
  const std::string header = header_text(path);
  const bool kinds = slot.kinds.size() > 1;
  std::string out = fmt::format("### `{}{}{}`{}\n\n{}\n\n", slot.many ? "[[" : "[", header, slot.many ? "]]" : "]",
                                kinds ? ", `kind = \"" + schema.kind + "\"`" : "", schema.doc);
  if (schema.params.empty()) return out + "No keys of its own.\n\n";
  return out + key_table(schema);
}

constexpr std::string_view format_introduction = R"(# The scene file

*Generated from the declarations in the source. Do not edit: run the scene tests with `VOXWAKE_UPDATE_DOCS=1`.*

A scene is a [TOML](https://toml.io) text that ends in `.toml`. It says what a world holds, what it obeys and how it is looked at. Everything has a default, so a scene
only says what differs:

```toml
format = 1
title = "A soft cube falls"

[[material]]
name = "rubber"
youngs_modulus = 2e5

[[collider]]
kind = "plane"
name = "ground"

[[system]]
kind = "voxel_body"
name = "cube"
material = "rubber"
size = [6, 6, 6]
position = [0, 0.2, 0]
```

Units are SI, the y axis points up, angles are in radians, colours are linear red, green and blue from 0 to 1.

## Rules

- `[table]` stands for something that there is once, `[[table]]` for something that there may be several of. Those have a `name` of letters, digits, `_` and `-`, unique among
  its like; without one they are called by their kind. Where several kinds are possible, `kind` says which.
- A whole number may stand where a number is asked. Infinite numbers and NaN are never allowed.
- A key that is not listed here is an error, as is a value of the wrong type or out of range. Every mistake is one sentence with file, line and key:
  `pool.toml:14: system.cube.voxel_size = -2 m: must lie in [1e-09, 1000] m`.
- `format` is the version of this format. A file without it is taken as of the newest version; a file of a newer version is refused.
- Every value has a path, `table.name.key`, that `--set`, the panels and the journal use: `--set system.cube.voxel_size=0.02`. [parameters.md](parameters.md) lists them all.
- Where two systems have a rule for each other, it is added with its defaults unless the scene has a rule of that kind.
- A text may have at most 64 MiB, 32 levels of brackets and 10000 tables.

## Designs and recordings

A design of VoxCAD, evosoro or voxcraft (`.vxa`, `.vxc`, `.vxd`) or of Voxelyze (`.vxl.json`) opens like a scene, and a voxel body may take its lattice from one:
`source = "creature.vxa"`, relative to the scene. The file's materials are added to the
scene under the body's name (`creature_Active`), its regions to the body; voxel size and temperature are taken over where the scene says nothing of its own; gravity, floor and
damping of the world are the scene's. A scene that is saved after that holds the lattice itself and needs the design no longer. Physics that is not there yet is named in one
warning (with `--strict` in an error) and the rest runs. [voxcad.md](voxcad.md) says what each leaf of a design becomes. A recording of
voxcraft (`.history`) opens like a scene, too, and is the `source` of a `playback`; it stays a file of its own.

)";

constexpr std::string_view parameters_introduction = R"(# Parameters

*Generated from the declarations in the source. Do not edit: run the scene tests with `VOXWAKE_UPDATE_DOCS=1`.*

Every tunable of a world, under the path that `--set path=value`, the panels, undo and the journal use; `NAME` stands for the name that a scene gives. **Live** values take
effect at the next step; the others at the next reset. Sliders are linear unless the range says log. How a scene file writes them: [scene-format.md](scene-format.md).

)";

std::string parameter_rows(const Schema& schema, const std::string& path) {
  std::string out = "| parameter | unit | default | range | live | meaning |\n|---|---|---|---|---|---|\n";
  for (const ParamSpec& spec : schema.params) {
    const std::string range =
        spec.type == ParamType::choice ? type_text(spec) : range_text(spec) + (spec.scale == Scale::log ? ", log" : "");
    out += fmt::format("| `{}{}` | {} | {} | {} | {} | {} |\n", path, spec.name, unit_text(spec),
                       cell(default_text(spec)), range, spec.live == Live::yes ? "live" : "", cell(spec.doc));
  }
  return out + "\n";
}

}  // namespace

std::string scene_format_page() {
  const Schema& scene = scene_schema();
  std::string page(format_introduction);
  page += "## The tables\n\n| table | what | kinds |\n|---|---|---|\n";
  for (const Slot& slot : scene.slots) {
    std::string kinds;
    if (slot.kinds.size() > 1)
      for (const Schema* kind : slot.kinds) kinds += (kinds.empty() ? "`" : ", `") + kind->kind + "`";
    page += fmt::format("| `{}{}{}` | {} | {} |\n", slot.many ? "[[" : "[", slot.name, slot.many ? "]]" : "]",
                        cell(slot.doc), kinds);
  }
  page += "\n### Top of the file\n\n" + scene.doc + "\n\n" + key_table(scene);
  for_each_kind(scene, "", [&](const Slot& slot, const Schema& kind, const std::string& path) {
    page += kind_section(slot, kind, path);
  });
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

std::string parameters_page() {
  const Schema& scene = scene_schema();
  std::string page(parameters_introduction);
  page += "## The scene\n\n" + parameter_rows(scene, "");
  for_each_kind(scene, "", [&](const Slot& slot, const Schema& kind, const std::string& path) {
    page +=
        fmt::format("## {}{}\n\n{}\n\n", header_text(path), slot.kinds.size() > 1 ? ": " + kind.kind : "", kind.doc);
    page += kind.params.empty() ? "No parameters of its own.\n\n" : parameter_rows(kind, path);
  });
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

}  // namespace vw

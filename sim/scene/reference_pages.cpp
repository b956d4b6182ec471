// Generates docs/scene-format.md and docs/parameters.md from the declarations. A test compares them with the files in
// docs.
#include <fmt/format.h>

#include <string>

#include "sim/scene/scene.h"
#include "sim/scene/toml/toml_guard.h"
#include "sim/system/voxel/lattice/lattice.h"
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

std::string page_number_text(double x) {
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
    case ParamType::text: return "string";
    case ParamType::number_list: return "list of numbers";
    case ParamType::text_list: return "list of strings";
  }
  return "";
}

std::string range_text(const ParamSpec& spec) {
  if (spec.type == ParamType::boolean || spec.type == ParamType::choice || spec.type == ParamType::text ||
      spec.type == ParamType::text_list)
    return "";
  constexpr double huge = 1e300;
  const bool low = spec.bounds.min > -huge, high = spec.bounds.max < huge;
  const std::string min = page_number_text(spec.bounds.min), max = page_number_text(spec.bounds.max);
  if (low && high) return min + " to " + max;
  if (low) return "at least " + min;
  return high ? "at most " + max : "any";
}

std::string default_text(const ParamSpec& spec) {
  if (const auto* vec = std::get_if<Vec3>(&spec.default_value))
    return fmt::format("`[{}, {}, {}]`", page_number_text((*vec)[0]), page_number_text((*vec)[1]),
                       page_number_text((*vec)[2]));
  if (const auto* real = std::get_if<double>(&spec.default_value)) return "`" + page_number_text(*real) + "`";
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

/// Returns the name of a table in TOML for a path: "system.NAME.region.NAME." becomes "system.region".
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
  if (schema.params.empty()) return out + "This table has no keys.\n\n";
  return out + key_table(schema);
}

constexpr std::string_view format_introduction = R"(# The scene file

*Generated from the declarations in the source. Do not edit: run `./test.sh pages`.*

A scene is a [TOML](https://toml.io) file whose name ends in `.toml`. It describes the contents of a world, its parameters and its view. Every
parameter has a default, so a scene lists only the values that differ:

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

- `[table]` is a table that occurs once. `[[table]]` is a table that may occur several times. Such tables have a `name` of letters, digits, `_` and
  `-`, which is unique among tables of the same header. A table without a name gets the name of its kind (if several kinds are possible) or of its header,
  with a number if another table has that name. If several kinds are possible, `kind` selects one.
- A whole number is accepted as the value of a number. Infinity and NaN are not allowed.
- A key that is not listed here is an error. A value of the wrong type or out of range is also an error. An error message is one sentence with file,
  line and key: `pool.toml:14: system.cube.voxel_size = -2 m: must lie in [1e-09, 1000] m`.
- `format` is the version of the file format. A file without this key has the newest version. A file of a newer version than the program's is an
  error.
- Every value has a path, `table.name.key`. The option `--set`, the panels and the journal use it: `--set system.cube.voxel_size=0.02`.
  [parameters.md](parameters.md) lists all paths.
- If a rule exists for two systems and the scene has no rule of that kind, the rule is added with its default values.
- A scene file may have at most 64 MiB, 32 levels of brackets, 10000 tables and 5000000 values. A key or a table counts as 4 values.

## Designs and recordings

A design of VoxCAD, evosoro or voxcraft (`.vxa`, `.vxc`, `.vxd`), of Voxelyze (`.vxl.json`) or of MagicaVoxel (`.vox`), a robot of EvoGym (`.npz`,
`.json`) and a `.binvox` file open like a scene. A voxel body may also take its lattice from a design or a mesh: `source = "creature.vxa"`, relative to the scene.

- The materials of the design are added to the scene with the body's name as prefix (`creature_Active`). The regions of the design are added to the
  body.
- Voxel size, self-contact and temperature are taken from the design unless the scene sets them to values other than the defaults. Gravity, floor and
  medium are those of the scene.
- If such a scene is saved, it contains the lattice and no longer needs the design.
- Features of the design that are not supported are listed in one warning and ignored. With `--strict` they are an error. [voxcad.md](voxcad.md)
  describes the meaning of each element of a design.
- A recording of voxcraft (`.history`) also opens like a scene, and may be the `source` of a `playback`. It remains a separate file.

)";

constexpr std::string_view parameters_introduction = R"(# Parameters

*Generated from the declarations in the source. Do not edit: run `./test.sh pages`.*

All parameters of a world, with the path that `--set path=value`, the panels, undo and the journal use. `NAME` is the name that the scene gives to a
node. **Live** values take effect at the next step, all others at the next reset. The range of a slider is linear unless the column range says log.
[scene-format.md](scene-format.md) describes how a scene file contains these parameters.

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
  page += "## The tables\n\n| table | meaning | kinds |\n|---|---|---|\n";
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
    page += kind.params.empty() ? "This node has no parameters.\n\n" : parameter_rows(kind, path);
  });
  while (page.ends_with("\n\n")) page.pop_back();
  return page;
}

}  // namespace vw

// Presets: nodes that the user saves as files. A preset is applied to other nodes of its kind, also in other scenes.
// The file is `FOLDER/KIND/NAME.toml`. It names the kind and contains one node as in a scene:
//   preset = "material-voxel_material"
//   [node]
//   density = 1070
// This file does not use the GUI.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/node_change.h"
#include "sim/base/error.h"

namespace vw {

/// Key of the kind of the node at `path`: its slot and the kind of its schema, such as "system-voxel_body", or one word
/// if both are equal ("world"). Nodes with the same key have the same parameters. Empty if there is no such node.
[[nodiscard]] std::string kind_key(const Node& scene, std::string_view path);

struct Preset {
  std::string name;  ///< file name without extension
  std::string file;  ///< path of the file
  Node node;         ///< node without a name
};

struct PresetList {
  std::vector<Preset> presets;  ///< sorted by name
  std::vector<Error> errors;    ///< one error for each file that could not be read
};

/// Reads the text of one preset. `kind` is the expected kind (kind_key()), and `schema` is the schema of its nodes. An
/// error names the file, the line, the key, the value and the valid values.
[[nodiscard]] Result<Preset> read_preset(std::string_view text, const std::string& file, const std::string& kind,
                                         const Schema& schema);
/// Reads all presets of a kind. `folder` contains one folder for each kind. If the folder is missing, the lists are
/// empty.
[[nodiscard]] PresetList read_presets(const std::string& folder, const std::string& kind, const Schema& schema);

/// Sentence that explains why a preset cannot have this name. Empty if the name is allowed. A name has 1 to 60 letters,
/// digits, spaces, _ and -.
[[nodiscard]] std::string preset_name_error(std::string_view name);
/// Writes a node with its children as a preset, and returns the path of the file. A preset of the same name is
/// replaced. The file is written atomically. An empty `folder` (the user has no folder of settings) is an error.
[[nodiscard]] Result<std::string> save_preset(const std::string& folder, const std::string& kind,
                                              const std::string& name, const Node& node);
/// Deletes the file of a preset.
[[nodiscard]] Result<void> remove_preset(const Preset& preset);

/// Assignments that give a node the values of a preset.
struct PresetUse {
  std::vector<Assignment> assignments;  ///< assignments of the values that change
  std::vector<std::string> notes;       ///< one sentence for each part of the preset that is not applied
};
/// Returns the assignments for the node at `path`, which must have the kind of the preset. They include values of
/// children in slots that hold only one node. Other children are not applied. Names of nodes that the scene does not
/// have are not applied either.
[[nodiscard]] PresetUse apply_preset(const Node& scene, const std::string& path, const Preset& preset);
/// Returns the addition of a node with the values and children of the preset, beside the node at `path`, which must
/// belong to a slot for several nodes. The name of the node follows from the name of the preset.
[[nodiscard]] NodeChange node_from_preset(const Node& scene, const std::string& path, const Preset& preset);

}  // namespace vw

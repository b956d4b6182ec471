// State of the material library window, of the popups for presets and random values, and of the menu of kept values.
// Use only on the drawing thread.
#pragma once

#include <optional>
#include <string>

#include "app/window/document/recent_files.h"
#include "app/window/library/presets.h"
#include "app/window/library/randomise.h"
#include "app/window/library/variants.h"
#include "sim/base/system/folders.h"
#include "sim/scene/materials/material_library.h"

namespace vw::ui {

/// State of the material library window (library_panel.cpp).
struct MaterialWindow {
  bool open = false;
  std::optional<MaterialLibrary> library;  ///< read when it is needed for the first time
  std::string filter;                      ///< words that must occur in title, name, group, state or note of a material
  std::string selected;                    ///< name of the material whose figures are shown; may be empty
  std::string drop_hint;                   ///< effect of dropping the dragged material on the picture; may be empty
};

/// State of the popup with the presets of the selected node (presets_popup.cpp).
struct PresetPopup {
  std::string folder;              ///< folder of all presets; empty if the user has no folder of settings
  std::string kind;                ///< kind of the node (kind_key()) to which the presets belong
  std::optional<PresetList> list;  ///< presets of the kind of the node. No value means that they must be read.
  std::string filter;              ///< words that the name of a preset must contain
  std::string name;                ///< name that is being typed
  std::string error;               ///< sentence that explains why the last action failed; may be empty
  std::string to_delete;           ///< file of the preset whose deletion the user is asked to confirm; may be empty
};

/// State of the popup with random values for the selected node (randomise_popup.cpp).
struct RandomisePopup {
  std::string path;  ///< path of the node
  std::string kind;  ///< kind of the node (kind_key()), to which the chosen parameters belong
  Node centre;       ///< node with the values from which the ranges are computed
  RandomiseSettings settings;
};

/// Kept values of parameters, and the name that is being typed (variant_menu.cpp).
struct VariantMenu {
  Variants variants{config_folder()};
  std::string name;
  std::string error;  ///< sentence that explains why the value was not kept; may be empty
};

struct LibraryState {
  MaterialWindow materials;
  PresetPopup presets;
  RandomisePopup randomise;
  VariantMenu variants;
};

}  // namespace vw::ui

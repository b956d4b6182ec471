#include <array>

#include "tests/fuzz/targets.h"

namespace vw::fuzz {

std::span<const Target> targets() {
  static constexpr std::array all{
      Target{"formula", formula},
      Target{"mesh_obj", mesh_obj},
      Target{"mesh_stl", mesh_stl},
      Target{"mesh_ply", mesh_ply},
      Target{"mesh_gltf", mesh_gltf},
      Target{"mesh_glb", mesh_glb},
      Target{"height_png", height_png},
      Target{"height_text", height_text},
      Target{"command", command},
      Target{"journal", journal},
      Target{"set_value", set_value},
      Target{"checkpoint", checkpoint},
      Target{"scene_toml", scene_toml},
      Target{"world", world},
      Target{"design_vxa", design_vxa},
      Target{"robot_vxd", robot_vxd},
      Target{"design_vxl", design_vxl},
      Target{"recording", recording},
      Target{"design_vox", design_vox},
      Target{"design_binvox", design_binvox},
      Target{"design_evogym", design_evogym},
      Target{"command_line", command_line},
      Target{"moment", moment},
      Target{"session", session},
      Target{"picture", picture},
  };
  return all;
}

}  // namespace vw::fuzz

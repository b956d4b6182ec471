// One function a parser: takes any bytes, must come back without a crash, a hang or a broken promise. libFuzzer and the quick suite call the same.
#pragma once

#include <span>
#include <string_view>

namespace vw::fuzz {

void formula(std::string_view bytes);       ///< a formula of a plot, compiled and evaluated
void mesh_obj(std::string_view bytes);      ///< .obj
void mesh_stl(std::string_view bytes);      ///< .stl, as text or binary
void mesh_ply(std::string_view bytes);      ///< .ply
void mesh_gltf(std::string_view bytes);     ///< .gltf
void mesh_glb(std::string_view bytes);      ///< .glb
void height_png(std::string_view bytes);    ///< heights of a heightfield from a picture
void height_text(std::string_view bytes);   ///< and from rows of numbers
void command(std::string_view bytes);       ///< a command of a journal
void journal(std::string_view bytes);       ///< a whole journal
void set_value(std::string_view bytes);     ///< the right side of --set, read as every parameter of every kind of node
void checkpoint(std::string_view bytes);    ///< a saved state; its checksum is put right first
void scene_toml(std::string_view bytes);    ///< a scene, read and written again
void world(std::string_view bytes);         ///< a scene made into a world, if it is small
void design_vxa(std::string_view bytes);    ///< .vxa and .vxc
void robot_vxd(std::string_view bytes);     ///< .vxd over a small base
void design_vxl(std::string_view bytes);    ///< .vxl.json
void recording(std::string_view bytes);     ///< .history
void command_line(std::string_view bytes);  ///< the program's arguments, one a line; nothing is run

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
};
[[nodiscard]] std::span<const Target> targets();

/// Ends the process with the sentence when a promise is broken, so that the fuzzer keeps the input.
void promise(bool kept, const char* sentence);

}  // namespace vw::fuzz

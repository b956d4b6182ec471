// One function for each parser. Each function accepts any bytes and must return without a crash, a hang or a violated
// condition. libFuzzer and the quick suite call the same functions.
#pragma once

#include <span>
#include <string_view>

namespace vw::fuzz {

void formula(std::string_view bytes);      ///< compiles and evaluates a plot formula
void mesh_obj(std::string_view bytes);     ///< reads a mesh file in the format .obj
void mesh_stl(std::string_view bytes);     ///< reads a mesh file in the format .stl, as text or binary
void mesh_ply(std::string_view bytes);     ///< reads a mesh file in the format .ply
void mesh_gltf(std::string_view bytes);    ///< reads a mesh file in the format .gltf
void mesh_glb(std::string_view bytes);     ///< reads a mesh file in the format .glb
void height_png(std::string_view bytes);   ///< reads the heights of a heightfield from a picture
void height_text(std::string_view bytes);  ///< reads the heights of a heightfield from rows of numbers
void command(std::string_view bytes);      ///< parses one command of a journal
void journal(std::string_view bytes);      ///< parses a whole journal
/// Reads the value of the option --set for every parameter of every kind of node.
void set_value(std::string_view bytes);
void checkpoint(std::string_view bytes);     ///< loads a saved state after its checksum has been corrected
void scene_toml(std::string_view bytes);     ///< reads a scene and writes it again
void world(std::string_view bytes);          ///< reads a scene and, if it is small, creates its world
void design_vxa(std::string_view bytes);     ///< imports a VoxCAD design, .vxa or .vxc
void robot_vxd(std::string_view bytes);      ///< imports a voxcraft robot, .vxd, with a small base design
void design_vxl(std::string_view bytes);     ///< imports a Voxelyze design, .vxl.json
void design_vox(std::string_view bytes);     ///< imports a MagicaVoxel file, .vox, and writes it again
void design_binvox(std::string_view bytes);  ///< imports a .binvox file and writes it again
void design_evogym(std::string_view bytes);  ///< imports a robot of EvoGym, .npz or .json
void recording(std::string_view bytes);      ///< reads a voxcraft recording, .history
void moment(std::string_view bytes);         ///< reads the saved moment of a picture, as text or compressed
void session(std::string_view bytes);        ///< reads a session file after its hashes have been corrected
void picture(std::string_view bytes);        ///< finds and reads the saved moments in a PNG or MP4 file
void command_line(std::string_view bytes);   ///< parses program arguments, one per line, without running a command

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
};
[[nodiscard]] std::span<const Target> targets();

/// If the condition `kept` is false, prints the sentence and ends the process, so that the fuzzer saves the input.
void promise(bool kept, const char* sentence);

}  // namespace vw::fuzz

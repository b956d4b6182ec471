// Contents of the file browser. No GUI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vw {

struct FileEntry {
  std::string name;
  bool folder = false;
  std::uintmax_t bytes = 0;
};

/// Lists folders first, then the files with one of the extensions (".toml", case-insensitive), both sorted by name.
/// Hidden entries are omitted. Empty if the folder cannot be read.
[[nodiscard]] std::vector<FileEntry> list_folder(const std::string& folder, const std::vector<std::string>& extensions);
/// Extensions of the files that can be opened as scenes.
[[nodiscard]] const std::vector<std::string>& scene_extensions();
[[nodiscard]] bool has_scene_extension(const std::string& path);
/// Extensions of the meshes that can be imported as bodies.
[[nodiscard]] const std::vector<std::string>& mesh_extensions();
[[nodiscard]] bool has_mesh_extension(const std::string& path);
/// Extensions mentioned in a sentence: ".png" and ".txt" in "must name heights (.png, .txt)".
[[nodiscard]] std::vector<std::string> extensions_in(const std::string& sentence);
/// "<folder>/<stem>-20260314-150926<extension>" with the local time. If that name exists, a number is inserted.
[[nodiscard]] std::string dated_name(const std::string& folder, const std::string& stem, const std::string& extension);
/// Replaces a leading "~" by the user's home folder.
[[nodiscard]] std::string in_home(const std::string& path);
/// ~/Pictures or ~/Videos (`kind` is the folder's name) if it exists, else the working directory.
[[nodiscard]] std::string capture_folder(const std::string& kind);

}  // namespace vw

// What the file browser shows of a folder. No GUI.
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

/// Folders first, then files with one of the extensions (".toml", case-insensitive); hidden entries left out; sorted by name. Unreadable: empty.
[[nodiscard]] std::vector<FileEntry> list_folder(const std::string& folder, const std::vector<std::string>& extensions);
/// Extensions of what can be opened.
[[nodiscard]] const std::vector<std::string>& scene_extensions();
[[nodiscard]] bool has_scene_extension(const std::string& path);
/// Of meshes that can become bodies.
[[nodiscard]] const std::vector<std::string>& mesh_extensions();
[[nodiscard]] bool has_mesh_extension(const std::string& path);
/// The extensions that a sentence names: ".png" and ".txt" of "must name heights (.png, .txt)".
[[nodiscard]] std::vector<std::string> extensions_in(const std::string& sentence);
/// "<folder>/<stem>-20260314-150926<extension>" with the local time.
[[nodiscard]] std::string dated_name(const std::string& folder, const std::string& stem, const std::string& extension);
/// A leading "~" is the user's home.
[[nodiscard]] std::string in_home(const std::string& path);
/// ~/Pictures or ~/Videos (by `kind`) where it exists, else the working directory.
[[nodiscard]] std::string capture_folder(const std::string& kind);

}  // namespace vw

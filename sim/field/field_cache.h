// Generated fields that are dear to make, kept on disk by what they are made of. Whatever is wrong with the folder or a file, the field is made anew:
// nothing here ever fails. Any thread, any number of processes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vw {

/// Where files are kept: $VOXWAKE_CACHE, else $XDG_CACHE_HOME/voxwake/fields, else ~/.cache/voxwake/fields. Empty: nowhere, as VOXWAKE_CACHE = off
/// says.
[[nodiscard]] std::string field_cache_folder();

class FieldCache {
 public:
  /// No folder: keeps nothing, finds nothing.
  explicit FieldCache(std::string folder = field_cache_folder(), std::uint64_t limit_bytes = std::uint64_t{2} << 30);

  /// What was kept under exactly this key, if it is `count` finite numbers as they were written.
  [[nodiscard]] std::optional<std::vector<float>> find(std::string_view key, std::size_t count) const;
  /// Keeps it, if it fits; the files least lately found make room.
  void keep(std::string_view key, std::span<const float> numbers) const;
  /// The file of a key.
  [[nodiscard]] std::string path_of(std::string_view key) const;

 private:
  void make_room(std::uint64_t bytes) const;

  std::string folder_;
  std::uint64_t limit_bytes_;
};

}  // namespace vw

// Disk cache of generated fields that are expensive to compute, keyed by their parameters. If the folder or a file is
// unusable, the field is computed again; nothing here reports an error. Any thread, any number of processes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vw {

/// Folder of the cache files: $VOXWAKE_CACHE, else $XDG_CACHE_HOME/voxwake/fields, else ~/.cache/voxwake/fields. Empty:
/// no cache, for example with VOXWAKE_CACHE = off.
[[nodiscard]] std::string field_cache_folder();

class FieldCache {
 public:
  /// An empty folder disables the cache.
  explicit FieldCache(std::string folder = field_cache_folder(), std::uint64_t limit_bytes = std::uint64_t{2} << 30);

  /// The numbers stored under exactly this key, if there are `count` of them, all finite, with a correct checksum.
  [[nodiscard]] std::optional<std::vector<float>> find(std::string_view key, std::size_t count) const;
  /// Stores the numbers if they fit. Deletes the least recently used files to make room.
  void keep(std::string_view key, std::span<const float> numbers) const;
  /// Path of the file of a key.
  [[nodiscard]] std::string path_of(std::string_view key) const;

 private:
  void make_room(std::uint64_t bytes) const;

  std::string folder_;
  std::uint64_t limit_bytes_;
};

}  // namespace vw

// Disk cache of generated fields that are expensive to compute. The key contains the parameters of the field. If the
// folder or a file is unusable, the field is computed again, and no error is reported. Any thread and any number of
// processes may use the cache.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vw {

/// Folder of the cache files: $VOXWAKE_CACHE, otherwise $XDG_CACHE_HOME/voxwake/fields, otherwise
/// ~/.cache/voxwake/fields. An empty result means no cache, for example with VOXWAKE_CACHE = off.
[[nodiscard]] std::string field_cache_folder();

class FieldCache {
 public:
  /// An empty folder disables the cache.
  explicit FieldCache(std::string folder = field_cache_folder(), std::uint64_t limit_bytes = std::uint64_t{2} << 30);

  /// Returns the numbers stored under exactly this key, or nullopt if the file does not contain `count` finite numbers
  /// and a correct checksum.
  [[nodiscard]] std::optional<std::vector<float>> find(std::string_view key, std::size_t count) const;
  /// Stores the numbers if they fit into the cache. Deletes the least recently used files to free space.
  void keep(std::string_view key, std::span<const float> numbers) const;
  /// Path of the cache file of a key.
  [[nodiscard]] std::string path_of(std::string_view key) const;

 private:
  void make_room(std::uint64_t bytes) const;

  std::string folder_;
  std::uint64_t limit_bytes_;
};

}  // namespace vw

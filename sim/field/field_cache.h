// Disk cache of generated fields that are expensive to compute. The key of a file contains the parameters of the field.
// If the folder or a file cannot be used, the field is computed again without an error. Any number of threads and
// processes may use the cache at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vw {

/// Returns the folder of the cache files: $VOXWAKE_CACHE, otherwise $XDG_CACHE_HOME/voxwake/fields, otherwise
/// ~/.cache/voxwake/fields. Returns an empty text if there is no cache, for example if VOXWAKE_CACHE = off.
[[nodiscard]] std::string field_cache_folder();

class FieldCache {
 public:
  /// Uses the cache in `folder`. An empty text disables the cache.
  explicit FieldCache(std::string folder = field_cache_folder(), std::uint64_t limit_bytes = std::uint64_t{2} << 30);

  /// Returns the numbers stored under exactly this key. Returns nullopt if there is no file, or if it does not contain
  /// `count` finite numbers with a correct checksum.
  [[nodiscard]] std::optional<std::vector<float>> find(std::string_view key, std::size_t count) const;
  /// Stores the numbers if they fit into the cache. Deletes the least recently used files to make space.
  void keep(std::string_view key, std::span<const float> numbers) const;
  /// Returns the path of the cache file of a key.
  [[nodiscard]] std::string path_of(std::string_view key) const;

 private:
  void make_room(std::uint64_t bytes) const;

  std::string folder_;
  std::uint64_t limit_bytes_;
};

}  // namespace vw

#include "sim/field/field_cache.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/base/files/file.h"
#include "sim/base/system/folders.h"
#include "sim/base/system/process.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

/// Header of a cache file, which is followed by the key and the numbers. Numbers are in the native byte order. If the
/// layout of the file changes, `word` must change as well.
struct Head {
  char word[8] = {'v', 'w', 'f', 'i', 'e', 'l', 'd', '1'};
  /// `checksum` is the XXH3 hash of all bytes after the header.
  std::uint64_t key_bytes = 0, numbers = 0, checksum = 0;
};
constexpr std::string_view ending = ".vwfield";

/// Returns the numbers in a cache file, or an empty result if the file is invalid or belongs to another key.
std::optional<std::vector<float>> numbers_in(std::string_view bytes, std::string_view key, std::size_t count) {
  Head head;
  const Head right{.key_bytes = key.size(), .numbers = count};
  if (bytes.size() != sizeof head + key.size() + count * sizeof(float)) return {};
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  if (std::memcmp(head.word, right.word, sizeof head.word) != 0 || head.key_bytes != right.key_bytes ||
      head.numbers != right.numbers || !bytes.starts_with(key) ||
      head.checksum != XXH3_64bits(bytes.data(), bytes.size()))
    return {};
  bytes.remove_prefix(key.size());
  std::vector<float> numbers(count);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  if (!std::all_of(numbers.begin(), numbers.end(), [](float v) { return std::isfinite(v); })) return {};
  return numbers;
}

}  // namespace

std::string field_cache_folder() {
  if (const std::string own = environment_variable("VOXWAKE_CACHE"); !own.empty()) return own == "off" ? "" : own;
  const std::string folder = cache_folder();
  return folder.empty() ? folder : (fs::path(folder) / "fields").string();
}

FieldCache::FieldCache(std::string folder, std::uint64_t limit_bytes)
    : folder_(std::move(folder)), limit_bytes_(limit_bytes) {}

std::string FieldCache::path_of(std::string_view key) const {
  const XXH128_hash_t hash = XXH3_128bits(key.data(), key.size());
  return (fs::path(folder_) / fmt::format("{:016x}{:016x}{}", hash.high64, hash.low64, ending)).string();
}

std::optional<std::vector<float>> FieldCache::find(std::string_view key, std::size_t count) const {
  if (folder_.empty()) return {};
  const std::string path = path_of(key);
  const auto bytes = read_file(path, sizeof(Head) + key.size() + count * sizeof(float));
  if (!bytes) return {};
  auto numbers = numbers_in(*bytes, key, count);
  std::error_code ignored;
  if (numbers) fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return numbers;
}

void FieldCache::keep(std::string_view key, std::span<const float> numbers) const {
  Head head{.key_bytes = key.size(), .numbers = numbers.size()};
  const std::size_t size = sizeof head + key.size() + numbers.size_bytes();
  if (folder_.empty() || size > limit_bytes_) return;
  std::string bytes(size, '\0');
  std::memcpy(bytes.data() + sizeof head, key.data(), key.size());
  std::memcpy(bytes.data() + sizeof head + key.size(), numbers.data(), numbers.size_bytes());
  head.checksum = XXH3_64bits(bytes.data() + sizeof head, size - sizeof head);
  std::memcpy(bytes.data(), &head, sizeof head);
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) return;
  const std::string path = path_of(key);
  // If the path exists and is not a regular file, it is not replaced. For example, opening a pipe would wait for a
  // reader.
  if (const auto old = fs::symlink_status(path, failed); fs::exists(old) && !fs::is_regular_file(old)) return;
  make_room(size);
  (void)write_file_atomic(path, bytes);
}

void FieldCache::make_room(std::uint64_t bytes) const {
  struct File {
    fs::file_time_type time;
    std::uint64_t size;
    fs::path path;
  };
  std::vector<File> files;
  std::uint64_t used = bytes;
  std::error_code failed;
  for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed)) {
    // Only files of this cache are considered. They include temporary files of processes that were killed.
    if (entry->path().filename().string().find(ending) == std::string::npos) continue;
    std::error_code gone;
    const File file{entry->last_write_time(gone), entry->file_size(gone), entry->path()};
    if (gone) continue;
    files.push_back(file);
    used += file.size;
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.time < b.time; });
  for (std::size_t i = 0; i < files.size() && used > limit_bytes_; ++i) {
    std::error_code ignored;
    fs::remove(files[i].path, ignored);
    used -= files[i].size;
  }
}

}  // namespace vw

// Writes MagicaVoxel files (.vox) byte by byte and without the program's own writer. Tests can thus also make files
// with mistakes.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vw::scene_test::vox {

/// Returns a number as four bytes in little-endian order.
inline std::string number(std::int64_t value) {
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>(static_cast<std::uint32_t>(value) >> shift & 0xff);
  return bytes;
}

inline std::string numbers(std::initializer_list<std::int64_t> values) {
  std::string bytes;
  for (const std::int64_t value : values) bytes += number(value);
  return bytes;
}

inline std::string text(std::string_view value) {
  return number(static_cast<std::int64_t>(value.size())) + std::string(value);
}

using Entries = std::initializer_list<std::pair<std::string_view, std::string_view>>;
inline std::string dictionary(Entries entries) {
  std::string bytes = number(static_cast<std::int64_t>(entries.size()));
  for (const auto& [key, value] : entries) bytes += text(key) + text(value);
  return bytes;
}

inline std::string chunk(std::string_view name, const std::string& content, const std::string& children = {}) {
  return std::string(name) + number(static_cast<std::int64_t>(content.size())) +
         number(static_cast<std::int64_t>(children.size())) + content + children;
}

inline std::string file(const std::string& chunks, int version = 150) {
  return "VOX " + number(version) + chunk("MAIN", {}, chunks);
}

using Voxel = std::array<int, 4>;  ///< x, y, z, colour index
inline std::string voxels(const std::vector<Voxel>& list) {
  std::string content = number(static_cast<std::int64_t>(list.size()));
  for (const Voxel& voxel : list)
    for (const int byte : voxel) content += static_cast<char>(byte);
  return chunk("XYZI", content);
}

inline std::string model(const std::array<int, 3>& size, const std::vector<Voxel>& list) {
  return chunk("SIZE", numbers({size[0], size[1], size[2]})) + voxels(list);
}

/// Returns a palette whose colour index i is (i, 2 i, 3 i) modulo 256.
inline std::string palette() {
  std::string content;
  for (int i = 1; i <= 256; ++i) {
    for (const int factor : {1, 2, 3}) content += static_cast<char>(factor * i);
    content += '\xff';
  }
  return chunk("RGBA", content);
}

inline std::string transform(int id, int child, Entries frame = {}, int layer = -1, Entries attributes = {}) {
  return chunk("nTRN", number(id) + dictionary(attributes) + numbers({child, -1, layer, 1}) + dictionary(frame));
}

inline std::string group(int id, std::initializer_list<int> children) {
  std::string content = number(id) + dictionary({}) + number(static_cast<std::int64_t>(children.size()));
  for (const int child : children) content += number(child);
  return chunk("nGRP", content);
}

inline std::string shape(int id, int model) {
  return chunk("nSHP", number(id) + dictionary({}) + numbers({1, model}) + dictionary({}));
}

inline std::string layer(int id, Entries attributes) {
  return chunk("LAYR", number(id) + dictionary(attributes) + number(-1));
}

/// Returns a file with every chunk that the program reads, and with some that it skips.
inline std::string every_chunk() {
  std::string map;
  for (int j = 0; j < 256; ++j) map += static_cast<char>(255 - j);
  return file(chunk("PACK", number(2)) + model({2, 1, 1}, {{0, 0, 0, 5}, {1, 0, 0, 7}}) +
                  model({1, 2, 2}, {{0, 0, 0, 5}, {0, 1, 1, 9}}) + transform(0, 1) + group(1, {2, 4, 6}) +
                  transform(2, 3, {{"_t", "1 0 0"}}, 0, {{"_name", "\xff\xfe"}}) + shape(3, 0) +
                  transform(4, 5, {{"_t", "-3 2 1"}, {"_r", "17"}, {"_f", "0"}}, 0) + shape(5, 1) +
                  transform(6, 7, {}, 1) + shape(7, 0) + layer(0, {{"_name", "front"}}) + layer(1, {{"_hidden", "1"}}) +
                  palette() + chunk("IMAP", map) + chunk("MATL", number(1) + dictionary({{"_type", "_glass"}})) +
                  chunk("rOBJ", dictionary({})) + chunk("NOTE", number(0)) +
                  chunk("what", "content", chunk("SIZE", "child")),
              200);
}

}  // namespace vw::scene_test::vox

// Parses the chunks of a MagicaVoxel file (versions 150 and 200). All numbers are little endian. A chunk consists of a
// name of four bytes, the lengths of its content and of its child chunks, the content and the child chunks. Source: the
// format descriptions that accompany MagicaVoxel (file format 150 and its extension for the scene graph).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "sim/scene/designs/vox_file.h"
#include "sim/scene/toml/text.h"

namespace vw {
namespace {

constexpr std::size_t chunk_head = 12;                        // bytes of name and lengths
constexpr std::size_t most_nodes = std::size_t{1} << 20;      // limit of the memory for nodes
constexpr std::int64_t farthest_translation = 1'000'000'000;  // largest magnitude of one component of a translation

std::int32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return static_cast<std::int32_t>(value);
}

int vox_byte(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

/// A chunk that is being read. It may also represent the complete file or the children of the root chunk.
struct Chunk {
  std::string_view name;
  std::size_t offset = 0;       ///< position of the chunk's name
  std::size_t at = 0, end = 0;  ///< next byte to read, and end of the content
};

/// Unpacks a rotation. Bits 0-1 and 2-3 are the columns of the non-zero entries of the first and second row, and bits 4
/// to 6 are the signs of the three rows. Returns nullopt if the columns are not two different numbers from 0 to 2.
std::optional<VoxMotion> unpacked_rotation(int bits) {
  const int first = bits & 3, second = bits >> 2 & 3;
  if (bits < 0 || bits > 127 || first == 3 || second == 3 || first == second) return {};
  VoxMotion motion;
  motion.axis = {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second),
                 static_cast<std::uint8_t>(3 - first - second)};
  for (std::size_t row = 0; row < 3; ++row)
    motion.sign[row] = static_cast<std::int8_t>((bits >> (4 + row) & 1) != 0 ? -1 : 1);
  return motion;
}

/// Reads `count` integers that are separated by blanks. Returns nullopt for any other text.
template <std::size_t count>
std::optional<std::array<std::int64_t, count>> whole_numbers(std::string_view text) {
  std::array<std::int64_t, count> numbers{};
  const char *at = text.data(), *const end = at + text.size();
  for (std::int64_t& number : numbers) {
    while (at != end && *at == ' ') ++at;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (next != end && *next != ' ')) return {};
    at = next;
  }
  while (at != end && *at == ' ') ++at;
  return at == end ? std::optional(numbers) : std::nullopt;
}

class ChunkParser {
 public:
  ChunkParser(std::string_view bytes, std::string file) : bytes_(bytes), error_(std::move(file)) {}

  Result<VoxFile> run() {
    for (std::size_t i = 0; i < vox_.display_number.size(); ++i) vox_.display_number[i] = static_cast<int>(i);
    const std::optional<Chunk> main = read_main();
    if (main) read_children(*main);
    if (!error_) finish();
    if (error_) return fail(error_.error());
    return std::move(vox_);
  }

 private:
  /// Records an error, unless an error is already recorded.
  void refuse(std::string key, std::string found, std::string expected) {
    error_.set(std::move(key), std::move(found), std::move(expected));
  }
  void refuse(const Chunk& chunk, std::string found, std::string expected) {
    refuse(place_of(chunk), std::move(found), std::move(expected));
  }
  static std::string place_of(const Chunk& chunk) {
    return fmt::format("{} at byte {}", one_line(chunk.name, 4), chunk.offset);
  }

  /// Reads the header of the file and returns the children of its root chunk.
  std::optional<Chunk> read_main() {
    if (bytes_.substr(0, 4) != "VOX ")
      return refuse("byte 0", fmt::format("\"{}\"", one_line(bytes_.substr(0, 4))),
                    "must be \"VOX \"; the file is not a MagicaVoxel file"),
             std::nullopt;
    if (bytes_.size() < 8)
      return refuse("version at byte 4", fmt::format("{} of 4 bytes", bytes_.size() - 4), "must be 150 or 200"),
             std::nullopt;
    if (const std::int32_t version = little_endian(bytes_, 4); version != 150 && version != 200)
      return refuse("version at byte 4", fmt::format("{}", version), "must be 150 or 200"), std::nullopt;
    Chunk whole{.name = "the file", .offset = 0, .at = 8, .end = bytes_.size()};
    std::optional<Chunk> main = next_chunk(whole);
    if (!main) return {};
    if (main->name != "MAIN")
      return refuse("byte 8", fmt::format("\"{}\"", one_line(main->name)), "must be the chunk \"MAIN\""), std::nullopt;
    // The children of MAIN follow its content, which is empty in all known files.
    return Chunk{.name = main->name, .offset = main->offset, .at = main->end, .end = whole.at};
  }

  /// Reads the header of the next chunk within `parent`, and moves parent.at past that chunk.
  std::optional<Chunk> next_chunk(Chunk& parent) {
    const std::size_t offset = parent.at, left = parent.end - offset;
    if (left < chunk_head)
      return refuse(fmt::format("chunk at byte {}", offset), fmt::format("{} bytes", left),
                    fmt::format("a chunk must have at least {} bytes", chunk_head)),
             std::nullopt;
    const std::int64_t content = little_endian(bytes_, offset + 4), children = little_endian(bytes_, offset + 8);
    const Chunk chunk{.name = bytes_.substr(offset, 4), .offset = offset, .at = offset + chunk_head};
    if (content < 0 || children < 0 || content + children > static_cast<std::int64_t>(left - chunk_head))
      return refuse(chunk, fmt::format("{} bytes of content and {} bytes of children", content, children),
                    fmt::format("must be 0 to {} bytes in total, because {} ends there", left - chunk_head,
                                one_line(parent.name))),
             std::nullopt;
    parent.at = chunk.at + static_cast<std::size_t>(content + children);
    return Chunk{chunk.name, chunk.offset, chunk.at, chunk.at + static_cast<std::size_t>(content)};
  }

  void read_children(Chunk main) {
    using Reader = void (ChunkParser::*)(Chunk&);
    constexpr auto readers = std::to_array<std::pair<std::string_view, Reader>>({{"PACK", &ChunkParser::read_pack},
                                                                                 {"SIZE", &ChunkParser::read_size},
                                                                                 {"XYZI", &ChunkParser::read_voxels},
                                                                                 {"RGBA", &ChunkParser::read_palette},
                                                                                 {"IMAP", &ChunkParser::read_map},
                                                                                 {"nTRN", &ChunkParser::read_transform},
                                                                                 {"nGRP", &ChunkParser::read_group},
                                                                                 {"nSHP", &ChunkParser::read_shape},
                                                                                 {"LAYR", &ChunkParser::read_layer}});
    while (main.at < main.end && !error_) {
      std::optional<Chunk> chunk = next_chunk(main);
      if (!chunk) return;
      // Chunks of other kinds describe appearance and cameras, or belong to later versions. They are skipped.
      for (const auto& [name, reader] : readers)
        if (chunk->name == name) (this->*reader)(*chunk);
    }
  }

  /// Returns the next `count` bytes of the chunk. If the chunk has fewer bytes, records an error in which the bytes are
  /// called `what`.
  std::string_view take(Chunk& chunk, std::size_t count, const char* what) {
    if (error_) return {};
    const std::size_t left = chunk.end - chunk.at;
    if (left < count)
      return refuse(chunk, fmt::format("{} bytes of content after byte {}", left, chunk.at),
                    fmt::format("must have {} bytes there for {}", count, what)),
             std::string_view();
    chunk.at += count;
    return bytes_.substr(chunk.at - count, count);
  }

  std::int32_t number(Chunk& chunk, const char* what) {
    const std::string_view bytes = take(chunk, 4, what);
    return error_ ? 0 : little_endian(bytes, 0);
  }

  /// Reads the number of items that follow. Each item has at least `bytes_each` bytes, so the chunk's length limits the
  /// number.
  std::size_t count(Chunk& chunk, const char* what, std::int32_t min, std::size_t bytes_each) {
    const std::int32_t n = number(chunk, what);
    const std::size_t most = (chunk.end - chunk.at) / bytes_each;
    if (!error_ && (n < min || static_cast<std::size_t>(n) > most))
      refuse(fmt::format("{} of {}", what, place_of(chunk)), fmt::format("{}", n),
             fmt::format("must be {} to {}, because the chunk ends at byte {}", min, most, chunk.end));
    return error_ ? 0 : static_cast<std::size_t>(n);
  }

  std::string_view text(Chunk& chunk) {
    const std::size_t length = count(chunk, "length of a text", 0, 1);
    return take(chunk, length, "a text");
  }

  /// Reads a dictionary and calls `use(key, value)` for each entry. Keys and values may contain any bytes.
  template <class F>
  void dictionary(Chunk& chunk, F use) {
    const std::size_t entries = count(chunk, "number of attributes", 0, 8);
    for (std::size_t i = 0; i < entries && !error_; ++i) {
      const std::string_view key = text(chunk), value = text(chunk);
      if (!error_) use(key, value);
    }
  }

  void read_pack(Chunk& chunk) {
    declared_models_ = number(chunk, "the number of models");
    pack_ = chunk;
  }

  void read_size(Chunk& chunk) {
    if (size_) return refuse(chunk, "a second SIZE", "must be followed by the XYZI of the same model");
    size_.emplace(chunk, VoxModel{});
    for (int& length : size_->second.size) {
      const std::int32_t n = number(chunk, "the size of a model");
      if (!error_ && (n < 1 || n > largest_vox_model))
        refuse(chunk, fmt::format("{} cells along an axis", n), fmt::format("must be 1 to {}", largest_vox_model));
      length = n;
    }
  }

  void read_voxels(Chunk& chunk) {
    if (!size_) return refuse(chunk, "no SIZE before it", "must follow the SIZE of the same model");
    const std::size_t voxels = count(chunk, "number of voxels", 0, 4);
    VoxModel model = size_->second;
    model.voxels = take(chunk, 4 * voxels, "voxels");
    size_.reset();
    for (std::size_t v = 0; v < voxels && !error_; ++v) check_voxel(chunk, model, v);
    vox_.models.push_back(model);
  }

  void check_voxel(const Chunk& chunk, const VoxModel& model, std::size_t v) {
    const auto place = [&] {
      return fmt::format("voxel {} of {}, byte {}", v + 1, place_of(chunk), chunk.at - model.voxels.size() + 4 * v);
    };
    for (std::size_t i = 0; i < 3; ++i)
      if (const int x = vox_byte(model.voxels, 4 * v + i); x >= model.size[i])
        return refuse(place(), fmt::format("{} = {}", "xyz"[i], x),
                      fmt::format("must be 0 to {}, because SIZE is {} x {} x {}", model.size[i] - 1, model.size[0],
                                  model.size[1], model.size[2]));
    if (vox_byte(model.voxels, 4 * v + 3) == 0) refuse(place(), "colour index 0", "must be a colour index, 1 to 255");
  }

  void read_palette(Chunk& chunk) {
    const std::string_view colors = take(chunk, 4 * vox_.palette.size(), "256 colours");
    // Entry i of the chunk is the colour of index i + 1. The last entry is not used.
    for (std::size_t i = 1; i < vox_.palette.size() && !error_; ++i)
      for (std::size_t c = 0; c < 3; ++c)
        vox_.palette[i][c] = static_cast<std::uint8_t>(vox_byte(colors, 4 * (i - 1) + c));
  }

  /// Reads the order of the palette as displayed: entry j is the colour index that is shown at position j + 1.
  void read_map(Chunk& chunk) {
    const std::string_view order = take(chunk, vox_.display_number.size(), "256 colour indices");
    std::array<bool, 256> seen{};
    for (std::size_t j = 0; j < order.size() && !error_; ++j) {
      const auto index = static_cast<std::size_t>(vox_byte(order, j));
      if (seen[index])
        refuse(chunk, fmt::format("colour index {} again at byte {}", index, chunk.at - order.size() + j),
               "must contain each index from 0 to 255 once");
      seen[index] = true;
      vox_.display_number[index] = static_cast<int>(j) + 1;
    }
  }

  VoxNode begin_node(Chunk& chunk, VoxNodeKind kind) {
    VoxNode node;
    node.kind = kind;
    node.offset = chunk.offset;
    node.id = number(chunk, "the identifier of the node");
    dictionary(chunk, [&](std::string_view key, std::string_view value) {
      if (key == "_hidden") node.hidden = value == "1";
    });
    return node;
  }

  void end_node(const Chunk& chunk, VoxNode node) {
    if (vox_.nodes.size() == most_nodes)
      refuse(chunk, "one more node", fmt::format("a file may have at most {} nodes", most_nodes));
    if (!error_) vox_.nodes.push_back(std::move(node));
  }

  void read_transform(Chunk& chunk) {
    VoxNode node = begin_node(chunk, VoxNodeKind::transform);
    node.children = {number(chunk, "the identifier of the child node")};
    (void)number(chunk, "the reserved number");
    node.layer = number(chunk, "the identifier of the layer");
    const std::size_t frames = count(chunk, "number of frames", 1, 4);
    dictionary(chunk, [&](std::string_view key, std::string_view value) {
      if (key == "_t") read_translation(chunk, value, node.motion);
      if (key == "_r") read_rotation(chunk, value, node.motion);
    });
    vox_.animated = vox_.animated || frames > 1;  // further frames are not used
    end_node(chunk, std::move(node));
  }

  void read_translation(const Chunk& chunk, std::string_view value, VoxMotion& motion) {
    const auto numbers = whole_numbers<3>(value);
    const auto is_near = [](std::int64_t x) { return x >= -farthest_translation && x <= farthest_translation; };
    if (!numbers || !std::all_of(numbers->begin(), numbers->end(), is_near))
      return refuse(
          "_t of " + place_of(chunk), fmt::format("\"{}\"", one_line(value, 60)),
          fmt::format("must be three whole numbers from {} to {}", -farthest_translation, farthest_translation));
    motion.shift = *numbers;
  }

  void read_rotation(const Chunk& chunk, std::string_view value, VoxMotion& motion) {
    const auto bits = whole_numbers<1>(value);
    const auto rotation =
        bits && (*bits)[0] >= 0 && (*bits)[0] < 128 ? unpacked_rotation(static_cast<int>((*bits)[0])) : std::nullopt;
    if (!rotation)
      return refuse("_r of " + place_of(chunk), fmt::format("\"{}\"", one_line(value, 60)),
                    "must be a packed rotation, 0 to 127, with different columns for its first two rows");
    motion.axis = rotation->axis;
    motion.sign = rotation->sign;
  }

  void read_group(Chunk& chunk) {
    VoxNode node = begin_node(chunk, VoxNodeKind::group);
    const std::size_t children = count(chunk, "number of child nodes", 0, 4);
    node.children.reserve(children);
    for (std::size_t i = 0; i < children; ++i) node.children.push_back(number(chunk, "a child node"));
    end_node(chunk, std::move(node));
  }

  void read_shape(Chunk& chunk) {
    VoxNode node = begin_node(chunk, VoxNodeKind::shape);
    const std::size_t frames = count(chunk, "number of models", 1, 8);
    node.children = {number(chunk, "the index of the model")};
    vox_.animated = vox_.animated || frames > 1;  // further models are not used
    end_node(chunk, std::move(node));
  }

  void read_layer(Chunk& chunk) {
    const std::int32_t id = number(chunk, "the identifier of the layer");
    dictionary(chunk, [&](std::string_view key, std::string_view value) {
      if (key == "_hidden" && value == "1") vox_.hidden_layers.push_back(id);
    });
  }

  /// Checks the complete file after all chunks have been read.
  void finish() {
    if (size_) return refuse(size_->first, "no XYZI after it", "must be followed by the XYZI of the same model");
    if (vox_.models.empty()) return refuse("MAIN at byte 8", "no model", "must contain at least one SIZE and XYZI");
    if (pack_ && static_cast<std::int64_t>(vox_.models.size()) != declared_models_)
      return refuse(*pack_, fmt::format("{} models", declared_models_),
                    fmt::format("must be the number of models in the file, {}", vox_.models.size()));
    std::sort(vox_.hidden_layers.begin(), vox_.hidden_layers.end());
    std::stable_sort(vox_.nodes.begin(), vox_.nodes.end(),
                     [](const VoxNode& a, const VoxNode& b) { return a.id < b.id; });
    for (std::size_t i = 1; i < vox_.nodes.size(); ++i)
      if (const VoxNode& node = vox_.nodes[i], &before = vox_.nodes[i - 1]; node.id == before.id)
        return refuse(fmt::format("node at byte {}", node.offset), fmt::format("identifier {}", node.id),
                      fmt::format("must differ from that of the node at byte {}", before.offset));
  }

  std::string_view bytes_;
  FirstVoxError error_;
  VoxFile vox_;
  std::optional<std::pair<Chunk, VoxModel>> size_;  ///< SIZE whose XYZI has not yet been read
  std::optional<Chunk> pack_;
  std::int64_t declared_models_ = 0;
};

}  // namespace

VoxPalette default_vox_palette() {
  VoxPalette palette{};
  std::size_t index = 1;
  for (int red = 255; red >= 0; red -= 51)
    for (int green = 255; green >= 0; green -= 51)
      for (int blue = 255; blue >= 0; blue -= 51)
        if (red + green + blue > 0)
          palette[index++] = {static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(green),
                              static_cast<std::uint8_t>(blue)};
  for (const unsigned channels : {1U, 2U, 4U, 7U})  // red, green, blue, all three
    for (const int level : {0xee, 0xdd, 0xbb, 0xaa, 0x88, 0x77, 0x55, 0x44, 0x22, 0x11}) {
      for (std::size_t c = 0; c < 3; ++c)
        palette[index][c] = static_cast<std::uint8_t>((channels >> c & 1U) != 0 ? level : 0);
      ++index;
    }
  return palette;
}

Result<VoxFile> parse_vox_file(std::string_view bytes, const std::string& file) {
  return ChunkParser(bytes, file).run();
}

}  // namespace vw

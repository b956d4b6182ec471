// Reads and writes the chunks of PNG files (PNG specification, third edition, section 11.3.3) and the boxes of MP4
// files (ISO/IEC 14496-12, section 4.2). Files are not trusted: every length is checked against the size of the file,
// and the number of bytes that are read is bounded.
#include "app/capture/embedded_moment.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <zlib.h>

#include "sim/base/files/file.h"
#include "sim/base/system/file_descriptor.h"
#include "sim/base/text.h"

namespace vw {
namespace {

constexpr std::string_view moment_keyword{"Voxwake moment"};
constexpr std::string_view png_signature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::string_view moment_uuid{"\x8d\x3c\x6f\x52\x7b\x0e\x4e\x5a\x9c\x41\x2f\x6a\x1d\x9b\xe7\x03", 16};
/// Largest moment that is read. The program writes at most api::largest_embedded_moment.
constexpr std::uint64_t most_moment_bytes = std::uint64_t{64} << 20;
/// Largest number of chunks or boxes of a file. A video of ten hours at 60 frames per second has half a million boxes.
constexpr std::size_t most_parts = std::size_t{1} << 21;
/// Largest number of moments that are returned. If a video has more, the newest are returned.
constexpr std::size_t most_moments = 4;

std::string big_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text += static_cast<char>(number >> shift & 0xffU);
  return text;
}

std::uint64_t number_of(std::string_view big_endian_bytes) {
  std::uint64_t number = 0;
  for (const char byte : big_endian_bytes) number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// Reads parts of a file at given offsets.
class PartReader {
 public:
  static Result<PartReader> open(const std::string& path) {
    PartReader reader;
    reader.path_ = path;
    reader.file_ = FileDescriptor::open(path, FileUse::read);
    if (!reader.file_.is_open()) return wrong_file(path, std::string("cannot be opened: ") + std::strerror(errno));
    const auto size = reader.file_.regular_size();
    if (!size) return wrong_file(path, "is not a regular file");
    reader.size_ = *size;
    return reader;
  }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Reads up to `count` bytes from `offset` on. At the end of the file, the result is shorter.
  [[nodiscard]] std::string read(std::uint64_t offset, std::uint64_t count) const {
    if (offset >= size_) return {};
    std::string bytes(static_cast<std::size_t>(std::min(count, size_ - offset)), '\0');
    bytes.resize(file_.read_at(offset, bytes.data(), bytes.size()));
    return bytes;
  }

 private:
  std::string path_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
};

Unexpected damaged(const std::string& path) {
  return wrong_file(path, "the Voxwake session in this file is damaged or truncated");
}

/// Removes the text before the next null byte, and this byte. Returns false if there is no null byte.
bool skip_text(std::string_view& text) {
  const std::size_t end = text.find('\0');
  if (end == std::string_view::npos) return false;
  text.remove_prefix(end + 1);
  return true;
}

/// Returns the moment in the data of a text chunk. All types of text chunks are read, because programs that edit
/// pictures may convert one type to another. Returns no value for another keyword, and an empty text for an incomplete
/// chunk.
std::optional<std::string> moment_in_chunk(std::string_view type, std::string_view data) {
  if (!data.starts_with(moment_keyword) || data.size() <= moment_keyword.size() || data[moment_keyword.size()] != '\0')
    return std::nullopt;
  data.remove_prefix(moment_keyword.size() + 1);
  if (type == "tEXt") return std::string(data);
  // In an iTXt chunk, the next two bytes are the compression flag and the compression method. In a zTXt chunk, the next
  // byte is the compression method.
  const std::size_t flags = type == "iTXt" ? 2 : 1;
  if (data.size() < flags || data[flags - 1] != 0) return std::string();
  data.remove_prefix(flags);
  // Skips the language and the translated keyword.
  if (type == "iTXt" && (!skip_text(data) || !skip_text(data))) return std::string();
  return std::string(data);
}

Result<EmbeddedMoments> moments_of_png(const PartReader& in, const std::string& path) {
  EmbeddedMoments found;
  std::uint64_t at = png_signature.size();
  for (std::size_t count = 0; count < most_parts; ++count) {
    constexpr std::uint64_t head_bytes = 8, checksum_bytes = 4;
    const std::string head = in.read(at, head_bytes);
    if (head.size() < head_bytes) break;
    const std::uint64_t length = number_of(std::string_view(head).substr(0, 4));
    const std::string type = head.substr(4);
    if (type == "iTXt" || type == "zTXt" || type == "tEXt") {
      const std::string keyword = in.read(at + head_bytes, moment_keyword.size());
      if (keyword == moment_keyword) {
        if (length > most_moment_bytes) return damaged(path);
        const std::string chunk = in.read(at + 4, 4 + length + checksum_bytes);
        if (chunk.size() != 4 + length + checksum_bytes) return damaged(path);
        const std::string_view content = std::string_view(chunk).substr(0, static_cast<std::size_t>(4 + length));
        if (checksum(content) != number_of(std::string_view(chunk).substr(content.size()))) return damaged(path);
        auto moment = moment_in_chunk(type, content.substr(4));
        if (moment && moment->empty()) return damaged(path);
        if (moment) found.newest_first.insert(found.newest_first.begin(), std::move(*moment));
        if (found.newest_first.size() >= most_moments) break;
      }
    }
    if (type == "IEND") break;
    at += head_bytes + length + checksum_bytes;
  }
  return found;
}

/// Finds the boxes of moments. A box that extends beyond the end of the file is incomplete and ends the search.
EmbeddedMoments moments_of_mp4(const PartReader& in) {
  EmbeddedMoments found;
  std::uint64_t at = 0;
  for (std::size_t count = 0; count < most_parts && at < in.size(); ++count) {
    const std::string head = in.read(at, 32);
    if (head.size() < 8) break;
    std::uint64_t size = number_of(std::string_view(head).substr(0, 4)), head_bytes = 8;
    if (size == 1) {  // the size follows the type as a number of 64 bits
      if (head.size() < 16) break;
      size = number_of(std::string_view(head).substr(8, 8));
      head_bytes = 16;
    } else if (size == 0) {  // the box extends to the end of the file
      size = in.size() - at;
    }
    if (size < head_bytes || size > in.size() - at) break;
    const bool is_moment = head.compare(4, 4, "uuid") == 0 && size >= head_bytes + moment_uuid.size() &&
                           head.compare(static_cast<std::size_t>(head_bytes), moment_uuid.size(), moment_uuid) == 0;
    const std::uint64_t length = is_moment ? size - head_bytes - moment_uuid.size() : 0;
    if (is_moment && length > 0 && length <= most_moment_bytes) {
      found.newest_first.insert(found.newest_first.begin(), in.read(at + head_bytes + moment_uuid.size(), length));
      if (found.newest_first.size() > most_moments) found.newest_first.pop_back();
    }
    at += size;
  }
  return found;
}

/// Returns the moment that a folder of numbered pictures stores in a separate file, for a picture `path` of this
/// folder.
EmbeddedMoments moments_beside(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr std::string_view prefix = "frame_", ending = ".png";
  const std::string name = fs::path(path).filename().string();
  if (!name.starts_with(prefix) || !name.ends_with(ending)) return {};
  std::uint64_t number = 0;
  const char* const last = name.data() + name.size() - ending.size();
  const auto [end, error] = std::from_chars(name.data() + prefix.size(), last, number);
  if (error != std::errc() || end != last || number == 0) return {};
  auto bytes = read_file((fs::path(path).parent_path() / moment_of_pictures).string(), most_moment_bytes);
  if (!bytes) return {};
  return {{std::move(*bytes)}, number - 1};
}

}  // namespace

std::string png_moment_chunk(std::string_view moment) {
  std::string content = "iTXt";
  content += moment_keyword;
  content += std::string_view("\0\1\0\0\0", 5);  // end of the keyword, compressed, zlib, no language, no translation
  content += moment;
  return big_endian(content.size() - 4, 4) + content + big_endian(checksum(content), 4);
}

std::string mp4_moment_box(std::string_view moment) {
  std::string box = big_endian(8 + moment_uuid.size() + moment.size(), 4) + "uuid";
  box += moment_uuid;
  box += moment;
  return box;
}

bool is_picture_name(const std::string& path) {
  const std::string name = lowercase(path);
  return name.ends_with(".png") || name.ends_with(".mp4");
}

Result<EmbeddedMoments> find_moments(const std::string& path) {
  auto in = PartReader::open(path);
  if (!in) return Unexpected(in.error());
  const std::string head = in->read(0, 12);
  const bool is_png = head.starts_with(png_signature), is_mp4 = head.size() >= 8 && head.compare(4, 4, "ftyp") == 0;
  if (!is_png && !is_mp4) return wrong_file(path, "is neither a PNG picture nor an MP4 video");
  Result<EmbeddedMoments> found = is_png ? moments_of_png(*in, path) : Result<EmbeddedMoments>(moments_of_mp4(*in));
  if (!found) return found;
  if (is_png && found->newest_first.empty()) *found = moments_beside(path);
  if (found->newest_first.empty())
    return wrong_file(path,
                      "holds no Voxwake session: it was written without one, or another program has removed it, so "
                      "its scene cannot be opened");
  return found;
}

}  // namespace vw

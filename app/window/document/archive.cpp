#include "app/window/document/archive.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

namespace vw {
namespace {

constexpr std::size_t block_bytes = 512;
using Block = std::array<char, block_bytes>;

void put(Block& block, std::size_t at, std::string_view text) {
  std::ranges::copy(text, block.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Header of a file. Offsets and contents are those of POSIX.1-2001, pax, "ustar Interchange Format". Numbers are
/// octal.
Block header(const std::string& name, std::size_t bytes, std::int64_t seconds_since_1970) {
  Block block{};
  put(block, 0, name);
  put(block, 100, "0000644");
  put(block, 108, "0000000");  // user
  put(block, 116, "0000000");  // group
  put(block, 124, fmt::format("{:011o}", bytes));
  put(block, 136, fmt::format("{:011o}", std::max<std::int64_t>(seconds_since_1970, 0)));
  put(block, 148, "        ");  // the checksum counts its own field as spaces
  put(block, 156, "0");         // regular file
  put(block, 257,
      std::string_view("ustar\0"
                       "00",
                       8));
  const unsigned sum = std::accumulate(block.begin(), block.end(), 0U, [](unsigned so_far, char byte) {
    return so_far + static_cast<unsigned char>(byte);
  });
  put(block, 148, fmt::format("{:06o}", sum));
  block[154] = 0;
  return block;
}

/// Compresses the text. The stream has the header and the checksum of a .gz file.
Result<std::string> gzip(std::string text) {
  z_stream stream{};
  constexpr int gzip_format = 16, memory_level = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_format, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return fail("the archive cannot be compressed: out of memory");
  std::string out;
  std::array<char, 1 << 16> part{};
  std::size_t taken = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    if (stream.avail_in == 0) {  // pass at most 1 GiB at once, because avail_in has 32 bits
      const std::size_t bytes = std::min(text.size() - taken, std::size_t{1} << 30);
      stream.next_in = reinterpret_cast<Bytef*>(text.data() + taken);
      stream.avail_in = static_cast<uInt>(bytes);
      taken += bytes;
    }
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    state = deflate(&stream, taken == text.size() ? Z_FINISH : Z_NO_FLUSH);
    out.append(part.data(), part.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  if (state != Z_STREAM_END) return fail("the archive cannot be compressed");
  return out;
}

}  // namespace

Result<std::string> tar_gz(const std::string& folder, std::span<const ArchiveFile> files,
                           std::int64_t seconds_since_1970) {
  std::string tar;
  for (const ArchiveFile& file : files) {
    const std::string name = folder + "/" + file.name;
    constexpr std::size_t longest_name = 100, most_bytes = std::size_t{1} << 33;
    if (name.size() > longest_name || file.bytes.size() >= most_bytes)
      return fail(name + ": cannot be stored in an archive");
    const Block block = header(name, file.bytes.size(), seconds_since_1970);
    tar.append(block.data(), block.size());
    tar += file.bytes;
    tar.resize((tar.size() + block_bytes - 1) / block_bytes * block_bytes);
  }
  tar.resize(tar.size() + 2 * block_bytes);  // an archive ends with two empty blocks
  return gzip(std::move(tar));
}

}  // namespace vw

// Reads heights from PNG images and from text files.
#include <png.h>

#include <csetjmp>
#include <cstring>

#include <fmt/format.h>

#include "sim/base/files/file.h"
#include "sim/collision/mesh/files/text_scan.h"
#include "sim/collision/shape/heightfield.h"

namespace vw {
namespace {

constexpr std::uint64_t max_height_bytes = 256ULL << 20U;

/// Data from which libpng reads and to which it writes. libpng reports an error by longjmp, which skips destructors, so
/// read_head() and read_rows() must not have local objects that own memory.
struct PictureRead {
  const char* bytes = nullptr;
  std::size_t left = 0;
  png_uint_32 columns = 0, rows = 0;
  int bits = 0, color = 0;
  char message[128] = {};
};

void take_bytes(png_structp png, png_bytep out, png_size_t count) {
  auto* read = static_cast<PictureRead*>(png_get_io_ptr(png));
  if (count > read->left) png_error(png, "the file is truncated");
  std::memcpy(out, read->bytes, count);
  read->bytes += count;
  read->left -= count;
}

void keep_message(png_structp png, png_const_charp message) {
  auto* read = static_cast<PictureRead*>(png_get_error_ptr(png));
  std::strncpy(read->message, message, sizeof read->message - 1);
  png_longjmp(png, 1);
}

void ignore_warning(png_structp, png_const_charp) {}

/// Reads the header of the PNG. If libpng reports an error, returns false and sets a message, as read_rows() does.
bool read_head(png_structp png, png_infop info, PictureRead& read) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_read_fn(png, &read, take_bytes);
  png_read_info(png, info);
  png_get_IHDR(png, info, &read.columns, &read.rows, &read.bits, &read.color, nullptr, nullptr, nullptr);
  return true;
}

bool read_rows(png_structp png, png_infop info, png_bytepp rows) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_expand_gray_1_2_4_to_8(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  png_read_image(png, rows);
  return true;
}

struct PngStructs {
  png_structp png = nullptr;
  png_infop info = nullptr;
  explicit PngStructs(PictureRead& read)
      : png(png_create_read_struct(PNG_LIBPNG_VER_STRING, &read, keep_message, ignore_warning)) {
    if (png != nullptr) info = png_create_info_struct(png);
  }
  ~PngStructs() { png_destroy_read_struct(&png, &info, nullptr); }
  PngStructs(const PngStructs&) = delete;
  PngStructs& operator=(const PngStructs&) = delete;
};

}  // namespace

Result<HeightGrid> read_height_picture(const std::string& path, double low_m, double high_m) {
  const auto bytes = read_file(path, max_height_bytes);
  if (!bytes) return Unexpected(bytes.error());
  if (bytes->size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes->data()), 0, 8) != 0)
    return wrong_file(path, "is not a PNG file");
  PictureRead read;
  read.bytes = bytes->data();
  read.left = bytes->size();
  const PngStructs structs(read);
  if (structs.info == nullptr) return wrong_file(path, "cannot be read: there is not enough memory");
  if (!read_head(structs.png, structs.info, read))
    return wrong_file(path, fmt::format("the PNG cannot be read: {}", read.message));
  if ((read.color & ~PNG_COLOR_MASK_ALPHA) != PNG_COLOR_TYPE_GRAY)
    return wrong_file(path, "is a colour image: must be a greyscale image");
  if (std::uint64_t{read.columns} * read.rows > max_heights)
    return wrong_file(path,
                      fmt::format("has {} x {} pixels; the limit is {} pixels", read.columns, read.rows, max_heights));
  const std::size_t sample = read.bits == 16 ? 2 : 1;
  // Rows have space for an alpha channel, because libpng first stores this channel and then removes it.
  std::vector<png_byte> pixels(std::size_t{read.columns} * read.rows * 2 * sample);
  std::vector<png_bytep> rows(read.rows);
  for (std::size_t j = 0; j < rows.size(); ++j) rows[j] = pixels.data() + j * read.columns * 2 * sample;
  if (!read_rows(structs.png, structs.info, rows.data()))
    return wrong_file(path, fmt::format("the PNG cannot be read: {}", read.message));
  HeightGrid grid;
  grid.columns = read.columns;
  grid.rows = read.rows;
  for (const png_byte* row : rows)
    for (std::size_t i = 0; i < grid.columns; ++i) {
      const double grey = sample == 2 ? (256 * row[2 * i] + row[2 * i + 1]) / 65535.0 : row[i] / 255.0;
      grid.height_m.push_back(low_m + (high_m - low_m) * grey);
    }
  return grid;
}

Result<HeightGrid> read_height_text(const std::string& path) {
  const auto bytes = read_file(path, max_height_bytes);
  if (!bytes) return Unexpected(bytes.error());
  HeightGrid grid;
  TextScan scan(*bytes);
  while (const auto line = scan.next_line()) {
    std::string_view rest = line->substr(0, line->find('#'));
    std::size_t columns = 0;
    for (std::string_view word = take_word(rest, " \t,;"); !word.empty(); word = take_word(rest, " \t,;"), ++columns) {
      const auto height = finite_number(word);
      // The message does not quote the word. Otherwise a wrong path could reveal the content of another file.
      if (!height)
        return wrong_file(path, scan.line(), fmt::format("value {} of the row is not a finite number", columns + 1));
      if (grid.height_m.size() == max_heights)
        return wrong_file(path, scan.line(), fmt::format("has more than {} heights", max_heights));
      grid.height_m.push_back(*height);
    }
    if (columns == 0) continue;
    if (grid.rows++ == 0) grid.columns = columns;
    if (columns != grid.columns)
      return wrong_file(path, scan.line(),
                        fmt::format("has {} heights in this row, but {} in the rows before", columns, grid.columns));
  }
  if (grid.rows == 0) return wrong_file(path, "has no heights");
  return grid;
}

}  // namespace vw

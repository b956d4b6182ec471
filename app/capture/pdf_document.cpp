// Source of the format: ISO 32000-1, "Portable document format - PDF 1.7".
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include "app/capture/document.h"
#include "app/capture/font_subset.h"

namespace vw {
namespace {

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), 6) != Z_OK)
    return {};
  out.resize(size);
  return out;
}

/// Returns a number with `digits` significant digits. PDF has no notation with an exponent.
std::string number(float value, int digits) {
  const std::string text = fmt::format("{:.{}g}", value, digits);
  return text.find('e') == std::string::npos ? text : fmt::format("{:.6f}", value);
}

/// Returns several numbers, separated by spaces.
std::string numbers(std::initializer_list<float> values, int digits) {
  std::string text;
  for (const float value : values) text += (text.empty() ? "" : " ") + number(value, digits);
  return text;
}

/// Returns a character in UTF-16 as hexadecimal digits, for a text string of a PDF.
std::string utf16_hex(char32_t letter) {
  if (letter < 0x10000) return fmt::format("{:04X}", static_cast<unsigned>(letter));
  const auto rest = static_cast<unsigned>(letter - 0x10000);
  return fmt::format("{:04X}{:04X}", 0xD800U + (rest >> 10U), 0xDC00U + (rest & 0x3FFU));
}

/// Returns the code of a character in WinAnsiEncoding. Only characters that this encoding shares with Latin-1 are
/// supported; other characters become '?'.
unsigned win_ansi(char32_t letter) {
  return letter >= 0x20 && letter < 0x7F    ? static_cast<unsigned>(letter)
         : letter >= 0xA0 && letter < 0x100 ? static_cast<unsigned>(letter)
                                            : '?';
}

/// Returns the bytes of `channels` channels of a picture, from channel `first` on. The PNG filter "up" is applied,
/// which improves compression.
std::string filtered_rows(const Image& image, std::size_t first, std::size_t channels) {
  const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
  std::string rows;
  rows.reserve(height * (channels * width + 1));
  for (std::size_t y = 0; y < height; ++y) {
    rows += '\2';
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = first; c < first + channels; ++c) {
        const int here = image.rgba[4 * (y * width + x) + c],
                  above = y > 0 ? image.rgba[4 * ((y - 1) * width + x) + c] : 0;
        rows += static_cast<char>(here - above);
      }
  }
  return rows;
}

/// The indirect objects of a PDF file, numbered from 1.
class PdfObjects {
 public:
  int reserve() {
    bodies_.emplace_back();
    return static_cast<int>(bodies_.size());
  }
  void set(int number, std::string body) { bodies_[static_cast<std::size_t>(number - 1)] = std::move(body); }
  int add(std::string body) {
    const int number = reserve();
    set(number, std::move(body));
    return number;
  }
  /// Adds a compressed stream. `entries` contains further entries of the stream's dictionary.
  int add_stream(std::string_view bytes, const std::string& entries = {}) {
    const std::string packed = deflated(bytes);
    return add(fmt::format("<< /Length {} /Filter /FlateDecode {}>>\nstream\n", packed.size(), entries) + packed +
               "\nendstream");
  }
  [[nodiscard]] std::string file(int catalog, int info) const {
    std::string out = "%PDF-1.5\n%\xE2\xE3\xCF\xD3\n";
    std::vector<std::size_t> offsets;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      offsets.push_back(out.size());
      out += fmt::format("{} 0 obj\n", i + 1) + bodies_[i] + "\nendobj\n";
    }
    const std::size_t table = out.size();
    out += fmt::format("xref\n0 {}\n0000000000 65535 f \n", bodies_.size() + 1);
    for (const std::size_t offset : offsets) out += fmt::format("{:010} 00000 n \n", offset);
    return out + fmt::format("trailer\n<< /Size {} /Root {} 0 R /Info {} 0 R >>\nstartxref\n{}\n%%EOF\n",
                             bodies_.size() + 1, catalog, info, table);
  }

 private:
  std::vector<std::string> bodies_;
};

/// Writes the items of a drawing as operators of a content stream. Pictures become separate objects.
struct PdfWriter {
  PdfObjects& objects;
  const TextFont& font;
  std::string out;
  std::map<int, char32_t> glyphs;  ///< used glyphs, each with the first character that it represents
  std::vector<int> pictures;       ///< object numbers of the pictures; picture i is named Pi
  std::set<int> alphas;            ///< used opacities in per cent; the graphics state for 74 % is named A74

  static std::string fill_color(const glm::vec3& c) { return numbers({c.r, c.g, c.b}, 4) + " rg\n"; }

  void operator()(const DrawnBox& box) {
    const glm::vec2 size = box.high - box.low;
    const int alpha = static_cast<int>(std::lround(100 * box.alpha));
    if (alpha < 100) {
      alphas.insert(alpha);
      out += fmt::format("q /A{} gs\n", alpha);
    }
    out += fill_color(box.color) + numbers({box.low.x, box.low.y, size.x, size.y}, 6) + " re f\n";
    if (alpha < 100) out += "Q\n";
  }
  void operator()(const DrawnLine& line) {
    out +=
        fmt::format("{} RG {} w 1 J {} m {} l S\n", numbers({line.color.r, line.color.g, line.color.b}, 4),
                    number(line.width, 4), numbers({line.from.x, line.from.y}, 6), numbers({line.to.x, line.to.y}, 6));
  }
  void operator()(const DrawnPolygon& polygon) {
    out += fill_color(polygon.color);
    for (std::size_t k = 0; k < polygon.corners.size(); ++k)
      out += fmt::format("{} {} ", numbers({polygon.corners[k].x, polygon.corners[k].y}, 6), k == 0 ? "m" : "l");
    out += "h f\n";
  }
  void operator()(const DrawnText& text) {
    const float em = text.size * (font.is_built_in() ? 0.86F : font.em_per_size());
    out += "BT " + fill_color(text.color) +
           fmt::format("/F1 {} Tf 1 0 0 -1 {} Tm <", number(em, 5), numbers({text.at.x, text.at.y}, 6));
    for (const char32_t letter : code_points(text.words)) {
      if (font.is_built_in()) {
        out += fmt::format("{:02X}", win_ansi(letter));
        continue;
      }
      const int glyph = font.glyph(letter);
      if (glyph > 0) glyphs.emplace(glyph, letter);
      out += fmt::format("{:04X}", glyph);
    }
    out += "> Tj ET\n";
  }
  void operator()(const DrawnBar& bar) {
    Image row{static_cast<int>(bar.colors.size()), 1, {}};
    for (const glm::vec3& color : bar.colors) {
      const glm::ivec3 c(glm::clamp(color, 0.0F, 1.0F) * 255.0F + 0.5F);
      for (const int byte : {c.r, c.g, c.b, 255}) row.rgba.push_back(static_cast<std::uint8_t>(byte));
    }
    put_picture(row, false, bar.low, bar.high);
  }
  void operator()(const DrawnPicture& picture) {
    const glm::vec2 size(static_cast<float>(picture.image->width), static_cast<float>(picture.image->height));
    put_picture(*picture.image, picture.has_alpha, picture.low, picture.low + size);
  }
  void put_picture(const Image& image, bool has_alpha, const glm::vec2& low, const glm::vec2& high) {
    const auto entries = [&](int channels) {
      return fmt::format(
          "/Type /XObject /Subtype /Image /Width {} /Height {} /BitsPerComponent 8 /ColorSpace /{} /DecodeParms << "
          "/Predictor 15 /Colors {} /BitsPerComponent 8 /Columns {} >> ",
          image.width, image.height, channels == 1 ? "DeviceGray" : "DeviceRGB", channels, image.width);
    };
    std::string mask;
    if (has_alpha) mask = fmt::format("/SMask {} 0 R ", objects.add_stream(filtered_rows(image, 3, 1), entries(1)));
    pictures.push_back(objects.add_stream(filtered_rows(image, 0, 3), entries(3) + mask));
    out += fmt::format("q {} 0 0 {} cm /P{} Do Q\n", number(high.x - low.x, 6),
                       numbers({low.y - high.y, low.x, high.y}, 6), pictures.size() - 1);
  }
};

/// Returns a map from glyphs to characters, which PDF viewers need to search and copy text.
std::string to_unicode(const std::map<int, char32_t>& glyphs) {
  std::string out =
      "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) /Ordering "
      "(UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> "
      "<FFFF>\nendcodespacerange\n";
  constexpr std::size_t most = 100;  // largest number of entries of a section
  std::size_t left = glyphs.size();
  for (auto it = glyphs.begin(); it != glyphs.end();) {
    const std::size_t count = std::min(left, most);
    out += fmt::format("{} beginbfchar\n", count);
    for (std::size_t k = 0; k < count; ++k, ++it)
      out += fmt::format("<{:04X}> <{}>\n", it->first, utf16_hex(it->second));
    out += "endbfchar\n";
    left -= count;
  }
  return out + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";
}

/// Adds the font with the used glyphs and returns its object number.
Result<int> add_font(PdfObjects& objects, const TextFont& font, const std::map<int, char32_t>& glyphs) {
  if (font.is_built_in())
    return objects.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  std::set<int> used;
  std::string widths;
  for (const auto& [glyph, letter] : glyphs) {
    used.insert(glyph);
    widths += fmt::format("{} [{:.5g}] ", glyph, font.advance(glyph));
  }
  const auto subset = font_subset(font.bytes(), used);
  if (!subset) return Unexpected(subset.error());
  std::string name = "VOXWKE+";  // the name of a font subset begins with six capital letters and "+"
  for (const char c : font_family(font.bytes()))
    if (c > 32 && c < 127 && std::string_view("()<>[]{}/%#").find(c) == std::string_view::npos) name += c;
  const int file = objects.add_stream(*subset, fmt::format("/Length1 {} ", subset->size()));
  const TextFont::Extent extent = font.extent();
  const int descriptor = objects.add(fmt::format(
      "<< /Type /FontDescriptor /FontName /{} /Flags 4 /FontBBox [{} {} {} {}] /ItalicAngle 0 /Ascent {} /Descent {} "
      "/CapHeight {} /StemV 80 /FontFile2 {} 0 R >>",
      name, extent.box.x, extent.box.y, extent.box.z, extent.box.w, extent.ascent, extent.descent, extent.ascent,
      file));
  const int outlines = objects.add(
      fmt::format("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{} /CIDSystemInfo << /Registry (Adobe) /Ordering "
                  "(Identity) /Supplement 0 >> /FontDescriptor {} 0 R /CIDToGIDMap /Identity /DW 600 /W [{}] >>",
                  name, descriptor, widths));
  const int map = objects.add_stream(to_unicode(glyphs));
  return objects.add(
      fmt::format("<< /Type /Font /Subtype /Type0 /BaseFont /{} /Encoding /Identity-H /DescendantFonts "
                  "[{} 0 R] /ToUnicode {} 0 R >>",
                  name, outlines, map));
}

}  // namespace

Result<std::string> pdf_document(const Drawing& drawing, const TextFont& font, const DocumentOptions& options) {
  PdfObjects objects;
  const int catalog = objects.reserve(), pages = objects.reserve(), page = objects.reserve();
  const double width_pt = options.width_mm / 25.4 * 72, scale = width_pt / static_cast<double>(drawing.size.x),
               height_pt = scale * static_cast<double>(drawing.size.y);
  // Fixed notation, because PDF has no exponents: the scale of a wide figure is tiny, the height of a tall one large.
  const std::string units = fmt::format("{:.12f} 0 0 {:.12f} 0 {:.6f} cm\n", scale, -scale, height_pt);
  PdfWriter writer{objects, font, units, {}, {}, {}};
  for (const Drawing::Item& item : drawing.items) std::visit(writer, item);
  const auto type = add_font(objects, font, writer.glyphs);
  if (!type) return Unexpected(type.error());
  const int content = objects.add_stream(writer.out);
  std::string names, states;
  for (std::size_t i = 0; i < writer.pictures.size(); ++i) names += fmt::format("/P{} {} 0 R ", i, writer.pictures[i]);
  for (const int alpha : writer.alphas) states += fmt::format("/A{} << /ca {} >> ", alpha, alpha / 100.0);
  objects.set(catalog, fmt::format("<< /Type /Catalog /Pages {} 0 R >>", pages));
  objects.set(pages, fmt::format("<< /Type /Pages /Kids [{} 0 R] /Count 1 >>", page));
  objects.set(page,
              fmt::format("<< /Type /Page /Parent {} 0 R /MediaBox [0 0 {:.4f} {:.4f}] /Contents {} 0 R /Group << "
                          "/S /Transparency /CS /DeviceRGB >> /Resources << /Font << /F1 {} 0 R >> /XObject << {}>> "
                          "/ExtGState << {}>> >> >>",
                          pages, width_pt, height_pt, content, *type, names, states));
  std::string title = "FEFF";
  for (const char32_t letter : code_points(options.title)) title += utf16_hex(letter);
  const int info = objects.add(fmt::format("<< /Producer (Voxwake) /Title <{}> >>", title));
  return objects.file(catalog, info);
}

}  // namespace vw

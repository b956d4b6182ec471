// Writes drawings as SVG. Source of the format: W3C, "Scalable Vector Graphics (SVG) 1.1", second edition, 2011.
#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "app/capture/capture.h"
#include "app/capture/document.h"
#include "app/capture/font_subset.h"

namespace vw {
namespace {

void put_utf8(std::string& out, char32_t letter) {
  const auto put = [&](char32_t bits) { out += static_cast<char>(bits); };
  if (letter < 0x80) return put(letter);
  if (letter < 0x800) {
    put(0xC0U | letter >> 6U);
  } else {
    if (letter < 0x10000) {
      put(0xE0U | letter >> 12U);
    } else {
      put(0xF0U | letter >> 18U);
      put(0x80U | (letter >> 12U & 0x3FU));
    }
    put(0x80U | (letter >> 6U & 0x3FU));
  }
  put(0x80U | (letter & 0x3FU));
}

/// Escapes a text for an XML element or attribute. Characters that XML 1.0 does not allow become U+FFFD.
std::string escaped_xml(std::string_view text) {
  std::string out;
  for (const char32_t letter : code_points(text)) {
    const bool is_allowed = letter >= 0x20 ? letter != 0xFFFE && letter != 0xFFFF : letter == '\t' || letter == '\n';
    switch (letter) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: put_utf8(out, is_allowed ? letter : 0xFFFD);
    }
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(4 * (bytes.size() + 2) / 3);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) -> unsigned {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0;
    };
    const unsigned bits = at(0) << 16U | at(1) << 8U | at(2);
    for (unsigned k = 0; k < 4; ++k) out += i + k <= bytes.size() ? digits[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

std::string hex_color(const glm::vec3& srgb) {
  const glm::ivec3 c(glm::clamp(srgb, 0.0F, 1.0F) * 255.0F + 0.5F);
  return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
}

/// Writes the items of a drawing as SVG elements.
struct SvgWriter {
  const TextFont& font;
  std::string family;
  std::string out;
  int gradients = 0;
  Result<void> outcome;

  void operator()(const DrawnBox& box) {
    const glm::vec2 size = box.high - box.low;
    out += fmt::format(R"(<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" fill="{}")", box.low.x, box.low.y, size.x,
                       size.y, hex_color(box.color));
    if (box.alpha < 1) out += fmt::format(R"( fill-opacity="{:g}")", box.alpha);
    out += "/>\n";
  }
  void operator()(const DrawnLine& line) {
    out += fmt::format(
        R"(<line x1="{:g}" y1="{:g}" x2="{:g}" y2="{:g}" stroke="{}" stroke-width="{:g}" stroke-linecap="round"/>)"
        "\n",
        line.from.x, line.from.y, line.to.x, line.to.y, hex_color(line.color), line.width);
  }
  void operator()(const DrawnPolygon& polygon) {
    out += R"(<polygon points=")";
    for (const glm::vec2& p : polygon.corners) out += fmt::format("{:g},{:g} ", p.x, p.y);
    out += fmt::format("\" fill=\"{}\"/>\n", hex_color(polygon.color));
  }
  void operator()(const DrawnText& text) {
    const float em = text.size * (font.is_built_in() ? 0.86F : font.em_per_size());
    out += fmt::format(R"(<text x="{:g}" y="{:g}" font-size="{:g}" fill="{}" xml:space="preserve">{}</text>)"
                       "\n",
                       text.at.x, text.at.y, em, hex_color(text.color), escaped_xml(text.words));
  }
  void operator()(const DrawnBar& bar) {
    const std::size_t last = bar.colors.size() - 1;
    if (bar.levels > 1) {
      const float step = (bar.high.x - bar.low.x) / static_cast<float>(bar.levels);
      for (int i = 0; i < bar.levels; ++i) {
        const float left = bar.low.x + static_cast<float>(i) * step;
        const auto at =
            (2 * static_cast<std::size_t>(i) + 1) * bar.colors.size() / (2 * static_cast<std::size_t>(bar.levels));
        // Each colour continues to the end of the bar, so that no seam shows between neighbours.
        (*this)(DrawnBox{{left, bar.low.y}, bar.high, bar.colors[std::min(at, last)]});
      }
      return;
    }
    constexpr std::size_t stops = 32;
    out += fmt::format(R"(<linearGradient id="map{}">)", ++gradients);
    for (std::size_t k = 0; k <= stops; ++k)
      out += fmt::format(R"(<stop offset="{:g}" stop-color="{}"/>)", static_cast<double>(k) / stops,
                         hex_color(bar.colors[k * last / stops]));
    const glm::vec2 size = bar.high - bar.low;
    out += "</linearGradient>";
    out += fmt::format(R"~(<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" fill="url(#map{})"/>)~"
                       "\n",
                       bar.low.x, bar.low.y, size.x, size.y, gradients);
  }
  void operator()(const DrawnPicture& picture) {
    const auto png = png_bytes(*picture.image, picture.has_alpha ? AlphaChannel::kept : AlphaChannel::dropped);
    if (!png) {
      outcome = Unexpected(png.error());
      return;
    }
    out += fmt::format(R"(<image x="{:g}" y="{:g}" width="{}" height="{}" xlink:href="data:image/png;base64,{}"/>)"
                       "\n",
                       picture.low.x, picture.low.y, picture.image->width, picture.image->height, base64(*png));
  }
};

}  // namespace

Result<std::string> svg_document(const Drawing& drawing, const TextFont& font, const DocumentOptions& options) {
  SvgWriter writer{font, font.is_built_in() ? "" : font_family(font.bytes()), {}, 0, {}};
  std::string quoted;  // a quote or backslash would end the quoted family name in CSS
  for (const char c : writer.family)
    if (c != '\'' && c != '\\') quoted += c;
  const std::string families = (quoted.empty() ? "" : "'" + quoted + "', ") + "Helvetica, Arial, sans-serif";
  writer.out = fmt::format(
      R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{:.6g}mm" height="{:.6g}mm" viewBox="0 0 {:g} {:g}" font-family="{}">
)",
      options.width_mm, options.width_mm * static_cast<double>(drawing.size.y / drawing.size.x), drawing.size.x,
      drawing.size.y, escaped_xml(families));
  if (!options.title.empty()) writer.out += "<title>" + escaped_xml(options.title) + "</title>\n";
  for (const Drawing::Item& item : drawing.items) std::visit(writer, item);
  if (!writer.outcome) return Unexpected(writer.outcome.error());
  return writer.out + "</svg>\n";
}

}  // namespace vw

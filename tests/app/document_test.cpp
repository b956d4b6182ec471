// SVG and PDF documents: searchable text, well-formed files, and hostile texts and fonts.
#include <gtest/gtest.h>
#include <pugixml.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include "app/capture/document.h"
#include "app/capture/font_subset.h"
#include "render/labels/color_map.h"
#include "sim/scene/codec.h"

namespace vw {
namespace {

constexpr const char* ordinary = "von Mises stress [kPa] \xC2\xB5m";
const std::string hostile = "</text><script>&\"']]>\x01\x02\xFF\xC3(\xED\xA0\x80) ( \\ ) endstream";

Drawing sample_page(const std::string& text) {
  Drawing page;
  page.size = {400, 200};
  page.items.emplace_back(DrawnBox{{0, 0}, page.size, {1, 1, 1}});
  auto image = std::make_shared<Image>(Image{3, 2, std::vector<std::uint8_t>(24, 128)});
  page.items.emplace_back(DrawnPicture{{10, 10}, image, true});
  page.items.emplace_back(DrawnBar{{10, 150}, {110, 160}, magnitude_map(), 0});
  page.items.emplace_back(DrawnBar{{10, 170}, {110, 180}, magnitude_map(), 5});
  page.items.emplace_back(DrawnText{{20, 100}, 16, text, {0, 0, 0}});
  page.items.emplace_back(DrawnLine{{0, 0}, {100, 50}, 2, {1, 0, 0}});
  page.items.emplace_back(DrawnPolygon{{{0, 0}, {10, 0}, {0, 10}}, {0, 0, 1}});
  page.items.emplace_back(DrawnBox{{5, 5}, {50, 40}, {0, 0, 0}, 0.5F});
  return page;
}

/// Returns the text of all elements of an SVG document. `problem` receives the error of the XML parser, or becomes
/// empty.
std::string text_of_svg(const std::string& svg, std::string& problem) {
  pugi::xml_document document;
  const auto outcome = document.load_buffer(svg.data(), svg.size(), pugi::parse_default | pugi::parse_ws_pcdata);
  problem = outcome ? "" : outcome.description();
  std::string all;
  for (const auto& found : document.select_nodes("//text")) all += std::string(found.node().text().get()) + "\n";
  return all;
}

/// Returns the decompressed contents of all compressed streams of a PDF, in file order. Fails if an offset in the table
/// is wrong.
std::vector<std::string> streams_of_pdf(const std::string& pdf) {
  std::vector<std::string> streams;
  const std::size_t start = pdf.rfind("startxref\n");
  EXPECT_NE(start, std::string::npos);
  const std::size_t table = std::stoul(pdf.substr(start + 10));
  EXPECT_EQ(pdf.compare(table, 5, "xref\n"), 0);
  const std::size_t rows = pdf.find('\n', table + 5) + 1;
  const std::size_t count = std::stoul(pdf.substr(table + 7));
  for (std::size_t i = 1; i < count; ++i) {
    const std::size_t offset = std::stoul(pdf.substr(rows + 20 * i, 10));
    const std::string head = std::to_string(i) + " 0 obj\n";
    EXPECT_EQ(pdf.compare(offset, head.size(), head), 0) << i;
    const std::size_t body = offset + head.size();
    const std::size_t length_at = pdf.find("<< /Length ", body);
    if (length_at != body) continue;
    const std::size_t length = std::stoul(pdf.substr(body + 11)), data = pdf.find("stream\n", body) + 7;
    EXPECT_EQ(pdf.compare(data + length, 11, "\nendstream\n", 11), 0) << i;
    const auto plain = inflate_zlib(std::string_view(pdf).substr(data, length), 1U << 26U);
    EXPECT_TRUE(plain.has_value()) << i;
    streams.push_back(plain.value_or(""));
  }
  return streams;
}

/// Returns the text of a PDF as readers extract it: glyphs of the content stream, converted by the character map of the
/// font.
std::string text_of_pdf(const std::string& pdf) {
  std::map<std::string, std::string> letters;
  std::string content, out;
  for (const std::string& stream : streams_of_pdf(pdf)) {
    if (stream.find(" Tj") != std::string::npos) content = stream;
    std::size_t at = stream.find("beginbfchar\n");
    while (at != std::string::npos) {
      at += std::strlen("beginbfchar\n");
      while (stream[at] == '<') {
        const std::size_t middle = stream.find("> <", at), end = stream.find(">\n", middle);
        letters[stream.substr(at + 1, middle - at - 1)] = stream.substr(middle + 3, end - middle - 3);
        at = end + 2;
      }
      at = stream.find("beginbfchar\n", at);
    }
  }
  for (std::size_t at = content.find(" Tm <"); at != std::string::npos; at = content.find(" Tm <", at)) {
    at += 5;
    for (; content[at] != '>'; at += 4) {
      const std::string code = letters[content.substr(at, 4)];
      const unsigned long letter = code.empty() ? '?' : std::stoul(code, nullptr, 16);
      out += letter < 128 ? static_cast<char>(letter) : letter == 0xB5 ? 'u' : '?';
    }
    out += '\n';
  }
  return out;
}

TEST(Documents, TextOfAnSvgCanBeSearched) {
  const auto svg = svg_document(sample_page(ordinary), TextFont(), {.width_mm = 85, .title = "Stress"});
  ASSERT_TRUE(svg.has_value());
  std::string problem;
  EXPECT_EQ(text_of_svg(*svg, problem), std::string(ordinary) + "\n");
  EXPECT_EQ(problem, "");
  EXPECT_NE(svg->find("width=\"85mm\" height=\"42.5mm\" viewBox=\"0 0 400 200\""), std::string::npos);
  EXPECT_NE(svg->find("data:image/png;base64,iVBORw0KGgo"), std::string::npos) << "the picture must be embedded as PNG";
  EXPECT_NE(svg->find("<title>Stress</title>"), std::string::npos);
}

TEST(Documents, AnSvgEscapesHostileText) {
  const auto svg = svg_document(sample_page(hostile), TextFont(), {.title = hostile});
  ASSERT_TRUE(svg.has_value());
  std::string problem;
  const std::string text = text_of_svg(*svg, problem);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(text.substr(0, 18), "</text><script>&\"'");
  for (const char c : *svg) EXPECT_TRUE(static_cast<unsigned char>(c) >= 32 || c == '\n') << "invalid in XML";
  EXPECT_EQ(svg->find("<script"), std::string::npos);
}

TEST(Documents, TextOfAPdfCanBeExtracted) {
  const TextFont font;
  if (font.is_built_in()) GTEST_SKIP() << "no font is installed";
  const auto pdf = pdf_document(sample_page(ordinary), font, {.width_mm = 85, .title = "Stress"});
  ASSERT_TRUE(pdf.has_value());
  EXPECT_EQ(text_of_pdf(*pdf), "von Mises stress [kPa] um\n");
  EXPECT_NE(pdf->find("/MediaBox [0 0 240.9449 120.4724]"), std::string::npos) << "85 mm in points";
  EXPECT_LT(pdf->size(), 60'000U) << "only the used glyphs are embedded";
}

TEST(Documents, APdfIsWellFormedWithHostileText) {
  for (const bool has_font : {true, false}) {
    const auto pdf = pdf_document(sample_page(hostile), TextFont(has_font), {.title = hostile});
    ASSERT_TRUE(pdf.has_value());
    EXPECT_GE(streams_of_pdf(*pdf).size(), 4U);
  }
}

TEST(Documents, NumbersOfAPdfHaveNoExponent) {
  Drawing page = sample_page(ordinary);
  page.items.emplace_back(DrawnLine{{1e-7F, 3.0F}, {100.0F, 5e7F}, 2, {1e-6F, 0.5F, 1.0F}});
  const auto pdf = pdf_document(page, TextFont(false), {.title = "Numbers"});
  ASSERT_TRUE(pdf.has_value());
  bool has_line = false;
  for (const std::string& stream : streams_of_pdf(*pdf)) {
    if (stream.find(" RG ") == std::string::npos) continue;
    has_line |= stream.find("0.000001 0.5 1 RG 2 w 1 J 0.000000 3 m 100 50000000.000000 l S") != std::string::npos;
  }
  EXPECT_TRUE(has_line);
  page.size = {300'000, 16};
  const auto wide = pdf_document(page, TextFont(false), {.width_mm = 10});
  ASSERT_TRUE(wide.has_value());
  EXPECT_TRUE(std::ranges::any_of(streams_of_pdf(*wide), [](const std::string& stream) {
    return stream.starts_with("0.000094488189 0 0 -0.000094488189 0 0.001512 cm\n");
  }));
  page.size = {16, 16'384};
  const auto tall = pdf_document(page, TextFont(false), {.width_mm = 5000});
  ASSERT_TRUE(tall.has_value());
  EXPECT_NE(tall->find("/MediaBox [0 0 14173.2283 14513385.8268]"), std::string::npos);
}

TEST(Documents, FontsAreFoundByTheirNames) {
  const auto missing = TextFont::find("No Such Font");
  ASSERT_FALSE(missing.has_value());
  EXPECT_TRUE(
      missing.error().message().starts_with("font \"No Such Font\": expected a family with a TrueType file in "))
      << missing.error().message();
  for (const char* odd : {"", "../..", "/etc/passwd", "/dev/null.ttf", "x.ttf", "\xFF\xFE"})
    EXPECT_FALSE(TextFont::find(odd).has_value()) << odd;
  const TextFont usual;
  if (usual.is_built_in()) GTEST_SKIP() << "no font is installed";
  const std::string family = font_family(usual.bytes());
  EXPECT_TRUE(TextFont::find(family).has_value()) << family;
}

TEST(Documents, DamagedFontsAreRefusedOrReadWithinTheirBounds) {
  const TextFont usual;
  if (usual.is_built_in()) GTEST_SKIP() << "no font is installed";
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string bytes = usual.bytes();
    if (round % 2 == 0) bytes.resize(random() % bytes.size());
    for (int k = 0; k < 20 && !bytes.empty(); ++k)
      bytes[random() % std::min<std::size_t>(bytes.size(), 4000)] = static_cast<char>(random());
    (void)font_subset(bytes, {3, 40, 200, -1, 1 << 20});
    (void)font_family(bytes);
  }
  EXPECT_FALSE(font_subset("", {1}).has_value());
}

TEST(Documents, ASubsetOfAFontWithoutHintsHasAValidHeader) {
  const TextFont usual;
  if (usual.is_built_in()) GTEST_SKIP() << "no font is installed";
  std::string bytes = usual.bytes();
  for (const char* tag : {"cvt ", "fpgm", "prep"})
    if (const std::size_t at = bytes.find(tag); at < 1000) bytes[at] = 'X';  // in the table of contents
  const auto subset = font_subset(bytes, {3});
  ASSERT_TRUE(subset.has_value());
  // 6 tables, 16 * 4, log2(4), 16 * (6 - 4)
  EXPECT_EQ(subset->substr(4, 8), std::string("\0\6\0\x40\0\2\0\x20", 8));
}

TEST(Documents, CodePointsReplaceWhatIsNotUtf8) {
  EXPECT_EQ(code_points("a\xC2\xB5\xE2\x82\xAC\xF0\x9F\x98\x80"), (std::vector<char32_t>{'a', 0xB5, 0x20AC, 0x1F600}));
  EXPECT_EQ(code_points("\xC0\x80"), (std::vector<char32_t>{0xFFFD, 0xFFFD})) << "an overlong encoding is invalid";
  EXPECT_EQ(code_points("\xE2\x82"), (std::vector<char32_t>{0xFFFD, 0xFFFD})) << "a truncated encoding is invalid";
  EXPECT_EQ(code_points("\xED\xA0\x80").size(), 3U) << "an encoded surrogate is invalid";
}

}  // namespace
}  // namespace vw

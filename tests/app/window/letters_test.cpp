// Letters beyond Latin 1 in names of files and in texts: fonts that have them, and their addition to the fonts of the
// interface. Files that are dropped on the window are tested too.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "render/labels/letter_fonts.h"
#include "render/labels/text_font.h"
#include "sim/base/files/file.h"
#include "sim/base/system/fonts.h"
#include "sim/scene/scene.h"
#include "tests/app/window/frames.h"
#include "tests/support/checked.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"
#include "tests/support/waiting.h"

namespace vw::ui {
namespace {

using testing::HasSubstr;

constexpr char32_t zhe = 0x0416, world_sign = 0x4E16;
const std::string beetle = "\xD0\x96\xD1\x83\xD0\xBA";  // Cyrillic

/// Returns a font of the system that has Cyrillic letters; empty if there is none.
std::string cyrillic_font() {
  for (const std::string& path : sans_serif_fonts(FontWeight::regular))
    if (std::filesystem::exists(path)) return path;
  return {};
}

std::string bytes_of_font() { return test::checked(read_file(cyrillic_font(), 1U << 26U)); }

/// Returns the bytes of a font collection whose only member is `font`. The tables begin later in the file.
std::string collection_of(const std::string& font) {
  constexpr std::size_t header = 16;
  const auto number = [](std::size_t value) {
    std::string text;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) text += static_cast<char>(value >> shift & 0xFFU);
    return text;
  };
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(font[at])); };
  std::string moved = font;
  for (std::size_t t = 0; t < (byte(4) << 8U | byte(5)); ++t) {
    const std::size_t at = 12 + 16 * t + 8;
    const std::size_t offset = byte(at) << 24U | byte(at + 1) << 16U | byte(at + 2) << 8U | byte(at + 3);
    moved.replace(at, 4, number(offset + header));
  }
  return "ttcf" + number(0x10000) + number(1) + number(header) + moved;
}

class WindowLetters : public WindowFrames {
 protected:
  void SetUp() override {
    if (cyrillic_font().empty()) GTEST_SKIP() << "no font is installed";
    WindowFrames::SetUp();
    is_set_up_ = true;
  }
  void TearDown() override {
    if (is_set_up_) WindowFrames::TearDown();
  }
  static bool in_time_has_grown(FurtherLetters& letters) {
    bool has_grown = false;
    return test::in_time([&] { return has_grown = has_grown || letters.update(); });
  }

 private:
  bool is_set_up_ = false;
};

TEST_F(WindowLetters, AFontSaysWhichLettersItHas) {
  const std::string font = bytes_of_font();
  const std::vector<char32_t> asked{zhe, world_sign, U'A'};
  const std::vector<char32_t> found{zhe, U'A'};
  EXPECT_EQ(letters_in_font(font, asked).letters, found);
  EXPECT_EQ(letters_in_font(collection_of(font), asked).letters, found);
  EXPECT_NEAR(letters_in_font(font, asked).height_per_em, 1.17, 0.15) << "Roboto 1.17, DejaVu 1.16, Liberation 1.15";
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{12}, std::size_t{100}, font.size() / 2})
    EXPECT_TRUE(letters_in_font(std::string_view(font).substr(0, size), asked).letters.empty()) << size;
  EXPECT_TRUE(letters_in_font(collection_of(font).substr(0, 16), asked).letters.empty());
  EXPECT_TRUE(letters_in_font(std::string(1000, 'x'), asked).letters.empty());
}

TEST_F(WindowLetters, PreferredFontsAreTriedBeforeTheFolders) {
  const test::Scratch scratch;
  const std::string b = scratch.write("fonts/b.ttf", bytes_of_font()),
                    a = scratch.write("fonts/below/a.TTC", bytes_of_font());
  scratch.write("fonts/broken.ttf", "no font");
  scratch.write("fonts/text.txt", bytes_of_font());
  const std::vector<std::string> preferred{scratch.path("missing.ttf"), b}, folders{scratch.path("fonts")};
  auto fonts = find_letter_fonts({zhe, world_sign}, preferred, folders);
  ASSERT_EQ(fonts.size(), 1U);
  EXPECT_EQ(fonts[0].path, b);
  EXPECT_EQ(fonts[0].letters, std::vector<char32_t>{zhe});
  std::filesystem::remove(b);
  fonts = find_letter_fonts({zhe}, preferred, folders);
  ASSERT_EQ(fonts.size(), 1U);
  EXPECT_TRUE(std::filesystem::equivalent(fonts[0].path, a));
  EXPECT_TRUE(find_letter_fonts({zhe}, {}, {}).empty());
}

TEST_F(WindowLetters, LettersOfATextAreAddedToTheFonts) {
  FurtherLetters letters;
  letters.need(
      "jelly-drop Gr\xC3\xBC\xC3\x9F"
      "e \xE2\x80\xA6");
  EXPECT_FALSE(letters.update());
  EXPECT_FALSE(letters.is_searching()) << "the fonts have these letters";
  letters.need(std::string(21, '0'));
  EXPECT_FALSE(letters.is_searching());
  letters.need(std::string(21, '0') + beetle);
  EXPECT_TRUE(letters.is_searching());
  EXPECT_TRUE(letters.added().empty());
  EXPECT_TRUE(in_time_has_grown(letters));
  letters.need(beetle + beetle);
  EXPECT_FALSE(letters.is_searching()) << "each letter is searched for once";
  letters.need(char32_t{0x0414});
  EXPECT_TRUE(in_time_has_grown(letters));
  ASSERT_EQ(letters.added().size(), 1U) << "one font has all of them and is kept once";

  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  EXPECT_EQ(atlas.Fonts[0]->FindGlyphNoFallback(zhe), nullptr);
  atlas.Clear();
  const Fonts fonts = apply_theme(1, 1, letters.added());
  ASSERT_TRUE(atlas.Build());
  for (const ImFont* font : {fonts.body, fonts.strong}) {
    for (const ImWchar letter : {u'\x0416', u'\x0443', u'\x043A', u'\x0414'})
      EXPECT_NE(font->FindGlyphNoFallback(letter), nullptr) << letter;
    EXPECT_EQ(font->FindGlyphNoFallback(world_sign), nullptr) << "only letters that are needed are added";
    // The added letters stand on the same line and are as large as those beside them.
    EXPECT_NEAR(font->FindGlyphNoFallback(zhe)->Y1, font->FindGlyphNoFallback('K')->Y1, 1);
    EXPECT_NEAR(font->FindGlyphNoFallback(zhe)->Y0, font->FindGlyphNoFallback('K')->Y0, 1);
  }
}

TEST_F(WindowLetters, ALetterThatNoFontHasIsSearchedForOnce) {
  FurtherLetters letters;
  letters.need("\xEF\xA3\xBF");  // U+F8FF, for private use
  ASSERT_TRUE(letters.is_searching());
  EXPECT_TRUE(test::in_time([&] {
    (void)letters.update();
    return !letters.is_searching();
  }));
  letters.need("\xEF\xA3\xBF \xF0\x9F\x90\x9F \xFF");  // adds a letter beyond U+FFFF and a byte that is no letter
  EXPECT_FALSE(letters.is_searching());
}

TEST_F(WindowLetters, ADroppedSceneOpensAndItsNameIsReadable) {
  const test::Scratch scratch;
  const std::string scene = test::checked(read_file(test::packaged_path("heavy-block"), 1U << 20U));
  App app({});
  app.session.playing = false;
  open_dropped(app, {scratch.write(beetle + ".toml", scene)});
  frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
  EXPECT_EQ(app.session.scene_name(), beetle);
  frames_until(app, [&] { return app.ui.scale_changed; });
  EXPECT_FALSE(app.ui.letters.added().empty());
}

TEST_F(WindowLetters, ADroppedFileIsTreatedByItsKind) {
  const test::Scratch scratch;
  App app({});
  open_dropped(app, {scratch.write("notes.txt", "text")});
  EXPECT_THAT(app.log.messages().back().text, HasSubstr("notes.txt: cannot be opened: its name must end in one of"));
  open_dropped(app, {scratch.write("body.stl", "solid")});
  EXPECT_THAT(app.log.messages().back().text, HasSubstr("body.stl: a mesh can be added only to an open scene"));
  app.session.playing = false;
  open_dropped(app, {test::packaged_path("heavy-block")});
  frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
  const std::string mesh = scratch.path("body.stl");
  open_dropped(app, {mesh});
  EXPECT_EQ(app.ui.import.mesh, mesh);
}

}  // namespace
}  // namespace vw::ui
#endif

// Layout of figures, motions of the camera in videos, and GIF files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/capture/frame_encoder.h"
#include "app/cli/figure/camera_path.h"
#include "app/cli/figure/figure_layout.h"
#include "app/cli/figure/plot_drawing.h"
#include "render/labels/color_map.h"
#include "sim/base/files/file.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using namespace cli;

FigurePanel gray_panel(int width, int height, float legend_end) {
  FigurePanel panel{.image = std::make_shared<const Image>(Image{
                        width, height, std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width * height), 128)})};
  panel.caption = "1 s";
  panel.legends = {{"flag: speed", "m/s", 0, legend_end, magnitude_map(), {}}};
  return panel;
}

std::size_t count_text(const Drawing& page, const std::string& words) {
  std::size_t count = 0;
  for (const auto& item : page.items)
    if (const auto* text = std::get_if<DrawnText>(&item)) count += text->words.find(words) != std::string::npos ? 1 : 0;
  return count;
}

TEST(FigureLayout, PanelsWithEqualRangesHaveOneLegend) {
  const TextFont font;
  const FigureStyle style{.font = font, .columns = 3};
  const Drawing equal = lay_out({gray_panel(320, 180, 2), gray_panel(320, 180, 2), gray_panel(320, 180, 2)}, {}, style);
  EXPECT_EQ(count_text(equal, "flag: speed"), 1U);
  EXPECT_EQ(count_text(equal, "1 s"), 3U);
  const Drawing different =
      lay_out({gray_panel(320, 180, 2), gray_panel(320, 180, 3), gray_panel(320, 180, 2)}, {}, style);
  EXPECT_EQ(count_text(different, "flag: speed"), 3U);
}

TEST(FigureLayout, PanelsWithOtherColoursHaveLegendsOfTheirOwn) {
  const TextFont font;
  const auto panel = [](const glm::vec3& color) {
    FigurePanel out = gray_panel(320, 180, 2);
    out.legends = {Legend{"Actuators", "", 0, 1, {}, {{"left", color}}, true}};
    return out;
  };
  const glm::vec3 orange(1, 0.5F, 0.1F), blue(0.1F, 0.5F, 1);
  const FigureStyle style{.font = font, .columns = 2};
  EXPECT_EQ(count_text(lay_out({panel(orange), panel(orange)}, {}, style), "Actuators"), 1U);
  EXPECT_EQ(count_text(lay_out({panel(orange), panel(blue)}, {}, style), "Actuators"), 2U);
}

TEST(FigureLayout, AllTextLiesOnThePage) {
  const TextFont font;
  FigureOptions options;
  options.title = "A title that is longer than the figure is wide, so that it needs several lines to be shown";
  options.caption = options.title + " " + options.title;
  options.scale_bar = options.axes = true;
  const Drawing page = lay_out({gray_panel(160, 90, 2), gray_panel(160, 90, 2)}, options, {.font = font, .columns = 2});
  for (const auto& item : page.items)
    if (const auto* text = std::get_if<DrawnText>(&item)) {
      EXPECT_GE(text->at.x, 0) << text->words;
      EXPECT_LE(text->at.x + font.width(text->words, text->size), page.size.x + 1) << text->words;
      EXPECT_LE(text->at.y, page.size.y) << text->words;
    }
}

TEST(PlotDrawing, ALogarithmicAxisWithoutPositiveRangeHasNoTicks) {
  EXPECT_TRUE(ticks_of({0, 1}, true, 4).empty());
  EXPECT_TRUE(ticks_of({-1, 1}, true, 4).empty());
  EXPECT_EQ(ticks_of({0.5, 20}, true, 4), (std::vector<double>{1, 10}));
  EXPECT_EQ(ticks_of({2, 8}, true, 4), (std::vector<double>{2, 5})) << "less than a decade";
}

TEST(PlotDrawing, ADashedCurveMayLeaveTheAxesByFar) {
  const TextFont font;
  PlotFigure plot;
  plot.curves.push_back({.label = "theory", .is_dashed = true, .points = {{0, 0}, {0.5, 1e12}, {0.6, 1e30}, {1, 0.5}}});
  const Drawing drawn = draw_plot(plot, font, 12, {320, 240}, true);
  EXPECT_LT(drawn.items.size(), 500U);
  for (const auto& item : drawn.items)
    if (const auto* line = std::get_if<DrawnLine>(&item)) {
      EXPECT_GE(std::min(line->from.y, line->to.y), 0);
      EXPECT_LE(std::max(line->from.y, line->to.y), 240);
    }
}

TEST(FigureLayout, GridsAreWiderThanHigh) {
  EXPECT_EQ(figure_columns(1, 0, 1.78F), 1U);
  EXPECT_EQ(figure_columns(3, 0, 1.78F), 3U);
  EXPECT_EQ(figure_columns(12, 0, 1.78F), 4U);
  EXPECT_EQ(figure_columns(12, 3, 1.78F), 3U);
  EXPECT_EQ(figure_columns(2, 9, 1.78F), 2U);
}

TEST(FigureLayout, CaptionsNameTheTime) {
  EXPECT_EQ(with_time("t = {time} s, {time}", 1.5), "t = 1.50 s, 1.50");
  EXPECT_EQ(with_time("{time", 1), "{time");
}

constexpr const char* two_keys = R"([[key]]
time = 0
eye = [1, 0, 0]
target = [0, 0, 0]
fov_deg = 40

[[key]]
time = 2
eye = [0, 0, 100]
target = [0, 0, 0]
fov_deg = 20
)";

TEST(CameraPaths, TheCameraPassesItsKeysAndZoomsEvenly) {
  const auto path = CameraPath::parse(two_keys, "path.toml");
  ASSERT_TRUE(path.has_value()) << path.error().message();
  EXPECT_EQ(path->end_s(), 2);
  const Camera first = path->at(0, {}), middle = path->at(1, {}), last = path->at(2, {}), after = path->at(5, {});
  EXPECT_NEAR(glm::length(first.eye - glm::vec3(1, 0, 0)), 0, 1e-5);
  EXPECT_NEAR(glm::length(last.eye - glm::vec3(0, 0, 100)), 0, 1e-3);
  EXPECT_NEAR(glm::length(after.eye - last.eye), 0, 1e-6);
  EXPECT_NEAR(glm::length(middle.eye), 10, 1e-3) << "the distance must be the geometric mean";
  EXPECT_NEAR(middle.fov_deg, 30, 1e-4);
}

TEST(CameraPaths, WrongFilesAreRefusedInOneSentence) {
  const auto message = [](const std::string& text) {
    const auto path = CameraPath::parse(text, "path.toml");
    return path ? std::string("read") : path.error().message();
  };
  EXPECT_EQ(message(""), "path.toml: has no [[key]], so the camera has no path");
  EXPECT_EQ(message("[[key]]\neye = [0, 0, 0]\ntarget = [0, 0, 0]\n"),
            "path.toml:1: key.eye: must differ from key.target");
  EXPECT_EQ(message("[[key]]\neye = [1e6, 0, 0.001]\ntarget = [999999.999, 0, 0.001]\n"),
            "path.toml:1: key.eye: must differ from key.target");
  EXPECT_EQ(message("[[key]]\ntime = 1\n[[key]]\ntime = 1\n"),
            "path.toml:3: key.time = 1 s: must be after the time of the preceding key, 1 s");
  for (const char* odd : {"[[key]]\ntime = -1\n", "[[key]]\ntime = nan\n", "[[key]]\nspeed = 1\n", "key = 3\n", "[[key",
                          "[[key]]\neye = [1, 2]\n", "[[key]]\nfov_deg = 500\n"}) {
    EXPECT_TRUE(message(odd).starts_with("path.toml")) << odd << ": " << message(odd);
  }
}

TEST(CameraPaths, ATurntableReturnsAfterAFullTurn) {
  CameraMotion motion;
  motion.turn_s = 4;
  const Camera base;
  EXPECT_NEAR(glm::length(motion.at(4, base).eye - base.eye), 0, 1e-4);
  EXPECT_NEAR(glm::length(motion.at(2, base).eye - base.target), glm::length(base.eye - base.target), 1e-4);
  const glm::vec3 half = motion.at(2, base).eye - base.target, start = base.eye - base.target;
  EXPECT_NEAR(half.x, -start.x, 1e-4);
  EXPECT_NEAR(half.y, start.y, 1e-4);
}

/// A frame of a GIF file, decoded as players do it.
struct GifFrame {
  int delay = 0;  ///< [0.01 s]
};

/// Decodes all frames of a GIF file. Afterwards, `canvas` shows the last frame.
std::vector<GifFrame> decode_gif(const std::string& bytes, Image& canvas) {
  std::vector<GifFrame> frames;
  const auto byte = [&](std::size_t at) { return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U; };
  const auto u16 = [&](std::size_t at) { return static_cast<int>(byte(at) | byte(at + 1) << 8U); };
  EXPECT_EQ(bytes.substr(0, 6), "GIF89a");
  canvas = {u16(6), u16(8), std::vector<std::uint8_t>(4 * static_cast<std::size_t>(u16(6) * u16(8)), 255)};
  std::size_t at = 13;
  int delay = 0;
  while (byte(at) != ';' && at < bytes.size()) {
    if (byte(at) == 0x21) {
      if (byte(at + 1) == 0xF9) delay = u16(at + 4);
      for (at += 2; byte(at) != 0; at += byte(at) + 1U) {
      }
      ++at;
      continue;
    }
    EXPECT_EQ(byte(at), ',');
    const int x0 = u16(at + 1), y0 = u16(at + 3), width = u16(at + 5), height = u16(at + 7);
    const std::size_t palette = at + 10;
    std::string packed;
    for (at = palette + 769; byte(at) != 0; at += byte(at) + 1U) packed += bytes.substr(at + 1, byte(at));
    ++at;
    std::vector<std::string> table;
    std::string pixels, before;
    unsigned bits = 9;
    std::size_t bit = 0;
    const auto reset = [&] {
      table.assign(258, "");
      for (unsigned i = 0; i < 256; ++i) table[i] = std::string(1, static_cast<char>(i));
      bits = 9;
      before.clear();
    };
    reset();
    for (;;) {
      unsigned code = 0;
      for (unsigned k = 0; k < bits; ++k, ++bit)
        if (bit / 8 < packed.size() && (static_cast<unsigned char>(packed[bit / 8]) >> (bit % 8) & 1U) != 0)
          code |= 1U << k;
      if (code == 257 || bit > 8 * packed.size() + 16) break;
      if (code == 256) {
        reset();
        continue;
      }
      EXPECT_LE(code, table.size());
      const std::string entry = code < table.size() ? table[code] : before + before[0];
      pixels += entry;
      if (!before.empty() && table.size() < 4096) table.push_back(before + entry[0]);
      if (table.size() == 1U << bits && bits < 12) ++bits;
      before = entry;
    }
    EXPECT_EQ(pixels.size(), static_cast<std::size_t>(width * height));
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const auto index = static_cast<unsigned char>(pixels.at(static_cast<std::size_t>(y * width + x)));
        for (std::size_t c = 0; c < 3; ++c)
          canvas.rgba[4 * static_cast<std::size_t>((y0 + y) * canvas.width + x0 + x) + c] =
              static_cast<std::uint8_t>(byte(palette + 3U * index + c));
      }
    frames.push_back({delay});
  }
  return frames;
}

Image gradient_frame(int shift) {
  Image image{200, 120, {}};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      for (const int v : {x, (y * 2 + shift) % 256, (x * y + 7 * shift) % 256, 255})
        image.rgba.push_back(static_cast<std::uint8_t>(v));
  return image;
}

TEST(GifFiles, FramesDecodeToNearlyTheSameColours) {
  const test::Scratch scratch;
  const std::string file = scratch.path("film.gif");
  auto encoder = open_gif(file, {200, 120, 30});
  ASSERT_TRUE(encoder.has_value());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE((*encoder)->write(gradient_frame(i)).has_value());
  ASSERT_TRUE((*encoder)->repeat().has_value());
  Image dotted = gradient_frame(4);
  dotted.rgba[4 * 1234] = 255;
  ASSERT_TRUE((*encoder)->write(dotted).has_value()) << "a frame in which a single pixel has changed";
  EXPECT_FALSE((*encoder)->write(Image{10, 10, std::vector<std::uint8_t>(400)}).has_value());
  ASSERT_TRUE((*encoder)->finish().has_value());
  Image canvas;
  const auto frames = decode_gif(*read_file(file, 1U << 26U), canvas);
  ASSERT_EQ(frames.size(), 6U) << "a repeated frame only lasts longer";
  int total = 0;
  for (const GifFrame& frame : frames) total += frame.delay;
  EXPECT_EQ(total, 23) << "7 frames at 30 per second";
  double off = 0;
  for (std::size_t i = 0; i < canvas.rgba.size(); ++i) off += std::abs(canvas.rgba[i] - dotted.rgba[i]);
  // The tolerance allows for the palette: the picture has 24,000 different colours, and a GIF frame has only 256.
  EXPECT_LT(off / static_cast<double>(canvas.rgba.size()), 12);
}

}  // namespace
}  // namespace vw

// Figures, documents, presets and camera motions of `voxwake render`.
#include <pugixml.hpp>

#include "app/capture/capture.h"
#include "tests/app/capture_video.h"
#include "tests/app/cli/program.h"

namespace vw {
namespace {

class CliFigureTest : public CliTest {
 protected:
  /// Runs render on the small scene with small software pictures.
  [[nodiscard]] ProgramResult render(std::vector<std::string> more) const {
    std::vector<std::string> all{"render", "small.toml", "--software", "--size", "160x90"};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  }
  [[nodiscard]] std::string refusal(const std::vector<std::string>& more) const {
    const auto result = render(more);
    EXPECT_EQ(result.code, 2) << result.out;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    return result.err;
  }
};

TEST_F(CliFigureTest, AStripShowsItsMomentsSideBySideWithOneLegend) {
  const auto result = render({"--strip", "0,0.1,0.2", "--frame", "strip.svg", "--color-by", "speed"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.starts_with("strip.svg: 3 panels, ")) << result.out;
  pugi::xml_document svg;
  ASSERT_TRUE(svg.load_string(slurp(path("strip.svg")).c_str()));
  EXPECT_EQ(svg.select_nodes("//image").size(), 3U);
  std::string text;
  for (const auto& found : svg.select_nodes("//text")) text += std::string(found.node().text().get()) + "|";
  EXPECT_NE(text.find("|0.1 s|"), std::string::npos) << text;
  EXPECT_EQ(text.find("speed"), text.rfind("speed")) << "there must be one legend: " << text;
}

TEST_F(CliFigureTest, AStripKeepsTheRangesOfElementsAndOfTheWindApart) {
  write("wind.toml",
        slurp(path("small.toml")) + "\n[[field]]\nkind = \"uniform\"\nname = \"wind\"\nvelocity = [30, 0, 0]\n");
  const auto result = run({"render", "wind.toml", "--software", "--size", "160x90", "--strip", "0,0.1", "--frame",
                           "wind.svg", "--color-by", "speed", "--set", "view.air_plane_z=true"});
  ASSERT_EQ(result.code, 0) << result.err;
  pugi::xml_document svg;
  ASSERT_TRUE(svg.load_string(slurp(path("wind.svg")).c_str()));
  std::string text = "|";
  for (const auto& found : svg.select_nodes("//text")) text += std::string(found.node().text().get()) + "|";
  // The legend of the wind is from 0 to 30 m/s, with 15 in the middle. The elements are much slower.
  const std::size_t middle = text.find("|15|");
  ASSERT_NE(middle, std::string::npos) << text;
  EXPECT_EQ(text.find("|15|", middle + 1), std::string::npos) << text;
}

TEST_F(CliFigureTest, AStripFramesAllItsMoments) {
  // The subject of jelly-drop falls. A camera that framed only the first moment would be higher than one that frames
  // both moments.
  const auto strip = [&](const std::string& moments, const std::string& file) {
    const auto result = run({"render", "jelly-drop", "--software", "--size", "160x90", "--set", "view.legend=false",
                             "--strip", moments, "--frame", file});
    EXPECT_EQ(result.code, 0) << result.err;
    return slurp(path(file));
  };
  // Panels that show the same moment with the same camera hold the same picture.
  const auto first_picture = [](const std::string& svg) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(svg.c_str()));
    return std::string(document.select_node("//image").node().attribute("xlink:href").value());
  };
  const std::string falling = first_picture(strip("0,0.5", "falling.svg")),
                    still = first_picture(strip("0", "still.svg"));
  ASSERT_FALSE(falling.empty());
  EXPECT_NE(falling, still) << "the last moment must count for the camera of the first panel";
}

TEST_F(CliFigureTest, ALegendOnAPictureHasTheThemeOfTheView) {
  const auto themed = [&](const std::string& theme) {
    const std::string file = theme + ".svg";
    const auto result = render({"--until", "0", "--color-by", "speed", "--set", "view.environment=sky", "--set",
                                "view.legend_theme=" + theme, "--frame", file});
    EXPECT_EQ(result.code, 0) << result.err;
    return slurp(path(file));
  };
  const std::string automatic = themed("automatic");
  EXPECT_EQ(automatic, themed("dark")) << "the sky is behind the legend";
  EXPECT_NE(automatic, themed("light"));
}

TEST_F(CliFigureTest, AFigureWithTrailsFramesItsMoment) {
  // The subject of jelly-drop falls, so the camera of its end differs from the camera of its start.
  const auto picture = [&](const std::string& follows, const std::string& file) {
    const auto result =
        run({"render", "jelly-drop", "--software", "--size", "160x90", "--set", "view.legend=false", "--set",
             "view.trails=true", "--set", "view.auto_follow=" + follows, "--until", "0.5", "--frame", file});
    EXPECT_EQ(result.code, 0) << result.err;
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(slurp(path(file)).c_str()));
    return std::string(document.select_node("//image").node().attribute("xlink:href").value());
  };
  const std::string framed = picture("true", "framed.svg");
  ASSERT_FALSE(framed.empty());
  EXPECT_NE(framed, picture("false", "fixed.svg"));
}

TEST_F(CliFigureTest, MomentsAndViewsFormAGrid) {
  const auto result = render({"--strip", "0,0.1", "--views", "front,top,camera", "--frame", "grid.png", "--axes",
                              "--scale-bar", "--title", "Grid", "--caption", "at {time} s"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto picture = read_png(path("grid.png"), 1U << 22U);
  ASSERT_TRUE(picture.has_value());
  EXPECT_GE(picture->width, 3 * 160);
  EXPECT_GE(picture->height, 2 * 90);
}

TEST_F(CliFigureTest, AContactSheetCoversTheRun) {
  const auto result = render({"--contact-sheet", "6", "--until", "0.3", "--frame", "sheet.svg"});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string svg = slurp(path("sheet.svg"));
  EXPECT_NE(svg.find(">0 s<"), std::string::npos);
  EXPECT_NE(svg.find(">0.3 s<"), std::string::npos);
}

TEST_F(CliFigureTest, APdfIsWrittenByItsEnding) {
  const auto result = render({"--until", "0", "--frame", "one.PDF", "--font-size", "8", "--width", "85"});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string pdf = slurp(path("one.PDF"));
  EXPECT_TRUE(pdf.starts_with("%PDF-1.5\n"));
  EXPECT_NE(pdf.find("/MediaBox [0 0 240.9449 "), std::string::npos);
}

TEST_F(CliFigureTest, ATransparentPictureHasAnAlphaChannel) {
  for (const bool software : {true, false}) {
    std::vector<std::string> words{"render",    "small.toml", "--until", "0.1",           "--frame",
                                   "clear.png", "--size",     "160x90",  "--transparent", "--no-moment"};
    if (software) words.emplace_back("--software");
    ASSERT_EQ(run(words).code, 0);
    const auto picture = read_png(path("clear.png"), 1U << 20U);
    ASSERT_TRUE(picture.has_value());
    std::size_t clear = 0, solid = 0;
    for (std::size_t i = 3; i < picture->rgba.size(); i += 4) {
      clear += picture->rgba[i] == 0 ? 1 : 0;
      solid += picture->rgba[i] == 255 ? 1 : 0;
    }
    EXPECT_GT(clear, 160U * 90 / 5) << software;
    EXPECT_GT(solid, 100U) << software;
  }
}

TEST_F(CliFigureTest, ThePresetForPapersIsWhiteAndCanBeChanged) {
  ASSERT_EQ(render({"--until", "0", "--frame", "paper.png", "--preset", "paper", "--no-moment"}).code, 0);
  ASSERT_EQ(render({"--until", "0", "--frame", "dark.png", "--preset", "paper", "--no-moment", "--set",
                    "view.environment=dark"})
                .code,
            0);
  const auto paper = read_png(path("paper.png"), 1U << 20U), dark = read_png(path("dark.png"), 1U << 20U);
  ASSERT_TRUE(paper && dark);
  EXPECT_EQ(paper->rgba[0], 255);
  EXPECT_LT(dark->rgba[0], 40);
}

TEST_F(CliFigureTest, HostileOptionsAreRefusedInOneSentence) {
  EXPECT_NE(refusal({"--frame", "a.png", "--strip", "0,,1"}).find("--strip = 0,,1: must be at most 64 numbers"),
            std::string::npos);
  EXPECT_NE(refusal({"--frame", "a.png", "--strip", "0,nan"}).find("--strip = 0,nan: must be"), std::string::npos);
  EXPECT_NE(
      refusal({"--frame", "a.png", "--strip", "1,0.5"}).find("--strip = 0.5 s after 1 s: must be in ascending order"),
      std::string::npos);
  EXPECT_NE(refusal({"--frame", "a.png", "--strip", "0", "--until", "1"}).find("cannot be used with --until"),
            std::string::npos);
  EXPECT_NE(refusal({"--frame", "a.png", "--views", "front,inside"}).find("names from camera, "), std::string::npos);
  EXPECT_NE(refusal({"--frame", "a.png", "--views", "camera_2"}).find("the scene stores no camera of this number"),
            std::string::npos);
  EXPECT_NE(refusal({"--frame", "a.png", "--preset", "brochure"}).find("must be one of paper, talk, poster"),
            std::string::npos);
  EXPECT_NE(refusal({"--frame", "a.svg", "--font", "No Such Font"}).find("font \"No Such Font\": expected"),
            std::string::npos);
  EXPECT_NE(refusal({"--frame", "a.svg", "--font-size", "1e9"}).find("--font-size = 1e9: must be"), std::string::npos);
  EXPECT_NE(refusal({"--video", "a.mp4", "--strip", "0"}).find("require --frame FILE, without --video"),
            std::string::npos);
  EXPECT_NE(refusal({"--video", "a.mp4", "--scale-bar"}).find("--scale-bar and --axes require --frame FILE"),
            std::string::npos);
  EXPECT_NE(refusal({"--frame", "a.png", "--width", "85"}).find("--columns, --width and --font-size require a figure"),
            std::string::npos);
  EXPECT_NE(refusal({"--frame", "a.png", "--contact-sheet", "4", "--until", "0"}).find("the run has no duration"),
            std::string::npos);
  EXPECT_NE(refusal({"--frame", "a.jpg", "--until", "0"}).find("must end in .png"), std::string::npos);
  EXPECT_NE(refusal({"--video", "a.gif", "--fps", "60", "--until", "0.1"}).find("expected at most 50 in a GIF"),
            std::string::npos);
  write("bad.toml", "[[key]]\ntime = -1\n");
  EXPECT_NE(refusal({"--video", "a.gif", "--camera-path", "bad.toml", "--until", "0.1"}).find("bad.toml:2: "),
            std::string::npos);
  for (const char* name : {"a.png", "a.svg", "a.gif", "a.mp4"})
    EXPECT_FALSE(std::filesystem::exists(path(name))) << name;
}

TEST_F(CliFigureTest, ATurntableOfAStillSceneLastsOneTurn) {
  const auto result =
      render({"--until", "0", "--video", "turn.gif", "--fps", "10", "--turntable", "0.8", "--title", "Turn"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "turn.gif: 8 frames, 10 per second, 160x90\n");
  EXPECT_TRUE(slurp(path("turn.gif")).starts_with("GIF89a"));
}

#ifdef VOXWAKE_HAVE_FFMPEG

TEST_F(CliFigureTest, AWebMFileHoldsAllFrames) {
  write("path.toml",
        "[[key]]\neye = [0.3, 0.2, 0.3]\ntarget = [0, 0.05, 0]\n\n"
        "[[key]]\ntime = 1\neye = [-0.3, 0.2, 0.3]\ntarget = [0, 0.05, 0]\n");
  const auto result = render(
      {"--until", "0.4", "--video", "film.webm", "--fps", "25", "--camera-path", "path.toml", "--caption", "{time} s"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto video = read_video(path("film.webm"));
  ASSERT_TRUE(video.opened);
  EXPECT_EQ(video.times_s.size(), 10U);
}

#endif

TEST_F(CliFigureTest, PlotsAreVectorsWithSearchableText) {
  write("plotted.toml", slurp(path("small.toml")) + R"(
[[plot]]
name = "fall"
title = "Height of the cube"
unit = "m"
[[plot.curve]]
kind = "measured"
name = "height"
system = "cube"
quantity = "position_y"
[[plot.curve]]
kind = "analytic"
name = "theory"
formula = "0.07 - 4.905*t^2"
)");
  const auto drawn = [&](const std::string& file, const std::string& names) {
    return run({"render", "plotted.toml", "--software", "--size", "320x240", "--strip", "0,0.1,0.2", "--frame", file,
                "--plots", names});
  };
  ASSERT_EQ(drawn("plots.svg", "fall").code, 0);
  pugi::xml_document svg;
  ASSERT_TRUE(svg.load_string(slurp(path("plots.svg")).c_str()));
  EXPECT_EQ(svg.select_nodes("//image").size(), 3U) << "the plot must not be a picture";
  std::string text;
  for (const auto& found : svg.select_nodes("//text")) text += std::string(found.node().text().get()) + "|";
  for (const char* words : {"|Height of the cube|", "|time [s]|", "|[m]|", "|height|", "|theory|", "|0.2|"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in " << text;
  EXPECT_GT(svg.select_nodes("//line").size(), 20U);
  EXPECT_EQ(drawn("plots.pdf", "all").code, 0);
  EXPECT_EQ(drawn("plots.png", "all").code, 0);
  const auto refused = drawn("other.svg", "fall,rise");
  EXPECT_NE(refused.code, 0);
  EXPECT_NE(refused.err.find("--plots = rise: must be \"all\" or names from fall"), std::string::npos) << refused.err;
  EXPECT_NE(refusal({"--frame", "a.svg", "--plots", "all"}).find("this scene has no plots"), std::string::npos);
}

}  // namespace
}  // namespace vw

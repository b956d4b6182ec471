// The gallery of packaged scenes: subjects, thumbnails, search, and the text that appears when a scene opens. The About
// dialog is tested too.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <imgui_internal.h>

#include "app/capture/capture.h"
#include "app/window/document/scene_groups.h"
#include "app/window/labels/program_facts.h"
#include "app/window/results/thumbnails.h"
#include "app/window/ui/panels/element_values.h"
#include "sim/base/system/folders.h"
#include "tests/app/window/frames.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class WindowGallery : public WindowFrames {
 protected:
  void SetUp() override {
    WindowFrames::SetUp();
    ImGui::GetIO().DisplaySize = {1280, 720};
    const char* cache = std::getenv("XDG_CACHE_HOME");
    kept_ = cache == nullptr ? "" : cache;
    setenv("XDG_CACHE_HOME", (scratch_.folder() + "/cache").c_str(), 1);
  }
  void TearDown() override {
    kept_.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", kept_.c_str(), 1);
    WindowFrames::TearDown();
  }
  void frame(App& app) {
    feed_input(ImGui::GetIO(), queue_.take_frame());
    frame_of(app);
  }
  void click(App& app, ImVec2 at) {
    queue_.push({InputEvent::Kind::move, static_cast<double>(at.x), static_cast<double>(at.y), 0, false});
    queue_.push({InputEvent::Kind::button, 0, 0, 0, true});
    queue_.push({InputEvent::Kind::button, 0, 0, 0, false});
    for (int i = 0; i < 4; ++i) frame(app);
  }

  test::Scratch scratch_;
  std::string kept_;
  InputQueue queue_;
};

TEST(SceneGroups, EveryPackagedSceneHasASubjectAndSaysWhatToTry) {
  const auto groups = group_scenes(packaged_scenes(), "");
  ASSERT_GT(groups.size(), 8U);
  EXPECT_EQ(groups.front().label, "Overview");
  EXPECT_THAT(groups.back().label, HasSubstr("Lab"));
  for (const SceneGroup& group : groups) EXPECT_NE(group.label, "Other scenes");
  for (const PackagedScene& scene : packaged_scenes()) {
    const auto loaded = load_scene(scene.path, {});
    ASSERT_TRUE(loaded) << scene.name;
    const std::string said = scene_introduction(loaded->root);
    EXPECT_TRUE(said.starts_with(scene.title + "\n" + scene.description)) << said;
    EXPECT_THAT(said, HasSubstr("\nTry first: ")) << scene.name;
  }
}

TEST(SceneGroups, TheSearchLooksAtNameTitleDescriptionAndSubject) {
  const auto scenes = packaged_scenes();
  const auto only = group_scenes(scenes, "starlings");
  ASSERT_EQ(only.size(), 1U);
  EXPECT_EQ(only[0].scenes[0].name, "starlings");
  EXPECT_EQ(group_scenes(scenes, "FLOCKS hawk")[0].scenes[0].name, "starlings")
      << "subject and description match in any letter case";
  EXPECT_TRUE(group_scenes(scenes, "no such words").empty());
}

TEST_F(WindowGallery, ASceneIntroducesItselfBeforeItsWarnings) {
  App app(WindowOptions{});
  app.session.playing = false;
  open(app, test::packaged_path("showcase"));
  frames_until(app, [&] { return app.session.have_snapshot; });
  for (int i = 0; i < 3; ++i) frame(app);
  const auto messages = app.log.messages();
  const auto first = std::ranges::find_if(messages, [](const Message& m) { return m.toast; });
  ASSERT_NE(first, messages.end());
  EXPECT_EQ(first->level, Level::info);
  EXPECT_THAT(first->text, HasSubstr("Everything in one world"));
  EXPECT_THAT(first->text, HasSubstr("Try first: "));
}

TEST_F(WindowGallery, StandsInsideTheWindowScrollsAndAClickOpensAScene) {
  App app(WindowOptions{});
  app.session.playing = false;
  app.ui.gallery.open(app.ui.browser.packaged());
  for (int i = 0; i < 3; ++i) frame(app);
  const auto& placed = app.ui.gallery.placed();
  ASSERT_EQ(placed.size(), app.ui.browser.packaged().size());
  EXPECT_GE(placed.front().low.x, 0);
  EXPECT_LE(std::ranges::max(placed, {}, [](const auto& p) { return p.high.x; }).high.x, 1280);
  EXPECT_GT(placed.back().low.y, 720) << "the list must be longer than the window";
  const auto swimmer = std::ranges::find(placed, "swimmer", &SceneGallery::Placed::name);
  click(app, {(swimmer->low.x + swimmer->high.x) / 2, (swimmer->low.y + swimmer->high.y) / 2});
  EXPECT_FALSE(app.ui.gallery.is_open());
  frames_until(app, [&] { return app.session.have_snapshot; });
  EXPECT_EQ(app.session.scene_name(), "swimmer");
}

TEST_F(WindowGallery, HoldsTheWorldWhileItIsOpen) {
  App app(WindowOptions{});
  open(app, test::packaged_path("lab-bounce"));
  frames_until(app, [&] { return app.session.have_snapshot && app.session.run->newest().step > 1; });
  app.ui.gallery.open(app.ui.browser.packaged());
  frames_until(app, [&] { return app.session.run->newest().paused; });
  EXPECT_TRUE(app.session.playing) << "the world must continue when the gallery closes";
  queue_.push({InputEvent::Kind::key, 0, 0, 256, true});  // Esc
  queue_.push({InputEvent::Kind::key, 0, 0, 256, false});
  for (int i = 0; i < 4; ++i) frame(app);
  EXPECT_FALSE(app.ui.gallery.is_open());
  frames_until(app, [&] { return !app.session.run->newest().paused; });
}

TEST_F(WindowGallery, HoldsAWorldThatIsOpenedBehindIt) {
  App app(WindowOptions{});
  app.ui.gallery.open(app.ui.browser.packaged());
  for (int i = 0; i < 3; ++i) frame(app);
  open(app, test::packaged_path("lab-bounce"));
  frames_until(app, [&] { return app.session.have_snapshot; });
  for (int i = 0; i < 20; ++i) frame(app);
  EXPECT_TRUE(app.ui.gallery.is_open());
  EXPECT_TRUE(app.session.playing);
  EXPECT_EQ(app.session.run->newest().step, 0U);
  queue_.push({InputEvent::Kind::key, 0, 0, 256, true});  // Esc
  queue_.push({InputEvent::Kind::key, 0, 0, 256, false});
  frames_until(app, [&] {
    frame(app);
    return app.session.run->newest().step > 0;
  });
  EXPECT_FALSE(app.ui.gallery.is_open());
}

TEST_F(WindowGallery, PicturesAreDrawnOnceAndKeptUntilTheSceneChanges) {
  const std::string scene = scratch_.folder() + "/ball.toml";
  const auto write = [&](const char* color) {
    std::ofstream(scene) << "[[system]]\nkind = \"rigid\"\nname = \"one\"\n[[system.body]]\nkind = \"sphere\"\nname = "
                            "\"ball\"\nradius = 0.2\ncolor = "
                         << color << "\n";
  };
  write("[1, 0, 0]");
  const std::string file = Thumbnails::file_of(cache_folder(), scene);
  const auto picture = [&] {
    Thumbnails thumbnails(cache_folder());
    thumbnails.want({scene});
    std::vector<Thumbnails::Ready> ready;
    EXPECT_TRUE(test::in_time([&] {
      ready = thumbnails.take();
      return !ready.empty();
    }));
    return ready.empty() ? Image{} : ready[0].image;
  };
  const Image first = picture();
  ASSERT_EQ(first.width, thumbnail_width);
  ASSERT_EQ(first.height, thumbnail_height);
  ASSERT_TRUE(fs::exists(file)) << file;
  std::set<std::uint8_t> shades;
  for (std::size_t i = 0; i < first.rgba.size(); i += 4) shades.insert(first.rgba[i]);
  EXPECT_GT(shades.size(), 20U) << "the picture must show the scene";
  ASSERT_TRUE(
      write_png(Image{thumbnail_width, thumbnail_height, std::vector<std::uint8_t>(first.rgba.size(), 7)}, file));
  EXPECT_EQ(picture().rgba[0], 7) << "the picture must be read back instead of drawn again";
  write("[0, 0, 1]");
  EXPECT_NE(Thumbnails::file_of(cache_folder(), scene), file);
  EXPECT_NE(picture().rgba[0], 7);
  EXPECT_FALSE(fs::exists(file)) << "the picture of the old scene must be deleted";
}

TEST_F(WindowGallery, ScenesOfEqualFileNameInDifferentFoldersHaveThumbnailsOfTheirOwn) {
  std::vector<std::string> files;
  for (const char* folder : {"one", "two"}) {
    fs::create_directories(scratch_.folder() + "/" + folder);
    const std::string scene = scratch_.folder() + "/" + folder + "/ball.toml";
    std::ofstream(scene) << "[[system]]\nkind = \"rigid\"\nname = \"" << folder << "\"\n";
    Thumbnails thumbnails(cache_folder());
    thumbnails.want({scene});
    ASSERT_TRUE(test::in_time([&] { return !thumbnails.take().empty(); }));
    files.push_back(Thumbnails::file_of(cache_folder(), scene));
  }
  for (const std::string& file : files) EXPECT_TRUE(fs::exists(file)) << file;
}

TEST_F(WindowGallery, ADamagedPictureIsDrawnAnew) {
  const std::string scene = test::packaged_path("lab-slide"), file = Thumbnails::file_of(cache_folder(), scene);
  fs::create_directories(fs::path(file).parent_path());
  std::ofstream(file) << "no picture";
  Thumbnails thumbnails(cache_folder());
  thumbnails.want({scene});
  std::vector<Thumbnails::Ready> ready;
  ASSERT_TRUE(test::in_time([&] { return !(ready = thumbnails.take()).empty(); }));
  EXPECT_EQ(ready[0].image.width, thumbnail_width);
}

TEST_F(WindowGallery, AboutSaysWhatTheProgramIsAndCopiesIt) {
  const ProgramFacts facts = program_facts("Some driver 1.0");
  const std::string text = to_text(facts);
  for (const char* part : {"Voxwake simulates", "Version: voxwake ",
                           "Instruction set: ", "OpenGL driver: Some driver 1.0", "Libraries: ", "Licence: MIT"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(text.find("libx264") != std::string::npos, text.find("GPL version 3 or later") != std::string::npos);
  App app(WindowOptions{});
  app.ui.layout.about = true;
  for (int i = 0; i < 3; ++i) frame(app);
  const ImGuiWindow* window = ImGui::FindWindowByName("About Voxwake");
  ASSERT_NE(window, nullptr);
  EXPECT_GE(window->Pos.x, 0);
  EXPECT_LE(window->Pos.x + window->Size.x, 1280);
  EXPECT_LE(window->ContentSize.y, window->Size.y) << "all contents must fit into the dialog";
  queue_.push({InputEvent::Kind::key, 0, 0, 256, true});
  queue_.push({InputEvent::Kind::key, 0, 0, 256, false});
  for (int i = 0; i < 3; ++i) frame(app);
  EXPECT_FALSE(app.ui.layout.about) << "Esc must close the dialog";
}

TEST_F(WindowGallery, AToastIsClickedAway) {
  App app(WindowOptions{});
  app.log.info("A sentence to read.", Toast::yes);
  for (int i = 0; i < 2; ++i) frame(app);
  const ImGuiWindow* toast = nullptr;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (std::string_view(window->Name).starts_with("toast") && window->Active) toast = window;
  ASSERT_NE(toast, nullptr);
  click(app, {toast->Pos.x + toast->Size.x / 2, toast->Pos.y + toast->Size.y / 2});
  EXPECT_FALSE(app.log.messages().front().toast);
  EXPECT_EQ(app.log.messages().size(), 1U) << "the log must keep the message";
}

TEST(WindowFollow, TheMarkHasOneNameWhetherTheElementIsSelectedOrNot) {
  Snapshot snapshot;
  SystemSnapshot school;
  school.name = "school";
  school.use_look<MemberLook>();
  school.position = {Vec3f::Zero(), Vec3f::Ones()};
  school.id = {4, 17};
  school.material = {0, 0};
  school.palette_names = {"fish"};
  snapshot.systems = {school};
  EXPECT_EQ(followed_title(snapshot, "school.17"), element_title(snapshot.systems[0], 1));
  EXPECT_EQ(followed_title(snapshot, "school.99"), "school.99");
  EXPECT_EQ(followed_title(snapshot, "school"), "school");
}

}  // namespace
}  // namespace vw::ui
#endif

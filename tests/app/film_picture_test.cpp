// Pictures in film quality that the window takes in the background.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include "app/capture/embedded_moment.h"
#include "render/film/film_rays.h"
#include "tests/app/window/capture.h"

namespace vw::ui {
namespace {

class WindowFilm : public WindowCapture {
 protected:
  void SetUp() override {
    if (!film::FilmRays::available()) GTEST_SKIP() << "this build has no Embree";
    WindowCapture::SetUp();
    app.ui.layout.left_em = 36;  // wide sidebars make the picture small and fast
    app.ui.layout.right_em = 48;
    frames(app);
  }
  [[nodiscard]] std::vector<std::string> pictures() const { return files(".png"); }
};

TEST_F(WindowFilm, ThePictureIsSavedWithItsMoment) {
  app.view.film.samples = 4;
  click(app, "Take picture in film quality");
  ASSERT_NE(app.view.film_picture, nullptr);
  frames_until(app, [&] { return app.view.film_picture->is_done(); });
  frames_until(app, [&] { return pictures().size() == 1; });
  ASSERT_EQ(pictures().size(), 1U);
  EXPECT_NE(pictures().front().find("jelly-drop-film"), std::string::npos) << pictures().front();
  const auto moments = find_moments(pictures().front());
  ASSERT_TRUE(moments) << moments.error().message();
  EXPECT_EQ(moments->newest_first.size(), 1U);
  EXPECT_TRUE(is_shown("Take picture in film quality")) << "another picture can be taken";
}

TEST_F(WindowFilm, CancelLeavesNoFileAndFinishNowKeepsTheSamplesSoFar) {
  app.view.film.samples = 4096;
  take_film_picture(app);
  frames(app);
  EXPECT_TRUE(is_shown("Finish now"));
  const auto first = app.view.film_picture;
  take_film_picture(app);
  EXPECT_EQ(app.view.film_picture, first) << "only one picture is taken at a time";
  click(app, "Cancel");
  frames_until(app, [&] { return first->is_done(); });
  frames(app);
  EXPECT_TRUE(pictures().empty());
  take_film_picture(app);
  frames(app);
  click(app, "Finish now");
  frames_until(app, [&] { return pictures().size() == 1; });
  EXPECT_EQ(pictures().size(), 1U);
}

TEST_F(WindowFilm, ClosingTheWindowDoesNotWaitForThePicture) {
  app.view.film.samples = 4096;
  app.view.capture.screenshot_size = 4;  // 8K: even one sample per pixel takes minutes
  take_film_picture(app);
  frames(app);
  EXPECT_FALSE(app.view.film_picture->is_done());
}

}  // namespace
}  // namespace vw::ui
#endif

// The scale of the interface: it is chosen in the menu and stored for the next session.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <cstdlib>

#include "app/window/document/preferences.h"
#include "tests/app/window/input.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowScale : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    setenv("XDG_CONFIG_HOME", config.folder().c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CONFIG_HOME");
    WindowInput::TearDown();
  }
  test::Scratch config;
};

TEST_F(WindowScale, TheMenuSetsTheScaleAndTheNextWindowHasIt) {
  {
    App app({});
    EXPECT_EQ(app.ui.preferences.interface_scale(), 0) << "0 means the scale of the display";
    frames(app);
    open_menu(app, "View");
    click(app, "Interface scale");
    click(app, "150 %");
    EXPECT_EQ(app.ui.preferences.interface_scale(), 1.5);
    EXPECT_TRUE(app.ui.scale_changed) << "the frame loop must make new fonts";
  }
  App app({});
  EXPECT_EQ(app.ui.preferences.interface_scale(), 1.5);
  frames(app);
  open_menu(app, "View");
  click(app, "Interface scale");
  click(app, "As the display");
  EXPECT_EQ(Preferences(config_folder()).interface_scale(), 0);
}

TEST_F(WindowScale, InvalidScalesAreIgnored) {
  for (const char* text : {"interface_scale = 7\n", "interface_scale = much\n", "interface_scale = \n", "scale\n"}) {
    config.write("voxwake/preferences", text);
    EXPECT_EQ(Preferences(config_folder()).interface_scale(), 0) << text;
  }
  config.write("voxwake/preferences", "other = 1\ninterface_scale = 0.75\n");
  EXPECT_EQ(Preferences(config_folder()).interface_scale(), 0.75);
}

TEST_F(WindowScale, AFolderThatCannotBeWrittenIsReportedAndTheScaleIsSetAnyway) {
  setenv("XDG_CONFIG_HOME", config.write("file", "").c_str(), 1);
  App app({});
  set_interface_scale(app, 2);
  EXPECT_EQ(app.ui.preferences.interface_scale(), 2);
  EXPECT_TRUE(last_message(app).starts_with("The scale of the interface is not kept"));
}

TEST_F(WindowScale, AChosenScaleIsThatOfThePixels) {
  EXPECT_FLOAT_EQ(interface_scale(0, 2, 1), 2) << "the display's scale on X11";
  EXPECT_FLOAT_EQ(interface_scale(0, 2, 2), 1) << "window units already contain the scale";
  EXPECT_FLOAT_EQ(interface_scale(1.5, 2, 1), 1.5);
  EXPECT_FLOAT_EQ(interface_scale(1.5, 2, 2), 0.75);
}

}  // namespace
}  // namespace vw::ui
#endif

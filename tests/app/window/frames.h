// Runs the window's interface frame by frame without a display. Dear ImGui needs no graphics for layout and input.
#pragma once

#include <gtest/gtest.h>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/viewport/input_feed.h"
#include "tests/support/waiting.h"

namespace vw::ui {

class WindowFrames : public ::testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1600, 1000};
    set_key_map(io);
    (void)apply_theme(1);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  void TearDown() override { ImGui::DestroyContext(); }

  static void frame_of(App& app) {
    ImGui::GetIO().DeltaTime = 1.0F / 60;
    update(app);
    ImGui::NewFrame();
    draw_interface(app);
    ImGui::Render();
  }
  /// Draws frames until `ready` returns true.
  template <class F>
  static void frames_until(App& app, F ready) {
    ASSERT_TRUE(test::in_time([&] {
      if (!ready()) frame_of(app);
      return ready();
    }));
  }
};

}  // namespace vw::ui

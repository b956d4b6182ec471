// The window's interface without a display, frame by frame: Dear ImGui needs no graphics to lay out and to take input.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/window/ui/app.h"
#include "app/window/ui/input_feed.h"
#include "app/window/ui/panels.h"

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
  /// Draws until `ready`, at most a few seconds.
  template <class F>
  static void frames_until(App& app, F ready) {
    for (int i = 0; i < 4000 && !ready(); ++i) {
      frame_of(app);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(ready());
  }
};

}  // namespace vw::ui

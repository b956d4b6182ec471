// A window that shows a paused scene and writes pictures and exports to a folder of the test.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/app/window/input.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw::ui {

class WindowCapture : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    app.session.playing = false;
    app.view.capture.folder = scratch.folder();
    open(app, test::packaged_path("jelly-drop"));
    frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
    app.ui.layout.open_tab = Layout::Tab::capture;
    frames(app);
  }
  /// Returns the paths of the files in the folder whose extension is `ending`.
  [[nodiscard]] std::vector<std::string> files(std::string_view ending) const {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.folder()))
      if (entry.path().extension() == ending) paths.push_back(entry.path().string());
    return paths;
  }

  test::Scratch scratch;
  App app{WindowOptions{}};
};

}  // namespace vw::ui

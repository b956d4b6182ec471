// The paths are those of Debian, Fedora, Arch Linux and macOS.
#include "sim/base/system/fonts.h"

#include "sim/base/system/folders.h"

namespace vw {

std::vector<std::string> sans_serif_fonts(FontWeight weight) {
  if (weight == FontWeight::bold)
    return {"/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf",
            "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
            "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf", "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf",
            "/System/Library/Fonts/Helvetica.ttc"};
  return {"/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
          "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
          "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
          "/System/Library/Fonts/Helvetica.ttc"};
}

std::vector<std::string> east_asian_fonts() {
  return {"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
          "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
          "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
          "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
          "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
          "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
          "/System/Library/Fonts/PingFang.ttc"};
}

std::vector<std::string> font_folders() {
  std::vector<std::string> folders{"/usr/share/fonts", "/usr/local/share/fonts"};
  if (const std::string home = home_folder(); !home.empty()) folders.push_back(home + "/.local/share/fonts");
  return folders;
}

}  // namespace vw

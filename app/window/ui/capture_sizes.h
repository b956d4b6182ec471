// Sizes offered for screenshots and videos. 0 x 0 stands for the size of the picture in the window.
#pragma once

#include <array>

namespace vw::ui {

struct PictureSize {
  const char* name;
  int width, height;
};

inline constexpr std::array<PictureSize, 6> screenshot_sizes{{{"As in the window", 0, 0},
                                                              {"HD", 1280, 720},
                                                              {"Full HD", 1920, 1080},
                                                              {"4K", 3840, 2160},
                                                              {"8K", 7680, 4320},
                                                              {"Square", 2048, 2048}}};
inline constexpr std::array<PictureSize, 4> video_sizes{
    {{"As in the window", 0, 0}, {"HD", 1280, 720}, {"Full HD", 1920, 1080}, {"4K", 3840, 2160}}};

}  // namespace vw::ui

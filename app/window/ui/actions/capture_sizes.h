// Sizes offered for screenshots and videos. 0 x 0 stands for the size of the picture in the window.
#pragma once

#include <array>

namespace vw::ui {

struct PictureSize {
  const char* name;
  int width, height;
};

inline constexpr auto screenshot_sizes = std::to_array<PictureSize>({{"As in the window", 0, 0},
                                                                     {"HD", 1280, 720},
                                                                     {"Full HD", 1920, 1080},
                                                                     {"4K", 3840, 2160},
                                                                     {"8K", 7680, 4320},
                                                                     {"Square", 2048, 2048}});
inline constexpr auto video_sizes = std::to_array<PictureSize>(
    {{"As in the window", 0, 0}, {"HD", 1280, 720}, {"Full HD", 1920, 1080}, {"4K", 3840, 2160}});

}  // namespace vw::ui

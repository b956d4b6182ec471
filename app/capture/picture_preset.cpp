#include "app/capture/picture_preset.h"

namespace vw {

std::span<const PicturePreset> picture_presets() {
  static const std::vector<PicturePreset> all{
      {"paper",
       "Paper",
       "White background with soft shadows, without haze and grid; black legends",
       0,
       0,
       {{"environment", Value("white")},
        {"legend_theme", Value("light")},
        {"ground_grid", Value(false)},
        {"legend_size", Value(1.3)}}},
      {"talk",
       "Talk",
       "Dark background without haze and grid; large light legends",
       0,
       0,
       {{"environment", Value("dark")},
        {"legend_theme", Value("dark")},
        {"ground_grid", Value(false)},
        {"legend_size", Value(1.8)}}},
      {"poster",
       "Poster",
       "As for a paper, at high resolution and high quality",
       7680,
       4320,
       {{"environment", Value("white")},
        {"legend_theme", Value("light")},
        {"ground_grid", Value(false)},
        {"legend_size", Value(1.3)},
        {"quality", Value("high")}}},
  };
  return all;
}

}  // namespace vw

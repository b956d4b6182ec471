#include "render/scene/light/background.h"

#include <algorithm>

namespace vw {
namespace {

constexpr glm::vec3 dark_background{0.08F, 0.086F, 0.1F};

}  // namespace

glm::vec4 plain_background(const ViewParams& view) {
  if (view.matte == Matte::dark) return {dark_background, 1};
  return view.matte == Matte::white || view.transparent ? glm::vec4(1) : glm::vec4(0);
}

Image matted(const Image& over_white, const Image& over_dark) {
  Image out{over_white.width, over_white.height, std::vector<std::uint8_t>(over_white.rgba.size())};
  for (std::size_t i = 0; i + 3 < out.rgba.size(); i += 4) {
    glm::vec3 white(0), dark(0);
    for (int c = 0; c < 3; ++c) {
      white[c] = static_cast<float>(over_white.rgba[i + static_cast<std::size_t>(c)]) / 255;
      dark[c] = static_cast<float>(over_dark.rgba[i + static_cast<std::size_t>(c)]) / 255;
    }
    // With the opacity a and the dark matte d: white = a color + (1 - a), dark = a color + (1 - a) d. The mean of the
    // three estimates of 1 - a, one for each channel, reduces rounding errors.
    const glm::vec3 through = (white - dark) / (1.0F - dark_background);
    const float left = std::clamp((through.r + through.g + through.b) / 3, 0.0F, 1.0F), alpha = 1 - left;
    const float byte = alpha * 255 + 0.5F;
    out.rgba[i + 3] = static_cast<std::uint8_t>(byte);
    if (out.rgba[i + 3] == 0) continue;
    const glm::vec3 color = glm::clamp((dark - left * dark_background) / alpha, 0.0F, 1.0F);
    for (int c = 0; c < 3; ++c)
      out.rgba[i + static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(color[c] * 255 + 0.5F);
  }
  return out;
}

LegendStyle legend_style(const ViewParams& view) {
  // A transparent view that is drawn without an alpha channel, such as in a video, has a white matte.
  const bool is_white = view.environment == EnvironmentKind::white || view.transparent || view.matte == Matte::white;
  const bool is_automatic = view.legend_theme == LegendTheme::automatic;
  const bool is_light = is_automatic ? is_white : view.legend_theme == LegendTheme::light;
  return {.light = is_light, .size = static_cast<float>(view.legend_size)};
}

}  // namespace vw

// Choices of the user that persist between sessions and belong to no scene. They are stored in the file `preferences`
// of the folder of settings (config_folder(), sim/base/system/folders.h). Each line has the form `key = value`.
#pragma once

#include <string>

#include "sim/base/error.h"

namespace vw {

class Preferences {
 public:
  static constexpr double least_scale = 0.75, greatest_scale = 2.5;

  /// Reads the file in `folder`. Unknown keys and invalid values are ignored.
  explicit Preferences(std::string folder);
  /// Size of texts and widgets, where 1 means 96 pixels per inch. 0 means the scale of the display.
  [[nodiscard]] double interface_scale() const { return interface_scale_; }
  /// Sets the scale and writes the file atomically. The scale is set even if the file cannot be written.
  Result<void> set_interface_scale(double scale);
  /// Whether the user has taken, skipped or declined the tour (app/window/guide/tour.h).
  [[nodiscard]] bool tour_seen() const { return tour_seen_; }
  /// Records that the tour was seen and writes the file atomically.
  Result<void> set_tour_seen();
  /// Whether pictures and videos store the moment that they show, from which they open again (sim/api/moment.h).
  [[nodiscard]] bool embeds_moments() const { return embeds_moments_; }
  /// Sets the choice and writes the file atomically. The choice is set even if the file cannot be written.
  Result<void> set_embeds_moments(bool embeds);

  /// Whether the window shows the start page if it opens without a scene.
  [[nodiscard]] bool shows_start_page() const { return shows_start_page_; }
  /// Sets the choice and writes the file atomically. The choice is set even if the file cannot be written.
  Result<void> set_shows_start_page(bool shows);

 private:
  [[nodiscard]] Result<void> write() const;
  std::string folder_;
  double interface_scale_ = 0;
  bool tour_seen_ = false;
  bool embeds_moments_ = true;
  bool shows_start_page_ = true;
};

}  // namespace vw

// Moments of the pictures that the user takes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/window/pending_moment.h"
#include "app/window/ui/app.h"

namespace vw::ui {

/// Whether a picture shows the comparison, if there is one, or run A only.
enum class PictureRuns { compared, first_only };
/// Returns the moment of the displayed snapshot, or no moment if the user has chosen that pictures store none. `video`
/// describes the frames if the moment is that of a recording.
[[nodiscard]] std::shared_ptr<PendingMoment> shown_moment(App& app, std::optional<api::VideoFrames> video = {},
                                                          PictureRuns runs = PictureRuns::compared);
/// Waits for the moment and returns its bytes. On failure, a warning is logged and the result is empty. Call this
/// function on a background thread.
[[nodiscard]] std::string bytes_of(PendingMoment& moment, const std::string& file, MessageLog& log);

}  // namespace vw::ui

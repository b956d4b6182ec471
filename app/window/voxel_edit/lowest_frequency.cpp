#include "app/window/voxel_edit/lowest_frequency.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/window/voxel_edit/edit_changes.h"

namespace vw {
namespace {

/// Returns the reason why the frequency of a body is not computed, or an empty text.
std::string reason_against(const LowestFrequency::Body& body) {
  if (body.voxels == 0) return "the body has no voxel";
  if (body.voxels > LowestFrequency::max_voxels)
    return fmt::format("shown for at most {} voxels", LowestFrequency::max_voxels);
  if (body.parts > LowestFrequency::max_parts)
    return fmt::format("shown for at most {} separate parts", LowestFrequency::max_parts);
  return {};
}

}  // namespace

void LowestFrequency::take(const Result<FoundModes>& outcome) {
  hertz_.reset();
  reason_.clear();
  if (!outcome) {
    reason_ = outcome.error().message();
    return;
  }
  const auto& modes = outcome->analysis.modes;
  const auto lowest = std::ranges::find(modes, ModeKind::flexible, &Mode::kind);
  if (lowest != modes.end())
    hertz_ = lowest->hertz;
  else
    reason_ = "no mode deforms the body";
}

void LowestFrequency::update(const Revision& revision, const Body& body) {
  if (const auto outcome = solver_.poll()) take(*outcome);
  if (solver_.busy() || newest_ == revision) return;
  newest_ = revision;
  if (std::string reason = reason_against(body); !reason.empty()) {
    hertz_.reset();
    reason_ = std::move(reason);
    return;
  }
  const int rigid = 6 * static_cast<int>(body.parts);
  solver_.start({{}, slot_and_name(body.path).second, rigid + 1, false},
                [grid = body.grid, opened = body.opened, scene = body.scene, path = body.path] {
                  return edited_scene(grid, opened, scene, path);
                });
}

std::string LowestFrequency::text() const {
  std::string text = "Lowest natural frequency";
  if (hertz_)
    text += fmt::format(" {:.4g} Hz", *hertz_);
  else if (!reason_.empty())
    text += ": " + reason_;
  return text + (solver_.busy() ? " (computing)" : "");
}

void LowestFrequency::forget() {
  solver_.stop();
  newest_.reset();
  hertz_.reset();
  reason_.clear();
}

}  // namespace vw

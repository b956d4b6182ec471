#include "app/window/guide/tour.h"

#include <algorithm>
#include <cstddef>

namespace vw {
namespace {

constexpr std::array<TourText, Tour::steps> tour_texts{{
    {"Look around",
     "Drag the background with the left mouse button to turn the camera. Turn the wheel to move closer."},
    {"Run and pause", "Press Space or this button to pause the simulation and to run it again."},
    {"Drag with the mouse", "Run the simulation and drag a body: a spring pulls the body to the pointer."},
    {"Change a parameter",
     "Select an object in the tree and change a value. The running world follows, and Ctrl+Z undoes the change."},
    {"Record a picture", "Press F12 for a screenshot, or F9 to start and stop a video."},
}};

bool is_performed(TourStep step, const TourFacts& before, const TourFacts& now) {
  switch (step) {
    case TourStep::look: return now.camera_drags != before.camera_drags;
    case TourStep::run: return now.playing != before.playing;
    case TourStep::drag: return now.grabs != before.grabs;
    case TourStep::edit: return now.edits > before.edits;
    case TourStep::picture: return now.pictures != before.pictures;
  }
  return false;
}

}  // namespace

const TourText& tour_text(TourStep step) { return tour_texts.at(static_cast<std::size_t>(step)); }

void Tour::go_to(int position) {
  position_ = position < steps ? position : -1;
  before_.reset();
  done_at_s_.reset();
}

void Tour::update(const TourFacts& facts, double wall_s) {
  if (!is_active()) return;
  if (!before_) before_ = facts;
  before_->edits = std::min(before_->edits, facts.edits);  // the revisions of a newly opened document begin at 0
  if (!done_at_s_ && is_performed(step(), *before_, facts)) done_at_s_ = wall_s;
  if (done_at_s_ && wall_s - *done_at_s_ >= done_s) next();
}

}  // namespace vw

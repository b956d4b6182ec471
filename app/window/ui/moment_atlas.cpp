#include "app/window/ui/moment_atlas.h"

#include <algorithm>

#include <glad/gl.h>

#include "app/window/results/moment_pictures.h"

namespace vw::ui {
namespace {

using Pictures = MomentPictures;

/// A rectangle of pixels in a framebuffer.
struct PixelArea {
  int x = 0, y = 0, width = 0, height = 0;
};

void copy_area(unsigned from, const PixelArea& source, unsigned to, const PixelArea& target) {
  glBlitNamedFramebuffer(from, to, source.x, source.y, source.x + source.width, source.y + source.height, target.x,
                         target.y, target.x + target.width, target.y + target.height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
}

/// The largest part in the middle of a picture that has the aspect ratio of a cell.
PixelArea middle_part(int width, int height) {
  PixelArea part{0, 0, width, height};
  if (width * Pictures::height_px > height * Pictures::width_px)
    part.width = std::max(1, height * Pictures::width_px / Pictures::height_px);
  else
    part.height = std::max(1, width * Pictures::height_px / Pictures::width_px);
  part.x = (width - part.width) / 2;
  part.y = (height - part.height) / 2;
  return part;
}

PixelArea area_of(std::size_t cell) {
  return {static_cast<int>(cell % Pictures::columns) * Pictures::width_px,
          static_cast<int>(cell / Pictures::columns) * Pictures::height_px, Pictures::width_px, Pictures::height_px};
}

}  // namespace

void MomentAtlas::store(std::size_t cell, unsigned framebuffer, int width, int height) {
  atlas_.resize(static_cast<int>(Pictures::columns) * Pictures::width_px,
                static_cast<int>(Pictures::rows) * Pictures::height_px, PictureTarget::Depth::none);
  PixelArea source = middle_part(width, height);
  unsigned from = framebuffer;
  // Each copy averages at most 2 x 2 pixels, so large pictures are halved first.
  for (PictureTarget* target : {&half_, &quarter_}) {
    if (source.width < 3 * Pictures::width_px / 2) break;
    const PixelArea smaller{0, 0, source.width / 2, source.height / 2};
    target->resize(smaller.width, smaller.height, PictureTarget::Depth::none);
    copy_area(from, source, target->framebuffer(), smaller);
    source = smaller;
    from = target->framebuffer();
  }
  copy_area(from, source, atlas_.framebuffer(), area_of(cell));
}

MomentAtlas::Corners MomentAtlas::corners(std::size_t cell) {
  const PixelArea area = area_of(cell);
  const auto across = static_cast<float>(Pictures::columns * static_cast<std::size_t>(Pictures::width_px)),
             up = static_cast<float>(Pictures::rows * static_cast<std::size_t>(Pictures::height_px));
  const auto left = static_cast<float>(area.x), below = static_cast<float>(area.y);
  const auto right = static_cast<float>(area.x + area.width), above = static_cast<float>(area.y + area.height);
  return {{left / across, above / up}, {right / across, below / up}};
}

void MomentAtlas::release_gl() {
  for (PictureTarget* target : {&atlas_, &half_, &quarter_}) target->release_gl();
}

}  // namespace vw::ui

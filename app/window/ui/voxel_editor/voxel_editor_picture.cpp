// Picture of the voxel editor: the cells, the box of the lattice, the cell under the pointer.
#include <algorithm>
#include <cmath>

#include <glad/gl.h>

#include "app/window/ui/app.h"
#include "app/window/ui/voxel_editor/voxel_editor.h"
#include "app/window/ui/widgets/opaque.h"
#include "app/window/ui/widgets/theme.h"
#include "render/labels/color_map.h"

namespace vw::ui {
namespace {

constexpr glm::vec3 plain_srgb{0.75F, 0.77F, 0.80F};  ///< colour of voxels without a painted stiffness

/// Adds the edges of a box. Edges between two faces that face the eye are left out, so that they do not cross the body.
void add_box(std::vector<GridLine>& lines, const glm::vec3& low, const glm::vec3& high, const glm::vec3* eye,
             std::uint32_t rgba) {
  const auto corner = [&](unsigned bits) {
    return glm::vec3{(bits & 1U) != 0 ? high.x : low.x, (bits & 2U) != 0 ? high.y : low.y,
                     (bits & 4U) != 0 ? high.z : low.z};
  };
  for (unsigned a = 0; a < 8; ++a)
    for (unsigned axis = 0; axis < 3; ++axis) {
      if ((a >> axis & 1U) != 0) continue;
      bool is_front = eye != nullptr;
      for (unsigned other = 0; other < 3 && is_front; ++other) {
        if (other == axis) continue;
        const auto i = static_cast<glm::length_t>(other);
        is_front = (a >> other & 1U) != 0 ? (*eye)[i] > high[i] : (*eye)[i] < low[i];
      }
      if (!is_front) lines.push_back({corner(a), corner(a | 1U << axis), rgba});
    }
}

}  // namespace

std::uint32_t muscle_color(int number) {
  if (number <= 0) return packed_rgba({0.55F, 0.57F, 0.60F});
  constexpr float golden_turn = 0.618034F;  // neighbours in the list have distant hues
  const float turn = golden_turn * static_cast<float>(number - 1);
  ImVec4 c{0, 0, 0, 1};
  ImGui::ColorConvertHSVtoRGB(turn - std::floor(turn), 0.65F, 0.92F, c.x, c.y, c.z);
  return packed_rgba({c.x, c.y, c.z});
}

void VoxelEditor::release_gl() {
  picture_.reset();
  target_.release_gl();
}

std::vector<std::uint32_t> VoxelEditor::colors_of(const Node& scene) const {
  std::vector<std::uint32_t> colors{packed_rgba(plain_srgb)};
  std::size_t number = scene.all("material").size();  // number of the next new material
  for (const std::string& name : edits_.grid().palette()) {
    const Node* material = find_material(opened_, scene, name);
    const Vec3 linear = material != nullptr ? std::get<Vec3>(material->value("color")) : material_color(number++);
    colors.push_back(packed_rgba(
        srgb_of({static_cast<float>(linear.x()), static_cast<float>(linear.y()), static_cast<float>(linear.z())})));
  }
  return colors;
}

/// Colour of a painted value. Phases are hues, and muscles have the colours of muscle_color(). Other values range from
/// blue (low) to yellow (high), on a logarithmic scale for stiffness and on a linear scale otherwise.
std::uint32_t VoxelEditor::value_color(double value) const {
  if (settings_.colors == VoxelColors::phase) {
    const double turn = value - std::floor(value);
    ImVec4 c{0, 0, 0, 1};
    ImGui::ColorConvertHSVtoRGB(static_cast<float>(turn), 0.65F, 0.9F, c.x, c.y, c.z);
    return packed_rgba({c.x, c.y, c.z});
  }
  if (settings_.colors == VoxelColors::muscle) return muscle_color(static_cast<int>(value));
  if (settings_.colors == VoxelColors::stiffness && value <= 0) return packed_rgba(plain_srgb);
  const double share = settings_.colors == VoxelColors::stiffness ? (std::log10(value) - 3) / 6 : 0.5 + 0.25 * value;
  const auto t = static_cast<float>(std::clamp(share, 0.0, 1.0));
  return packed_rgba({0.20F + 0.75F * t, 0.30F + 0.50F * t, 0.65F - 0.45F * t});
}

void VoxelEditor::upload_faces(const Node& scene) {
  const VoxelGrid& grid = edits_.grid();
  faces_.update(grid, visibility(), edits_.take_changed_layers());
  const std::vector<std::uint32_t> colors = colors_of(scene);
  const bool shows_values = settings_.colors != VoxelColors::material;
  const auto number = static_cast<std::size_t>(settings_.colors);
  const PaintLayer layer = paint_layers[number == 0 ? 0 : number - 1];  // unused for the colours of materials
  const std::vector<std::uint8_t> marks =
      edits_.selection().is_empty() ? std::vector<std::uint8_t>() : edits_.selection().mask(grid.box());
  std::vector<GridFace> opaque, translucent;
  opaque.reserve(faces_.face_count());
  const LayerRange layers = faces_.layers();
  for (int y = layers.begin; y < layers.end; ++y)
    for (const VoxelFace& face : faces_.faces(y)) {
      const VoxelCell cell = grid.cell_at(face.cell) - grid.box().lower;
      GridFace drawn{static_cast<std::int16_t>(cell.x()),
                     static_cast<std::int16_t>(cell.y()),
                     static_cast<std::int16_t>(cell.z()),
                     static_cast<std::uint8_t>(face.face),
                     !marks.empty() && marks[face.cell] != 0,
                     shows_values ? value_color(grid.paint_at(grid.cell_at(face.cell), layer))
                                  : colors[std::min<std::size_t>(face.code, colors.size() - 1)]};
      if (face.is_onion_skin) drawn.rgba = (drawn.rgba & 0xffffffU) | 0x48000000U;
      (face.is_onion_skin ? translucent : opaque).push_back(drawn);
    }
  picture_->set_faces(opaque);
  picture_->set_translucent_faces(translucent);
}

void VoxelEditor::upload_lines() {
  std::vector<GridLine> lines;
  const VoxelBox& box = edits_.grid().box();
  // The picture's coordinates begin at the lower corner of the box.
  const glm::vec3 size = lattice_point(box.size), eye = camera_.eye - lattice_point(box.lower);
  const std::uint32_t edge = packed_rgba({0.45F, 0.50F, 0.57F}), floor = packed_rgba({0.22F, 0.25F, 0.29F});
  add_box(lines, glm::vec3(0), size, &eye, edge);
  constexpr int most_lines = 129;
  const int step = std::max(1, std::max(box.size.x(), box.size.z()) / most_lines + 1);
  for (int x = 0; x <= box.size.x(); x += step)
    lines.push_back({{static_cast<float>(x), 0, 0}, {static_cast<float>(x), 0, size.z}, floor});
  for (int z = 0; z <= box.size.z(); z += step)
    lines.push_back({{0, 0, static_cast<float>(z)}, {size.x, 0, static_cast<float>(z)}, floor});
  for (int axis = 0; axis < 3; ++axis) {
    const auto& plane = edits_.symmetry().twice_plane[static_cast<std::size_t>(axis)];
    if (!plane) continue;
    const auto i = static_cast<glm::length_t>(axis);
    glm::vec3 low(0), high = size;
    low[i] = high[i] = 0.5F * static_cast<float>(*plane) - static_cast<float>(box.lower[axis]);
    add_box(lines, low, high, nullptr, packed_rgba({0.29F, 0.72F, 0.68F}));
  }
  if (aim_ && !stroke_) {
    const glm::vec3 low = lattice_point(aim_->cell - box.lower);
    add_box(lines, low - 0.02F, low + 1.02F, nullptr, packed_rgba({1.0F, 0.85F, 0.35F}));
  }
  picture_->set_lines(lines);
}

void VoxelEditor::draw_picture(App& app, ImVec2 size) {
  corner_ = ImGui::GetCursorScreenPos();
  size_ = {std::max(size.x, 16.0F), std::max(size.y, 16.0F)};
  ImGui::InvisibleButton(
      "cells", size_,
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  const bool hovered = ImGui::IsItemHovered();
  update_symmetry();
  const VoxelBox& box = edits_.grid().box();  // may have become smaller since the layer was chosen
  if (layer_axis_ >= 0) layer_ = std::clamp(layer_, box.lower[layer_axis_], box.upper()[layer_axis_] - 1);
  handle_keys(app);
  handle_mouse(app, hovered);
  if (app.view.renderer == nullptr) return;
  if (picture_ == nullptr) {
    auto made = VoxelGridPicture::create();
    if (!made) return app.log.error(made.error().message());
    picture_ = std::move(*made);
  }
  const ImVec2 dpi = ImGui::GetIO().DisplayFramebufferScale;
  target_.resize(static_cast<int>(size_.x * dpi.x), static_cast<int>(size_.y * dpi.y));
  const bool faces_changed =
      drawn_revision_ != edits_.revision() || !(drawn_visibility_ == visibility()) || drawn_colors_ != settings_.colors;
  if (faces_changed) upload_faces(app.session.document->root());
  drawn_revision_ = edits_.revision();
  drawn_visibility_ = visibility();
  drawn_colors_ = settings_.colors;
  upload_lines();
  Camera shifted = camera_;
  const glm::vec3 lower = lattice_point(edits_.grid().box().lower);
  shifted.eye -= lower;
  shifted.target -= lower;
  picture_->draw(shifted, target_.width(), target_.height(), target_.framebuffer());
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  add_opaque_image(target_.texture(), corner_, {corner_.x + size_.x, corner_.y + size_.y});
  view_cube_.draw(camera_, corner_, size_);
  const char* help = stroke_ ? "Esc: cancel"
                             : "left: draw   Ctrl: remove   Alt: pick the material   right or beside the body: orbit   "
                               "middle or Shift + right: move   wheel: zoom";
  const float room = size_.x - em(1.6F), height = ImGui::CalcTextSize(help, nullptr, false, room).y;
  ImGui::GetWindowDrawList()->AddText(nullptr, 0, {corner_.x + em(0.8F), corner_.y + size_.y - height - em(0.8F)},
                                      color(palette::dim), help, nullptr, room);
}

}  // namespace vw::ui

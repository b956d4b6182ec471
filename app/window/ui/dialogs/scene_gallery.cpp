#include "app/window/ui/dialogs/scene_gallery.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <glad/gl.h>
#include <imgui_stdlib.h>

#include "app/window/ui/widgets/theme.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/base/system/folders.h"

namespace vw::ui {
namespace {

constexpr float card_em = 12.5F, title_em = 1.7F;

unsigned upload(const Image& image) {
  unsigned texture = 0;
  constexpr int levels = 4;  // mipmap levels, because thumbnails may be drawn reduced
  glCreateTextures(GL_TEXTURE_2D, 1, &texture);
  glTextureStorage2D(texture, levels, GL_RGBA8, image.width, image.height);
  glTextureSubImage2D(texture, 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  glGenerateTextureMipmap(texture);
  glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  constexpr GLint opaque[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ONE};
  glTextureParameteriv(texture, GL_TEXTURE_SWIZZLE_RGBA, opaque);
  return texture;
}

SceneGallery::Choice choice_of(const SceneGroup& group, std::size_t scene) {
  using Kind = SceneGallery::Choice::Kind;
  return {group.are_templates ? Kind::create : Kind::open, group.scenes[scene].path};
}

}  // namespace

SceneGallery::SceneGallery() : thumbnails_(cache_folder()) {}
SceneGallery::~SceneGallery() = default;

void SceneGallery::open(const std::vector<PackagedScene>& scenes) {
  show({.recent = {}, .templates = {}, .packaged = scenes}, false);
}

void SceneGallery::open_start_page(StartScenes scenes, bool shows_at_start) {
  shows_at_start_ = shows_at_start;
  show(std::move(scenes), true);
}

void SceneGallery::show(StartScenes scenes, bool is_start_page) {
  scenes_ = std::move(scenes);
  is_start_page_ = is_start_page;
  // Recent scenes may have been saved since their thumbnails were drawn.
  for (const PackagedScene& scene : scenes_.recent)
    if (const auto old = textures_.extract(scene.path); !old.empty() && old.mapped().name != 0)
      glDeleteTextures(1, &old.mapped().name);
  filter_.clear();
  regroup();
  open_ = just_opened_ = true;
}

void SceneGallery::regroup() {
  groups_ = is_start_page_ ? group_start_page(scenes_, filter_) : group_scenes(scenes_.packaged, filter_);
}

void SceneGallery::close() {
  open_ = false;
  thumbnails_.want({});
}

void SceneGallery::release_gl() {
  for (auto& [path, texture] : textures_)
    if (texture.name != 0) glDeleteTextures(1, &texture.name);
  textures_.clear();
}

void SceneGallery::take_pictures(bool has_gl) {
  for (const Thumbnails::Ready& ready : thumbnails_.take())
    textures_[ready.scene] = {has_gl && !ready.image.rgba.empty() ? upload(ready.image) : 0};
}

void SceneGallery::draw_search(std::optional<Choice>& chosen) {
  ImGui::SetNextItemWidth(-em(is_start_page_ ? 15.2F : 6.6F));
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputTextWithHint("##search", "Search scenes", &filter_, ImGuiInputTextFlags_EnterReturnsTrue);
  regroup();
  if (entered && !filter_.empty() && !groups_.empty()) chosen = choice_of(groups_.front(), 0);
  ImGui::SameLine();
  if (is_start_page_) {
    if (ImGui::Button("Open a file\xE2\x80\xA6", {em(8), 0})) chosen = Choice{Choice::Kind::browse, {}};
    ImGui::SameLine();
  }
  if (ImGui::Button("Close", {em(6), 0})) open_ = false;
}

void SceneGallery::draw_picture(const PackagedScene& scene, ImVec2 low, ImVec2 high) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto found = textures_.find(scene.path);
  if (found != textures_.end() && found->second.name != 0) {
    // NOLINT: ImGui identifies textures by pointers
    const auto texture = reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(found->second.name));
    return list->AddImageRounded(texture, low, high, {0, 0}, {1, 1}, IM_COL32_WHITE, em(0.3F));
  }
  list->AddRectFilled(low, high, color(palette::window), em(0.3F));
  if (found != textures_.end()) return;
  wanted_.push_back(scene.path);
  const char* text = "Rendering\xE2\x80\xA6";
  const ImVec2 extent = ImGui::CalcTextSize(text);
  list->AddText({(low.x + high.x - extent.x) / 2, (low.y + high.y - extent.y) / 2}, color(palette::dim, 0.6F), text);
}

bool SceneGallery::draw_card(const PackagedScene& scene, const SceneGroup& group, ImVec2 size) {
  ImGui::PushID(group.label.c_str());  // The group is part of the id, because a scene may be in two groups.
  ImGui::PushID(scene.path.c_str());
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + size.x, low.y + size.y};
  const bool pressed = ImGui::InvisibleButton("scene", size);
  const bool hot = ImGui::IsItemHovered();
  placed_.push_back({scene.name, group.label, low, high});
  if (ImGui::IsItemVisible()) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (hot) list->AddRectFilled(low, high, color(palette::frame_hot), em(0.4F));
    const float inset = em(0.3F), bottom = high.y - em(title_em);
    draw_picture(scene, {low.x + inset, low.y + inset}, {high.x - inset, bottom});
    const std::string& name = scene.title.empty() ? scene.name : scene.title;
    list->AddText({low.x + inset, bottom + em(0.25F)}, color(palette::text),
                  shortened(name, size.x - 2 * inset).c_str());
    tooltip((scene.title.empty() ? scene.name : scene.title + " (" + scene.name + ")") +
            (scene.description.empty() ? "" : "\n" + scene.description) +
            (group.label == "Recent" ? "\n" + scene.path : ""));
  }
  ImGui::PopID();
  ImGui::PopID();
  return pressed;
}

void SceneGallery::draw_groups(ImFont* strong, std::optional<Choice>& chosen) {
  placed_.clear();
  if (groups_.empty()) dim_text("No scene contains these words. Delete a word, or search for a kind such as fluid.");
  const float room = ImGui::GetContentRegionAvail().x, gap = em(0.4F);
  const int columns = std::max(1, static_cast<int>((room + gap) / (em(card_em) + gap)));
  const float width = std::floor((room - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  const ImVec2 size{width, (width - em(0.6F)) * thumbnail_height / thumbnail_width + em(0.3F + title_em)};
  for (const SceneGroup& group : groups_) {
    heading(group.label.c_str(), strong);
    for (std::size_t i = 0; i < group.scenes.size(); ++i) {
      if (i % static_cast<std::size_t>(columns) != 0) ImGui::SameLine(0, gap);
      if (draw_card(group.scenes[i], group, size)) chosen = choice_of(group, i);
    }
    ImGui::Dummy({0, em(0.3F)});
  }
}

std::optional<SceneGallery::Choice> SceneGallery::draw(bool has_gl, ImFont* strong) {
  std::optional<Choice> chosen;
  take_pictures(has_gl);
  if (!open_) return chosen;
  if (just_opened_) ImGui::OpenPopup("###gallery");
  just_opened_ = false;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(em(68), display.x * 0.92F), std::min(em(50), display.y * 0.9F)});
  bool stays = true;
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoScrollbar;
  const char* title = is_start_page_ ? "Start page###gallery" : "Packaged scenes###gallery";
  if (!ImGui::BeginPopupModal(title, &stays, flags)) {
    close();
    return chosen;
  }
  draw_search(chosen);
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false)) stays = false;
  ImGui::BeginChild("scenes", {0, is_start_page_ ? -ImGui::GetFrameHeightWithSpacing() : 0});
  draw_groups(strong, chosen);
  thumbnails_.want(std::exchange(wanted_, {}));
  ImGui::EndChild();
  if (is_start_page_) {
    ImGui::Checkbox("Show at the start of the program", &shows_at_start_);
    tooltip("The menus File and Help also open this page");
  }
  if (chosen || !stays || !open_) {
    ImGui::CloseCurrentPopup();
    close();
  }
  ImGui::EndPopup();
  return chosen;
}

}  // namespace vw::ui

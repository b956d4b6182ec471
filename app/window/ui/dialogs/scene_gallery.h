// Gallery of scenes with thumbnails: the packaged scenes, or the start page with recent scenes, templates and packaged
// scenes. The scenes are in groups and can be searched. The File menu opens both.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <imgui.h>

#include "app/window/document/scene_groups.h"
#include "app/window/results/thumbnails.h"

namespace vw::ui {

class SceneGallery {
 public:
  SceneGallery();
  ~SceneGallery();
  SceneGallery(const SceneGallery&) = delete;
  SceneGallery& operator=(const SceneGallery&) = delete;

  /// Opens the gallery of the packaged scenes.
  void open(const std::vector<PackagedScene>& scenes);
  /// `shows_at_start` is the state of the box "Show at the start of the program".
  void open_start_page(StartScenes scenes, bool shows_at_start);
  /// State of the box "Show at the start of the program". Empty unless the start page is open.
  [[nodiscard]] std::optional<bool> shows_at_start() const {
    return open_ && is_start_page_ ? std::optional(shows_at_start_) : std::nullopt;
  }
  [[nodiscard]] bool is_open() const { return open_; }
  /// Whether thumbnails are being drawn. The window must then keep drawing frames, so that new thumbnails appear.
  [[nodiscard]] bool is_drawing() const { return open_ && thumbnails_.busy(); }
  struct Choice {
    enum class Kind : std::uint8_t {
      open,    ///< open the scene at `path`
      create,  ///< make a new scene from the template at `path`
      browse,  ///< choose a file
    } kind = Kind::open;
    std::string path;
  };
  /// Draws the dialog while it is open. Returns the user's choice once. Without OpenGL there are no thumbnails.
  [[nodiscard]] std::optional<Choice> draw(bool has_gl, ImFont* strong);
  /// Frees the textures. Call this before the OpenGL context is destroyed.
  void release_gl();

  /// Position of a scene's card in the last frame. Tests use these positions.
  struct Placed {
    std::string name, group;
    ImVec2 low, high;
  };
  [[nodiscard]] const std::vector<Placed>& placed() const { return placed_; }

 private:
  struct Texture {
    unsigned name = 0;  ///< OpenGL name of the texture, or 0 if the scene has no picture
  };
  void take_pictures(bool has_gl);
  void show(StartScenes scenes, bool is_start_page);
  void regroup();
  void draw_search(std::optional<Choice>& chosen);
  void draw_groups(ImFont* strong, std::optional<Choice>& chosen);
  /// Returns true if the card was clicked.
  bool draw_card(const PackagedScene& scene, const SceneGroup& group, ImVec2 size);
  void draw_picture(const PackagedScene& scene, ImVec2 low, ImVec2 high);
  void close();

  bool open_ = false, just_opened_ = false, is_start_page_ = false, shows_at_start_ = true;
  std::string filter_;
  StartScenes scenes_;  ///< for the gallery of the packaged scenes, only `packaged` is used
  std::vector<SceneGroup> groups_;
  Thumbnails thumbnails_;
  /// Textures by path of the scene. A missing entry means that the thumbnail is not drawn yet.
  std::unordered_map<std::string, Texture> textures_;
  std::vector<Placed> placed_;
  std::vector<std::string> wanted_;  ///< scenes whose thumbnails were missing in the last frame
};

}  // namespace vw::ui

// Gallery of the packaged scenes with thumbnails. The scenes are grouped by subject and can be searched. The File menu
// opens the gallery.
#pragma once

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

  void open(const std::vector<PackagedScene>& scenes);
  [[nodiscard]] bool is_open() const { return open_; }
  /// Whether thumbnails are being drawn. The window must then keep drawing frames, so that new thumbnails appear.
  [[nodiscard]] bool is_drawing() const { return open_ && thumbnails_.busy(); }
  /// Draws the dialog while it is open. Returns the path of the chosen scene once, otherwise an empty string. Without
  /// OpenGL there are no thumbnails.
  [[nodiscard]] std::string draw(bool has_gl, ImFont* strong);
  /// Frees the textures. Call this before the OpenGL context is destroyed.
  void release_gl();

  /// Position of each scene's card in the last frame. Tests use it.
  struct Placed {
    std::string name;
    ImVec2 low, high;
  };
  [[nodiscard]] const std::vector<Placed>& placed() const { return placed_; }

 private:
  struct Texture {
    unsigned name = 0;  ///< OpenGL name of the texture, or 0 if the scene has no picture
  };
  void take_pictures(bool has_gl);
  void draw_search(std::string& chosen);
  void draw_groups(ImFont* strong, std::string& chosen);
  /// Returns true if the card was clicked.
  bool draw_card(const PackagedScene& scene, ImVec2 size);
  void draw_picture(const PackagedScene& scene, ImVec2 low, ImVec2 high);
  void close();

  bool open_ = false, just_opened_ = false;
  std::string filter_;
  std::vector<PackagedScene> scenes_;
  std::vector<SceneGroup> groups_;
  Thumbnails thumbnails_;
  std::unordered_map<std::string, Texture> textures_;  ///< by path. A thumbnail without an entry is not drawn yet.
  std::vector<Placed> placed_;
  std::vector<std::string> wanted_;  ///< scenes whose thumbnails were missing in the last frame
};

}  // namespace vw::ui

// The packaged scenes as pictures, by subject, with a search. Opened from the File menu.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <imgui.h>

#include "app/window/scene_groups.h"
#include "app/window/thumbnails.h"

namespace vw::ui {

class SceneGallery {
 public:
  SceneGallery();
  ~SceneGallery();
  SceneGallery(const SceneGallery&) = delete;
  SceneGallery& operator=(const SceneGallery&) = delete;

  void open(const std::vector<PackagedScene>& scenes);
  [[nodiscard]] bool is_open() const { return open_; }
  /// Pictures are being drawn: the window goes on drawing to show them.
  [[nodiscard]] bool is_drawing() const { return open_ && thumbnails_.busy(); }
  /// Draws the dialog while it is open. Returns the path of the chosen scene once, else an empty string. Without OpenGL there are no pictures.
  [[nodiscard]] std::string draw(bool has_gl, ImFont* strong);
  /// Frees the pictures; before the OpenGL context goes.
  void release_gl();

  /// Where each scene stood in the last frame; for tests.
  struct Placed {
    std::string name;
    ImVec2 low, high;
  };
  [[nodiscard]] const std::vector<Placed>& placed() const { return placed_; }

 private:
  struct Texture {
    unsigned name = 0;  ///< 0: there is no picture
  };
  void take_pictures(bool has_gl);
  void draw_search(std::string& chosen);
  void draw_groups(ImFont* strong, std::string& chosen);
  /// True when it was clicked.
  bool draw_card(const PackagedScene& scene, ImVec2 size);
  void draw_picture(const PackagedScene& scene, ImVec2 low, ImVec2 high);
  void close();

  bool open_ = false, just_opened_ = false;
  std::string filter_;
  std::vector<PackagedScene> scenes_;
  std::vector<SceneGroup> groups_;
  Thumbnails thumbnails_;
  std::unordered_map<std::string, Texture> textures_;  ///< by path; no entry: not drawn yet
  std::vector<Placed> placed_;
  std::vector<std::string> wanted_;  ///< pictures that the last frame missed
};

}  // namespace vw::ui

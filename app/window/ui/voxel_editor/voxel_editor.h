// The voxel editor: a mode of the window in which the user draws the cells of one voxel body. The picture shows the
// lattice at rest, and the left sidebar shows the tools. The scene changes only when the edit is applied. Use only on
// the drawing thread.
#pragma once

#include <array>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/window/ui/viewport/view_cube_widget.h"
#include "app/window/ui/widgets/picture_target.h"
#include "app/window/voxel_edit/brush_shapes.h"
#include "app/window/voxel_edit/cells/cell_files.h"
#include "app/window/voxel_edit/cells/mesh_cells.h"
#include "app/window/voxel_edit/cells/voxel_body_cells.h"
#include "app/window/voxel_edit/cells/voxel_faces.h"
#include "app/window/voxel_edit/cells/voxel_pick.h"
#include "app/window/voxel_edit/edit_changes.h"
#include "app/window/voxel_edit/painted_muscles.h"
#include "app/window/voxel_edit/voxel_checks.h"
#include "app/window/voxel_edit/voxel_edits.h"
#include "render/camera.h"
#include "render/voxel_grid/voxel_grid_picture.h"

namespace vw::ui {

struct App;

/// Lower corner of a cell, in lattice coordinates (voxel_grid.h).
[[nodiscard]] inline glm::vec3 lattice_point(const VoxelCell& cell) {
  return {static_cast<float>(cell.x()), static_cast<float>(cell.y()), static_cast<float>(cell.z())};
}

/// sRGB colour of a muscle in the picture. Number 0 is no muscle.
[[nodiscard]] std::uint32_t muscle_color(int number);

enum class VoxelTool { brush, line, box, ball, fill, extrude, select, eyedropper };
/// Quantity that the colours of the cells show.
enum class VoxelColors { material, phase, amplitude_scale, stiffness, muscle };

/// Settings of the tools.
struct VoxelToolSettings {
  VoxelTool tool = VoxelTool::brush;
  BrushMode mode = BrushMode::add;
  std::uint16_t code = 1;                 ///< material of new voxels, as an index of the palette plus 1
  int radius = 0;                         ///< radius of the brush in cells; 0 is a single cell
  std::array<bool, 3> mirror{};           ///< symmetry about the planes through the middle of the lattice
  std::array<bool, 3> mirror_on_cells{};  ///< whether a plane passes through the centres of cells (odd width)
  VoxelColors colors = VoxelColors::material;
  bool paints_values = false;  ///< whether strokes paint values of `layer` instead of a material
  PaintLayer layer = PaintLayer::phase;
  double value = 0, value_at_end = 0;  ///< painted value, and the value at the far end of a gradient
  int gradient_axis = 0;
  int muscles = 0;                   ///< largest number of a muscle that was made in this edit
  int thickness = 1;                 ///< number of layers for hollowing, shells and growing the selection
  bool limits_to_selection = false;  ///< whether strokes change selected cells only
  int shape = 0;                     ///< index of the shape to fill with
  std::string formula = "1 - (2*x-1)^2 - (2*y-1)^2 - (2*z-1)^2";
  std::string material_formula = "x < 0.5 ? 1 : 0";
  bool fits_mesh = true;      ///< whether a mesh is scaled so that it fits into the selection or the lattice
  double mesh_scale = 0.001;  ///< metres per unit of a mesh file, if the mesh is not fitted
};

class VoxelEditor {
 public:
  /// Opens the voxel body at `path` ("system.creature") of the scene. Returns an error if its cells cannot be edited.
  [[nodiscard]] static Result<std::unique_ptr<VoxelEditor>> open(const Node& scene, const std::string& path,
                                                                 const Camera& view);

  /// Draws the picture into the whole content area of the current ImGui window, and handles mouse and keys.
  void draw_picture(App& app, ImVec2 size);
  /// Draws the tools, in the left sidebar.
  void draw_panel(App& app);
  /// Frees the GL objects. Call this before the context is destroyed.
  void release_gl();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] VoxelEdits& edits() { return edits_; }
  [[nodiscard]] const VoxelEdits& edits() const { return edits_; }
  [[nodiscard]] VoxelToolSettings& settings() { return settings_; }
  [[nodiscard]] Camera& camera() { return camera_; }
  /// Whether the cells differ from those that were last applied to the scene.
  [[nodiscard]] bool is_changed() const;
  /// Changes of `scene` that give the body the edited cells (edit_changes.h).
  [[nodiscard]] Result<std::vector<NodeChange>> changes(const Node& scene) const {
    return changes_of_edit(edits_.grid(), opened_in(scene), scene, path_);
  }
  /// Scene after these changes.
  [[nodiscard]] Result<Node> edited(const Node& scene) const {
    return edited_scene(edits_.grid(), opened_in(scene), scene, path_);
  }
  /// Starts to read a file on a worker thread. When its cells are ready, those of a design replace all cells, and those
  /// of a mesh are filled with the chosen material. Both are one undo step.
  void start_reading(App& app, const std::string& path);
  [[nodiscard]] bool is_reading() const { return file_.reading.valid() || file_.mesh.valid(); }
  void mark_applied() {
    applied_revision_ = edits_.revision();
    applied_box_ = edits_.grid().box();
  }
  [[nodiscard]] bool was_applied() const { return applied_revision_ > 0; }
  /// Makes is_changed() true, because the scene has refused the cells that were applied last.
  void mark_refused() { applied_revision_ = static_cast<std::uint64_t>(-1); }
  /// Adapts the path to a new name of the body, which may be renamed during a trial.
  void follow_renaming(const std::string& new_name) {
    path_ = "system." + new_name;
    opened_.body.name = new_name;
  }
  /// Adapts the opened body to a new name of one of its regions or muscles. `slot` is the number of the part's slot.
  void follow_renaming_of_part(std::size_t slot, const std::string& name, const std::string& new_name) {
    for (Node& part : opened_.body.children)
      if (part.slot == slot && part.name == name) part.name = new_name;
  }

 private:
  VoxelEditor(OpenedVoxelBody opened, std::string path);

  /// A drag of the mouse with a tool.
  struct Stroke {
    VoxelGrid before;  ///< cells at the start of the stroke, in which the pointer picks cells
    VoxelCell start = VoxelCell::Zero(), last = VoxelCell::Zero();
    VoxelHit hit;                       ///< face on which the stroke began
    glm::vec2 pressed{0};               ///< [px]
    bool has_preview = false;           ///< whether the last step of the history is the present result of the drag
    std::uint64_t revision_before = 0;  ///< revision of the cells at the start of the stroke
    int layers = 0;                     ///< number of layers of an extrusion
  };
  /// Cell on which the tool acts, if the pointer is on one.
  struct Aim {
    VoxelCell cell = VoxelCell::Zero();
    std::optional<VoxelHit> hit;  ///< voxel under the pointer; empty if the pointer is on the lattice's floor
  };

  /// The opened body with the edits that the body in `scene` received after the last application.
  [[nodiscard]] OpenedVoxelBody opened_in(const Node& scene) const;
  [[nodiscard]] std::optional<Aim> aim(const VoxelGrid& grid, glm::vec2 pointer) const;
  [[nodiscard]] Ray ray_at(glm::vec2 pointer) const;
  [[nodiscard]] VoxelVisibility visibility() const;
  [[nodiscard]] BrushMode mode_now() const;
  void handle_mouse(App& app, bool hovered);
  void handle_keys(App& app);
  void begin_stroke(App& app, const Aim& at);
  void continue_stroke(App& app);
  void end_stroke();
  void cancel_stroke();
  void apply_cells(App& app, const Result<CellSet>& cells);
  /// Replaces the previous result of a drag by a new one.
  template <class Operation>
  void preview(Operation operation);
  void report(App& app, const Result<std::size_t>& outcome);
  void update_symmetry();
  void copy(App& app, bool cuts);
  void paste(App& app);

  void upload_faces(const Node& scene);
  void upload_lines();
  [[nodiscard]] std::vector<std::uint32_t> colors_of(const Node& scene) const;
  [[nodiscard]] std::uint32_t value_color(double value) const;

  void take_cells(App& app, Result<FileCells> cells);
  void take_mesh(App& app, const Result<MeshCells>& mesh);
  /// Box of the selection or, without a selection, of the lattice.
  [[nodiscard]] VoxelBox fill_box() const;
  /// Applies the cells of a shape with the chosen material.
  void fill(App& app, const Result<CellSet>& cells);
  void draw_mesh_fill(App& app);
  void frame_lattice();
  void draw_files(App& app);
  void draw_tools(App& app);
  void draw_palette(App& app);
  void draw_symmetry();
  void draw_visibility();
  void draw_selection(App& app);
  void draw_shapes(App& app);
  void draw_paint(App& app);
  void draw_muscles(App& app);
  void draw_measures(App& app);
  void draw_frequency(App& app);

  OpenedVoxelBody opened_;
  std::string path_;
  VoxelEdits edits_;
  VoxelToolSettings settings_;
  Camera camera_;
  std::uint64_t applied_revision_ = 0;
  VoxelBox applied_box_;  ///< lattice of the cells that were applied last
  std::optional<Stroke> stroke_;
  std::optional<Aim> aim_;
  std::optional<VoxelGrid> clipboard_;
  std::optional<std::array<int, 3>> typed_size_;  ///< size of the lattice while it is being typed
  /// File that is being read.
  struct FileInProgress {
    std::string path;
    std::future<Result<FileCells>> reading;
    std::future<Result<MeshCells>> mesh;
  } file_;
  std::array<int, 6> section_{};  ///< cells hidden on each side: -x +x -y +y -z +z
  int layer_axis_ = -1;           ///< axis of the layer view, or -1 if all layers are shown
  int layer_ = 0;                 ///< coordinate of the shown layer
  int camera_button_ = -1;        ///< button of a drag that moves the camera, or -1
  bool orbits_ = false;
  ViewCubeWidget view_cube_;
  ImVec2 corner_{0, 0}, size_{0, 0};

  std::unique_ptr<VoxelGridPicture> picture_;
  VoxelFaceList faces_;
  PictureTarget target_;
  std::uint64_t drawn_revision_ = static_cast<std::uint64_t>(-1);
  VoxelVisibility drawn_visibility_;
  VoxelColors drawn_colors_ = VoxelColors::material;
  std::optional<VoxelCell> drawn_aim_;
  /// Measures of the cells at a revision. They are computed only while no stroke is in progress.
  struct Measured {
    std::uint64_t revision = static_cast<std::uint64_t>(-1);
    VoxelMeasures measures;
    std::vector<VoxelPart> parts;
  } measured_;
};

/// Opens the editor for the voxel body at `path` and pauses the world.
void edit_voxels(App& app, const std::string& path);
/// Applies the edit to the scene as one undo step. The world restarts the body only. Returns false after an error.
bool apply_voxels(App& app);
/// Whether the editor is open and contains cells that were not applied.
[[nodiscard]] bool has_unapplied_cells(const App& app);
/// Whether the editor contains cells that the scene lacks, because they were not applied or are still being checked.
[[nodiscard]] bool has_cells_to_keep(const App& app);
/// The scene with the cells of the editor. No value if the scene lacks no cells, or if it cannot contain them.
[[nodiscard]] std::optional<Node> scene_with_cells(const App& app, const Node& scene);
/// Applies the edit and runs the world. draw_try_banner() offers to return to the editor.
void try_voxels(App& app);
/// Writes the edited body to a design file, in the format of its extension. The scene does not change.
void save_cells(App& app, const std::string& path);
/// Closes the editor without applying the edit.
void close_voxel_editor(App& app);
/// Closes the editor if View::closes_voxel_editor is true and the scene contains the cells. If the scene has refused
/// the cells, or if the user has changed them since, the editor stays open. Call this once per frame.
void close_applied_editor(App& app);
/// Draws the button that returns from a trial to the editor.
void draw_try_banner(App& app, ImVec2 corner, ImVec2 size);

}  // namespace vw::ui

// The picture of the scene in the window: camera and selection, renderer, screenshots and video. Use only on the
// drawing thread.
#pragma once

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/window/export_recorder.h"
#include "app/window/film_picture.h"
#include "app/window/results/pair_frames.h"
#include "app/window/ui/moment_atlas.h"
#include "app/window/ui/viewport/comparison_picture.h"
#include "app/window/ui/viewport/viewport.h"
#include "app/window/ui/voxel_editor/voxel_editor.h"
#include "app/window/video_recorder.h"

namespace vw::ui {

struct CaptureSettings {
  int screenshot_size = 0;  ///< index into screenshot_sizes (capture_sizes.h)
  bool screenshot_interface = false;
  RecordSettings record;
  /// True once the user has chosen the timing. Until then, a simulation slower than real time is recorded by simulated
  /// time.
  bool timing_chosen = false;
  int video_size = 1;  ///< index into video_sizes (capture_sizes.h)
  std::string folder;  ///< output folder. Empty means the user's Pictures, Videos and Documents folders.
};

/// Screenshot of the whole window, taken at the end of this frame.
struct PendingScreenshot {
  bool wanted = false;
  std::string path;
};

/// Export of frames for other programs, with its settings.
struct FrameExport {
  std::size_t format = 0;     ///< index into export_formats()
  int frames_per_s = 30;      ///< frames per simulated second
  bool has_surfaces = false;  ///< whether fluids have a surface in each frame
  std::string path;
  Node air;  ///< parts of the scene that determine the wind in the next frames (SeriesExport::air_of())
  std::future<Result<SeriesExport>> opening;  ///< valid while the files are being opened
  std::shared_ptr<ExportRecorder> recorder;   ///< recorder of the export in progress, or null
};

/// Smooth motion of the camera to a stored camera (camera_bookmarks.cpp).
struct CameraMove {
  static constexpr double duration_s = 0.3;
  Camera from, to;
  double start_s = 0;  ///< wall time [s]
  Camera shown;        ///< camera of the last frame. If the present camera differs, the user has moved it.
};

struct View {
  std::unique_ptr<Renderer> renderer;  ///< null in tests without OpenGL
  Viewport viewport;
  ComparisonPicture comparison;
  PairFrames pair_frames;                     ///< frames of a video that shows a comparison
  MomentAtlas moments;                        ///< small pictures of Session::moment_pictures
  std::unique_ptr<VoxelEditor> voxel_editor;  ///< null unless the cells of a voxel body are being edited
  bool tries_voxels = false;                  ///< whether the editor is hidden while the user tries the edited body
  bool closes_voxel_editor = false;           ///< whether the editor closes once the scene contains its cells
  [[nodiscard]] bool shows_voxel_editor() const { return voxel_editor != nullptr && !tries_voxels; }
  std::optional<CameraMove> camera_move;  ///< motion in progress
  VideoRecorder recorder;
  std::string recording_path;
  /// Number of frames of the window that are drawn before the first picture of a recording, which may take seconds. The
  /// window thus shows at once that the recording has begun.
  int frames_before_recording = 0;
  CaptureSettings capture;
  PendingScreenshot window_screenshot;
  FrameExport frame_export;
  FilmChoice film;
  std::shared_ptr<FilmProgress> film_picture;  ///< progress of the last picture in film quality, or null
  std::uint64_t pictures_taken = 0;            ///< number of screenshots and recordings that were started
  std::string gl_name;
};

}  // namespace vw::ui

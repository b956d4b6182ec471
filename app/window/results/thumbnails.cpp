#include "app/window/results/thumbnails.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "app/capture/capture.h"
#include "app/window/document/scene_loader.h"
#include "render/framing.h"
#include "render/software/software_renderer.h"
#include "sim/base/files/file.h"
#include "sim/base/parallel/loop_team.h"
#include "sim/base/parallel/parallel.h"
#include "sim/base/system/process.h"
#include "sim/snapshot/view.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

/// Seed of the hash in the file names of cached thumbnails. Increase it to invalidate all cached thumbnails.
constexpr int picture_version = 2;
constexpr double thumbnail_simulated_s = 0.5, thumbnail_patience_s = 0.5;

glm::vec3 to_glm(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

ViewParams view_of(const Node& scene) {
  const Node* view = scene.only("view");
  return view == nullptr ? view_params().defaults() : view_params().read(view->values);
}

Camera camera_of(const ViewParams& view, const Snapshot& snapshot) {
  Camera camera;
  camera.eye = to_glm(view.eye);
  camera.target = to_glm(view.target);
  camera.fov_deg = static_cast<float>(view.fov_deg);
  camera.is_orthographic = view.orthographic;
  if (view.auto_frame) frame_subject(camera, snapshot, static_cast<float>(thumbnail_width) / thumbnail_height);
  return camera;
}

/// Starts the threads on which the parallel loops of the process run. A thread inherits the priority of the thread that
/// starts it, so these threads must exist before this thread lowers its priority.
void start_shared_threads() {
  { const TeamedLoops team; }
  parallel_for(64, 1, [](Range, std::size_t) {});
}

/// Removes the cached thumbnails of earlier versions of a scene. `kept` is the path of the current thumbnail.
void remove_old(const fs::path& kept) {
  std::error_code error;
  const std::string name = kept.filename().string(), stem = name.substr(0, name.rfind('-') + 1);
  for (fs::directory_iterator entry(kept.parent_path(), error), end; !error && entry != end; entry.increment(error)) {
    const std::string other = entry->path().filename().string();
    std::error_code ignored;
    if (other != name && other.size() == name.size() && other.starts_with(stem)) fs::remove(entry->path(), ignored);
  }
}

}  // namespace

Result<Image> draw_thumbnail(const std::string& scene, const std::atomic<bool>& stop) {
  auto loaded = load_run({.path = scene, .sets = {}});
  if (!loaded) return Unexpected(loaded.error());
  ViewParams view = view_of(loaded->scene);
  if (std::exchange(view.transparent, false)) view.matte = Matte::white;  // the file has no alpha channel
  api::Run& run = loaded->run;
  SnapshotRequest wanted{.air = view, .fluids = view};
  if (view.color_by != "material") wanted.channels = {view.color_by};
  if (view.vectors) wanted.vectors = {view.vector_of};
  run.subscribe(std::move(wanted));
  const auto start = std::chrono::steady_clock::now();
  const auto is_late = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > thumbnail_patience_s;
  };
  while (run.time_s() < thumbnail_simulated_s && !is_late()) {
    if (stop) return fail("stopped");
    if (!run.step()) break;  // if the step fails, draw the last valid state
  }
  Snapshot snapshot;
  run.snapshot(snapshot);
  return SoftwareRenderer().draw_image({nullptr, &snapshot, 1}, camera_of(view, snapshot), view, {}, thumbnail_width,
                                       thumbnail_height, LegendOverlay::none);
}

Thumbnails::~Thumbnails() {
  want({});
  stop_ = true;  // the destructor of worker_ joins the thread
}

void Thumbnails::want(std::vector<std::string> scenes) {
  const std::lock_guard lock(mutex_);
  const auto is_done = [&](const std::string& scene) {
    return scene == under_way_ || std::ranges::find(ready_, scene, &Ready::scene) != ready_.end();
  };
  std::erase_if(scenes, is_done);
  wanted_ = std::move(scenes);
  if (wanted_.empty() || working_) return;
  working_ = true;
  worker_.run([this] { work(); });
}

std::vector<Thumbnails::Ready> Thumbnails::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(ready_, {});
}

bool Thumbnails::busy() const {
  const std::lock_guard lock(mutex_);
  return working_;
}

std::string Thumbnails::file_of(const std::string& folder, const std::string& scene) {
  const auto text = read_file(scene, std::uint64_t{1} << 24);
  if (!text) return {};
  const std::uint64_t hash = XXH3_64bits_withSeed(text->data(), text->size(), picture_version);
  std::error_code ignored;
  const std::string path = fs::absolute(scene, ignored).string();
  const std::uint64_t place = XXH3_64bits_withSeed(path.data(), path.size(), picture_version);
  return (fs::path(folder) / "thumbnails" /
          fmt::format("{}-{:016x}-{:016x}.png", fs::path(scene).stem().string(), place, hash))
      .string();
}

Image Thumbnails::picture_of(const std::string& scene) const {
  const std::string file = folder_.empty() ? std::string() : file_of(folder_, scene);
  constexpr std::size_t pixels = std::size_t{thumbnail_width} * thumbnail_height;
  if (!file.empty())
    if (auto kept = read_png(file, pixels)) return std::move(*kept);
  auto drawn = draw_thumbnail(scene, stop_);
  if (!drawn) return {};
  std::error_code error;
  if (file.empty() || (fs::create_directories(fs::path(file).parent_path(), error), error)) return std::move(*drawn);
  if (write_png(*drawn, file)) remove_old(file);
  return std::move(*drawn);
}

void Thumbnails::work() {
  // Lower the priority of this thread, so that the window stays responsive.
  start_shared_threads();
  lower_thread_priority();
  while (true) {
    std::string scene;
    {
      const std::lock_guard lock(mutex_);
      under_way_.clear();
      if (wanted_.empty() || stop_) {
        working_ = false;
        return;
      }
      scene = under_way_ = wanted_.front();
      wanted_.erase(wanted_.begin());
    }
    Image image = picture_of(scene);
    const std::lock_guard lock(mutex_);
    ready_.push_back({std::move(scene), std::move(image)});
  }
}

}  // namespace vw

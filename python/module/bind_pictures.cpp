// Pictures of a run as arrays, video files of such arrays, and PNG files that store the moment that they show.
#include <utility>

#include <fmt/format.h>

#include "app/capture/capture.h"
#include "app/window/document/picture_file.h"
#include "python/module/binding.h"
#include "sim/api/moment.h"
#include "sim/api/open_scene.h"

namespace vw::python {
namespace {

struct PictureOptions {
  int width = 0, height = 0;
  std::string renderer;             ///< "auto", "opengl" or "software"
  std::vector<std::string> view;    ///< assignments to view settings, for this picture only
  std::optional<Vec3> eye, target;  ///< camera, for this picture only
};

/// Returns the view of the run's scene, with the assignments.
ViewParams view_for(const Node& scene, const std::vector<std::string>& assignments) {
  if (assignments.empty()) return scene_view(scene);
  Node root = api::new_scene();
  if (const Node* own = scene.only("view"); own != nullptr) *root.only("view") = *own;
  (void)checked(api::apply_assignments(root, assignments));
  return scene_view(root);
}

/// Creates the painter for the first picture, and again if another kind of renderer is requested.
void prepare_painter(RunBox& box, const std::string& renderer) {
  const bool is_software = renderer == "software";
  if (!is_software && renderer != "opengl" && renderer != "auto")
    throw PythonError{
        wrong_value(0, "renderer", "\"" + renderer + "\"", "must be \"auto\", \"opengl\" or \"software\"").value()};
  const bool fits = box.painter != nullptr && box.asked_software == is_software;
  if (fits && (renderer != "opengl" || box.painter->uses_opengl())) return;
  box.asked_software = is_software;
  std::optional<Error> unavailable;
  if (!is_software) box.painter = checked(OffscreenPainter::create_opengl(unavailable));
  if (unavailable && renderer == "opengl") throw PythonError{*unavailable};
  if (is_software || unavailable) box.painter = OffscreenPainter::create_software();
}

/// Requests the data that the view shows. Vectors that are measured during a step are available after the next step.
void request_view(RunBox& box, const ViewParams& view) {
  box.view_wanted = {.vectors = {view.vector_of}, .rules = view.forces, .air = view, .fluids = view};
  if (!view.color_by.empty() && view.color_by != "material") box.view_wanted.channels.push_back(view.color_by);
  subscribe(box);
}

bool is_same_place(const ViewParams& a, const ViewParams& b) {
  return a.eye == b.eye && a.target == b.target && a.fov_deg == b.fov_deg && a.auto_frame == b.auto_frame &&
         a.auto_follow == b.auto_follow && a.orthographic == b.orthographic && a.follow == b.follow;
}

/// Returns the camera of the next picture. The camera is placed at the first picture, and again if the view's camera
/// was edited. Between pictures, it moves with the object that it follows.
Camera camera_for(RunBox& box, const ViewParams& view, const Frame& frame, const PictureOptions& options) {
  const float aspect = static_cast<float>(options.width) / static_cast<float>(options.height);
  const double time_s = frame.newest->time_s;
  if (!box.framed || !is_same_place(*box.framed, view)) {
    box.camera = view_camera(view, *frame.newest, aspect);
    box.framed = view;
    box.follower = {};
    box.auto_camera = {};
    box.camera_s = time_s;
    if (view.auto_frame && view.auto_follow && view.follow.empty()) box.auto_camera.begin(box.camera);
  }
  box.follower.move(box.camera, frame, view.follow);
  box.auto_camera.move(box.camera, *frame.newest, aspect,
                       static_cast<float>(time_s - std::exchange(box.camera_s, time_s)));
  if (!options.eye && !options.target) return box.camera;
  ViewParams other = view;
  other.auto_frame = false;
  other.eye = options.eye.value_or(view.eye);
  other.target = options.target.value_or(view.target);
  return view_camera(other, *frame.newest, 1);
}

py::array_t<std::uint8_t> rgb_array(const Image& image) {
  py::array_t<std::uint8_t> out({image.height, image.width, 3});
  std::uint8_t* to = out.mutable_data();
  for (std::size_t from = 0; from < image.rgba.size(); from += 4) to = std::copy_n(image.rgba.data() + from, 3, to);
  return out;
}

/// A picture, the camera that it shows, and whether its background is transparent.
struct Drawn {
  Image image;
  Camera camera;
  bool is_transparent = false;
};

/// Draws the present state. A transparent view has an alpha channel or, if `alpha` drops it, a white background.
Drawn draw(RunBox& box, const UseRun& use, const PictureOptions& options, AlphaChannel alpha) {
  if (options.width < 1 || options.height < 1 || options.width > largest_picture_px ||
      options.height > largest_picture_px)
    throw PythonError{fail(fmt::format("picture of {} x {} pixels: expected each side in [1, {}]", options.width,
                                       options.height, largest_picture_px))
                          .value()};
  ViewParams view = view_for(use->scene(), options.view);
  if (alpha == AlphaChannel::dropped && std::exchange(view.transparent, false)) view.matte = Matte::white;
  prepare_painter(box, options.renderer);
  request_view(box, view);
  Camera camera;
  Result<Image> image = [&]() -> Result<Image> {
    const py::gil_scoped_release free;
    use->snapshot(box.snapshot);
    const Frame frame{nullptr, &box.snapshot, 1.0F};
    camera = camera_for(box, view, frame, options);
    return box.painter->draw(frame, camera, view, options.width, options.height);
  }();
  return {checked(std::move(image)), camera, view.transparent};
}

py::array_t<std::uint8_t> render(RunBox& box, const PictureOptions& options) {
  const UseRun use(box);
  return rgb_array(draw(box, use, options, AlphaChannel::dropped).image);
}

/// Writes a PNG file that stores the moment that it shows.
void save_picture(RunBox& box, const std::string& path, const PictureOptions& options) {
  const UseRun use(box);
  const Drawn drawn = draw(box, use, options, AlphaChannel::kept);
  const AlphaChannel alpha = drawn.is_transparent ? AlphaChannel::kept : AlphaChannel::dropped;
  Node shown = use->scene();
  // The picture opens with the view that it shows. draw() has checked the assignments.
  (void)api::apply_assignments(shown, options.view);
  Result<void> written;
  {
    const py::gil_scoped_release free;
    api::SavedMoment moment = api::moment_of(box.snapshot, with_camera(std::move(shown), drawn.camera));
    api::add_session(moment, use->journal(), use->start());
    const auto bytes = api::pack_moment(std::move(moment), path);
    written = bytes ? write_png(drawn.image, path, *bytes, alpha) : Result<void>(Unexpected(bytes.error()));
  }
  check(written);
}

/// Opens the moment that a picture or a video shows. Returns the run, and warnings.
py::tuple open_moment(const std::string& path, std::optional<double> at_s, std::optional<std::uint64_t> frame,
                      const std::string& journal) {
  Interrupts interrupts;
  api::MomentOptions options{.at_s = at_s, .frame = frame, .journal_path = journal};
  options.progress = [&](double) { return !interrupts.end_work(); };
  Result<api::ReopenedMoment> opened = [&] {
    const py::gil_scoped_release free;
    return open_picture(path, options);
  }();
  interrupts.rethrow();
  api::ReopenedMoment moment = checked(std::move(opened));
  return py::make_tuple(make_box(std::move(moment.run), path), moment.notes);
}

std::optional<Vec3> optional_vec3(const py::object& object, const char* name) {
  return object.is_none() ? std::nullopt : std::optional(to_vec3(object, name));
}

void add_frame(VideoWriter& writer, const py::array_t<std::uint8_t, py::array::c_style | py::array::forcecast>& frame) {
  if (frame.ndim() != 3 || (frame.shape(2) != 3 && frame.shape(2) != 4))
    throw PythonError{
        fail("frame of a video: expected an array of the shape (height, width, 3) or (height, width, 4)").value()};
  const auto channels = static_cast<std::size_t>(frame.shape(2));
  Image image{static_cast<int>(frame.shape(1)), static_cast<int>(frame.shape(0)), {}};
  image.rgba.assign(4 * static_cast<std::size_t>(frame.size()) / channels, 255);
  const std::uint8_t* from = frame.data();
  for (std::size_t to = 0; to < image.rgba.size(); to += 4, from += channels)
    std::copy_n(from, channels, image.rgba.data() + to);
  Result<void> added;
  {
    const py::gil_scoped_release free;
    added = writer.add(std::move(image));
  }
  check(added);
}

}  // namespace

void bind_pictures(py::module_& module, py::class_<RunBox, Shared>& type) {
  type.def("render", [](RunBox& box, int width, int height, const std::string& renderer, std::vector<std::string> view,
                        const py::object& eye, const py::object& target) {
    return render(
        box, {width, height, renderer, std::move(view), optional_vec3(eye, "eye"), optional_vec3(target, "target")});
  });
  type.def("save_picture", [](RunBox& box, const std::string& path, int width, int height, const std::string& renderer,
                              std::vector<std::string> view, const py::object& eye, const py::object& target) {
    save_picture(
        box, path,
        {width, height, renderer, std::move(view), optional_vec3(eye, "eye"), optional_vec3(target, "target")});
  });
  type.def_static("open_picture", &open_moment);
  type.def_property_readonly("uses_opengl",
                             [](const RunBox& box) { return box.painter != nullptr && box.painter->uses_opengl(); });
  py::class_<VideoWriter>(module, "VideoWriter")
      .def_static("open",
                  [](const std::string& path, int width, int height, int fps) {
                    return checked(VideoWriter::open(path, {.width = width, .height = height, .fps = fps}));
                  })
      .def("add", &add_frame)
      .def("finish", [](VideoWriter& writer) {
        Result<void> done;
        {
          const py::gil_scoped_release free;
          done = writer.finish();
        }
        check(done);
      });
  module.def("video_backend", &video_backend);
}

}  // namespace vw::python

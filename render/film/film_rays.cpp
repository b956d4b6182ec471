#include "render/film/film_rays.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "sim/base/parallel/one_thread.h"

#ifdef VOXWAKE_HAVE_EMBREE
#include <embree3/rtcore.h>
#endif

namespace vw::film {

glm::vec3 off_surface(const glm::vec3& point, const glm::vec3& way) {
  constexpr float near_origin = 1.0F / 32, step = 1.0F / 65536, scale = 256;
  glm::vec3 out(0);
  for (int k = 0; k < 3; ++k) {
    const auto by = static_cast<std::int32_t>(scale * way[k]);
    // The sum is unsigned, because the bits of -0 are the least signed number.
    const float moved = std::bit_cast<float>(std::bit_cast<std::uint32_t>(point[k]) +
                                             static_cast<std::uint32_t>(point[k] < 0 ? -by : by));
    out[k] = std::abs(point[k]) < near_origin ? point[k] + step * way[k] : moved;
  }
  return out;
}

#ifdef VOXWAKE_HAVE_EMBREE

struct FilmRays::Impl {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (scene != nullptr) rtcReleaseScene(scene);
    if (device != nullptr) rtcReleaseDevice(device);
  }

  /// Copies rows into a new buffer of a geometry. Returns whether there was enough memory.
  template <class Row>
  static bool fill(RTCGeometry geometry, RTCBufferType type, RTCFormat format, const std::vector<Row>& rows) {
    void* to = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(Row), rows.size());
    if (to == nullptr) return false;
    std::memcpy(to, static_cast<const void*>(rows.data()), rows.size() * sizeof(Row));
    return true;
  }
  bool attach(const FilmPart& part, unsigned id) const {
    const bool spheres = part.shape == FilmShape::spheres, quads = part.shape == FilmShape::quads;
    RTCGeometry geometry = rtcNewGeometry(device, spheres ? RTC_GEOMETRY_TYPE_SPHERE_POINT
                                                  : quads ? RTC_GEOMETRY_TYPE_QUAD
                                                          : RTC_GEOMETRY_TYPE_TRIANGLE);
    if (geometry == nullptr) return false;
    bool good = spheres ? fill(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, part.sphere)
                        : fill(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, part.position);
    if (quads) good = good && fill(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT4, part.quad);
    if (!quads && !spheres) good = good && fill(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, part.triangle);
    if (good) {
      rtcCommitGeometry(geometry);
      rtcAttachGeometryByID(scene, geometry, id);
    }
    rtcReleaseGeometry(geometry);
    return good;
  }
};

bool FilmRays::available() { return true; }
FilmRays::FilmRays() : impl_(std::make_unique<Impl>()) {}
FilmRays::~FilmRays() = default;

Result<std::unique_ptr<FilmRays>> FilmRays::create() {
  std::unique_ptr<FilmRays> rays(new FilmRays);
  rays->impl_->device = rtcNewDevice("start_threads=0,set_affinity=0");
  if (rays->impl_->device == nullptr) return fail("the library Embree cannot be started on this processor");
  rays->impl_->scene = rtcNewScene(rays->impl_->device);
  rtcSetSceneFlags(rays->impl_->scene, RTC_SCENE_FLAG_ROBUST);
  return rays;
}

Result<void> FilmRays::add(const std::vector<FilmPart>& parts, std::size_t first) {
  bool good = true;
  run_on_one_thread([&] {
    for (std::size_t i = first; i < parts.size() && good; ++i) good = impl_->attach(parts[i], static_cast<unsigned>(i));
    rtcCommitScene(impl_->scene);
  });
  if (!good || rtcGetDeviceError(impl_->device) != RTC_ERROR_NONE)
    return fail("the path tracer cannot hold the scene: there is not enough memory");
  return {};
}

bool FilmRays::nearest(const glm::vec3& origin, const glm::vec3& direction, float from, float to, FilmHit& hit) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit ray{};
  ray.ray.org_x = origin.x, ray.ray.org_y = origin.y, ray.ray.org_z = origin.z;
  ray.ray.dir_x = direction.x, ray.ray.dir_y = direction.y, ray.ray.dir_z = direction.z;
  ray.ray.tnear = from;
  ray.ray.tfar = to;
  ray.ray.mask = 0xFFFFFFFFU;
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  ray.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(impl_->scene, &context, &ray);
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
  hit = {ray.ray.tfar, ray.hit.geomID, ray.hit.primID,
         ray.hit.u,    ray.hit.v,      {ray.hit.Ng_x, ray.hit.Ng_y, ray.hit.Ng_z}};
  return true;
}

#else

struct FilmRays::Impl {};
bool FilmRays::available() { return false; }
FilmRays::FilmRays() = default;
FilmRays::~FilmRays() = default;
Result<std::unique_ptr<FilmRays>> FilmRays::create() {
  return fail("this build has no film quality: install the package libembree-dev and build the program again");
}
Result<void> FilmRays::add(const std::vector<FilmPart>&, std::size_t) { return {}; }
bool FilmRays::nearest(const glm::vec3&, const glm::vec3&, float, float, FilmHit&) const { return false; }

#endif

}  // namespace vw::film

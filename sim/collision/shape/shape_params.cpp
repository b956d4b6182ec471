#include "sim/collision/shape/shape_params.h"

#include <utility>

namespace vw {
namespace {

Bounds range_m(Smallest smallest) {
  return {smallest == Smallest::positive ? solid_range_m.min : 0, solid_range_m.max};
}
Scale scale_of(Smallest smallest) { return smallest == Smallest::positive ? Scale::log : Scale::linear; }

Param<ShapeParams> length_param(Live live, Smallest smallest, const char* doc) {
  using P = ShapeParams;
  return {.member = &P::length_m,
          .key = "length",
          .unit = Unit::meter,
          .range = range_m(smallest),
          .scale = scale_of(smallest),
          .live = live,
          .doc = doc};
}

}  // namespace

Param<ShapeParams> radius_param(Live live, Smallest smallest) {
  using P = ShapeParams;
  return {.member = &P::radius_m,
          .key = "radius",
          .unit = Unit::meter,
          .range = range_m(smallest),
          .scale = scale_of(smallest),
          .live = live,
          .doc = "Radius of the shape."};
}

ParamTable<ShapeParams> shape_params(ShapeKind kind, Live live, Smallest smallest) {
  using P = ShapeParams;
  switch (kind) {
    case ShapeKind::box:
      return {Param<P>{.member = &P::size_m,
                       .key = "size",
                       .unit = Unit::meter,
                       .range = range_m(smallest),
                       .live = live,
                       .doc = "Edge lengths along x, y and z."}};
    case ShapeKind::capsule:
      return {
          radius_param(live, smallest),
          length_param(live, Smallest::zero, "Distance along y between the centres of the two hemispherical ends.")};
    case ShapeKind::cylinder:
      return {radius_param(live, smallest), length_param(live, smallest, "Length of the cylinder along y.")};
    case ShapeKind::mesh:
      return {Param<P>{.member = &P::source,
                       .key = "source",
                       .doc = "Path of the mesh file (.obj, .stl, .ply, .gltf, .glb), relative to the scene file."},
              Param<P>{.member = &P::scale,
                       .key = "scale",
                       .unit = Unit::ratio,
                       .range = {1e-9, 1e9},
                       .scale = Scale::log,
                       .doc = "Length of one unit of the mesh file in metres."}};
    case ShapeKind::sphere: return {radius_param(live, smallest)};
  }
  return {};
}

SourcedShape sourced_shape(SourcedGeometry geometry) {
  return {std::move(geometry.geometry), std::move(geometry.note), geometry.middle};
}

Result<SourcedShape> make_shape(ShapeKind kind, const ShapeParams& params, const MeshOptions& options) {
  switch (kind) {
    case ShapeKind::box: return SourcedShape{BoxShape{0.5 * params.size_m}};
    case ShapeKind::capsule: return SourcedShape{CapsuleShape{params.radius_m, 0.5 * params.length_m}};
    case ShapeKind::cylinder: return SourcedShape{CylinderShape{params.radius_m, 0.5 * params.length_m}};
    case ShapeKind::mesh:
      return load_mesh({.path = params.source,
                        .scale = params.scale,
                        .two_sided = options.two_sided,
                        .centred = options.centred})
          .map(sourced_shape);
    case ShapeKind::sphere: break;
  }
  return SourcedShape{SphereShape{params.radius_m}};
}

bool describe_same_shape(const ShapeParams& a, const ShapeParams& b) {
  return a.size_m == b.size_m && a.radius_m == b.radius_m && a.length_m == b.length_m && a.source == b.source &&
         a.scale == b.scale;
}

}  // namespace vw

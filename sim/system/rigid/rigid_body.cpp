#include "sim/system/rigid/rigid_body.h"

#include "sim/base/node_kind.h"
#include "sim/collision/shape/shape_sources.h"
#include "sim/collision/surface_params.h"
#include "sim/system/rigid/mass_properties.h"

namespace vw {
namespace {

using P = RigidBodyParams;
using Rows = std::vector<Param<P>>;

Rows common_rows() {
  const P usual;
  Rows rows{
      {&P::position, "position", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::no, "Where its middle is at the start (of a mesh: its origin)."},
      {&P::rotation, "rotation", Unit::radian, Vec3(0, 0, 0), {-100, 100}, Live::no, "Rotation vector at the start: axis times angle."},
      {&P::velocity, "velocity", Unit::meter_per_second, Vec3(0, 0, 0), {-1e3, 1e3}, Live::no, "Velocity of its centre of mass at the start."},
      {&P::angular_velocity, "angular_velocity", Unit::radian_per_second, Vec3(0, 0, 0), {-1e3, 1e3}, Live::no, "Angular velocity at the start."},
      {&P::density, "density", Unit::kilogram_per_m3, 500, {1e-2, 1e5}, Scale::log, Live::yes, "Density; where a mass is given that counts."},
      {&P::mass_kg, "mass", Unit::kilogram, 0, {0, 1e9}, Scale::linear, Live::yes, "Mass, spread evenly; 0: from the density."},
  };
  for (auto& row : surface_params<P>(usual)) rows.push_back(std::move(row));
  rows.push_back({&P::color, "color", Unit::ratio, usual.color, {0, 1}, Live::yes, "Colour, linear red, green, blue.", ParamType::color});
  return rows;
}

Param<P> radius_row() { return {&P::radius_m, "radius", Unit::meter, 0.1, {1e-6, 1e4}, Scale::log, Live::no, "Radius."}; }
Param<P> length_row(const char* doc) { return {&P::length_m, "length", Unit::meter, 0.2, {1e-6, 1e4}, Scale::log, Live::no, doc}; }

Result<Shape> mesh_shape(const P& p) {
  const auto bad = [&](const std::string& expected) { return wrong_value(0, "source", '"' + p.source.substr(0, 160) + '"', expected); };
  if (p.source.empty()) return bad("must name a closed mesh (.obj, .stl, .ply, .gltf, .glb)");
  auto got = load_mesh({p.source, p.scale});
  if (!got) return bad("must be a mesh (.obj, .stl, .ply, .gltf, .glb) that can be read: " + got.error().message());
  if (!(mass_properties(Shape(got->geometry)).volume_m3 > 0)) return bad("must be a closed mesh: this one holds no volume");
  return Shape(std::move(got->geometry));
}

/// A kind of body: its declarations and the shape that they describe.
struct BodyKind : NodeKind<P> {
  BodyKind(std::string kind, std::string doc, Rows own, Result<Shape> (*make_shape)(const P&))
      : NodeKind<P>(std::move(kind), std::move(doc), joined(common_rows(), std::move(own))), shape(make_shape) {}
  Result<Shape> (*shape)(const P&);
};

const std::vector<BodyKind>& kinds() {
  static const std::vector<BodyKind> all{
      {"box",
       "A solid box.",
       {{&P::size_m, "size", Unit::meter, Vec3(0.2, 0.2, 0.2), {1e-6, 1e4}, Live::no, "Edge lengths."}},
       [](const P& p) -> Result<Shape> { return Shape(BoxShape{0.5 * p.size_m}); }},
      {"capsule",
       "A round rod along y with half balls as its ends.",
       {radius_row(), length_row("Length between the middles of its end balls.")},
       [](const P& p) -> Result<Shape> {
         return Shape(CapsuleShape{p.radius_m, 0.5 * p.length_m});
       }},
      {"cylinder",
       "A solid cylinder along y.",
       {radius_row(), length_row("Length.")},
       [](const P& p) -> Result<Shape> {
         return Shape(CylinderShape{p.radius_m, 0.5 * p.length_m});
       }},
      {"mesh",
       "A solid bounded by a closed mesh; mass, centre and inertia follow from it.",
       {{&P::source, "source", "", Live::no, "Closed mesh (.obj, .stl, .ply, .gltf, .glb), relative to the scene."},
        {&P::scale, "scale", Unit::ratio, 1, {1e-9, 1e9}, Scale::log, Live::no, "Metres for a unit of the file."}},
       mesh_shape},
      {"sphere", "A solid ball.", {radius_row()}, [](const P& p) -> Result<Shape> { return Shape(SphereShape{p.radius_m}); }},
  };
  return all;
}

void give_mass(const P& params, RigidBody& body) {
  const MassProperties unit = mass_properties(body.shape);
  body.mass_kg = params.mass_kg > 0 ? params.mass_kg : params.density * unit.volume_m3;
  body.volume_m3 = unit.volume_m3;
  body.center = unit.center;
  body.inertia = Inertia::of(unit.inertia * (body.mass_kg / unit.volume_m3));
}

double farthest_from(const Vec3& center, const Shape& shape) {
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return sphere->radius_m;
  const Box3 box = bounds(shape);
  return (box.max() - center).cwiseAbs().cwiseMax((box.min() - center).cwiseAbs()).norm();
}

}  // namespace

const std::vector<const Schema*>& rigid_body_schemas() {
  static const std::vector<const Schema*> schemas = schemas_of(kinds());
  return schemas;
}

Result<RigidBody> make_rigid_body(const Node& self) {
  const BodyKind& kind = kind_of(kinds(), self);
  const P params = kind.read(self);
  auto shape = kind.shape(params);
  if (!shape) return Unexpected(shape.error());
  RigidBody body;
  body.name = self.name;
  body.shape = std::move(*shape);
  give_mass(params, body);
  body.reach_m = farthest_from(body.center, body.shape);
  body.surface = params;
  body.color = params.color;
  body.start = {params.position, rotation_of(params.rotation)};
  body.velocity = params.velocity;
  body.angular_velocity = params.angular_velocity;
  return body;
}

void update_rigid_body(const Node& self, RigidBody& body) {
  const P params = kind_of(kinds(), self).read(self);
  give_mass(params, body);
  body.surface = params;
  body.color = params.color;
}

}  // namespace vw

#include "app/window/gizmo/node_pose.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/data/node_change.h"
#include "sim/base/rotation.h"

namespace vw {
namespace {

/// Access to the parameters of one node.
class Reader {
 public:
  Reader(const Node& node, std::string path) : node_(node), path_(std::move(path)) {}

  [[nodiscard]] const ParamSpec* spec(std::string_view key) const {
    const auto found = std::ranges::find(node_.schema->params, key, &ParamSpec::name);
    return found == node_.schema->params.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool has(std::string_view key) const { return spec(key) != nullptr; }
  [[nodiscard]] bool is_vector(std::string_view key) const { return has(key) && spec(key)->type == ParamType::vec3; }
  [[nodiscard]] Vec3 vector(std::string_view key) const { return std::get<Vec3>(node_.value(key)); }
  [[nodiscard]] double number(std::string_view key) const { return std::get<double>(node_.value(key)); }
  [[nodiscard]] std::string choice(std::string_view key) const {
    const ParamSpec& one = *spec(key);
    const Value& value = node_.value(key);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return one.choices.at(static_cast<std::size_t>(std::get<std::int64_t>(value)));
  }
  [[nodiscard]] PoseValue at(std::string_view key) const {
    return {path_.empty() ? std::string(key) : path_ + "." + std::string(key), node_.value(key)};
  }
  [[nodiscard]] bool is_live(std::string_view key) const { return spec(key)->live != Live::no; }
  [[nodiscard]] std::string label(std::string_view key) const { return spec(key)->label; }

 private:
  const Node& node_;
  std::string path_;
};

/// Rotation that turns the y axis into the direction.
Quat upright_along(const Vec3& direction) {
  if (direction.norm() < 1e-12) return Quat::Identity();
  return rotation_between(Vec3::UnitY(), direction);
}

void add_place(PosedPart& part, const Reader& read, std::string_view key) {
  part.places.push_back(read.at(key));
  part.label = read.label(key);
  part.is_live = read.is_live(key);
  part.at = part.origin + part.basis * read.vector(key);
}

void add_rotation(PosedPart& part, const Reader& read) {
  for (const std::string_view key : {"direction", "axis"}) {
    if (!read.is_vector(key)) continue;
    part.directions.push_back(read.at(key));
    part.axes = upright_along(part.stored_axes * read.vector(key));
  }
  if (!read.is_vector("rotation")) return;
  part.rotations.push_back(read.at("rotation"));
  part.axes = Quat(part.stored_axes) * rotation_of(read.vector("rotation"));
}

struct NamedLength {
  std::string_view key;
  unsigned axes;
};

/// Adds the sizes of the part and its outline.
void add_sizes(PosedPart& part, const Reader& read) {
  if (read.is_vector("size")) {
    part.sizes.push_back(read.at("size"));
    part.extent = read.vector("size");
    part.shape = OutlineShape::box;
  }
  const bool has_length = read.has("length"), has_direction = !part.directions.empty();
  const bool is_disc = has_direction && !has_length && part.rotations.empty();
  for (const NamedLength& one :
       {NamedLength{"radius", has_length || is_disc ? 5U : 7U}, NamedLength{"diameter", 5U}, NamedLength{"length", 2U},
        NamedLength{"width", 1U}, NamedLength{"height", has_direction && !read.has("width") ? 2U : 4U},
        NamedLength{"size_x", 1U}, NamedLength{"size_z", 4U}, NamedLength{"scale", 7U}})
    if (read.has(one.key) && read.spec(one.key)->type == ParamType::real)
      part.lengths.push_back({read.at(one.key), one.axes});
  if (part.shape == OutlineShape::box) return;
  if (read.has("radius") || read.has("diameter")) {
    const double width = read.has("radius") ? 2 * read.number("radius") : read.number("diameter");
    const double length = has_length ? read.number("length") : 0;
    part.shape = has_length ? OutlineShape::cylinder : is_disc ? OutlineShape::disc : OutlineShape::sphere;
    part.extent = {width, has_length ? length : is_disc ? 0 : width, width};
  } else if (read.has("width") && read.has("height")) {
    part.shape = OutlineShape::rectangle;
    part.extent = {read.number("width"), 0, read.number("height")};
  }
}

/// Part whose place is the parameter `key`. The parameters for orientation and size have their usual names.
PosedPart usual_part(const Reader& read, std::string_view key, PosedPart frame = {}) {
  PosedPart part = std::move(frame);
  add_place(part, read, key);
  add_rotation(part, read);
  add_sizes(part, read);
  return part;
}

/// A box that is given by its centre and its edge lengths. An edge of length 0 means that the box has no limits along
/// its axis.
PosedPart centred_box(const Reader& read, std::string_view center, std::string_view size) {
  PosedPart part;
  add_place(part, read, center);
  part.sizes.push_back(read.at(size));
  part.extent = read.vector(size);
  part.shape = OutlineShape::box;
  return part;
}

struct LatticePose {
  Vec3 center = Vec3::Zero(), edges = Vec3::Zero();  ///< [m]
  Quat axes = Quat::Identity();
};
LatticePose lattice_of(const Reader& body) {
  const Vec3 edges = body.vector("size") * body.number("voxel_size");
  return {body.vector("position") + 0.5 * edges, edges, rotation_of(body.vector("rotation"))};
}

PosedPart part_of_body(const Reader& read) {
  PosedPart part;
  add_place(part, read, "position");
  add_rotation(part, read);
  part.lengths.push_back({read.at("voxel_size"), 7U});
  if (!std::get<std::string>(read.at("source").value).empty()) return part;  // the file determines the lattice
  const LatticePose lattice = lattice_of(read);
  part.at = lattice.center;
  part.extent = lattice.edges;
  part.lattice = read.vector("size");
  part.shape = OutlineShape::box;
  return part;
}

/// A region of a voxel body, whose places are fractions of the edges of the lattice.
PosedPart part_of_region(const Reader& read, const Reader& body) {
  const LatticePose lattice = lattice_of(body);
  PosedPart part;
  part.stored_axes = lattice.axes.toRotationMatrix();
  part.basis = part.stored_axes * lattice.edges.asDiagonal();
  part.origin = lattice.center - part.stored_axes * (0.5 * lattice.edges);
  part.axes = lattice.axes;
  const double longest = lattice.edges.maxCoeff();
  const std::string shape = read.choice("shape");
  if (shape == "box") {
    add_place(part, read, "min");
    part.places.push_back(read.at("max"));
    part.label = "Region";
    part.at = part.origin + part.basis * (0.5 * (read.vector("min") + read.vector("max")));
    part.extent = lattice.edges.cwiseProduct(read.vector("max") - read.vector("min"));
    part.shape = OutlineShape::box;
    return part;
  }
  add_place(part, read, "center");
  part.lengths.push_back({read.at("radius"), shape == "sphere" ? 7U : 5U});
  const double width = 2 * longest * read.number("radius");
  part.shape = OutlineShape::sphere;
  part.extent = Vec3::Constant(width);
  if (shape != "cylinder") return part;
  part.directions.push_back(read.at("axis"));
  const Vec3 axis = part.basis * read.vector("axis");
  part.axes = upright_along(axis);
  part.at += 0.5 * axis;
  part.shape = OutlineShape::cylinder;
  part.extent.y() = axis.norm();
  return part;
}

std::vector<PosedPart> parts_of_field(const Reader& read) {
  std::vector<PosedPart> parts;
  if (read.is_vector("position")) parts.push_back(usual_part(read, "position"));
  if (read.choice("region") == "everywhere") return parts;
  parts.push_back(centred_box(read, "region_center", "region_size"));
  if (read.choice("region") == "sphere") parts.back().shape = OutlineShape::sphere;
  if (read.choice("region") == "cylinder") parts.back().shape = OutlineShape::cylinder;
  return parts;
}

std::vector<PosedPart> parts_of_view(const Reader& read) {
  std::vector<PosedPart> parts;
  PosedPart target;
  add_place(target, read, "target");
  if (const std::string axis = read.choice("cut"); axis != "none") {
    PosedPart cut;
    cut.places.push_back(read.at("cut_at"));
    cut.place_axis = axis == "x" ? 0 : axis == "y" ? 1 : 2;
    cut.label = read.label("cut_at");
    cut.at = target.at;
    cut.at[cut.place_axis] = read.number("cut_at");
    parts.push_back(cut);
  }
  if (!read.vector("air_size").isZero()) parts.push_back(centred_box(read, "air_center", "air_size"));
  PosedPart planes;
  add_place(planes, read, "air_planes_at");
  const auto is_on = [&](const char* key) { return std::get<bool>(read.at(key).value); };
  if (is_on("air_plane_x") || is_on("air_plane_y") || is_on("air_plane_z")) parts.push_back(planes);
  parts.push_back(target);
  return parts;
}

/// A joint: one part for each anchor.
std::vector<PosedPart> parts_of_joint(const Reader& read) {
  PosedPart first;
  add_place(first, read, "anchor");
  add_rotation(first, read);
  std::vector<PosedPart> parts{first};
  if (!read.is_vector("anchor_b")) return parts;
  PosedPart second;
  add_place(second, read, "anchor_b");
  parts.push_back(second);
  return parts;
}

/// A path of a goal: one part for each of its points.
std::vector<PosedPart> parts_of_path(const Reader& read) {
  std::vector<PosedPart> parts;
  const NumberList points = std::get<NumberList>(read.at("points").value);
  for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
    PosedPart part;
    part.places.push_back(read.at("points"));
    part.point = i / 3;
    part.label = "Point " + std::to_string(i / 3 + 1);
    part.at = {points[i], points[i + 1], points[i + 2]};
    part.is_live = read.is_live("points");
    parts.push_back(part);
  }
  return parts;
}

double factor_for(unsigned axes, const Vec3& factors) {
  double factor = 1;
  for (int axis = 0; axis < 3; ++axis)
    if ((axes & (1U << static_cast<unsigned>(axis))) != 0 && std::abs(factors[axis] - 1) > std::abs(factor - 1))
      factor = factors[axis];
  return std::max(factor, 1e-6);
}

/// Points of an ellipse about `center` with the half axes `u` and `v`.
void add_ellipse(std::vector<std::array<Vec3, 2>>& lines, const Vec3& center, const Vec3& u, const Vec3& v) {
  constexpr int sides = 40;
  Vec3 last = center + u;
  for (int i = 1; i <= sides; ++i) {
    const double angle = 2 * pi * i / sides;
    const Vec3 next = center + std::cos(angle) * u + std::sin(angle) * v;
    lines.push_back({last, next});
    last = next;
  }
}

void add_box(std::vector<std::array<Vec3, 2>>& lines, const Vec3& center, const Mat3& halves) {
  const auto corner = [&](unsigned bits) {
    Vec3 point = center;
    for (unsigned axis = 0; axis < 3; ++axis) point += ((bits >> axis & 1U) != 0 ? 1.0 : -1.0) * halves.col(axis);
    return point;
  };
  for (unsigned a = 0; a < 8; ++a)
    for (unsigned axis = 0; axis < 3; ++axis)
      if ((a >> axis & 1U) == 0) lines.push_back({corner(a), corner(a | 1U << axis)});
}

}  // namespace

std::vector<PosedPart> posed_parts(const Node& root, const std::string& path) {
  const Node* node = find_node(root, path);
  if (node == nullptr) return {};
  const Reader read(*node, path);
  const auto last_dot = path.rfind('.');
  const auto slot_dot = last_dot == std::string::npos ? last_dot : path.rfind('.', last_dot - 1);
  const std::string parent = slot_dot == std::string::npos ? std::string() : path.substr(0, slot_dot);
  const std::string slot = last_dot == std::string::npos   ? path
                           : slot_dot == std::string::npos ? path.substr(0, last_dot)
                                                           : path.substr(slot_dot + 1, last_dot - slot_dot - 1);
  if (slot == "view") return parts_of_view(read);
  if (slot == "field") return parts_of_field(read);
  if (slot == "joint") return parts_of_joint(read);
  if (slot == "region") return {part_of_region(read, Reader(*find_node(root, parent), parent))};
  if (slot == "key") {
    const Reader collider(*find_node(root, parent), parent);
    PosedPart frame;
    frame.origin = collider.vector("position");
    frame.basis = frame.stored_axes = rotation_of(collider.vector("rotation")).toRotationMatrix();
    return {usual_part(read, "position", frame)};
  }
  if (node->schema->kind == "voxel_body") return {part_of_body(read)};
  if (read.has("points") && read.spec("points")->type == ParamType::number_list) return parts_of_path(read);
  if (read.is_vector("position")) return {usual_part(read, "position")};
  if (read.is_vector("point")) return {usual_part(read, "point")};
  if (read.is_vector("home_center") && !read.vector("home_size").isZero())
    return {centred_box(read, "home_center", "home_size")};
  if (read.is_vector("domain_center") && !read.vector("domain_size").isZero())
    return {centred_box(read, "domain_center", "domain_size")};
  return {};
}

std::vector<Assignment> assignments_of(const PosedPart& part, const PoseChange& change) {
  std::vector<Assignment> all;
  if (!part.elements.empty()) return all;
  const Quat turn = rotation_of(change.rotation);
  const Mat3 scaling =
      part.axes.toRotationMatrix() * change.factors.asDiagonal() * part.axes.toRotationMatrix().transpose();
  const bool is_moved = !change.translation.isZero(0), is_turned = !change.rotation.isZero(0),
             is_scaled = change.factors != Vec3::Ones();
  const double voxel_factor = factor_for(7, change.factors);
  const Mat3 inverse = part.place_axis >= 0 || std::abs(part.basis.determinant()) < 1e-300 ? Mat3(Mat3::Identity())
                                                                                           : Mat3(part.basis.inverse());
  // Places that do not coincide with `at` (the corners of a region) rotate and scale about `at`.
  for (const PoseValue& place : part.places) {
    if (part.place_axis >= 0) {
      all.push_back({place.path, Value(std::get<double>(place.value) + change.translation[part.place_axis])});
      continue;
    }
    if (const auto* list = std::get_if<NumberList>(&place.value)) {
      NumberList points = *list;
      for (std::size_t axis = 0; axis < 3; ++axis)
        points[3 * part.point + axis] += change.translation[static_cast<Eigen::Index>(axis)];
      if (is_moved) all.push_back({place.path, Value(points)});
      continue;
    }
    const Vec3 stored = std::get<Vec3>(place.value);
    Vec3 next = stored;
    if (!part.lattice.isZero()) {
      const PoseValue& edge = part.lengths.front().parameter;
      next += change.translation - 0.5 * (voxel_factor - 1) * std::get<double>(edge.value) * part.lattice;
    } else {
      if (is_moved) next += inverse * change.translation;
      const Vec3 beside = part.origin + part.basis * stored - part.at;
      if (is_scaled && beside.norm() > 1e-12) next += inverse * (scaling * beside - beside);
      if (is_turned && beside.norm() > 1e-12) next += inverse * (turn * beside - beside);
    }
    if (next != stored) all.push_back({place.path, Value(next)});
  }
  if (is_turned) {
    const Quat stored_turn = Quat(part.stored_axes.transpose()) * turn * Quat(part.stored_axes);
    for (const PoseValue& rotation : part.rotations)
      all.push_back(
          {rotation.path, Value(rotation_vector_of(stored_turn * rotation_of(std::get<Vec3>(rotation.value))))});
    for (const PoseValue& direction : part.directions) {
      const Vec3 stored = std::get<Vec3>(direction.value);
      all.push_back({direction.path, Value(Vec3(inverse * (turn * (part.basis * stored))))});
    }
  }
  if (!is_scaled) return all;
  for (const PoseValue& size : part.sizes)
    all.push_back({size.path, Value(Vec3(std::get<Vec3>(size.value).cwiseProduct(change.factors.cwiseMax(1e-6))))});
  for (const PosedPart::Length& length : part.lengths)
    if (const double factor = factor_for(length.axes, change.factors); factor != 1)
      all.push_back({length.parameter.path, Value(factor * std::get<double>(length.parameter.value))});
  return all;
}

std::vector<std::array<Vec3, 2>> outline_of(const PosedPart& part) {
  std::vector<std::array<Vec3, 2>> lines;
  const Mat3 halves = part.axes.toRotationMatrix() * (0.5 * part.extent).asDiagonal();
  const Vec3 x = halves.col(0), y = halves.col(1), z = halves.col(2);
  switch (part.shape) {
    case OutlineShape::none: break;
    case OutlineShape::box: add_box(lines, part.at, halves); break;
    case OutlineShape::sphere:
      add_ellipse(lines, part.at, x, y);
      add_ellipse(lines, part.at, y, z);
      add_ellipse(lines, part.at, z, x);
      break;
    case OutlineShape::disc: add_ellipse(lines, part.at, x, z); break;
    case OutlineShape::rectangle:
      for (int side = 0; side < 4; ++side) {
        const auto corner = [&](int i) {
          return Vec3(part.at + (i % 4 < 2 ? 1 : -1) * x + ((i + 1) % 4 < 2 ? 1 : -1) * z);
        };
        lines.push_back({corner(side), corner(side + 1)});
      }
      break;
    case OutlineShape::cylinder:
      add_ellipse(lines, part.at + y, x, z);
      add_ellipse(lines, part.at - y, x, z);
      for (const Vec3& side : {x, z, Vec3(-x), Vec3(-z)}) lines.push_back({part.at + side + y, part.at + side - y});
      break;
  }
  if (part.directions.empty()) return lines;
  // Add an arrow along the direction.
  const Vec3 along = part.axes * Vec3::UnitY();
  const double length = std::max(part.extent.maxCoeff(), 1e-9) * 0.75;
  const Vec3 tip = part.at + length * along;
  lines.push_back({part.at, tip});
  for (const double side : {-1.0, 1.0})
    lines.push_back({tip, tip + 0.2 * length * (side * 0.5 * (part.axes * Vec3::UnitX()) - along)});
  return lines;
}

}  // namespace vw

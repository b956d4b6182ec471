// Writes one binary glTF 2.0 file (.glb) with meshes, materials, colours and the camera (Khronos, glTF 2.0
// Specification, 2021). Each rigid body, each flock member and each moving collider becomes a node with an animated
// pose. Voxel bodies keep the shape of the first frame, because glTF has no practical animation of free vertices.
// Particles and fluids are left out. The notes inform the user about both limits.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/base/files/atomic_file.h"
#include "sim/export/writer.h"

namespace vw {
namespace {

using Json = nlohmann::ordered_json;

constexpr int gl_float = 5126, gl_unsigned = 5125;

/// The binary chunk, and the members of the JSON chunk that describe it.
struct GltfData {
  std::string bytes;
  Json views = Json::array(), accessors = Json::array(), meshes = Json::array(), materials = Json::array();
  std::map<std::array<float, 5>, std::size_t> material_of;

  /// Appends values and returns the index of their accessor. `columns` is 1, 3 or 4. If `bounds` is set, the smallest
  /// and the largest value of each column are stored as well.
  std::size_t numbers(const std::vector<float>& values, std::size_t columns, bool bounds) {
    constexpr std::array<const char*, 5> types{"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    Json accessor{{"bufferView", view(bytes_of(values))},
                  {"componentType", gl_float},
                  {"count", values.size() / columns},
                  {"type", types[columns]}};
    if (bounds) {
      std::vector<float> low(columns, std::numeric_limits<float>::max()),
          high(columns, std::numeric_limits<float>::lowest());
      for (std::size_t i = 0; i < values.size(); ++i) {
        low[i % columns] = std::min(low[i % columns], values[i]);
        high[i % columns] = std::max(high[i % columns], values[i]);
      }
      accessor["min"] = low, accessor["max"] = high;
    }
    accessors.push_back(std::move(accessor));
    return accessors.size() - 1;
  }
  std::size_t indices(const std::vector<std::uint32_t>& values) {
    accessors.push_back({{"bufferView", view(bytes_of(values))},
                         {"componentType", gl_unsigned},
                         {"count", values.size()},
                         {"type", "SCALAR"}});
    return accessors.size() - 1;
  }
  std::size_t material(const std::array<float, 4>& color, bool two_sided) {
    std::array<float, 5> key{};
    for (std::size_t k = 0; k < 4; ++k) key[k] = std::isfinite(color[k]) ? std::clamp(color[k], 0.0F, 1.0F) : 0.5F;
    key[4] = two_sided ? 1 : 0;
    const auto [found, is_new] = material_of.try_emplace(key, materials.size());
    if (is_new) {
      Json made{
          {"pbrMetallicRoughness",
           {{"baseColorFactor", {key[0], key[1], key[2], key[3]}}, {"metallicFactor", 0}, {"roughnessFactor", 0.6}}}};
      if (key[3] < 1) made["alphaMode"] = "BLEND";
      if (two_sided) made["doubleSided"] = true;
      materials.push_back(std::move(made));
    }
    return found->second;
  }

 private:
  std::size_t view(std::string_view values) {
    views.push_back({{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", values.size()}});
    bytes += values;
    bytes.append((4 - bytes.size() % 4) % 4, '\0');
    return views.size() - 1;
  }
};

void append_finite(std::vector<float>& out, const Vec3f& v) {
  for (const float value : {v.x(), v.y(), v.z()}) out.push_back(std::isfinite(value) ? value : 0.0F);
}

/// Poses of a node in all frames.
struct NodeTrack {
  std::string name;
  std::size_t mesh = 0;
  float scale = 1;
  std::vector<Vec3f> place;
  std::vector<Quatf> turn;
  std::vector<bool> shown;

  /// Fills the missing frames before `frame`, in which the body does not exist.
  void fill(std::size_t frame, const Vec3f& at, const Quatf& q) {
    while (place.size() < frame) place.push_back(at), turn.push_back(q), shown.push_back(false);
  }
  void add(std::size_t frame, const Vec3f& at, const Quatf& q) {
    const bool is_finite = at.allFinite() && q.coeffs().allFinite() && q.norm() > 0.5F;
    if (!is_finite && place.empty()) return;
    const Vec3f good_at = is_finite ? at : place.back();
    Quatf good_turn = is_finite ? q.normalized() : turn.back();
    if (place.empty())
      fill(frame, good_at, good_turn);
    else
      fill(frame, place.back(), turn.back());
    // Two quaternions represent each rotation. The quaternion that is nearer to that of the previous frame is stored,
    // so that readers interpolate along the shorter arc.
    if (!turn.empty() && turn.back().dot(good_turn) < 0) good_turn.coeffs() *= -1;
    place.push_back(good_at), turn.push_back(good_turn), shown.push_back(true);
  }
  [[nodiscard]] bool moves() const {
    for (std::size_t i = 1; i < place.size(); ++i)
      if (place[i] != place[0] || turn[i].coeffs() != turn[0].coeffs()) return true;
    return false;
  }
  [[nodiscard]] bool is_always_shown() const { return std::ranges::all_of(shown, std::identity()); }
};

class GlbWriter final : public ExportWriter {
 public:
  GlbWriter(std::string path, AtomicFile file, ExportOptions options)
      : path_(std::move(path)), file_(std::move(file)), options_(std::move(options)) {}

  Result<void> add(const Snapshot& snapshot, const ExportFrame& frame) override {
    if (times_.empty()) start_s_ = frame.time_s;
    times_.push_back(static_cast<float>(frame.time_s - start_s_));
    for (const SystemSnapshot& system : snapshot.systems)
      if (options_.frame.system.empty() || options_.frame.system == system.name) add_system(system, frame);
    if (options_.frame.system.empty())
      for (const ColliderSnapshot& collider : snapshot.colliders) add_collider(collider);
    ++frames_;
    return {};
  }

  Result<void> finish() override {
    Json nodes = Json::array(), channels = Json::array(), samplers = Json::array();
    add_camera(nodes);
    for (const auto& [name, mesh] : still_) nodes.push_back({{"name", name}, {"mesh", mesh}});
    std::size_t input = 0;
    if (!times_.empty()) input = data_.numbers(times_, 1, true);
    for (auto& [key, track] : tracks_) {
      if (track.place.empty()) continue;
      track.fill(frames_, track.place.back(), track.turn.back());
      add_track(track, input, nodes, channels, samplers);
    }
    Json root{{"asset", {{"version", "2.0"}, {"generator", "Voxwake"}}}, {"scene", 0}};
    std::vector<std::size_t> all(nodes.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    root["scenes"] = Json::array({Json{{"name", options_.title}, {"nodes", all}}});
    root["nodes"] = std::move(nodes);
    root["cameras"] = Json::array({Json{
        {"type", "perspective"},
        {"perspective", {{"yfov", options_.camera.fov_deg * pi / 180}, {"aspectRatio", 16.0 / 9}, {"znear", 0.01}}}}});
    put(root, "meshes", data_.meshes);
    put(root, "materials", data_.materials);
    put(root, "accessors", data_.accessors);
    put(root, "bufferViews", data_.views);
    if (!channels.empty())
      root["animations"] = Json::array({Json{{"name", "run"}, {"channels", channels}, {"samplers", samplers}}});
    if (!data_.bytes.empty()) root["buffers"] = Json::array({Json{{"byteLength", data_.bytes.size()}}});
    return write(root.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> all;
    if (!soft_.empty())
      all.push_back(
          fmt::format("only the shape in the first frame was written for {}; export to .pc2 to keep the motion",
                      fmt::join(soft_, ", ")));
    if (!left_out_.empty())
      all.push_back(fmt::format("a .glb file cannot contain the elements of {}; export to .ply or .vdb",
                                fmt::join(left_out_, ", ")));
    return all;
  }

 private:
  static void put(Json& root, const char* key, Json& values) {
    if (!values.empty()) root[key] = std::move(values);
  }

  void add_system(const SystemSnapshot& system, const ExportFrame& frame) {
    const std::size_t n = system.position.size();
    const auto* members = system.look_as<MemberLook>();
    if (system.look_kind() == LookKind::rigid && system.orientation.size() == n) {
      const auto meshes = meshes_of(system);
      for (std::size_t i = 0; i < n && i < meshes.size(); ++i)
        if (meshes[i] != nullptr) add_body(system, i, meshes[i], 1);
    } else if (members != nullptr && system.orientation.size() == n) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t species = i < system.material.size() ? system.material[i] : 0;
        if (species < members->species.size() && members->species[species].mesh != nullptr)
          add_body(system, i, members->species[species].mesh, i < system.size.size() ? system.size[i] : 1);
      }
    } else if (skin_of(system) != nullptr) {
      if (soft_.insert(system.name).second) add_skin(system, frame);
    } else {
      left_out_.insert(system.name);
    }
  }

  void add_body(const SystemSnapshot& system, std::size_t i, const std::shared_ptr<const SurfaceMesh>& mesh,
                float scale) {
    const std::uint32_t id = i < system.id.size() ? system.id[i] : static_cast<std::uint32_t>(i);
    const auto [found, is_new] = tracks_.try_emplace({system.name, id});
    if (is_new) {
      found->second.name = fmt::format("{}.{}", system.name, id);
      found->second.scale = std::isfinite(scale) && scale > 0 ? scale : 1;
      found->second.mesh = mesh_index(mesh, element_color(system, i), false);
    }
    found->second.add(frames_, system.position[i], system.orientation[i]);
  }

  void add_collider(const ColliderSnapshot& collider) {
    if (collider.opacity <= 0) return;
    // No name of a system contains a space, so the key differs from the keys of bodies.
    const auto [found, is_new] = tracks_.try_emplace({"collider " + collider.name, 0});
    if (is_new) {
      const auto mesh = std::make_shared<SurfaceMesh>(collider_surface(collider));
      if (mesh->triangle.empty()) {
        tracks_.erase(found);
        return;
      }
      found->second.name = "collider-" + collider.name;
      found->second.mesh = mesh_index(
          mesh, {collider.color.x(), collider.color.y(), collider.color.z(), collider.opacity}, collider.two_sided);
    }
    found->second.add(frames_, collider.position, collider.orientation);
  }

  /// Adds the surface mesh ("skin") of a voxel body, with one primitive for each material.
  void add_skin(const SystemSnapshot& system, const ExportFrame& frame) {
    const auto piece = std::ranges::find_if(frame.pieces, [&](const ExportPiece& one) {
      return one.role == ExportPiece::Role::skin && one.system == system.name;
    });
    if (piece == frame.pieces.end() || piece->face.empty()) return;
    std::vector<float> position;
    for (const Vec3f& p : piece->position) append_finite(position, p);
    const std::shared_ptr<const VoxelSkin> skin = skin_of(system);
    std::map<std::size_t, std::vector<std::uint32_t>> triangles;  // Triangles of each material.
    std::map<std::size_t, std::size_t> voxel_of;
    for (std::size_t f = 0; f < piece->faces(); ++f) {
      const auto voxel = static_cast<std::size_t>(skin->quads[f].voxel);
      const std::size_t material = voxel < system.material.size() ? system.material[voxel] : 0;
      voxel_of.try_emplace(material, voxel);
      const std::uint32_t* corner = piece->face.data() + 4 * f;
      for (const std::size_t k : {0U, 1U, 2U, 0U, 2U, 3U}) triangles[material].push_back(corner[k]);
    }
    const std::size_t at = data_.numbers(position, 3, true);
    Json primitives = Json::array();
    for (const auto& [material, corners] : triangles)
      primitives.push_back({{"attributes", {{"POSITION", at}}},
                            {"indices", data_.indices(corners)},
                            {"material", data_.material(element_color(system, voxel_of[material]), false)}});
    data_.meshes.push_back({{"name", piece->name}, {"primitives", std::move(primitives)}});
    still_.emplace_back(piece->name, data_.meshes.size() - 1);
  }

  std::size_t mesh_index(const std::shared_ptr<const SurfaceMesh>& mesh, const std::array<float, 4>& color,
                         bool two_sided) {
    const std::size_t material = data_.material(color, two_sided);
    const auto [found, is_new] = mesh_of_.try_emplace({mesh.get(), material}, data_.meshes.size());
    if (!is_new) return found->second;
    kept_.push_back(mesh);
    const auto [arrays, is_new_mesh] = arrays_of_.try_emplace(mesh.get());
    if (is_new_mesh) {
      std::vector<float> position, normal;
      std::vector<std::uint32_t> corners;
      for (const Vec3f& p : mesh->position) append_finite(position, p);
      for (const Vec3f& n : mesh->normal) append_finite(normal, n);
      for (const auto& triangle : mesh->triangle) corners.insert(corners.end(), triangle.begin(), triangle.end());
      Json attributes{{"POSITION", data_.numbers(position, 3, true)}};
      if (normal.size() == position.size()) attributes["NORMAL"] = data_.numbers(normal, 3, false);
      arrays->second = {{"attributes", std::move(attributes)}, {"indices", data_.indices(corners)}};
    }
    Json primitive = arrays->second;
    primitive["material"] = material;
    data_.meshes.push_back({{"primitives", Json::array({std::move(primitive)})}});
    return found->second;
  }

  void add_camera(Json& nodes) const {
    const ExportCamera& camera = options_.camera;
    // A camera in glTF looks along its -z axis, and its y axis points up.
    const Vec3 back = (camera.eye - camera.target).normalized();
    Vec3 right = Vec3::UnitY().cross(back);
    right = right.norm() > 1e-6 ? right.normalized() : Vec3(Vec3::UnitX());
    Mat3 axes;
    axes << right, back.cross(right), back;
    const Quat turn(axes);
    nodes.push_back({{"name", "camera"},
                     {"camera", 0},
                     {"translation", {camera.eye.x(), camera.eye.y(), camera.eye.z()}},
                     {"rotation", {turn.x(), turn.y(), turn.z(), turn.w()}}});
  }

  void add_track(const NodeTrack& track, std::size_t input, Json& nodes, Json& channels, Json& samplers) {
    const std::size_t node = nodes.size();
    const Quatf& q = track.turn.front();
    Json made{{"name", track.name},
              {"mesh", track.mesh},
              {"translation", {track.place[0].x(), track.place[0].y(), track.place[0].z()}},
              {"rotation", {q.x(), q.y(), q.z(), q.w()}}};
    if (track.scale != 1) made["scale"] = {track.scale, track.scale, track.scale};
    nodes.push_back(std::move(made));
    const auto animate = [&](const char* path, const char* how, const std::vector<float>& values, std::size_t columns) {
      samplers.push_back({{"input", input}, {"output", data_.numbers(values, columns, false)}, {"interpolation", how}});
      channels.push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
    };
    if (track.moves()) {
      std::vector<float> place, turn;
      for (const Vec3f& p : track.place) append_finite(place, p);
      for (const Quatf& one : track.turn) turn.insert(turn.end(), {one.x(), one.y(), one.z(), one.w()});
      animate("translation", "LINEAR", place, 3);
      animate("rotation", "LINEAR", turn, 4);
    }
    if (track.is_always_shown()) return;
    std::vector<float> scale;
    for (const bool shown : track.shown) scale.insert(scale.end(), 3, shown ? track.scale : 0.0F);
    animate("scale", "STEP", scale, 3);
  }

  Result<void> write(std::string text) {
    text.append((4 - text.size() % 4) % 4, ' ');
    const std::uint64_t bytes = 12 + 8 + text.size() + (data_.bytes.empty() ? 0 : 8 + data_.bytes.size());
    if (bytes > std::numeric_limits<std::uint32_t>::max())
      return wrong_file(path_, "a .glb holds at most 4 GiB: write fewer frames or one system");
    std::string head;
    const auto put_word = [](std::string& out, std::uint64_t value) {
      const auto word = static_cast<std::uint32_t>(value);
      out.append(reinterpret_cast<const char*>(&word), sizeof(word));
    };
    put_word(head, 0x46546C67), put_word(head, 2), put_word(head, bytes);
    put_word(head, text.size()), put_word(head, 0x4E4F534A);
    if (auto good = file_.write(head + text); !good) return good;
    if (!data_.bytes.empty()) {
      std::string chunk;
      put_word(chunk, data_.bytes.size()), put_word(chunk, 0x004E4942);
      if (auto good = file_.write(chunk); !good) return good;
      if (auto good = file_.write(data_.bytes); !good) return good;
    }
    return file_.finish();
  }

  std::string path_;
  AtomicFile file_;
  ExportOptions options_;
  GltfData data_;
  double start_s_ = 0;        ///< Time of the first frame [s].
  std::vector<float> times_;  ///< Times since the first frame [s], at which players begin.
  std::size_t frames_ = 0;
  std::map<std::pair<std::string, std::uint32_t>, NodeTrack> tracks_;
  std::map<std::pair<const SurfaceMesh*, std::size_t>, std::size_t> mesh_of_;
  std::map<const SurfaceMesh*, Json> arrays_of_;
  std::vector<std::shared_ptr<const SurfaceMesh>> kept_;  ///< Meshes in `mesh_of_`, which are kept alive.
  std::vector<std::pair<std::string, std::size_t>> still_;
  std::set<std::string> soft_, left_out_;
};

}  // namespace

OpenedExport open_glb(const std::string& path, const ExportOptions& options) {
  auto file = AtomicFile::open(path);
  if (!file) return Unexpected(file.error());
  return std::make_unique<GlbWriter>(path, std::move(*file), options);
}

}  // namespace vw

#include "sim/export/series_index.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "sim/base/files/file.h"
#include "sim/base/text.h"

namespace vw {
namespace {

const char* role_name(ExportPiece::Role role) {
  switch (role) {
    case ExportPiece::Role::elements: return "elements";
    case ExportPiece::Role::skin: return "skin";
    case ExportPiece::Role::bodies: return "bodies";
    case ExportPiece::Role::fluid_surface: return "fluid_surface";
    case ExportPiece::Role::collider: return "collider";
  }
  return "";
}

std::vector<double> numbers(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

SeriesIndex::SeriesIndex(const std::string& path, const ExportOptions& options) : options_(options) {
  const std::string format = lowercase(std::filesystem::path(path).extension().string()).substr(1);
  file_ = (std::filesystem::path(series_folder(path)) / (format + ".json")).string();
}

void SeriesIndex::add(const ExportPiece& piece, const std::string& format, const std::string& pattern,
                      std::size_t frame) {
  add(piece.name, role_name(piece.role), format, pattern, frame, piece.color);
}

void SeriesIndex::add(const std::string& name, const std::string& role, const std::string& format,
                      const std::string& pattern, std::size_t frame, const std::array<float, 4>& color) {
  Entry& entry = entries_.try_emplace(pattern, Entry{name, role, format, color, frame, 0}).first->second;
  entry.count = frame + 1 - entry.first;
}

Result<void> SeriesIndex::write(std::size_t frames) const {
  nlohmann::ordered_json index{{"format", 1},
                               {"title", options_.title},
                               {"up", "y"},
                               {"seconds_per_frame", options_.every_s},
                               {"frames", frames},
                               {"camera",
                                {{"eye", numbers(options_.camera.eye)},
                                 {"target", numbers(options_.camera.target)},
                                 {"fov_deg", options_.camera.fov_deg}}},
                               {"pieces", nlohmann::ordered_json::array()}};
  for (const auto& [pattern, entry] : entries_)
    index["pieces"].push_back({{"name", entry.name},
                               {"role", entry.role},
                               {"format", entry.format},
                               {"file", pattern},
                               {"first_frame", entry.first},
                               {"frames", entry.count},
                               {"color", entry.color}});
  return write_file_atomic(file_, index.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace vw

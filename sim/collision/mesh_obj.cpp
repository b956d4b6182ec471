// Wavefront OBJ: vertices and faces; what else there is (texture, normals, groups, materials) is passed over.
#include <fmt/format.h>

#include "sim/collision/mesh_formats.h"
#include "sim/collision/text_scan.h"

namespace vw {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& path) : scan_(bytes), path_(path) {}

  Result<TriangleList> run() {
    while (const auto line = scan_.next_line()) {
      std::string_view rest = *line;
      const std::string_view key = take_word(rest);
      Result<void> fine;
      if (key == "v") fine = vertex(rest);
      if (key == "f") fine = face(rest);
      if (!fine) return Unexpected(fine.error());
    }
    return std::move(list_);
  }

 private:
  Result<void> vertex(std::string_view rest) {
    Vec3 at;
    for (int k = 0; k < 3; ++k) {
      const std::string_view word = take_word(rest);
      const auto value = finite_number(word);
      if (!value) return mesh_error(path_, scan_.line(), fmt::format("coordinate {} of a vertex is \"{}\": must be a finite number", k + 1, word));
      at[k] = *value;
    }
    list_.position.push_back(at);
    return {};
  }

  /// Indices count from 1, or from the newest vertex back when negative; what follows a slash is another list's.
  Result<void> face(std::string_view rest) {
    corner_.clear();
    for (std::string_view word = take_word(rest); !word.empty() && word[0] != '#'; word = take_word(rest)) {
      const auto index = whole_number<std::int64_t>(word.substr(0, word.find('/')));
      const auto count = static_cast<std::int64_t>(list_.position.size());
      if (!index || *index == 0 || *index > count || *index < -count)
        return mesh_error(path_, scan_.line(), fmt::format("a face names vertex \"{}\"; there are {} before it", word, count));
      corner_.push_back(static_cast<std::uint32_t>(*index > 0 ? *index - 1 : count + *index));
    }
    if (corner_.size() < 3) return mesh_error(path_, scan_.line(), fmt::format("a face has {} corners: must have at least 3", corner_.size()));
    if (!add_polygon(list_, corner_)) return too_many_triangles(path_, list_.triangle.size() + corner_.size() - 2);
    return {};
  }

  TextScan scan_;
  const std::string& path_;
  TriangleList list_;
  std::vector<std::uint32_t> corner_;
};

}  // namespace

Result<TriangleList> read_obj(std::string_view bytes, const std::string& path) { return ObjReader(bytes, path).run(); }

}  // namespace vw

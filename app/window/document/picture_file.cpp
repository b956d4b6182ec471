#include "app/window/document/picture_file.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "app/capture/embedded_moment.h"
#include "sim/scene/scene.h"

namespace vw {
namespace {

struct PictureMoment {
  api::SavedMoment moment;
  std::optional<std::uint64_t> frame;
  bool is_newest = true;
};

/// Returns the folder of a file, without a separator at the end.
std::string folder_of(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).parent_path().string();
}

Result<PictureMoment> moment_in(const std::string& path) {
  const auto found = find_moments(path);
  if (!found) return tl::unexpected(found.error());
  Result<PictureMoment> first;
  for (std::size_t i = 0; i < found->newest_first.size(); ++i) {
    auto moment = api::unpack_moment(found->newest_first[i], path);
    // The moment of a folder of pictures was packed for the folder. If the moment is large, its file lies beside the
    // folder.
    if (!moment && found->frame)
      if (auto beside = api::unpack_moment(found->newest_first[i], folder_of(path))) moment = std::move(beside);
    if (moment) return PictureMoment{std::move(*moment), found->frame, i == 0};
    if (i == 0) first = tl::unexpected(moment.error());
  }
  return first;
}

}  // namespace

Result<api::ReopenedMoment> open_picture(const std::string& path, api::MomentOptions options) {
  const auto found = moment_in(path);
  if (!found) return tl::unexpected(found.error());
  if (found->frame && !options.at_s) options.frame = found->frame;
  auto opened = api::open_moment(found->moment, path, options);
  if (opened && !found->is_newest)
    opened->notes.insert(opened->notes.begin(),
                         "the newest moment in this file is damaged, so an earlier one was opened");
  return opened;
}

Result<Node> scene_of_picture(const std::string& path) {
  const auto found = moment_in(path);
  if (!found) return tl::unexpected(found.error());
  auto scene = read_scene_toml(found->moment.journal.scene_text, path);
  if (!scene) return tl::unexpected(scene.error());
  return std::move(scene->root);
}

}  // namespace vw

#include <string>

#include "app/capture/embedded_moment.h"
#include "sim/api/moment.h"
#include "tests/fuzz/targets.h"
#include "tests/support/scratch.h"

namespace vw::fuzz {

void moment(std::string_view bytes) {
  static const test::Scratch folder;
  const std::string file = folder.path("fuzz.png");
  const auto read = api::unpack_moment(bytes, file);
  if (!read) {
    promise(!read.error().message().empty(), "a refused moment has a message");
    return;
  }
  api::SavedMoment copy = *read;
  copy.sources["system.fuzz.source"] = "0";  // without a hash, the files that the scene names would be read
  const auto packed = api::pack_moment(std::move(copy), file);
  if (!packed) return;  // its commands are not as many as it says
  const auto again = api::unpack_moment(*packed, file);
  promise(again && again->point == read->point && again->display == read->display &&
              again->journal.entries.size() == read->journal.entries.size() &&
              again->video.has_value() == read->video.has_value(),
          "a moment that was read reads back from what is written");
  if (read->video) {
    promise(again->video->points.runs() == read->video->points.runs(), "the frames of a video read back");
    promise(read->video->points.at(read->video->points.count()) == read->video->points.last(),
            "a frame after the end shows the last point");
  }
}

void picture(std::string_view bytes) {
  static const test::Scratch folder;
  const auto found = find_moments(folder.write("fuzz.png", bytes));
  if (!found) {
    promise(!found.error().message().empty(), "a refused picture has a message");
    return;
  }
  promise(!found->newest_first.empty(), "a picture that is accepted has a moment");
  for (const std::string& moment_bytes : found->newest_first)
    promise(!moment_bytes.empty() && moment_bytes.size() <= bytes.size(), "a moment is a part of the file");
}

}  // namespace vw::fuzz

#include <cstdint>
#include <cstring>
#include <string>

#include "app/capture/embedded_moment.h"
#include "sim/api/moment.h"
#include "sim/api/saved_session.h"
#include "sim/base/random.h"
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
  copy.sources["system.fuzz.source"] = "0";  // if this map is empty, pack_moment() reads the files of the scene
  const auto packed = api::pack_moment(std::move(copy), file);
  if (!packed) return;  // the moment states a wrong number of commands
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

namespace {

/// Writes the correct hash into the head of every record. Otherwise the reader would reject the record before it reads
/// the contents that the fuzzer has changed.
std::string with_right_hashes(std::string_view bytes) {
  constexpr std::size_t signature = 8, head = 24, size_at = 8, hash_at = 16;
  std::string file(bytes);
  for (std::size_t at = signature; at + head <= file.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, file.data() + at + size_at, sizeof size);
    if (size > file.size() - at - head) break;
    const std::uint64_t hash = stream_id(std::string_view(file).substr(at + head, size));
    std::memcpy(file.data() + at + hash_at, &hash, sizeof hash);
    at += head + size;
  }
  return file;
}

}  // namespace

void session(std::string_view bytes) {
  static const test::Scratch folder;
  const std::string file = folder.write("fuzz.vwj", with_right_hashes(bytes));
  const auto facts = api::session_facts(file);
  if (!facts) {
    promise(!facts.error().message().empty(), "a refused session has a message");
    return;
  }
  promise(!facts->branches.empty(), "a session has a branch");
  for (const api::SessionFacts::Branch& branch : facts->branches)
    promise(branch.end_s >= branch.begin_s, "a branch does not end before its begin");
  promise(api::session_path(file).has_value(), "a session has a path to the moment that was shown last");
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

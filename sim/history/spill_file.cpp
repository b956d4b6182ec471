#include "sim/history/spill_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace vw {

bool SpillFile::open() {
  if (file_.is_open()) return true;
  if (folder_.empty() || limit_ == 0) return false;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  std::string path = folder_ + "/history-XXXXXX";
  file_ = FileDescriptor(::mkstemp(path.data()));
  if (file_.is_open()) ::unlink(path.c_str());
  return file_.is_open();
}

std::optional<SpillFile::Place> SpillFile::write(std::span<const std::byte> bytes) {
  if (!open()) {
    folder_.clear();
    return {};
  }
  Place place{end_, bytes.size()};
  for (const auto& [offset, size] : gaps_) {
    if (size < bytes.size()) continue;
    place.offset = offset;
    break;
  }
  const bool grows = place.offset == end_;
  if (grows && end_ + bytes.size() > limit_) return {};
  std::size_t written = 0;
  while (written < bytes.size()) {
    const auto part = ::pwrite(file_.number(), bytes.data() + written, bytes.size() - written,
                               static_cast<off_t>(place.offset + written));
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) {  // for example a full disk
      folder_.clear();
      return {};
    }
    written += static_cast<std::size_t>(part);
  }
  if (grows) {
    end_ += bytes.size();
  } else {
    const std::uint64_t rest = gaps_[place.offset] - bytes.size();
    gaps_.erase(place.offset);
    if (rest > 0) gaps_[place.offset + bytes.size()] = rest;
  }
  used_ += bytes.size();
  return place;
}

Result<void> SpillFile::read(const Place& place, std::vector<std::byte>& out) const {
  out.resize(place.size);
  std::size_t done = 0;
  while (done < out.size()) {
    const auto part =
        ::pread(file_.number(), out.data() + done, out.size() - done, static_cast<off_t>(place.offset + done));
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return fail(std::string("the temporary file of the history cannot be read: ") + std::strerror(errno));
    if (part == 0) return fail("the temporary file of the history is shorter than expected");
    done += static_cast<std::size_t>(part);
  }
  return {};
}

void SpillFile::free(const Place& place) {
  if (place.size == 0) return;
  used_ -= place.size;
  auto at = gaps_.emplace(place.offset, place.size).first;
  if (const auto next = std::next(at); next != gaps_.end() && at->first + at->second == next->first) {
    at->second += next->second;
    gaps_.erase(next);
  }
  if (at != gaps_.begin()) {
    const auto previous = std::prev(at);
    if (previous->first + previous->second == at->first) {
      previous->second += at->second;
      gaps_.erase(at);
      at = previous;
    }
  }
  if (at->first + at->second == end_) {
    end_ = at->first;
    gaps_.erase(at);
  }
}

}  // namespace vw

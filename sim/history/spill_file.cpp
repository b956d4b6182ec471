#include "sim/history/spill_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace vw {

bool SpillFile::open() {
  if (folder_.empty() || limit_ == 0) return false;
  if (file_.is_open()) return true;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  file_ = FileDescriptor::open_unnamed(folder_);
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
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (file_.write_at(place.offset, text).reason != 0) {  // for example a full disk
    folder_.clear();
    return {};
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
  if (file_.read_at(place.offset, out.data(), out.size()) == out.size()) return {};
  if (errno == 0) return fail("the temporary file of the history is shorter than expected");
  return fail(std::string("the temporary file of the history cannot be read: ") + std::strerror(errno));
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

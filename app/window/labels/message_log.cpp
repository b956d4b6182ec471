#include "app/window/labels/message_log.h"

#include <chrono>
#include <ctime>

#include <fmt/format.h>

#include "sim/base/system/process.h"

namespace vw {
namespace {

double steady_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string local_clock() {
  const std::tm parts = local_time_of(std::time(nullptr));
  return fmt::format("{:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace

MessageLog::MessageLog() : start_s_(steady_s()) {}

double MessageLog::now_s() const { return steady_s() - start_s_; }

void MessageLog::add(Level level, std::string text, Toast toast) {
  if (level >= Level::warning) {
    const std::string line = "voxwake: " + text + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);  // ignore write errors, such as a closed terminal
  }
  const std::lock_guard lock(mutex_);
  ++revision_;
  if (!messages_.empty() && messages_.back().text == text && messages_.back().level == level) {
    ++messages_.back().repeats;
    messages_.back().wall_s = now_s();
    return;
  }
  if (messages_.size() >= limit) messages_.erase(messages_.begin(), messages_.begin() + limit / 4);
  messages_.push_back({level, std::move(text), now_s(), local_clock(), toast == Toast::yes, 1});
}

std::vector<Message> MessageLog::messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

std::uint64_t MessageLog::revision() const {
  const std::lock_guard lock(mutex_);
  return revision_;
}

void MessageLog::clear() {
  const std::lock_guard lock(mutex_);
  messages_.clear();
  ++revision_;
}

void MessageLog::dismiss(const Message& message) {
  const std::lock_guard lock(mutex_);
  for (Message& one : messages_)
    if (one.wall_s == message.wall_s && one.text == message.text) one.toast = false;
}

}  // namespace vw

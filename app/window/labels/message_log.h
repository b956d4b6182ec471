// Messages to the user: the lines of the log panel; the newest are also shown as toasts. Thread-safe.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace vw {

enum class Level : std::uint8_t { debug, info, warning, error };

struct Message {
  Level level = Level::info;
  std::string text;
  double wall_s = 0;   ///< time since the log was created [s]
  std::string clock;   ///< local time, "14:05:09"
  bool toast = false;  ///< also shown over the picture for a few seconds
  int repeats = 1;     ///< number of consecutive identical messages
};

class MessageLog {
 public:
  MessageLog();
  /// Adds a message; toast is set for infos that should appear over the picture. Warnings and errors are also written
  /// to stderr.
  void add(Level level, std::string text, bool toast = false);
  void debug(std::string text) { add(Level::debug, std::move(text)); }
  void info(std::string text, bool toast = false) { add(Level::info, std::move(text), toast); }
  void warning(std::string text) { add(Level::warning, std::move(text), true); }
  void error(std::string text) { add(Level::error, std::move(text), true); }

  [[nodiscard]] std::vector<Message> messages() const;
  [[nodiscard]] std::uint64_t revision() const;  ///< increases with every change
  [[nodiscard]] double now_s() const;
  void clear();
  /// Stops showing the message as a toast. It stays in the log.
  void dismiss(const Message& message);

 private:
  static constexpr std::size_t limit = 2000;  ///< maximum number of lines
  mutable std::mutex mutex_;
  std::vector<Message> messages_;
  std::uint64_t revision_ = 0;
  double start_s_ = 0;
};

}  // namespace vw

// What the program has to say to the user: lines of the log panel, the newest of them also as toasts. Any thread may add.
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
  double wall_s = 0;   ///< seconds since the log began
  std::string clock;   ///< local time, "14:05:09"
  bool toast = false;  ///< also shown over the picture for a few seconds
  int repeats = 1;     ///< the same line again raises this
};

class MessageLog {
 public:
  MessageLog();
  /// Warnings and errors become toasts; so do infos that ask for it. Also written to stderr from warning upwards.
  void add(Level level, std::string text, bool toast = false);
  void debug(std::string text) { add(Level::debug, std::move(text)); }
  void info(std::string text, bool toast = false) { add(Level::info, std::move(text), toast); }
  void warning(std::string text) { add(Level::warning, std::move(text), true); }
  void error(std::string text) { add(Level::error, std::move(text), true); }

  [[nodiscard]] std::vector<Message> messages() const;
  [[nodiscard]] std::uint64_t revision() const;  ///< changes with every line
  [[nodiscard]] double now_s() const;
  void clear();
  /// The message is no toast any more; it stays in the log.
  void dismiss(const Message& message);

 private:
  static constexpr std::size_t limit = 2000;  ///< lines kept
  mutable std::mutex mutex_;
  std::vector<Message> messages_;
  std::uint64_t revision_ = 0;
  double start_s_ = 0;
};

}  // namespace vw

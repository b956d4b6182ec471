// Log of messages to the user. The log panel lists all messages. A toast is a message that is also shown over the
// picture for a few seconds. The class MessageLog is thread-safe.
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
  double wall_s = 0;   ///< time of the latest repeat, measured from the creation of the log [s]
  std::string clock;   ///< local time when the message was added, such as "14:05:09"
  bool toast = false;  ///< true if the message is also shown as a toast
  int repeats = 1;     ///< number of consecutive identical messages that this entry represents
};

/// Whether a message is also shown as a toast for a few seconds.
enum class Toast { no, yes };

class MessageLog {
 public:
  MessageLog();
  /// Adds a message. Warnings and errors are also written to stderr. If the text and the level equal those of the last
  /// message, only the time and the number of repeats of the last message change.
  void add(Level level, std::string text, Toast toast = Toast::no);
  void debug(std::string text) { add(Level::debug, std::move(text)); }
  void info(std::string text, Toast toast = Toast::no) { add(Level::info, std::move(text), toast); }
  void warning(std::string text) { add(Level::warning, std::move(text), Toast::yes); }
  void error(std::string text) { add(Level::error, std::move(text), Toast::yes); }

  [[nodiscard]] std::vector<Message> messages() const;
  [[nodiscard]] std::uint64_t revision() const;  ///< increases when a message is added or the log is cleared
  [[nodiscard]] double now_s() const;
  void clear();
  /// Stops showing the message as a toast. The message stays in the log.
  void dismiss(const Message& message);

 private:
  static constexpr std::size_t limit = 2000;  ///< maximum number of messages
  mutable std::mutex mutex_;
  std::vector<Message> messages_;
  std::uint64_t revision_ = 0;
  double start_s_ = 0;
};

}  // namespace vw

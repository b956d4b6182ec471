#include "app/cli/export/picture_series.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "app/cli/output_path.h"
#include "sim/base/files/file.h"
#include "sim/base/random.h"

namespace vw::cli {

Result<std::filesystem::file_time_type> begin_series(const std::string& folder, const std::string& description,
                                                     bool continues) {
  constexpr std::uint64_t longest = 4096;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return wrong_file(folder, "the folder cannot be created: " + error.message());
  const std::string path = (std::filesystem::path(folder) / series_file).string();
  const std::string mark = fmt::format("{{\"voxwake_pictures\":1,\"command\":\"{:016x}\"}}\n", stream_id(description));
  const bool has_pictures = continues && !older_frames(folder, 0).empty();
  if (has_pictures) {
    const auto before = read_file(path, longest);
    if (!before)
      return wrong_file(folder, fmt::format("holds pictures, but no file {} that identifies their command; omit "
                                            "--continue to draw all pictures again",
                                            series_file));
    if (*before != mark)
      return wrong_file(folder,
                        "holds pictures of a command with another scene, other options or another version of the "
                        "program; repeat that command, or leave out --continue to draw all pictures again");
  }
  if (!has_pictures)
    if (auto written = write_file_atomic(path, mark); !written) return Unexpected(written.error());
  const auto begun = std::filesystem::last_write_time(path, error);
  if (error) return wrong_file(path, "cannot be read: " + error.message());
  return begun;
}

}  // namespace vw::cli

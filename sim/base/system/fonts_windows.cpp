// The archive for Windows contains the font Roboto. Windows has Segoe UI.
#include "sim/base/system/fonts.h"

#include <filesystem>

#include "sim/base/system/folders.h"
#include "sim/base/system/process.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

std::string packaged_fonts() { return (fs::path(shared_folder()) / "fonts").string(); }

std::string system_fonts_folder() {
  const std::string windows = environment_variable("SystemRoot");
  return (fs::path(windows.empty() ? "C:\\Windows" : windows) / "Fonts").string();
}

}  // namespace

std::vector<std::string> sans_serif_fonts(FontWeight weight) {
  const bool is_bold = weight == FontWeight::bold;
  const fs::path packaged = packaged_fonts(), system = system_fonts_folder();
  return {(packaged / (is_bold ? "Roboto-Medium.ttf" : "Roboto-Regular.ttf")).string(),
          (system / (is_bold ? "segoeuib.ttf" : "segoeui.ttf")).string(),
          (system / (is_bold ? "arialbd.ttf" : "arial.ttf")).string()};
}

std::vector<std::string> east_asian_fonts() {
  const fs::path system = system_fonts_folder();
  std::vector<std::string> paths;
  for (const char* name : {"msyh.ttc", "YuGothR.ttc", "malgun.ttf", "msgothic.ttc", "simsun.ttc", "arialuni.ttf"})
    paths.push_back((system / name).string());
  return paths;
}

std::vector<std::string> font_folders() {
  std::vector<std::string> folders{packaged_fonts(), system_fonts_folder()};
  // Fonts that a user installs without the rights of an administrator.
  if (const std::string local = environment_variable("LOCALAPPDATA"); !local.empty())
    folders.push_back((fs::path(local) / "Microsoft" / "Windows" / "Fonts").string());
  return folders;
}

}  // namespace vw

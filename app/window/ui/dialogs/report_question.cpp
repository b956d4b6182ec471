// Dialog for a report of a problem: an archive with the scene, the journal, the log and the version. The dialog lists
// the contents with their sizes before the archive is written.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/window/document/file_listing.h"
#include "app/window/labels/program_facts.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/base/files/file.h"
#include "sim/base/system/folders.h"
#include "sim/base/system/process.h"
#include "sim/scene/scene.h"

namespace vw::ui {
namespace {

constexpr std::uint64_t most_journal_bytes = std::uint64_t{256} << 20;

std::string text_of(const MessageLog& log) {
  constexpr const char* levels[] = {"debug", "info", "warning", "error"};
  std::string text;
  for (const Message& message : log.messages()) {
    text += fmt::format("{} {}: {}", message.clock, levels[static_cast<std::size_t>(message.level)], message.text);
    text += message.repeats > 1 ? fmt::format(" ({} times)\n", message.repeats) : "\n";
  }
  return text;
}

std::string version_of(const App& app) {
  std::string text = to_text(program_facts(app.view.gl_name));
  if (const std::string system = system_name(); !system.empty()) text += "System: " + system + "\n";
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  return text + fmt::format("Window: {:.0f} x {:.0f}, text height {:.0f}\n", size.x, size.y, ImGui::GetFontSize());
}

/// Journal that a run writes to a temporary folder. If another scene is opened, the run ends without writing it. The
/// destructor then reports an error and deletes the folder in any case.
struct JournalInProgress {
  std::string folder = create_temporary_folder("voxwake-report-");
  std::promise<Result<std::string>> promise = {};
  bool is_answered = false;

  void answer(Result<std::string> journal) {
    is_answered = true;
    promise.set_value(std::move(journal));
  }
  JournalInProgress() = default;
  JournalInProgress(const JournalInProgress&) = delete;
  JournalInProgress& operator=(const JournalInProgress&) = delete;
  ~JournalInProgress() {
    if (!is_answered) promise.set_value(fail("the scene was closed before the journal was written"));
    std::error_code ignored;
    if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
  }
};

/// Starts writing the journal to a temporary file, whose text is then read. The future receives this text.
std::future<Result<std::string>> journal_of(App& app) {
  auto journal = std::make_shared<JournalInProgress>();
  std::future<Result<std::string>> future = journal->promise.get_future();
  if (journal->folder.empty()) {
    journal->answer(fail("a temporary folder cannot be created"));
    return future;
  }
  const std::string file = journal->folder + "/journal";
  app.session.run->save_journal(file, [journal, file](Result<void> good) {
    journal->answer(good ? read_file(file, most_journal_bytes) : tl::unexpected(good.error()));
  });
  return future;
}

void take_journal(ReportQuestion& report) {
  using namespace std::chrono_literals;
  if (!report.journal.valid() || report.journal.wait_for(0s) != std::future_status::ready) return;
  Result<std::string> journal = report.journal.get();
  if (journal)
    report.files.insert(report.files.begin() + 1, {"scene.journal", "commands of the run", std::move(*journal)});
  else
    report.missing = "The journal is missing: " + journal.error().message();
}

void write_report(App& app) {
  ReportQuestion report = std::exchange(app.ui.report, {});
  app.times.busy_until_s = app.times.wall_s + 1;
  app.background.run([log = &app.log, path = std::move(report.path), files = std::move(report.files)] {
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
    const auto archive = tar_gz("voxwake-report", files, now.count());
    if (!archive) return log->error(archive.error().message());
    if (const auto written = write_file_atomic(path, *archive); !written) return log->error(written.error().message());
    log->info("Wrote " + path, Toast::yes);
  });
}

void draw_contents(const ReportQuestion& report) {
  if (!ImGui::BeginTable("contents", 3, ImGuiTableFlags_SizingFixedFit)) return;
  const auto row = [](const std::string& name, const std::string& what, const std::string& size) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(name.c_str());
    ImGui::TableNextColumn();
    ImGui::TextColored(palette::dim, "%s", what.c_str());
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(size.c_str());
  };
  for (const ArchiveFile& file : report.files) row(file.name, file.what, pretty_bytes(file.bytes.size()));
  if (report.journal.valid()) row("scene.journal", "commands of the run", "writing\xE2\x80\xA6");
  ImGui::EndTable();
}

}  // namespace

void ask_about_report(App& app) {
  app.ui.report = {.path = dated_name(capture_folder("Documents"), "voxwake-report", ".tar.gz"),
                   .files = {},
                   .journal = {},
                   .missing = {}};
  std::vector<ArchiveFile>& files = app.ui.report.files;
  if (app.session.document != nullptr)
    files.push_back({"scene.toml", "scene with all edits", write_scene_toml(scene_with_camera(app))});
  files.push_back({"log.txt", "messages of this session", text_of(app.log)});
  files.push_back({"version.txt", "version, graphics driver, system", version_of(app)});
  if (app.session.run != nullptr) app.ui.report.journal = journal_of(app);
}

void draw_report_question(App& app) {
  constexpr const char* id = "Save a report###report";
  ReportQuestion& report = app.ui.report;
  if (report.path.empty()) return;
  take_journal(report);
  if (app.ui.pending.kind != Pending::Kind::none || !app.ui.import.mesh.empty() || !app.ui.recovery.copies.empty())
    return;  // another dialog is open
  if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(1.2F), em(0.9F)});
  if (ImGui::BeginPopupModal(id, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::TextUnformatted("The report is an archive to send with a description of a problem. It contains:");
    ImGui::Dummy({0, em(0.2F)});
    draw_contents(report);
    if (report.journal.valid()) app.times.busy_until_s = app.times.wall_s + 0.3;  // draw frames until it is written
    if (!report.missing.empty()) ImGui::TextColored(palette::warning, "%s", report.missing.c_str());
    ImGui::Dummy({0, em(0.2F)});
    ImGui::TextColored(palette::dim, "The files contain names of folders on this computer. Nothing is sent.");
    ImGui::TextColored(palette::dim, "%s", report.path.c_str());
    ImGui::Dummy({0, em(0.4F)});
    const ImVec2 size{em(7.5F), 0};
    ImGui::BeginDisabled(report.journal.valid());
    const bool saves = primary_button("Save", size);
    ImGui::EndDisabled();
    ImGui::SameLine();
    const bool cancels = ImGui::Button("Cancel", size) || is_dialog_left();
    if (saves) write_report(app);
    if (cancels) report = {};
    if (saves || cancels) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace vw::ui

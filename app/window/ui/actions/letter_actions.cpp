// Records the letters of texts that come from files or from the user: names of files, values of the scene, messages,
// names of branches and bookmarks. A source is read again only after it has changed.
#include <string>
#include <variant>

#include <imgui.h>

#include "app/window/ui/app.h"

namespace vw::ui {
namespace {

void need_letters_of(FurtherLetters& letters, const Node& node) {
  for (const Value& value : node.values) {
    if (const auto* text = std::get_if<std::string>(&value)) letters.need(*text);
    if (const auto* texts = std::get_if<TextList>(&value))
      for (const std::string& text : *texts) letters.need(text);
  }
  for (const Node& child : node.children) need_letters_of(letters, child);
}

void read_document(App& app, FurtherLetters::Read& read) {
  const Document* document = app.session.document.get();
  if (document == nullptr) return;
  if (document == read.document && document->revision() == read.document_revision) return;
  // A drag of a slider changes the document in every frame, but no text.
  if (document == read.document && ImGui::IsAnyItemActive()) return;
  read.document = document;
  read.document_revision = document->revision();
  app.ui.letters.need(document->path());
  need_letters_of(app.ui.letters, document->root());
}

void read_timeline(App& app, FurtherLetters::Read& read) {
  if (app.session.run == nullptr) return;
  std::shared_ptr<const Timeline> timeline = app.session.run->timeline();
  if (timeline == nullptr || timeline == read.timeline) return;
  for (const Timeline::Branch& branch : timeline->branches) {
    app.ui.letters.need(branch.name);
    for (const Timeline::Mark& mark : branch.marks)
      if (mark.kind == Timeline::Mark::Kind::bookmark) app.ui.letters.need(mark.text);
  }
  read.timeline = std::move(timeline);
}

void read_files(App& app, FurtherLetters::Read& read) {
  if (!read.recent)
    for (const std::string& path : app.ui.recent.paths()) app.ui.letters.need(path);
  read.recent = true;
  if (app.ui.browser.listings() == read.listings) return;
  read.listings = app.ui.browser.listings();
  app.ui.letters.need(app.ui.browser.folder());
  for (const FileEntry& entry : app.ui.browser.entries()) app.ui.letters.need(entry.name);
}

void read_log(App& app, FurtherLetters::Read& read) {
  if (app.log.revision() == read.log_revision) return;
  read.log_revision = app.log.revision();
  for (const Message& message : app.log.messages()) app.ui.letters.need(message.text);
}

}  // namespace

void update_letters(App& app) {
  FurtherLetters::Read& read = app.ui.letters.read;
  read_document(app, read);
  read_timeline(app, read);
  read_files(app, read);
  read_log(app, read);
  if (app.ui.letters.update()) app.ui.scale_changed = true;
}

}  // namespace vw::ui

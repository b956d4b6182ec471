// Writes drawings as vector graphics: SVG and PDF. Text remains text, which can be searched, selected and edited.
// Pictures are embedded as pixels.
//
// The writers are our own instead of those of Cairo, the usual library: Cairo would write the text of an SVG as
// outlines, and our PDF files need few of its features.
#pragma once

#include <string>

#include "render/labels/drawing.h"
#include "sim/base/error.h"

namespace vw {

struct DocumentOptions {
  double width_mm = 170;   ///< printed width of the page; its height follows from the drawing
  std::string title = {};  ///< title in the metadata; may be empty
};

/// Returns the drawing as SVG 1.1, which is well-formed XML in UTF-8. Pictures are embedded as PNG. Text refers to the
/// family of `font` by name; the font itself is not embedded. Characters that XML does not allow are replaced.
[[nodiscard]] Result<std::string> svg_document(const Drawing& drawing, const TextFont& font,
                                               const DocumentOptions& options);

/// Returns the drawing as PDF 1.5 with one page. Pictures are compressed without loss. The used glyphs of `font` are
/// embedded, with their code points. The built-in font is replaced by Helvetica, which contains only the characters of
/// Western Europe.
[[nodiscard]] Result<std::string> pdf_document(const Drawing& drawing, const TextFont& font,
                                               const DocumentOptions& options);

}  // namespace vw

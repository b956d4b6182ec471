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

/// SVG 1.1, well-formed XML in UTF-8. Pictures are PNG data. Text names the family of `font`, but the file does not
/// contain the font. Characters that XML does not allow are replaced.
[[nodiscard]] Result<std::string> svg_document(const Drawing& drawing, const TextFont& font,
                                               const DocumentOptions& options);

/// PDF 1.5 with one page. Pictures are compressed without loss. The used glyphs of `font` are embedded, with their code
/// points. The built-in font is replaced by Helvetica, which has the characters of Western Europe only.
[[nodiscard]] Result<std::string> pdf_document(const Drawing& drawing, const TextFont& font,
                                               const DocumentOptions& options);

}  // namespace vw

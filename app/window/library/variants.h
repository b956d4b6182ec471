// Named values of parameters that the user keeps, shared between scenes. They are stored in the file `variants` in the
// settings folder (config_folder(), sim/base/system/folders.h). Each line has the form `KIND.PARAMETER.NAME = VALUE`,
// with the kind of the node (kind_key(), presets.h) and the value in TOML notation:
//   material-voxel_material.youngs_modulus.soft = 50000.0
// This header does not use the GUI.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/parameter.h"
#include "sim/base/error.h"

namespace vw {

/// A kept value of one parameter.
struct Variant {
  std::string name;
  Value value;
};

class Variants {
 public:
  /// Reads the file in `folder`. If the file cannot be read, there are no variants.
  explicit Variants(std::string folder);

  /// Kept values of the parameter `spec` of nodes of a kind, sorted by name. Values that the parameter does not allow
  /// are omitted.
  [[nodiscard]] std::vector<Variant> of(const std::string& kind, const ParamSpec& spec) const;
  /// Keeps a value and writes the file atomically. A variant of the same name is replaced. The file is read again
  /// first, so that variants kept by another window are not lost. An error says why the name is invalid or the file was
  /// not written.
  Result<void> keep(const std::string& kind, const ParamSpec& spec, const std::string& name, const Value& value);
  /// Removes a variant and writes the file atomically.
  Result<void> remove(const std::string& kind, const ParamSpec& spec, const std::string& name);

 private:
  /// Reads the file. A missing file is empty. An unreadable file is an error, because writing would delete its
  /// contents.
  Result<void> read();
  Result<void> write() const;

  std::string folder_;
  std::vector<std::string> lines_;  ///< lines of the file, including lines that are not variants
};

}  // namespace vw

// Arrays of a StateBlock that do not belong to the state.
#pragma once

#include <string_view>

namespace vw {

/// Prefix of the names of arrays that follow the state in a StateBlock. They are needed to return to the moment of the
/// state, but the state does not depend on them. hash_of() and state_differences() skip them. A reader that does not
/// know such an array ignores it.
inline constexpr std::string_view replay_scope = "replay.";

}  // namespace vw

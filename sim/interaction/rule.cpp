#include "sim/interaction/rule.h"

namespace vw {

ParamTable<RuleParams> rule_params(std::string enabled, std::string a, std::string b) {
  using P = RuleParams;
  return {
      Param<P>{.member = &P::enabled, .key = "enabled", .live = Live::yes, .doc = std::move(enabled)},
      Param<P>{.member = &P::a, .key = "a", .label = "First system", .refers_to = "system", .doc = std::move(a)},
      Param<P>{.member = &P::b, .key = "b", .label = "Second system", .refers_to = "system", .doc = std::move(b)},
  };
}

}  // namespace vw

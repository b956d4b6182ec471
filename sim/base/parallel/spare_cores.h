// Announces that another component of the program keeps a core busy while the simulation runs, for example a drawing
// thread that renders on the CPU.
#pragma once

namespace vw {

/// While an object of this class exists, parallel loops on a machine with at most two cores run serially on the calling
/// thread. A loop divided between two threads would have to wait at its end for the thread whose core is busy. Results
/// do not depend on this choice.
class BusyCore {
 public:
  explicit BusyCore(bool busy = true);
  ~BusyCore();
  BusyCore(const BusyCore&) = delete;
  BusyCore& operator=(const BusyCore&) = delete;

 private:
  bool busy_;
};

}  // namespace vw

// Lets another part of the program announce that it keeps a core busy beside the simulation, such as a drawing thread
// that renders on the processor.
#pragma once

namespace vw {

/// While an object of this class lives, parallel loops on a machine with two cores or fewer run serially on the calling
/// thread. Divided in two, each loop would wait at its end for a thread that has lost its core. Results do not depend
/// on it.
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

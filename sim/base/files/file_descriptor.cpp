#include "sim/base/files/file_descriptor.h"

#include <unistd.h>

#include <cerrno>

namespace vw {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  FileDescriptor old(std::exchange(number_, std::exchange(other.number_, -1)));
  return *this;
}

FileDescriptor::Written FileDescriptor::write(std::string_view bytes) const {
  Written written;
  while (written.bytes < bytes.size()) {
    const ssize_t count = ::write(number_, bytes.data() + written.bytes, bytes.size() - written.bytes);
    if (count >= 0)
      written.bytes += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      return {written.bytes, errno};
  }
  return written;
}

int FileDescriptor::close() {
  if (!is_open()) return 0;
  return ::close(std::exchange(number_, -1)) == 0 ? 0 : errno;
}

}  // namespace vw

// A descriptor is a number of the C library that refers to a handle of Windows. Files are opened so that other
// processes may rename or remove them in the meantime, as on POSIX systems.
#include "sim/base/system/file_descriptor.h"

#include <algorithm>
#include <cerrno>
#include <random>

#include <fcntl.h>
#include <io.h>

#include "sim/base/system/text_windows.h"

namespace vw {
namespace {

int errno_of(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH: return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT: return EACCES;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: return EEXIST;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: return ENOSPC;
    case ERROR_TOO_MANY_OPEN_FILES: return EMFILE;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA: return EPIPE;
    case ERROR_NOT_ENOUGH_MEMORY: return ENOMEM;
    default: return EIO;
  }
}

int last_errno() { return errno_of(::GetLastError()); }

HANDLE handle_of(int number) { return reinterpret_cast<HANDLE>(::_get_osfhandle(number)); }

bool is_link(const std::string& path) {
  const DWORD facts = ::GetFileAttributesW(wide(path).c_str());
  return facts != INVALID_FILE_ATTRIBUTES && (facts & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

FileDescriptor opened(const std::string& path, DWORD access, DWORD creation, DWORD attributes, int flags) {
  constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE handle = ::CreateFileW(wide(path).c_str(), access, shared, nullptr, creation, attributes, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    errno = last_errno();
    return {};
  }
  const int number = ::_open_osfhandle(reinterpret_cast<intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
  if (number < 0) ::CloseHandle(handle);
  return FileDescriptor(number);
}

/// Converts the position of a read or write to the form that the functions of Windows take.
OVERLAPPED at_offset(std::uint64_t offset) {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32U);
  return place;
}

/// Calls `part(done, size, count)`, which processes up to `size` bytes from `done` on and sets their number, until
/// `size` bytes are processed. Returns the number of bytes. errno is 0 unless a call failed.
template <class Part>
std::size_t in_parts(std::size_t size, const Part& part) {
  constexpr std::size_t largest = std::size_t{1} << 30U;
  errno = 0;
  std::size_t done = 0;
  while (done < size) {
    DWORD count = 0;
    if (!part(done, static_cast<DWORD>(std::min(size - done, largest)), count)) {
      const DWORD error = ::GetLastError();
      if (error != ERROR_HANDLE_EOF) errno = errno_of(error);
      return done;
    }
    if (count == 0) return done;
    done += count;
  }
  return done;
}

FileDescriptor::Written written_in_parts(std::size_t size, std::size_t done) {
  return {done, done == size ? 0 : errno != 0 ? errno : EIO};
}

std::optional<BY_HANDLE_FILE_INFORMATION> facts_of(int number) {
  BY_HANDLE_FILE_INFORMATION facts{};
  if (number < 0 || ::GetFileType(handle_of(number)) != FILE_TYPE_DISK) return {};
  if (!::GetFileInformationByHandle(handle_of(number), &facts)) return {};
  if ((facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return {};
  return facts;
}

/// Returns errno if the path does not exist or has one of these attributes, else 0.
int obstacle(const std::string& path, DWORD forbidden) {
  const DWORD facts = ::GetFileAttributesW(wide(path).c_str());
  if (facts == INVALID_FILE_ATTRIBUTES) return last_errno();
  return (facts & forbidden) != 0 ? EACCES : 0;
}

/// Replaces the file `to`, which a program has open, by the file `from`, in two steps. First, `to` gets another name,
/// under which it exists until all programs have closed it. Returns false, and changes nothing, if the programs do not
/// permit this. Programs that use opened() permit it.
bool replace_open_file(const std::string& from, const std::string& to) {
  if (obstacle(to, FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY) != 0) return false;
  std::random_device device;
  const std::wstring source = wide(from), target = wide(to);
  const std::wstring aside = target + L"." + std::to_wstring(device()) + L".old";
  if (::MoveFileExW(target.c_str(), aside.c_str(), 0) == 0) return false;
  if (::MoveFileExW(source.c_str(), target.c_str(), MOVEFILE_WRITE_THROUGH) == 0) {
    (void)::MoveFileExW(aside.c_str(), target.c_str(), 0);
    return false;
  }
  (void)::DeleteFileW(aside.c_str());
  return true;
}

}  // namespace

FileDescriptor FileDescriptor::open(const std::string& path, FileUse use) {
  if ((use == FileUse::read_no_link || use == FileUse::lock) && is_link(path)) {
    errno = EACCES;
    return {};
  }
  switch (use) {
    case FileUse::read:
    case FileUse::read_no_link: return opened(path, GENERIC_READ, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, _O_RDONLY);
    case FileUse::write_device: return opened(path, GENERIC_WRITE, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, _O_WRONLY);
    case FileUse::create: return opened(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, _O_RDWR);
    case FileUse::append:  // the rights to write attributes and to sync are those of a file opened for writing
      return opened(path, FILE_APPEND_DATA | FILE_WRITE_ATTRIBUTES | SYNCHRONIZE | GENERIC_READ, OPEN_EXISTING,
                    FILE_ATTRIBUTE_NORMAL, _O_WRONLY | _O_APPEND);
    case FileUse::lock: return opened(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, _O_RDWR);
  }
  errno = EINVAL;
  return {};
}

FileDescriptor FileDescriptor::open_unnamed(const std::string& folder) {
  std::random_device device;
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string path = folder + "/unnamed-" + std::to_string(device()) + ".tmp";
    FileDescriptor file = opened(path, GENERIC_READ | GENERIC_WRITE | DELETE, CREATE_NEW,
                                 FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, _O_RDWR);
    if (file.is_open() || errno != EEXIST) return file;
  }
  return {};
}

std::optional<std::uint64_t> FileDescriptor::regular_size() const {
  const auto facts = facts_of(number_);
  if (!facts) return {};
  return std::uint64_t{facts->nFileSizeHigh} << 32U | facts->nFileSizeLow;
}

bool FileDescriptor::has_name(const std::string& path) const {
  const FileDescriptor other = opened(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, _O_RDONLY);
  const auto mine = facts_of(number_), named = facts_of(other.number());
  return mine && named && mine->dwVolumeSerialNumber == named->dwVolumeSerialNumber &&
         mine->nFileIndexHigh == named->nFileIndexHigh && mine->nFileIndexLow == named->nFileIndexLow;
}

FileDescriptor::Written FileDescriptor::write(std::string_view bytes) const {
  const std::size_t done = in_parts(bytes.size(), [&](std::size_t from, DWORD size, DWORD& count) {
    return ::WriteFile(handle_of(number_), bytes.data() + from, size, &count, nullptr) != 0;
  });
  return written_in_parts(bytes.size(), done);
}

FileDescriptor::Written FileDescriptor::write_at(std::uint64_t offset, std::string_view bytes) const {
  const auto before = position();  // unlike pwrite() of POSIX, WriteFile() moves the position
  const std::size_t done = in_parts(bytes.size(), [&](std::size_t from, DWORD size, DWORD& count) {
    OVERLAPPED place = at_offset(offset + from);
    return ::WriteFile(handle_of(number_), bytes.data() + from, size, &count, &place) != 0;
  });
  const Written written = written_in_parts(bytes.size(), done);
  if (before) (void)::_lseeki64(number_, static_cast<__int64>(*before), SEEK_SET);
  return written;
}

std::size_t FileDescriptor::read_at(std::uint64_t offset, void* out, std::size_t size) const {
  return in_parts(size, [&](std::size_t from, DWORD part, DWORD& count) {
    OVERLAPPED place = at_offset(offset + from);
    return ::ReadFile(handle_of(number_), static_cast<char*>(out) + from, part, &count, &place) != 0;
  });
}

std::optional<std::uint64_t> FileDescriptor::position() const {
  if (number_ < 0 || ::GetFileType(handle_of(number_)) != FILE_TYPE_DISK) return {};
  const __int64 at = ::_lseeki64(number_, 0, SEEK_CUR);
  return at >= 0 ? std::optional(static_cast<std::uint64_t>(at)) : std::nullopt;
}

bool FileDescriptor::truncate(std::uint64_t size) const {
  FILE_END_OF_FILE_INFO end{};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(size);
  return number_ >= 0 && ::SetFileInformationByHandle(handle_of(number_), FileEndOfFileInfo, &end, sizeof end) != 0 &&
         ::_lseeki64(number_, static_cast<__int64>(size), SEEK_SET) >= 0;
}

bool FileDescriptor::lock() const {
  // The locked byte lies beyond any data, because Windows forbids other processes to read locked bytes.
  OVERLAPPED place = at_offset(std::uint64_t{1} << 62U);
  return number_ >= 0 &&
         ::LockFileEx(handle_of(number_), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) != 0;
}

void FileDescriptor::take_over_mode(const std::string& /*path*/) const {}  // a file inherits the rights of its folder

int FileDescriptor::sync() const {
  if (number_ < 0) return EBADF;
  return ::FlushFileBuffers(handle_of(number_)) != 0 ? 0 : last_errno();
}

int FileDescriptor::sync_if_possible() const {
  return number_ >= 0 && ::GetFileType(handle_of(number_)) == FILE_TYPE_DISK ? sync() : 0;
}

int FileDescriptor::close() {
  if (!is_open()) return 0;
  return ::_close(std::exchange(number_, -1)) == 0 ? 0 : errno;
}

FileStream open_for_reading(const std::string& path) { return FileStream(::_wfopen(wide(path).c_str(), L"rb")); }

int replace_file(const std::string& from, const std::string& to) {
  // A program that briefly reads the target, for example a virus scanner, can prevent its replacement.
  constexpr int attempts = 20;
  constexpr DWORD pause_ms = 10;
  for (int attempt = 0;; ++attempt) {
    if (::MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0)
      return 0;
    const DWORD error = ::GetLastError();
    const bool may_end = error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED;
    if (!may_end || attempt == attempts) return errno_of(error);
    if (replace_open_file(from, to)) return 0;
    ::Sleep(pause_ms);
  }
}

int sync_folder(const std::string& /*folder*/) { return 0; }  // Windows has no such function

int file_write_obstacle(const std::string& path) { return obstacle(path, FILE_ATTRIBUTE_READONLY); }

int file_read_obstacle(const std::string& path) { return obstacle(path, 0); }

int folder_write_obstacle(const std::string& folder) {
  const DWORD facts = ::GetFileAttributesW(wide(folder).c_str());
  if (facts == INVALID_FILE_ATTRIBUTES) return last_errno();
  return (facts & FILE_ATTRIBUTE_DIRECTORY) == 0 ? ENOTDIR : 0;
}

std::int64_t last_written_s(const std::string& path) {
  WIN32_FILE_ATTRIBUTE_DATA facts{};
  if (::GetFileAttributesExW(wide(path).c_str(), GetFileExInfoStandard, &facts) == 0) return 0;
  // A time of Windows counts 100 ns since 1601-01-01.
  constexpr std::int64_t units_per_s = 10'000'000, from_1601_to_1970_s = 11'644'473'600;
  const auto units = static_cast<std::int64_t>(std::uint64_t{facts.ftLastWriteTime.dwHighDateTime} << 32U |
                                               facts.ftLastWriteTime.dwLowDateTime);
  return units / units_per_s - from_1601_to_1970_s;
}

}  // namespace vw

// State visitors for hashing and for blocks in memory, and reading and writing of state files.
#include "sim/base/data/state.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include "sim/base/data/replay_scope.h"
#include "sim/base/files/file.h"
#include "sim/base/system/file_descriptor.h"

namespace vw {

StateHasher::StateHasher() : state_(XXH3_createState()) { XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_)); }
StateHasher::~StateHasher() { XXH3_freeState(static_cast<XXH3_state_t*>(state_)); }

void StateHasher::array(std::string_view name, std::size_t, std::span<std::byte> bytes,
                        const std::function<std::span<std::byte>(std::size_t)>&) {
  add(name, bytes);
}

void StateHasher::add(std::string_view name, std::span<const std::byte> bytes) {
  auto* state = static_cast<XXH3_state_t*>(state_);
  XXH3_64bits_update(state, name.data(), name.size());
  const std::uint64_t size = bytes.size();
  XXH3_64bits_update(state, &size, sizeof size);
  XXH3_64bits_update(state, bytes.data(), bytes.size());
}

std::uint64_t StateHasher::digest() const { return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_)); }

std::uint64_t hash_of(const StateBlock& block) {
  StateHasher hasher;
  for (const StateBlock::Entry& entry : block.entries)
    if (!entry.name.starts_with(replay_scope))
      hasher.add(entry.name, std::span(block.bytes).subspan(entry.offset, entry.size));
  return hasher.digest();
}

StateWriter::StateWriter(StateBlock& out) : out_(out) { restart(); }

void StateWriter::restart() {
  out_.bytes.clear();
  used_ = 0;
}

void StateWriter::finish() { out_.entries.resize(used_); }

void StateWriter::array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
                        const std::function<std::span<std::byte>(std::size_t)>&) {
  // Existing entries are overwritten, so that the memory of their names is reused.
  if (used_ == out_.entries.size()) out_.entries.emplace_back();
  auto& entry = out_.entries[used_++];
  entry.name.assign(name);
  entry.element_bytes = element_bytes;
  entry.offset = out_.bytes.size();
  entry.size = bytes.size();
  entry.scope_size = prefix_.size();
  entry.members = members_;
  entry.rows = rows_;
  entry.is_single = is_single_;
  // The capacity grows by an eighth. If it doubled, as is usual for vectors, memory for two states would be reserved.
  const std::size_t capacity = out_.bytes.capacity(), wanted = out_.bytes.size() + bytes.size();
  if (wanted > capacity) out_.bytes.reserve(std::max(wanted, capacity + capacity / 8));
  out_.bytes.insert(out_.bytes.end(), bytes.begin(), bytes.end());
}

StateReader::StateReader(const StateBlock& in, StateSource source) : in_(in) { checks_ = source == StateSource::file; }

bool StateReader::contains(std::string_view name, bool has_values) {
  (void)has_values;
  return next_ < in_.entries.size() && in_.entries[next_].name == name;
}

void StateReader::refuse(std::string_view name, std::size_t row) {
  if (error_.empty())
    error_ = "\"" + std::string(name) + "\" holds a value at row " + std::to_string(row) +
             " that is out of bounds or not finite";
}

void StateReader::array(std::string_view name, std::size_t element_bytes, std::span<std::byte> bytes,
                        const std::function<std::span<std::byte>(std::size_t)>& resize) {
  if (!error_.empty()) return;
  if (next_ >= in_.entries.size() || in_.entries[next_].name != name) {
    error_ = "the array \"" + std::string(name) + "\" is missing at its position in the state";
    return;
  }
  const auto& entry = in_.entries[next_++];
  if (entry.element_bytes != element_bytes || entry.size % element_bytes != 0) {
    error_ = "\"" + std::string(name) + "\" has elements of " + std::to_string(entry.element_bytes) +
             " bytes: expected " + std::to_string(element_bytes);
    return;
  }
  const auto target = entry.size == bytes.size() ? bytes : resize(entry.size / element_bytes);
  if (target.size() != entry.size) {
    error_ = "\"" + std::string(name) + "\" has " + std::to_string(entry.size) + " bytes: expected " +
             std::to_string(target.size());
    return;
  }
  if (entry.size > 0) std::memcpy(target.data(), in_.bytes.data() + entry.offset, entry.size);
}

namespace {

constexpr char magic[8] = {'V', 'W', 'S', 'T', 'A', 'T', 'E', '1'};

void put_u64(std::string& out, std::uint64_t x) { out.append(reinterpret_cast<const char*>(&x), sizeof x); }
void put_text(std::string& out, std::string_view text) {
  put_u64(out, text.size());
  out.append(text);
}

/// Reads from a buffer with bounds checks. If a read would go beyond the end, `good` becomes false.
struct Cursor {
  std::string_view rest;
  bool good = true;
  std::uint64_t u64() {
    std::uint64_t x = 0;
    if (rest.size() < sizeof x) return good = false, 0;
    std::memcpy(&x, rest.data(), sizeof x);
    rest.remove_prefix(sizeof x);
    return x;
  }
  std::string_view bytes(std::uint64_t n) {
    if (rest.size() < n) return good = false, std::string_view{};
    const auto out = rest.substr(0, n);
    rest.remove_prefix(n);
    return out;
  }
};

/// Checks the magic number and the checksum with constant memory, so that a huge file of another kind is rejected
/// before it is loaded.
Result<void> check_seal(const std::string& path) {
  const FileStream file = open_for_reading(path);
  if (!file) return {};  // read_file reports the reason
  std::vector<char> block(std::size_t{1} << 20);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hash(XXH3_createState(), XXH3_freeState);
  XXH3_64bits_reset(hash.get());
  std::size_t have = 0;  // number of bytes at the beginning of the buffer that are not yet hashed
  bool first = true;
  while (const std::size_t got = std::fread(block.data() + have, 1, block.size() - have, file.get())) {
    have += got;
    if (first && (have < sizeof magic || std::memcmp(block.data(), magic, sizeof magic) != 0))
      return wrong_file(path, "is not a Voxwake checkpoint");
    first = false;
    if (have <= sizeof(std::uint64_t)) continue;
    const std::size_t whole = have - sizeof(std::uint64_t);  // the last eight bytes may be the checksum
    XXH3_64bits_update(hash.get(), block.data(), whole);
    std::memmove(block.data(), block.data() + whole, sizeof(std::uint64_t));
    have = sizeof(std::uint64_t);
  }
  std::uint64_t stored = 0;
  if (have == sizeof stored) std::memcpy(&stored, block.data(), sizeof stored);
  if (have != sizeof stored || XXH3_64bits_digest(hash.get()) != stored)
    return wrong_file(path, "is damaged or truncated (its checksum does not match)");
  return {};
}

}  // namespace

std::string state_file_bytes(const std::string& header, const StateBlock& block) {
  std::string out(magic, sizeof magic);
  put_text(out, header);
  std::uint64_t count = 0;
  for (const auto& entry : block.entries) count += entry.offset + entry.size <= block.bytes.size() ? 1 : 0;
  put_u64(out, count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto& entry = block.entries[i];
    put_text(out, entry.name);
    put_u64(out, entry.element_bytes);
    put_u64(out, entry.size);
  }
  put_u64(out, block.bytes.size());
  out.append(reinterpret_cast<const char*>(block.bytes.data()), block.bytes.size());
  put_u64(out, XXH3_64bits(out.data(), out.size()));
  return out;
}

Result<void> write_state_file(const std::string& path, const std::string& header, const StateBlock& block) {
  return write_file_atomic(path, state_file_bytes(header, block));
}

bool is_state_file(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) return false;
  const FileStream file = open_for_reading(path);
  constexpr std::size_t without_version = sizeof magic - 1;
  char begin[without_version];
  return file && std::fread(begin, 1, without_version, file.get()) == without_version &&
         std::memcmp(begin, magic, without_version) == 0;
}

namespace {

/// Parses the content of a file whose magic number and checksum have been checked.
Result<StateFile> read_sealed(std::string_view text, const std::string& path) {
  constexpr std::size_t smallest = sizeof magic + 4 * sizeof(std::uint64_t);
  if (text.size() < smallest) return wrong_file(path, "is not a Voxwake checkpoint");
  const std::size_t body = text.size() - sizeof(std::uint64_t);

  Cursor in{text.substr(sizeof magic, body - sizeof magic)};
  StateFile file;
  file.header = in.bytes(in.u64());
  const std::uint64_t count = in.u64();
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0; i < count && in.good; ++i) {
    StateBlock::Entry entry;
    entry.name = in.bytes(in.u64());
    entry.element_bytes = in.u64();
    entry.size = in.u64();
    entry.offset = offset;
    if (entry.size > text.size() || entry.element_bytes == 0) in.good = false;
    offset += entry.size;
    file.block.entries.push_back(std::move(entry));
  }
  const auto bytes = in.bytes(in.u64());
  if (!in.good || offset != bytes.size() || !in.rest.empty())
    return wrong_file(path, "is damaged (its table of contents does not match its length)");
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  file.block.bytes.assign(first, first + bytes.size());
  return file;
}

}  // namespace

Result<StateFile> read_state_file(const std::string& path) {
  std::error_code code;
  if (std::filesystem::is_regular_file(path, code))
    if (auto good = check_seal(path); !good) return Unexpected(good.error());
  auto text = read_file(path, std::uint64_t{1} << 36);
  if (!text) return Unexpected(text.error());
  return read_sealed(*text, path);
}

Result<StateFile> state_file_from_bytes(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with(std::string_view(magic, sizeof magic))) return wrong_file(name, "is not a Voxwake checkpoint");
  std::uint64_t stored = 0;
  const std::size_t body = bytes.size() - sizeof stored;
  std::memcpy(&stored, bytes.data() + body, sizeof stored);
  if (XXH3_64bits(bytes.data(), body) != stored)
    return wrong_file(name, "is damaged or truncated (its checksum does not match)");
  return read_sealed(bytes, name);
}

}  // namespace vw

#include "sim/history/packed_state.h"

#include <cstring>

#include <zstd.h>

namespace vw {
namespace {

/// Compression level of zstd. Higher levels take twice the time and save only a few percent of the memory.
constexpr int compression_level = 1;
/// Largest number of arrays of a state from a file. The limit bounds the memory for malicious files; each system and
/// rule has some ten arrays.
constexpr std::uint64_t most_arrays = 1'000'000;

void put(std::vector<std::byte>& out, const void* from, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(from);
  out.insert(out.end(), bytes, bytes + size);
}
void put(std::vector<std::byte>& out, std::uint64_t number) { put(out, &number, sizeof number); }

/// Reads numbers and bytes from a buffer with bounds checks.
class PlainReader {
 public:
  explicit PlainReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::span<const std::byte> bytes(std::uint64_t size) {
    if (size > rest_.size()) return good_ = false, std::span<const std::byte>{};
    const auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    if (const auto taken = bytes(sizeof value); good_) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool good_ = true;
};

/// Returns the size of the numbers of an array [bytes]: 8, 4 or 1. For example, an element of 24 bytes consists of
/// three numbers.
std::size_t number_size(std::uint64_t element_bytes) {
  return element_bytes % 8 == 0 ? 8 : element_bytes % 4 == 0 ? 4 : 1;
}

template <std::size_t size>
void sort_planes(const std::byte* from, std::size_t numbers, std::byte* to) {
  for (std::size_t i = 0; i < numbers; ++i)
    for (std::size_t plane = 0; plane < size; ++plane) to[plane * numbers + i] = from[i * size + plane];
}
template <std::size_t size>
void join_planes(const std::byte* from, std::size_t numbers, std::byte* to) {
  for (std::size_t i = 0; i < numbers; ++i)
    for (std::size_t plane = 0; plane < size; ++plane) to[i * size + plane] = from[plane * numbers + i];
}

/// Sorts the bytes of complete numbers into planes, and copies the remaining bytes.
void sort_bytes(std::span<const std::byte> from, std::size_t size, std::byte* to) {
  const std::size_t numbers = from.size() / size;
  if (size == 8) sort_planes<8>(from.data(), numbers, to);
  if (size == 4) sort_planes<4>(from.data(), numbers, to);
  const std::size_t done = size == 1 ? 0 : numbers * size;
  if (from.size() > done) std::memcpy(to + done, from.data() + done, from.size() - done);
}
void join_bytes(std::span<const std::byte> from, std::size_t size, std::byte* to) {
  const std::size_t numbers = from.size() / size;
  if (size == 8) join_planes<8>(from.data(), numbers, to);
  if (size == 4) join_planes<4>(from.data(), numbers, to);
  const std::size_t done = size == 1 ? 0 : numbers * size;
  if (from.size() > done) std::memcpy(to + done, from.data() + done, from.size() - done);
}

}  // namespace

struct StatePacker::Contexts {
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> compress{ZSTD_createCCtx(), ZSTD_freeCCtx};
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> expand{ZSTD_createDCtx(), ZSTD_freeDCtx};
};

StatePacker::StatePacker() : contexts_(std::make_unique<Contexts>()) {
  ZSTD_CCtx_setParameter(contexts_->compress.get(), ZSTD_c_compressionLevel, compression_level);
  ZSTD_CCtx_setParameter(contexts_->compress.get(), ZSTD_c_checksumFlag, 1);
}
StatePacker::~StatePacker() = default;

void StatePacker::pack(const StateBlock& state, std::vector<std::byte>& out) {
  plain_.clear();
  put(plain_, state.entries.size());
  for (const StateBlock::Entry& entry : state.entries) {
    put(plain_, entry.name.size());
    put(plain_, entry.name.data(), entry.name.size());
    put(plain_, entry.element_bytes);
    put(plain_, entry.size);
  }
  const std::size_t table = plain_.size();
  plain_.resize(table + state.bytes.size());
  for (const StateBlock::Entry& entry : state.entries)
    sort_bytes(std::span(state.bytes).subspan(entry.offset, entry.size), number_size(entry.element_bytes),
               plain_.data() + table + entry.offset);
  // The output begins with two numbers: the size of the uncompressed bytes, and the size of the table within them.
  out.clear();
  put(out, plain_.size());
  put(out, table);
  const std::size_t head = out.size();
  out.resize(head + ZSTD_compressBound(plain_.size()));
  const std::size_t packed =
      ZSTD_compress2(contexts_->compress.get(), out.data() + head, out.size() - head, plain_.data(), plain_.size());
  out.resize(head + packed);
}

Result<void> StatePacker::unpack(std::span<const std::byte> packed, StateBlock& out, std::uint64_t limit_bytes) {
  PlainReader head(packed);
  const std::uint64_t size = head.number(), table = head.number();
  const char* damaged = "the stored state of a moment is damaged";
  if (!head.good() || size > limit_bytes || table > size) return fail(damaged);
  const auto rest = packed.subspan(2 * sizeof(std::uint64_t));
  if (ZSTD_getFrameContentSize(rest.data(), rest.size()) != size) return fail(damaged);
  plain_.resize(size);
  if (ZSTD_decompressDCtx(contexts_->expand.get(), plain_.data(), size, rest.data(), rest.size()) != size)
    return fail(damaged);
  PlainReader reader(std::span<const std::byte>(plain_).first(table));
  const std::uint64_t count = reader.number();
  if (count > most_arrays || count > table) return fail(damaged);
  out.entries.resize(count);
  std::uint64_t offset = 0;
  for (StateBlock::Entry& entry : out.entries) {
    const auto name = reader.bytes(reader.number());
    entry.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
    entry.element_bytes = reader.number();
    entry.size = reader.number();
    entry.offset = offset;
    if (!reader.good() || entry.element_bytes == 0 || entry.size > size - table - offset) return fail(damaged);
    offset += entry.size;
  }
  if (!reader.at_end() || offset != size - table) return fail(damaged);
  out.bytes.resize(offset);
  for (const StateBlock::Entry& entry : out.entries)
    join_bytes(std::span(plain_).subspan(table + entry.offset, entry.size), number_size(entry.element_bytes),
               out.bytes.data() + entry.offset);
  return {};
}

}  // namespace vw

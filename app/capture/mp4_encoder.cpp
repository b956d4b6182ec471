// H.264 in fragmented MP4, and VP9 in WebM, encoded by FFmpeg's libraries. Pictures are added one by one. In an MP4
// file, packets are written when a fragment is complete. A WebM file is written only at the end, because the index at
// the beginning of the file depends on all packets.
#ifdef VOXWAKE_HAVE_FFMPEG

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
}

#include <fmt/format.h>

#include "app/capture/embedded_moment.h"
#include "app/capture/frame_encoder.h"
#include "sim/base/files/atomic_file.h"

namespace vw {
namespace {

struct Free {
  void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
  void operator()(AVFrame* p) const { av_frame_free(&p); }
  void operator()(AVPacket* p) const { av_packet_free(&p); }
  void operator()(SwsContext* p) const { sws_freeContext(p); }
  void operator()(AVFormatContext* p) const {
    if (p->pb != nullptr) {
      av_freep(&p->pb->buffer);
      avio_context_free(&p->pb);
    }
    avformat_free_context(p);
  }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

std::string reason(int code) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  return text.data();
}

const AVCodec* vp9_encoder() {
  const AVCodec* codec = avcodec_find_encoder_by_name("libvpx-vp9");
  return codec != nullptr ? codec : avcodec_find_encoder(AV_CODEC_ID_VP9);
}

const AVCodec* h264_encoder() {
  const AVCodec* codec = avcodec_find_encoder_by_name("libx264");
  return codec != nullptr ? codec : avcodec_find_encoder(AV_CODEC_ID_H264);
}

/// Number of encoder threads. A fixed number makes the file independent of the machine and limits memory use on large
/// machines.
constexpr int encoder_threads = 4;
/// Number of frames in a fragment. If the process is killed, only the closed fragments remain: at most one fragment and
/// the look-ahead of the encoder are lost.
constexpr std::int64_t frames_per_fragment = 8;
/// Number of frames that the encoder looks ahead, as the text of an option of x264.
constexpr const char* look_ahead = "6";
constexpr int write_buffer_bytes = 1 << 16;

enum class VideoContainer { mp4, webm };

class Mp4Encoder final : public FrameEncoder {
 public:
  Mp4Encoder(std::string path, const VideoOptions& options, VideoContainer container)
      : path_(std::move(path)), options_(options), container_(container) {}
  [[nodiscard]] Result<void> open();
  Result<void> write(const Image& frame) override;
  Result<void> repeat() override;
  Result<void> embed(std::string moment) override {
    moment_ = std::move(moment);
    return {};
  }
  Result<void> finish() override;

 private:
  [[nodiscard]] Result<void> open_codec();
  [[nodiscard]] Result<void> open_file();
  [[nodiscard]] Result<void> open_scaler();
  [[nodiscard]] Result<void> send(const AVFrame* frame);
  [[nodiscard]] Unexpected trouble(const char* what, int code) const {
    return wrong_file(path_, fmt::format("{}: {}", what, reason(code)));
  }

  /// Callback with which libavformat writes bytes of the file. `encoder` is the Mp4Encoder.
  static int take_bytes(void* encoder, std::uint8_t* bytes, int count);
  /// Callback with which libavformat changes the write position in a WebM file.
  static std::int64_t seek(void* encoder, std::int64_t offset, int whence);
  [[nodiscard]] bool is_webm() const { return container_ == VideoContainer::webm; }
  /// Writes the bytes that libavformat has passed. The first error is stored.
  [[nodiscard]] Result<void> write_out();
  /// Writes the box of a pending moment to the muxer's output. The output position advances by the size of the box, so
  /// that the offsets in the muxer's table of fragments remain correct.
  void put_moment();
  /// Writes the data that the muxer has buffered as a fragment. When the first fragment is written, the new file
  /// replaces an existing file with the same path.
  [[nodiscard]] Result<void> close_fragment();

  std::string path_;
  VideoOptions options_;
  VideoContainer container_;
  std::size_t position_ = 0;  ///< write position of libavformat in a WebM file
  std::optional<AtomicFile> out_;
  /// Bytes that are not yet written. A fragment is written as a whole, because a part of a fragment may not be
  /// playable.
  std::string fragment_;
  std::string moment_;              ///< moment that is not yet written
  std::optional<Error> out_error_;  ///< first write error
  Owned<AVFormatContext> file_;
  Owned<AVCodecContext> codec_;
  Owned<AVFrame> frame_;
  Owned<AVPacket> packet_;
  Owned<SwsContext> scaler_;
  AVStream* stream_ = nullptr;
  std::int64_t count_ = 0, written_ = 0;
};

Result<void> Mp4Encoder::open_codec() {
  const AVCodec* codec = is_webm() ? vp9_encoder() : h264_encoder();
  if (codec == nullptr)
    return wrong_file(path_, fmt::format("the FFmpeg libraries have no {} encoder", is_webm() ? "VP9" : "H.264"));
  codec_.reset(avcodec_alloc_context3(codec));
  codec_->width = std::max(2, options_.width & ~1);  // 4:2:0 chroma subsampling requires even sizes
  codec_->height = std::max(2, options_.height & ~1);
  codec_->pix_fmt = AV_PIX_FMT_YUV420P;
  codec_->time_base = {1, options_.fps};
  codec_->framerate = {options_.fps, 1};
  codec_->gop_size = std::clamp(options_.fps / 2, 1, 250);  // key frames every half second, to which players can seek
  codec_->thread_count = encoder_threads;
  codec_->color_primaries = AVCOL_PRI_BT709;
  codec_->color_trc = AVCOL_TRC_BT709;
  codec_->colorspace = AVCOL_SPC_BT709;
  codec_->color_range = AVCOL_RANGE_MPEG;
  codec_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  if (is_webm()) {
    // VP9 reaches about the quality of H.264 at a rate factor that is higher by this number.
    constexpr int vp9_offset = 12;
    codec_->bit_rate = 0;  // constant quality
    av_opt_set(codec_->priv_data, "deadline", "good", 0);
    av_opt_set(codec_->priv_data, "cpu-used", "4", 0);
    av_opt_set(codec_->priv_data, "crf", std::to_string(std::min(options_.quality + vp9_offset, 63)).c_str(), 0);
  } else {
    av_opt_set(codec_->priv_data, "preset", "veryfast", 0);
    av_opt_set(codec_->priv_data, "crf", std::to_string(options_.quality).c_str(), 0);
    av_opt_set(codec_->priv_data, "rc-lookahead", look_ahead, 0);
  }
  if (const int code = avcodec_open2(codec_.get(), codec, nullptr); code < 0)
    return trouble("the video encoder cannot be started", code);
  return {};
}

Result<void> Mp4Encoder::open_file() {
  AVFormatContext* made = nullptr;
  if (const int code = avformat_alloc_output_context2(&made, nullptr, is_webm() ? "webm" : "mp4", path_.c_str());
      code < 0)
    return trouble("cannot be written", code);
  file_.reset(made);
  stream_ = avformat_new_stream(file_.get(), nullptr);
  if (stream_ == nullptr) return wrong_file(path_, "out of memory");
  avcodec_parameters_from_context(stream_->codecpar, codec_.get());
  stream_->time_base = codec_->time_base;
  stream_->avg_frame_rate = codec_->framerate;
  file_->flags |= AVFMT_FLAG_FLUSH_PACKETS | AVFMT_FLAG_BITEXACT;
  auto out = AtomicFile::open(path_);
  if (!out) return Unexpected(out.error());
  out_.emplace(std::move(*out));
  auto* buffer = static_cast<unsigned char*>(av_malloc(write_buffer_bytes));
  if (buffer == nullptr) return wrong_file(path_, "out of memory");
  file_->pb = avio_alloc_context(buffer, write_buffer_bytes, 1, this, nullptr, &Mp4Encoder::take_bytes,
                                 is_webm() ? &Mp4Encoder::seek : nullptr);
  if (file_->pb == nullptr) {
    av_free(buffer);
    return wrong_file(path_, "out of memory");
  }
  AVDictionary* settings = nullptr;
  if (!is_webm()) av_dict_set(&settings, "movflags", "frag_keyframe+empty_moov+default_base_moof", 0);
  const int code = avformat_write_header(file_.get(), &settings);
  av_dict_free(&settings);
  if (code < 0) return trouble("cannot be written", code);
  return {};
}

int Mp4Encoder::take_bytes(void* encoder, std::uint8_t* bytes, int count) {
  auto& self = *static_cast<Mp4Encoder*>(encoder);
  const auto size = static_cast<std::size_t>(count);
  if (!self.is_webm()) {
    self.fragment_.append(reinterpret_cast<const char*>(bytes), size);
    return count;
  }
  self.fragment_.resize(std::max(self.fragment_.size(), self.position_ + size));
  std::copy_n(reinterpret_cast<const char*>(bytes), size, self.fragment_.data() + self.position_);
  self.position_ += size;
  return count;
}

std::int64_t Mp4Encoder::seek(void* encoder, std::int64_t offset, int whence) {
  auto& self = *static_cast<Mp4Encoder*>(encoder);
  const auto size = static_cast<std::int64_t>(self.fragment_.size());
  if ((whence & AVSEEK_SIZE) != 0) return size;
  const std::int64_t from = whence == SEEK_CUR   ? static_cast<std::int64_t>(self.position_)
                            : whence == SEEK_END ? size
                                                 : 0;
  if (from + offset < 0 || from + offset > size) return AVERROR(EINVAL);
  self.position_ = static_cast<std::size_t>(from + offset);
  return from + offset;
}

Result<void> Mp4Encoder::write_out() {
  avio_flush(file_->pb);
  if (out_error_) return Unexpected(*out_error_);
  const auto written = out_->write_whole(fragment_);
  fragment_.clear();
  if (!written) out_error_ = written.error();
  return written;
}

void Mp4Encoder::put_moment() {
  if (moment_.empty() || is_webm()) return;
  const std::string box = mp4_moment_box(moment_);
  moment_.clear();
  avio_write(file_->pb, reinterpret_cast<const unsigned char*>(box.data()), static_cast<int>(box.size()));
}

Result<void> Mp4Encoder::close_fragment() {
  put_moment();
  av_write_frame(file_.get(), nullptr);
  if (auto written = write_out(); !written) return written;
  return out_->publish();
}

Result<void> Mp4Encoder::open_scaler() {
  frame_.reset(av_frame_alloc());
  packet_.reset(av_packet_alloc());
  if (frame_ == nullptr || packet_ == nullptr) return wrong_file(path_, "out of memory");
  frame_->format = codec_->pix_fmt;
  frame_->width = codec_->width;
  frame_->height = codec_->height;
  if (const int code = av_frame_get_buffer(frame_.get(), 0); code < 0) return trouble("out of memory", code);
  scaler_.reset(sws_getContext(codec_->width, codec_->height, AV_PIX_FMT_RGBA, codec_->width, codec_->height,
                               codec_->pix_fmt, SWS_BILINEAR, nullptr, nullptr, nullptr));
  if (scaler_ == nullptr) return wrong_file(path_, "FFmpeg cannot convert the colours of pictures of this size");
  const int* bt709 = sws_getCoefficients(SWS_CS_ITU709);
  constexpr int unchanged = 1 << 16;
  // Convert full-range RGB to studio-range BT.709.
  sws_setColorspaceDetails(scaler_.get(), bt709, 1, bt709, 0, 0, unchanged, unchanged);
  return {};
}

Result<void> Mp4Encoder::open() {
  if (auto good = open_codec(); !good) return good;
  if (auto good = open_scaler(); !good) return good;
  return open_file();
}

Result<void> Mp4Encoder::write(const Image& image) {
  const bool fits = (image.width == options_.width || image.width == codec_->width) &&
                    (image.height == options_.height || image.height == codec_->height);
  if (!fits || image.rgba.size() != 4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height))
    return wrong_file(path_, fmt::format("a picture of {} x {} pixels does not match the video size {} x {}",
                                         image.width, image.height, options_.width, options_.height));
  if (const int code = av_frame_make_writable(frame_.get()); code < 0) return trouble("out of memory", code);
  // sws_scale() reads the pointers and strides of four planes, although RGBA has only one.
  const std::array<const std::uint8_t*, 4> rows{image.rgba.data()};
  const std::array<int, 4> stride{4 * image.width};
  sws_scale(scaler_.get(), rows.data(), stride.data(), 0, codec_->height, frame_->data, frame_->linesize);
  return repeat();
}

Result<void> Mp4Encoder::repeat() {
  frame_->pts = count_++;
  return send(frame_.get());
}

/// Sends one frame and receives all finished packets. A null frame marks the end of the stream.
Result<void> Mp4Encoder::send(const AVFrame* frame) {
  if (const int code = avcodec_send_frame(codec_.get(), frame); code < 0)
    return trouble("the video encoder failed", code);
  for (;;) {
    const int got = avcodec_receive_packet(codec_.get(), packet_.get());
    if (got == AVERROR(EAGAIN) || got == AVERROR_EOF) break;
    if (got < 0) return trouble("the video encoder failed", got);
    packet_->stream_index = stream_->index;
    packet_->duration = 1;
    av_packet_rescale_ts(packet_.get(), codec_->time_base, stream_->time_base);
    if (const int code = av_interleaved_write_frame(file_.get(), packet_.get()); code < 0)
      return trouble("cannot be written", code);
    if (++written_ % frames_per_fragment == 0 && !is_webm())
      if (auto closed = close_fragment(); !closed) return closed;
  }
  return {};
}

Result<void> Mp4Encoder::finish() {
  if (count_ == 0) return wrong_file(path_, "the video has no picture, so the file was not written");
  if (auto flushed = send(nullptr); !flushed) return flushed;
  // The box must precede the table of fragments, which readers expect at the end of the file.
  av_write_frame(file_.get(), nullptr);
  put_moment();
  const int trailer = av_write_trailer(file_.get());
  if (auto written = write_out(); !written) return written;
  if (trailer < 0) return trouble("cannot be written", trailer);
  return out_->finish();
}

Result<std::unique_ptr<FrameEncoder>> open_container(const std::string& path, const VideoOptions& options,
                                                     VideoContainer container) {
  av_log_set_level(AV_LOG_QUIET);  // suppress the output of the encoders; errors are reported by this program
  auto encoder = std::make_unique<Mp4Encoder>(path, options, container);
  if (auto good = encoder->open(); !good) return Unexpected(good.error());
  return encoder;
}

}  // namespace

Result<std::unique_ptr<FrameEncoder>> open_mp4(const std::string& path, const VideoOptions& options) {
  return open_container(path, options, VideoContainer::mp4);
}

Result<std::unique_ptr<FrameEncoder>> open_webm(const std::string& path, const VideoOptions& options) {
  return open_container(path, options, VideoContainer::webm);
}

std::string video_backend() {
  const unsigned version = avcodec_version();
  const AVCodec* codec = h264_encoder();
  return fmt::format("libavcodec {}.{}.{} ({})", AV_VERSION_MAJOR(version), AV_VERSION_MINOR(version),
                     AV_VERSION_MICRO(version), codec != nullptr ? codec->name : "no H.264 encoder");
}

}  // namespace vw

#endif

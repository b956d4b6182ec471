// Reads a video back: its frame times and brightness. Requires FFmpeg.
#pragma once

#ifdef VOXWAKE_HAVE_FFMPEG

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <memory>
#include <string>
#include <vector>

namespace vw {

struct ReadVideo {
  bool opened = false;
  int width = 0, height = 0;
  double fps = 0;
  AVColorSpace colorspace = AVCOL_SPC_UNSPECIFIED;
  std::vector<double> times_s;   ///< time of every decoded frame [s]
  std::vector<int> middle_luma;  ///< luma of every decoded frame at its centre
};

inline void take_frames(AVCodecContext* codec, AVFrame* frame, AVRational base, ReadVideo& video) {
  while (avcodec_receive_frame(codec, frame) >= 0) {
    video.times_s.push_back(static_cast<double>(frame->best_effort_timestamp) * av_q2d(base));
    video.middle_luma.push_back(frame->data[0][(frame->height / 2) * frame->linesize[0] + frame->width / 2]);
  }
}

inline ReadVideo read_video(const std::string& path) {
  ReadVideo video;
  AVFormatContext* file = nullptr;
  if (avformat_open_input(&file, path.c_str(), nullptr, nullptr) < 0) return video;
  if (avformat_find_stream_info(file, nullptr) >= 0 && file->nb_streams == 1) {
    const AVStream* stream = file->streams[0];
    const AVCodec* decoder = avcodec_find_decoder(stream->codecpar->codec_id);
    AVCodecContext* codec = avcodec_alloc_context3(decoder);
    avcodec_parameters_to_context(codec, stream->codecpar);
    video.opened = avcodec_open2(codec, decoder, nullptr) >= 0;
    video.width = codec->width;
    video.height = codec->height;
    video.colorspace = codec->colorspace;
    video.fps = av_q2d(stream->avg_frame_rate);
    AVPacket* packet = av_packet_alloc();
    AVFrame* frame = av_frame_alloc();
    while (video.opened && av_read_frame(file, packet) >= 0) {
      avcodec_send_packet(codec, packet);
      av_packet_unref(packet);
      take_frames(codec, frame, stream->time_base, video);
    }
    avcodec_send_packet(codec, nullptr);
    take_frames(codec, frame, stream->time_base, video);
    av_packet_free(&packet);
    av_frame_free(&frame);
    avcodec_free_context(&codec);
  }
  avformat_close_input(&file);
  return video;
}

}  // namespace vw

#endif

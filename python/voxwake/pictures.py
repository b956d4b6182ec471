"""Pictures and videos, which notebooks show inline."""

from __future__ import annotations

import base64
import os
import struct
import zlib
from typing import Any

import numpy as np

from voxwake import _core
from voxwake._types import Path

__all__ = ["Picture", "Video", "VideoFile"]


class Picture(np.ndarray):
    """Picture as an array of the shape (height, width, 3), 8-bit sRGB, rows from top to bottom."""

    def png(self) -> bytes:
        """Return the picture as the content of a PNG file."""
        height, width, channels = self.shape
        rows = np.zeros((height, 1 + width * channels), np.uint8)  # filter type 0 before each row
        rows[:, 1:] = np.ascontiguousarray(self).reshape(height, -1)
        header = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 6, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"sRGB", b"\0"), (b"IDAT", zlib.compress(rows.tobytes(), 4)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
            for name, data in chunks
        )

    def save(self, path: Path) -> None:
        """Write the picture as a PNG file."""
        with open(path, "wb") as file:
            file.write(self.png())

    def _repr_png_(self) -> Any:
        is_picture = self.ndim == 3 and self.shape[2] in (3, 4) and self.dtype == np.uint8 and self.size > 0
        return self.png() if is_picture else None


class VideoFile:
    """Writes pictures of equal size to a video. Use it in a ``with`` statement.

    A path that ends in .mp4 gives an MP4 file (H.264). A path without an extension gives a folder of PNG files, and so
    does .mp4 if the package was built without FFmpeg.
    """

    def __init__(self, path: Path, width: int, height: int, fps: int = 30) -> None:
        self._writer = _core.VideoWriter.open(os.fspath(path), width, height, fps)
        self._shape = (height, width)

    def add(self, picture: np.ndarray) -> None:
        """Add a picture."""
        if picture.shape[:2] != self._shape:
            raise ValueError(f"picture of {picture.shape[:2]} pixels: expected {self._shape}, as the video has")
        self._writer.add(np.asarray(picture))

    def finish(self) -> None:
        """Write all waiting pictures and close the file."""
        self._writer.finish()

    def __enter__(self) -> "VideoFile":
        return self

    def __exit__(self, *_: Any) -> None:
        self.finish()


class Video:
    """Video file that a notebook shows inline."""

    def __init__(self, path: Path) -> None:
        #: Path of the file.
        self.path = os.fspath(path)

    def _repr_html_(self) -> str:
        if not self.path.endswith(".mp4") or not os.path.isfile(self.path):
            return f"<code>{self.path}</code>"
        with open(self.path, "rb") as file:
            data = base64.b64encode(file.read()).decode()
        return f'<video controls loop src="data:video/mp4;base64,{data}"></video>'

    def __repr__(self) -> str:
        return f"<voxwake.Video {self.path!r}>"

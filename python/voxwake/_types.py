"""Types that several modules name."""

from __future__ import annotations

import os
from typing import Callable, Optional, Sequence, Union

import numpy as np

#: Path of a file.
Path = Union[str, "os.PathLike[str]"]
#: Three numbers, unless stated otherwise.
Vector = Union[Sequence[float], np.ndarray]
#: Function that is called with the share of the work that is done, and may return False to stop.
Progress = Callable[[float], Optional[bool]]

"""Types that several modules use."""

from __future__ import annotations

import os
from typing import Callable, Optional, Sequence, Union

import numpy as np

#: Path of a file.
Path = Union[str, "os.PathLike[str]"]
#: Three numbers, unless stated otherwise.
Vector = Union[Sequence[float], np.ndarray]
#: Function that is called with the completed fraction of the work (0 to 1). It may return False to stop the work.
Progress = Callable[[float], Optional[bool]]

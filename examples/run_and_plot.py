"""Run a packaged scene, plot a channel over time and draw a picture.

    python3 run_and_plot.py [SECONDS]
"""

import sys

import numpy as np

import voxwake

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
world = voxwake.World("jelly-drop", {"world.gravity": (0, -4, 0)})
body = world[world.systems[0]]

times, heights, speeds = [], [], []
position = body.position  # shares the memory of the world, so it always shows the present state
while world.time < seconds:
    world.step()
    times.append(world.time)
    heights.append(position[:, 1].mean())
    speeds.append(np.max(body.channel("speed")))

print(f"{world.name}: lowest mean height {min(heights):.4f} m, largest speed {max(speeds):.3f} m/s")
world.render(640, 360, view={"color_by": "speed"}).save("jelly.png")

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    print("Install python3-matplotlib to get the plot.")
else:
    figure, axes = plt.subplots()
    axes.plot(times, heights)
    axes.set(xlabel="time [s]", ylabel="mean height [m]")
    figure.savefig("height.png")

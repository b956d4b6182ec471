"""Pictures and videos as arrays."""

import numpy as np
import pytest

import voxwake


def test_a_software_picture_shows_the_scene(small):
    picture = small.render(160, 90, renderer="software")
    assert picture.shape == (90, 160, 3) and picture.dtype == np.uint8
    assert not small.uses_opengl
    assert picture.std() > 5  # the picture is not empty
    again = small.render(160, 90, renderer="software")
    assert np.array_equal(picture, again)


def test_the_automatic_renderer_draws(small):
    assert small.render(160, 90).std() > 5


def test_view_settings_and_camera_apply_to_one_picture(small):
    small.step(20)
    plain = small.render(160, 90, renderer="software")
    colored = small.render(160, 90, renderer="software", view={"color_by": "speed"})
    moved = small.render(160, 90, renderer="software", eye=(0, 5, 0.1), target=(0, 0, 0))
    assert not np.array_equal(plain, colored) and not np.array_equal(plain, moved)
    assert np.array_equal(plain, small.render(160, 90, renderer="software"))
    assert small.get("view.color_by") != "speed"


def test_drawing_does_not_change_the_state(small):
    hash_ = small.hash
    small.render(64, 64, renderer="software")
    assert small.hash == hash_


def test_wrong_arguments_are_errors(small):
    with pytest.raises(voxwake.Error, match="0 x 10"):
        small.render(0, 10)
    with pytest.raises(voxwake.Error, match="renderer"):
        small.render(10, 10, renderer="crayon")
    with pytest.raises(voxwake.Error, match="color_by"):
        small.render(10, 10, view={"colour_by": "speed"})


def test_pictures_show_in_notebooks(small, tmp_path):
    picture = small.render(64, 48, renderer="software")
    assert picture._repr_png_().startswith(b"\x89PNG")
    picture.save(tmp_path / "picture.png")
    matplotlib = pytest.importorskip("matplotlib.image")
    read = np.round(matplotlib.imread(tmp_path / "picture.png") * 255).astype(np.uint8)
    assert np.array_equal(read[:, :, :3], picture)
    assert picture[:, :, 0]._repr_png_() is None


def test_a_video_is_recorded(small, tmp_path):
    video = small.record_video(tmp_path / "fall.mp4", 0.1, width=64, height=48, fps=30, renderer="software")
    assert small.time == pytest.approx(0.1, abs=small.dt)
    if voxwake._core.video_backend() != "PNG sequence":
        assert "<video" in video._repr_html_()
    with pytest.raises(voxwake.Error):
        voxwake.VideoFile(tmp_path / "fall.avi", 64, 48)


def test_a_video_folder_holds_pictures(small, tmp_path):
    with voxwake.VideoFile(tmp_path / "frames", 64, 48) as video:
        video.add(small.render(64, 48, renderer="software"))
        with pytest.raises(ValueError):
            video.add(small.render(32, 48, renderer="software"))
    assert len(list((tmp_path / "frames").iterdir())) == 1


def test_a_picture_opens_at_its_step(small, tmp_path):
    small.step(5)
    small.push("block", 0, (1e-3, 0, 0))
    small.step(5)
    small.save_picture(tmp_path / "moment.png", 64, 48, renderer="software")
    again = voxwake.World.open_picture(tmp_path / "moment.png")
    assert again.step_count == 10 and again.hash == small.hash
    small.render(64, 48, renderer="software").save(tmp_path / "plain.png")
    for path in ("plain.png", "none.png"):
        with pytest.raises(voxwake.Error, match=path):
            voxwake.World.open_picture(tmp_path / path)

"""Films on disk: a simulated game as video, clock trace and truth."""

import json
from pathlib import Path

import cv2

from qiyan.simulator.look import Look
from qiyan.simulator.script import Script
from qiyan.simulator.table import Table

JPEG_QUALITY = 92


def film(look: Look, script: Script, folder: Path, video: bool = True) -> dict[str, object]:
    """Write video.mp4 (or numbered pictures), clock.jsonl and truth.json into `folder`; returns the truth."""
    folder.mkdir(parents=True, exist_ok=True)
    table = Table(look, script)
    write_clock(table, folder / "clock.jsonl")
    truth = table.truth()
    (folder / "truth.json").write_text(json.dumps(truth, indent=1, ensure_ascii=False), encoding="utf-8")
    if video:
        writer = cv2.VideoWriter(str(folder / "video.mp4"), cv2.VideoWriter.fourcc(*"mp4v"), look.fps, look.size_wh)
        for image, _ in table.frames():
            writer.write(image)
        writer.release()
    else:
        for number, (image, _) in enumerate(table.frames()):
            cv2.imwrite(str(folder / f"{number:06d}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return truth


def write_clock(table: Table, path: Path) -> None:
    """The clock trace: JSON lines of time and bytes in hex."""
    lines = [json.dumps({"t": round(t, 3), "rx": data.hex()}) for t, data in table.clock_trace()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

"""The simulated table in real time: a network camera and a clock on a cable, as a recorder meets them.

Runs in a process of its own. The camera is an MJPEG stream on the loopback address, the clock writes its bytes to a
pseudo-terminal; both begin with the first viewer, so that nothing of the game is missed.
"""

import http.server
import os
import threading
import time
import tty
from multiprocessing.connection import Connection

import cv2

from qiyan.simulator.look import Look
from qiyan.simulator.script import Script
from qiyan.simulator.table import Table

_BOUNDARY = b"qiyan-frame"
_JPEG_QUALITY = 88
_HOLD_S = 2.0
"""How long the last picture is still sent: the recorder has to see the last move settle."""


class _Stage:
    """The picture that is shown now, for any number of viewers."""

    def __init__(self) -> None:
        self.viewer_came = threading.Event()
        self._changed = threading.Condition()
        self._jpeg = b""
        self._number = 0

    def show(self, jpeg: bytes) -> None:
        with self._changed:
            self._jpeg = jpeg
            self._number += 1
            self._changed.notify_all()

    def next(self, after: int) -> tuple[int, bytes]:
        """(number, JPEG) of a picture later than number `after`."""
        with self._changed:
            self._changed.wait_for(lambda: self._number > after)
            return self._number, self._jpeg


def run(look: Look, script: Script, pipe: Connection) -> None:
    """Play the script once. Sends (camera's address, clock's port), then "ended" when all was shown."""
    stage = _Stage()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(stage))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, name="camera server", daemon=True).start()
    cable, port = os.openpty()
    tty.setraw(port)
    table = Table(look, script)
    pipe.send((f"http://127.0.0.1:{server.server_address[1]}/table.mjpg", os.ttyname(port)))
    stage.viewer_came.wait()
    began = time.monotonic()
    threading.Thread(target=_speak, args=(table, cable, began), name="clock", daemon=True).start()
    number = 0
    while number / look.fps < table.length_s + _HOLD_S:
        t = number / look.fps
        image = table.frame(min(t, table.length_s))
        stage.show(bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1]))
        # A machine that draws too slowly leaves frames out: the game goes on in real time.
        number = max(number + 1, int((time.monotonic() - began) * look.fps))
        time.sleep(max(0.0, began + number / look.fps - time.monotonic()))
    pipe.send("ended")
    # The stream stays open, its last picture standing, until the parent ends this process.
    threading.Event().wait()


def _speak(table: Table, cable: int, began: float) -> None:
    """Write the clock's bytes at their times."""
    for t, data in table.clock_trace():
        time.sleep(max(0.0, began + t - time.monotonic()))
        os.write(cable, data)


def _handler_of(stage: _Stage) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={_BOUNDARY.decode()}")
            self.end_headers()
            stage.viewer_came.set()
            number = 0
            while True:
                number, jpeg = stage.next(number)
                head = b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % (_BOUNDARY, len(jpeg))
                try:
                    self.wfile.write(head + jpeg + b"\r\n")
                except OSError:
                    return  # the viewer hung up

        def log_message(self, format: str, *args: object) -> None:
            """The recorder's log is enough."""

    return Handler

"""A server of the local page for tests: a real process, and requests that a browser would not send."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from command_line import environment
from rankgauge.serve.worker import run_job

OURS = {"X-Rankgauge": "1"}


class Served:
    """A running server, and what it leaves in its folder."""

    def __init__(self, process, address, folder):
        self.process, self.address, self.folder = process, address, folder
        parts = urlsplit(address)
        self.port, self.token = parts.port, parts.query.removeprefix("token=")
        self.base = f"http://127.0.0.1:{self.port}/"
        self.cookie = self.ask("GET", f"/?token={self.token}", cookie=None).headers["set-cookie"].partition(";")[0]

    def ask(self, method, path, body=None, headers=None, cookie=""):
        """The answer to one request, with the cookie unless another is given (None: none)."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        whole = {"Cookie": self.cookie if cookie == "" else cookie} if cookie is not None else {}
        connection.request(method, path, body, {**whole, **(headers or {})})
        answer = connection.getresponse()
        answer.body = answer.read().decode("utf-8", "replace")
        connection.close()
        return answer

    def post(self, path, data):
        answer = self.ask("POST", path, json.dumps(data), OURS)
        return answer.status, json.loads(answer.body)

    def evaluate(self, files, metrics=("nDCG@5",), **settings):
        """Send files (name, role, bytes) for evaluation; the status and the answer."""
        answer = self.ask("POST", "/api/evaluations", request(files, metrics, **settings), OURS)
        return answer.status, json.loads(answer.body)

    def evaluation(self, number):
        found = json.loads(self.ask("GET", "/api/evaluations").body)
        return next((one for one in found if one["id"] == number), None)

    def ended(self, number, seconds=60):
        """The evaluation when it has ended."""
        return until(lambda: (one := self.evaluation(number)) and one["state"] in {"done", "failed"} and one, seconds)

    def left(self):
        """The files in the folder of the server, except its lock."""
        walked = os.walk(self.folder)  # which does not mind folders that go away meanwhile
        files = [os.path.relpath(Path(where, name), self.folder) for where, _, names in walked for name in names]
        return sorted(name for name in files if not name.endswith("server.lock"))


def request(files, metrics=("nDCG@5",), **settings):
    """The body of a request for an evaluation."""
    listed = [{"name": name, "role": role, "size": len(content)} for name, role, content in files]
    head = json.dumps({"metrics": [*metrics], "files": listed, **settings})
    return head.encode() + b"\n" + b"".join(content for _, _, content in files)


def until(found, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := found():
            return answer
        time.sleep(0.05)
    raise AssertionError("it did not come about")


@contextmanager
def serving(folder, *arguments, **changes):
    """A server whose temporary files lie in a folder."""
    Path(folder).mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "rankgauge", "serve", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
        env=environment(TMPDIR=str(folder), TEMP=str(folder), **changes),
    )  # fmt: skip
    try:
        yield Served(process, process.stdout.readline().strip(), Path(folder))
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=30)


def children(process):
    """The processes that a process has started."""
    if os.name == "nt":
        return []
    found = subprocess.run(["/bin/ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [line.split() for line in found.stdout.splitlines()]
    return [int(child) for child, parent in pairs if int(parent) == process.pid]


def reported(folder, paths, metrics=("RR",)):
    """Report files as the worker of the local page does, in this process, and return its last message."""
    files = [{"name": path.name, "role": "auto", "size": 1, "stored": path.name} for path in paths]
    messages = []
    run_job(
        {"folder": str(folder), "report": str(folder / "r.html"), "metrics": [*metrics], "files": files},
        messages.append,
    )
    return messages[-1]

"""The server of the local page as a real process: access, limits and cleanup."""

import asyncio
import gzip
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import suppress
from http.client import HTTPConnection
from threading import Thread

import pytest

import rankgauge as rg
from command_line import here
from optional import posix_only
from rankgauge import example
from serving import OURS, children, request, serving, until

pytest.importorskip("starlette", reason="starlette is not installed: make test installs it")
uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed: make test installs it")
from rankgauge.serve import evaluations, server, uploads, worker  # noqa: E402 (after the check that they can be imported)

pytestmark = pytest.mark.xdist_group("serve")

MIB = 1 << 20
FILES = [(name, "auto", text.encode()) for name, text in example.files().items()]
LIST = {"grades": "3 2 3 0 1", "metric": "nDCG@5"}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("served"), "--limit", "1") as server:
        yield server


def slow_files(queries=30_000):
    """Files that take a while to evaluate."""
    lines = [f"q{query},d{item}" for query in range(queries) for item in range(3)]
    return [
        ("judgments.csv", "judgments", ("query,item,grade\n" + "".join(f"{line},1\n" for line in lines)).encode()),
        *(
            (f"r{n}.csv", "ranking", ("query,item,score\n" + "".join(f"{line},{n}.5\n" for line in lines)).encode())
            for n in range(3)
        ),
    ]


# Access


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_do_not_get(served):
    answer = served.ask("GET", f"/?token={served.token}", cookie=None)

    kept = answer.headers["set-cookie"]
    assert answer.status == 200
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in kept.split(";")}
    assert served.token not in kept + answer.body
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert 'content="0; url=/"' in answer.body


@pytest.mark.parametrize(
    ("path", "cookie"),
    [
        ("/", None),
        ("/script.js", None),
        ("/api/evaluations", None),
        ("/?token=", None),
        ("/?token=wrong", None),
        ("/?token=%FF%00", None),
        ("/api/evaluations?token={token}", None),
        ("/", "rankgauge-{port}=wrong"),
        ("/", "rankgauge={ticket}"),
        ("/", "rankgauge-{port}={token}"),
        ("/", '"; bad=\x01'),
    ],
)
def test_requests_without_the_token_are_refused(served, path, cookie):
    values = {"token": served.token, "port": served.port, "ticket": served.cookie.partition("=")[2]}
    given = None if cookie is None else cookie.format(**values)

    answer = served.ask("GET", path.format(**values), cookie=given)

    assert answer.status == 403
    assert "rankgauge</title>" not in answer.body
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1.evil.example:{port}",
        "localhost:{port}@evil",
        "",
    ],
)
def test_a_foreign_host_is_refused_even_with_the_cookie_and_the_token(served, host):
    headers = {"Host": host.format(port=served.port)}

    assert served.ask("GET", "/", headers=headers).status == 403
    assert served.ask("GET", f"/?token={served.token}", headers=headers).status == 403


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}"])
def test_local_host_names_are_accepted(served, host):
    assert served.ask("GET", "/", headers={"Host": host.format(port=served.port)}).status == 200


def test_two_hosts_are_refused(served):
    with socket.create_connection(("127.0.0.1", served.port)) as raw:
        raw.sendall(
            f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nHost: evil\r\nCookie: {served.cookie}\r\n\r\n".encode()
        )
        assert raw.recv(100).split()[1] in {b"400", b"403"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {**OURS, "Origin": "http://evil.example"},
        {**OURS, "Origin": "null"},
        {**OURS, "Origin": "http://127.0.0.1:1"},
        {**OURS, "Sec-Fetch-Site": "cross-site"},
        {**OURS, "Sec-Fetch-Site": "same-site"},
        {**OURS, "Sec-Fetch-Site": "none"},
    ],
)
@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/api/explain"), ("POST", "/api/evaluations"), ("DELETE", "/api/evaluations/x")]
)
def test_requests_that_change_something_must_come_from_our_page(served, method, path, headers):
    assert served.ask(method, path, json.dumps(LIST), headers).status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_can_read_nothing(served, site):
    for path in ("/", "/api/evaluations", "/script.js"):
        assert served.ask("GET", path, headers={"Sec-Fetch-Site": site}).status == 403


@pytest.mark.parametrize("headers", [OURS, {**OURS, "Sec-Fetch-Site": "same-origin"}])
def test_requests_of_the_page_are_answered(served, headers):
    origin = {"Origin": f"http://127.0.0.1:{served.port}"}

    answer = served.ask("POST", "/api/explain", json.dumps(LIST), {**headers, **origin})

    assert (answer.status, json.loads(answer.body)["value"]) == (200, pytest.approx(0.972364, abs=1e-6))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/"),
        ("DELETE", "/api/explain"),
        ("GET", "/api/explain"),
        ("PATCH", "/api/evaluations"),
        ("POST", "/reports/x"),
        ("TRACE", "/"),
    ],
)
def test_other_methods_are_refused(served, method, path):
    assert served.ask(method, path, "{}", OURS).status == 405


def test_cors_preflights_are_refused(served):
    asking = {
        "Origin": "http://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-rankgauge",
    }

    for answer in (
        served.ask("OPTIONS", "/api/explain", headers=asking),
        served.ask("GET", "/", headers={"Origin": "http://evil.example"}),
    ):
        assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    assert served.ask("OPTIONS", "/api/explain", headers={**asking, **OURS}).status == 403


@pytest.mark.parametrize(
    "path", ["/", "/style.css", "/script.js", "/nothing", "/api/evaluations", "/reports/nothing", "/api/explain"]
)
@pytest.mark.parametrize("cookie", ["", None])
def test_every_response_has_the_headers(served, path, cookie):
    headers = served.ask("GET", path, cookie=cookie).headers

    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/reports/../../../etc/passwd",
        "/reports/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/etc/passwd",
        "/assets/",
        "/..",
    ],
)
def test_paths_outside_the_routes_are_refused(served, path):
    answer = served.ask("GET", path)

    assert answer.status == 404
    assert "root:" not in answer.body


def test_only_this_machine_is_served(served):
    information = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    addresses = {address[0] for *_, address in information} - {"127.0.0.1"}

    for address in addresses:
        if not address.startswith("127."):
            with pytest.raises(OSError, match=r"refused|unreachable|timed out"):
                socket.create_connection((address, served.port), timeout=2)


# Limits


def test_files_that_are_too_large_are_refused_before_they_are_read(served):
    connection = HTTPConnection("127.0.0.1", served.port, timeout=20)
    connection.putrequest("POST", "/api/evaluations")
    for name, value in {**OURS, "Cookie": served.cookie, "Content-Length": str(10**12)}.items():
        connection.putheader(name, value)
    connection.endheaders()

    answer = connection.getresponse()

    assert (answer.status, "bytes" in answer.read().decode()) == (413, True)
    assert served.left() == []


def in_chunks(served, pieces):
    """Send a request without a content length; return the status."""
    connection = HTTPConnection("127.0.0.1", served.port, timeout=20)
    headers = {**OURS, "Cookie": served.cookie, "Transfer-Encoding": "chunked"}
    with suppress(BrokenPipeError, ConnectionResetError):  # the server may close before the rest is sent
        connection.request("POST", "/api/evaluations", iter(pieces), headers, encode_chunked=True)
    return connection.getresponse().status


def test_files_that_are_too_large_are_refused_without_a_length_too(served):
    large = json.dumps({"metrics": ["AP"], "files": [{"name": "a", "role": "auto", "size": 2 * MIB}]}).encode()
    endless = json.dumps({"metrics": ["AP"], "files": [{"name": "a", "role": "auto", "size": 10}]}).encode()

    assert in_chunks(served, [large + b"\n", b"x" * 100]) == 413
    assert in_chunks(served, [endless + b"\n", b"x" * 10, b"y" * 100]) == 413
    assert in_chunks(served, [b"x" * 30_000] * 5) == 413  # a first line without an end
    assert in_chunks(served, [endless + b"\n", b"x" * 9]) == 422  # and one that ends too soon
    assert served.left() == []


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"", 422),
        (b"[]", 422),
        (b'{"files": [{}]}', 422),
        (b'{"files": [{"name": "a", "role": "auto", "size": -1}], "metrics": ["AP"]}', 422),
        (b'{"files": [{"name": "a", "role": "auto", "size": true}], "metrics": ["AP"]}', 422),
        (b'{"files": [{"name": "a", "role": "root", "size": 1}], "metrics": ["AP"]}', 422),
        (b'{"files": [], "metrics": ["nothing"]}', 422),
        (b'{"files": [], "metrics": ["AP"], "rules": ["gain=none"]}', 422),
        (b'{"files": [], "metrics": ["AP"], "convention": "nobody"}', 422),
        (b'{"files": [], "metrics": ["AP"], "lang": "fr"}', 422),
        (b"[" * 60_000, 422),
        (json.dumps({"files": [{"name": "a", "role": "auto", "size": 0}] * 65, "metrics": ["AP"]}).encode(), 422),
    ],
)
def test_an_invalid_request_is_refused(served, head, status):
    assert served.ask("POST", "/api/evaluations", head + b"\n", OURS).status == status
    assert served.left() == []


def test_a_playground_request_that_is_too_large_is_refused(served):
    assert served.ask("POST", "/api/explain", b"x" * 100_000, OURS).status == 413
    assert served.post("/api/explain", {**LIST, "grades": "1 " * 1001})[0] == 422


def test_rules_that_affect_the_metrics_of_files_are_offered(served):
    status, rules = served.post("/api/rules", {"metrics": ["P@5", "ItemCoverage@5"], "rules": ["rel=3"]})
    rules_by_name = {rule["name"]: rule for rule in rules}
    assert status == 200
    assert {*rules_by_name} == {
        "denominator_plus", "k_counts", "match", "units", "p_over", "rel", "hit_if", "ties", "seed", "undefined", "unjudged", "negative", "no_relevant", "missing",
        "score_precision", "averaging", "rounding", "short_list", "duplicates", "fractions", "unjudged_in_ideal",
        "no_queries", "tied_at_k", "budget_end",
    }  # fmt: skip
    assert rules_by_name["rel"]["chosen"] == "3"
    averages = {option["text"] for option in rules_by_name["averaging"]["options"]}
    assert "weighted" not in averages  # the page has no field for weights
    for name, rule in rules_by_name.items():
        for option in rule["options"]:
            assert all(option["meaning"])
            assert served.post("/api/rules", {"metrics": ["P@5"], "rules": [f"{name}={option['text']}"]})[0] == 200, (
                name,
                option,
            )
    for wrong in (
        {"metrics": ["nDGC"]},
        {"metrics": []},
        {"metrics": ["AP"], "rules": ["gain=9"]},
        {"metrics": ["AP"], "convention": 7},
    ):
        assert served.post("/api/rules", wrong)[0] == 422, wrong


def test_an_aborted_upload_leaves_nothing(served):
    head = request([("a.csv", "judgments", b"x" * 1000)])[:-500]
    with socket.create_connection(("127.0.0.1", served.port)) as raw:
        headers = f"POST /api/evaluations HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nCookie: {served.cookie}\r\nX-Rankgauge: 1\r\n"
        raw.sendall(headers.encode() + f"Content-Length: {len(head) + 500}\r\n\r\n".encode() + head)
        until(served.left)
    until(lambda: not [*served.folder.glob("rankgauge-*/*/")])  # files are removed first, then their folders


# Evaluations


def test_files_are_evaluated_and_removed(served):
    status, begun = served.evaluate(FILES, ["nDCG@5", "AP"])
    ended = served.ended(begun["id"])

    assert (status, ended["state"], ended["metrics"]) == (201, "done", ["nDCG@5", "AP"])
    assert [part["metric"] for part in ended["summary"]] == ["nDCG@5", "AP"]
    assert [name.rpartition("/")[2] for name in served.left()] == ["report.html"]
    report = served.ask("GET", f"/reports/{begun['id']}")
    assert report.body.startswith("<!DOCTYPE html>")
    assert "sandbox allow-scripts" in report.headers["content-security-policy"]
    assert "script-src 'sha256-" in report.body
    assert served.ask("GET", f"/reports/{begun['id']}?save").headers["content-disposition"].startswith("attachment")
    assert served.ask("DELETE", f"/api/evaluations/{begun['id']}", headers=OURS).status == 200
    assert served.left() == []
    assert served.ask("GET", f"/reports/{begun['id']}").status == 404
    assert served.ask("DELETE", f"/api/evaluations/{begun['id']}", headers=OURS).status == 404


def test_file_names_are_not_paths(served, tmp_path):
    names = ["../../../../" + str(tmp_path / "judgments.csv"), "..\\..\\C:\\run.csv", "\x00<img src=x onerror=1>\n.csv"]
    sent = [(name, "auto", content) for name, (_, _, content) in zip(names, FILES, strict=True)]

    ended = served.ended(served.evaluate(sent)[1]["id"])

    assert (ended["state"], ended["files"]) == ("done", names)
    assert [*tmp_path.iterdir()] == []
    served.ask("DELETE", f"/api/evaluations/{ended['id']}", headers=OURS)
    assert served.left() == []


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            [("qrels.csv", "judgments", b"query,item,grade\nq,a,bad\n"), ("run.csv", "ranking", FILES[1][2])],
            "qrels.csv:2",
        ),
        ([], "no file was chosen"),
        (FILES[:1], "found 1, 0 and 0"),
        ([FILES[0], FILES[0], FILES[1]], "found 2, 1 and 0"),
        ([("empty", "auto", b""), FILES[1]], "empty"),
        ([("noise", "judgments", bytes(range(256)) * 9), FILES[1]], "noise"),
    ],
)
def test_invalid_files_are_reported_and_removed(served, files, message):
    ended = served.ended(served.evaluate(files)[1]["id"])

    assert ended["state"] == "failed"
    assert message in ended["error"][0]
    assert str(served.folder) not in ended["error"][0] + ended["error"][1]
    served.ask("DELETE", f"/api/evaluations/{ended['id']}", headers=OURS)
    assert served.left() == []


@posix_only
def test_several_evaluations_run_at_once_and_one_can_be_stopped(tmp_path):
    with serving(tmp_path / "s", "--jobs", "2") as served:
        slow = served.evaluate(slow_files())[1]["id"]
        until(lambda: served.evaluation(slow)["state"] == "running" and children(served.process))
        quick = served.ended(served.evaluate(FILES)[1]["id"])
        assert (quick["state"], served.evaluation(slow)["state"]) == ("done", "running")
        assert served.post("/api/explain", LIST)[0] == 200  # the page itself stays responsive

        assert served.ask("DELETE", f"/api/evaluations/{slow}", headers=OURS).status == 200
        assert served.evaluation(slow) is None
        assert children(served.process) == []
        assert [name.rpartition("/")[2] for name in served.left()] == ["report.html"]


def test_evaluations_wait_for_their_turn_and_report_progress(tmp_path):
    with serving(tmp_path / "s", "--jobs", "1") as served:
        first = served.evaluate(slow_files(3000), ["P@1"])[1]["id"]
        second = served.evaluate(FILES)[1]["id"]
        seen = {first: [], second: []}
        while served.evaluation(second)["state"] in {"waiting", "running"}:
            for number, stages in seen.items():
                evaluation = served.evaluation(number)
                stages.append((evaluation["state"], evaluation.get("stage"), evaluation.get("read")))
            time.sleep(0.02)
        assert [served.evaluation(number)["state"] for number in seen] == ["done", "done"]
        assert seen[second][0][0] == "waiting"
        assert {stage for _, stage, _ in seen[first]} >= {"starting", "comparing"}


@posix_only
@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGHUP", 129)])
def test_a_signal_ends_the_server_cleanly_while_it_works(tmp_path, number, code):
    with serving(tmp_path / "s") as served:
        begun = served.evaluate(slow_files())[1]["id"]
        until(lambda: served.evaluation(begun)["state"] == "running" and children(served.process))
        workers = children(served.process)
        folder = next(served.folder.glob("rankgauge-*"))
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        with socket.create_connection(("127.0.0.1", served.port)):  # an idle connection
            served.process.send_signal(getattr(signal, number))
            at = time.monotonic()
            _, err = served.process.communicate(timeout=20)

    assert (served.process.returncode, err) == (code, "Press Ctrl-C to stop.\n")
    assert time.monotonic() - at < 15  # two seconds at most on an idle machine
    assert [*served.folder.iterdir()] == []
    until(lambda: not any(alive(worker) for worker in workers))


def alive(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@posix_only
def test_workers_end_with_a_server_that_is_killed(tmp_path):
    with serving(tmp_path / "s") as served:
        served.evaluate(slow_files())
        workers = until(lambda: children(served.process))
        served.process.kill()
        until(lambda: not any(alive(worker) for worker in workers))


# The command


@posix_only
def test_the_browser_is_opened_with_an_address_that_works_once(tmp_path):
    opened = tmp_path / "opened"
    browser = tmp_path / "xdg-open"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    with serving(tmp_path / "s", "--open", PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}") as served:
        address = until(lambda: opened.exists() and opened.read_text(encoding="utf-8").strip())
        path = address.removeprefix(served.base[:-1])

        assert path != f"/?token={served.token}"
        assert [served.ask("GET", path, cookie=None).status for _ in range(2)] == [200, 403]


def test_a_port_in_use_is_reported(served):
    result = here("serve", "--port", served.port)

    assert result.code == 2
    assert f"port {served.port} cannot be used" in result.err


def test_a_missing_extra_is_reported_with_the_pip_command():
    code = "import sys; sys.modules['starlette'] = None; from rankgauge.cli import run; sys.exit(run(['serve']))"

    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (result.returncode, "Traceback" in result.stderr) == (2, False)
    assert "pip install 'rankgauge[serve]'" in result.stderr


# Hostile requests


@pytest.mark.parametrize(
    "name", ["\ud800.csv", "a\udfff", "", "/", "..", "\x00", "\u202e.csv", "a" * 60_000, "CON", "-"], ids=ascii
)
def test_no_file_name_breaks_the_page(served, name):
    """A lone surrogate in a name made this and every later list of the evaluations an error."""
    sent = [(name, "judgments", FILES[0][2]), *FILES[1:]]

    ended = served.ended(served.evaluate(sent)[1]["id"])

    assert ended["state"] == "done"
    assert len(ended["files"][0]) <= 200
    assert served.ask("GET", f"/reports/{ended['id']}").status == 200
    served.ask("DELETE", f"/api/evaluations/{ended['id']}", headers=OURS)
    assert served.ask("GET", "/api/evaluations").body == "[]"


@pytest.mark.parametrize("field", ["metrics", "rules", "convention", "lang"])
def test_text_that_cannot_be_encoded_is_refused_with_a_message(served, field):
    given = {"metrics": ["P"], field: ["\ud800"] if field in {"metrics", "rules"} else "\ud800"}
    status, answer = served.evaluate(FILES, **given)
    assert (status, "ud800" in answer["error"][0]) == (422, True)


def test_an_error_names_only_the_file_it_is_about(served):
    ended = served.ended(served.evaluate([("e", "judgments", b"query,item,grade\nq,a,bad\n"), FILES[1]])[1]["id"])
    assert "e:2" in ended["error"][0]
    assert "grade 'bad' is not a number" in ended["error"][0]
    served.ask("DELETE", f"/api/evaluations/{ended['id']}", headers=OURS)


@pytest.mark.parametrize("others", ['a={"x":1}', "a=b=c; d", '"', "=", "a=\xff", "rankgauge-1=x", "a=b, c"])
def test_cookies_of_other_servers_are_ignored(served, others):
    for cookies in (f"{others}; {served.cookie}", f"{served.cookie}; {others}", f"{others};{served.cookie};"):
        assert served.ask("GET", "/", cookie=cookies).status == 200
    assert served.ask("GET", "/", cookie=others).status == 403


def stalled_upload(served):
    """A connection on which the first half of an upload was sent."""
    head = request([("a.csv", "judgments", b"x" * 1000)])[:-500]
    raw = socket.create_connection(("127.0.0.1", served.port), timeout=20)
    headers = f"Host: 127.0.0.1:{served.port}\r\nCookie: {served.cookie}\r\nX-Rankgauge: 1\r\n"
    length = f"Content-Length: {len(head) + 500}\r\n\r\n"
    raw.sendall(f"POST /api/evaluations HTTP/1.1\r\n{headers}{length}".encode() + head)
    return raw


def test_a_stalled_upload_is_listed_and_can_be_stopped(served):
    with stalled_upload(served) as raw:
        until(served.left)
        (listed,) = json.loads(served.ask("GET", "/api/evaluations").body)
        assert (listed["state"], listed["stage"], listed["files"]) == ("receiving", "sending", ["a.csv"])
        assert served.ask("DELETE", f"/api/evaluations/{listed['id']}", headers=OURS).status == 200
        assert b"the upload was stopped" in raw.recv(10_000)
    assert served.ask("GET", "/api/evaluations").body == "[]"
    assert served.left() == []


def test_silent_uploads_give_way_to_new_ones(tmp_path):
    async def fill():
        jobs = evaluations.Evaluations(tmp_path, 1, 1 << 30)
        for number in range(evaluations.KEPT):
            job = jobs.jobs[str(number)] = evaluations.EvaluationJob(str(number), tmp_path / str(number))
            job.heard -= 10 if number == 7 else 0
        async with jobs.new():
            pass
        with pytest.raises(rg.InputError, match="24 evaluations are in progress"):
            async with jobs.new():
                pass
        return jobs.jobs

    left = asyncio.run(fill())
    assert len(left) == evaluations.KEPT
    assert "7" not in left


def test_an_upload_without_data_is_abandoned(tmp_path, monkeypatch):
    monkeypatch.setattr(uploads, "STALLED_SECONDS", 0.05)

    async def silent():
        yield b'{"files": ['
        await asyncio.sleep(30)

    with pytest.raises(rg.InputError, match="the upload stalled: no data for"):
        asyncio.run(uploads.receive(silent(), tmp_path, 10, lambda head, files: None))


def test_a_connection_that_sends_no_request_is_closed(monkeypatch):
    async def app(_, __, send):
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    monkeypatch.setattr(server.ImpatientProtocol, "idle_seconds", 0.1)
    listener = socket.create_server(("127.0.0.1", 0))
    running = uvicorn.Server(uvicorn.Config(app, http=server.ImpatientProtocol, lifespan="off", log_config=None))
    thread = Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        for sent, answer in ((b"", b""), (b"GET / HT", b""), (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"HTTP/1.1 204")):
            with socket.create_connection(listener.getsockname(), timeout=20) as raw:
                raw.sendall(sent)
                received = b""
                while more := raw.recv(1000):
                    received += more
                assert received.startswith(answer)
                assert bool(received) == bool(answer)
    finally:
        running.should_exit = True
        thread.join(10)


def test_the_files_of_a_server_that_was_killed_are_removed_at_the_next_start(tmp_path):
    with serving(tmp_path) as killed:
        killed.evaluate(slow_files())
        assert killed.left()
        killed.process.kill()
        killed.process.wait()
        (folder,) = tmp_path.glob("rankgauge-serve-*")
        with serving(tmp_path) as living, serving(tmp_path) as third:
            assert not folder.exists()
            assert len([*tmp_path.glob("rankgauge-serve-*")]) == 2
            assert living.ask("GET", "/").status == third.ask("GET", "/").status == 200


def test_an_upload_that_expands_too_much_is_refused(served):
    """A megabyte of compressed newlines kept a worker busy for minutes."""
    bomb = gzip.compress(b"query,item,score\nq,a,1\n" + b"\n" * (70 * MIB), 1)
    assert len(bomb) < MIB // 2
    ended = served.ended(served.evaluate([FILES[0], ("run.csv.gz", "ranking", bomb)])[1]["id"])
    assert (ended["state"], "run.csv.gz" in ended["error"][0], "100 times its size" in ended["error"][0]) == (
        "failed", True, True,
    )  # fmt: skip
    served.ask("DELETE", f"/api/evaluations/{ended['id']}", headers=OURS)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not enforce the limit")
def test_the_memory_of_an_evaluation_is_bounded():
    code = "from rankgauge.serve import worker; worker._limit_memory(300 << 20); bytearray(400 << 20)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr.strip().endswith("MemoryError")


def test_an_evaluation_that_needs_too_much_memory_names_the_option():
    job = {"memory": 1 << 30, "files": []}
    assert worker.error_texts(MemoryError(), job)[0].startswith("one evaluation may use 1,024 MiB of memory")


@posix_only
def test_the_server_names_the_option_when_a_worker_is_killed(tmp_path):
    with serving(tmp_path) as served:
        begun = served.evaluate(slow_files())[1]
        for child in until(lambda: children(served.process)):
            os.kill(child, signal.SIGKILL)
        assert "--memory" in served.ended(begun["id"])["error"][0]

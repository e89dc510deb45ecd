#!/usr/bin/python3
"""weft view as somebody hostile would use it: paths out of the folder in every encoding, links, foreign hosts and origins,
requests that are too long, never end or never begin, and ten thousand good ones. Nothing outside the folder is served, and
the server answers afterwards.
    test_view.py PROGRAM"""
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

weft = sys.argv[1]
SECRET = b"nobody may read this"
problems = []


def check(is_fine, what):
    if not is_fine:
        problems.append(what)
        print("FAILED", what)


class Server:
    """weft view in the background."""

    def __init__(self, *arguments):
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen([weft, "view", "--no-browser", *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://\[?([0-9.:]+?)\]?:(\d+)/", line)
        self.host, self.port = (found.group(1), int(found.group(2))) if found else ("", 0)
        if not found:
            self.error = self.process.stderr.read()

    def connect(self, timeout=10):
        return socket.create_connection((self.host, self.port), timeout=timeout)

    def raw(self, request, timeout=10):
        """Sends bytes, and returns all that comes back until the other side closes."""
        with self.connect(timeout) as s:
            answer = b""
            try:
                s.sendall(request)
                while True:
                    part = s.recv(65536)
                    if not part:
                        break
                    answer += part
            except OSError:
                pass
            return answer

    def get(self, path, headers=None, method="GET", timeout=10):
        """Status, headers and body."""
        lines = {"Host": f"127.0.0.1:{self.port}", "Connection": "close", **(headers or {})}
        text = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None) + "\r\n"
        answer = self.raw(text.encode("latin-1"), timeout)
        head, _, body = answer.partition(b"\r\n\r\n")
        status = int(head.split()[1]) if head.startswith(b"HTTP/") else 0
        fields = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:] if ": " in line)
        return status, {k.lower(): v for k, v in fields.items()}, body

    def is_well(self):
        return self.get("/runs")[0] == 200

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            check(False, "the server does not end")
        check(self.process.returncode == 0, f"the server ended with {self.process.returncode}: {self.process.stderr.read()}")
        self.process.stdout.close()
        self.process.stderr.close()


def make_run(folder):
    """A folder as weft run leaves it; what is in the files does not matter to the server."""
    os.makedirs(folder)
    frames = b"weftcach" + bytes(range(256)) * 64
    with open(os.path.join(folder, "frames.weftcache"), "wb") as stream:
        stream.write(frames)
    with open(os.path.join(folder, "timeline.csv"), "w", encoding="ascii") as stream:
        stream.write("frame,time\n0,0\n")
    with open(os.path.join(folder, "private.txt"), "wb") as stream:
        stream.write(SECRET)
    return frames


def what_is_served(server, frames):
    status, fields, body = server.get("/runs")
    runs = json.loads(body)["runs"]
    check(status == 200 and runs[0]["frames"] == len(frames) and runs[0]["timeline"] == 15 and "report" not in runs[0], f"runs: {body}")
    status, fields, body = server.get("/")
    check(status == 200 and b"<canvas" in body and fields["content-type"].startswith("text/html"), "the page")
    check(fields.get("x-content-type-options") == "nosniff" and fields.get("x-frame-options") == "DENY" and
          fields.get("cross-origin-resource-policy") == "same-origin", f"headers of the page: {fields}")
    check("access-control-allow-origin" not in fields, "other pages may read answers")
    status, fields, body = server.get("/run/0/frames")
    check(status == 200 and body == frames and fields["accept-ranges"] == "bytes", "all frames")
    for text, first, last in (("bytes=0-7", 0, 7), ("bytes=100-", 100, len(frames) - 1), ("bytes=-5", len(frames) - 5, len(frames) - 1),
                              ("bytes=8-99999999", 8, len(frames) - 1)):
        status, fields, body = server.get("/run/0/frames", {"Range": text})
        check(status == 206 and body == frames[first:last + 1] and fields["content-range"] == f"bytes {first}-{last}/{len(frames)}",
              f"range {text}: {status} {fields.get('content-range')}")
    status, fields, _ = server.get("/run/0/frames", {"Range": f"bytes={len(frames)}-"})
    check(status == 416 and fields["content-range"] == f"bytes */{len(frames)}", f"a range behind the end: {status}")
    status, fields, body = server.get("/run/0/frames", method="HEAD")
    check(status == 200 and body == b"" and fields["content-length"] == str(len(frames)), "HEAD")
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE", "BREW"):
        status, _, body = server.get("/run/0/frames", method=method, timeout=0.5)  # some are kept waiting for a body
        check(status in (0, 400, 403, 404, 405) and frames not in body, f"{method}: {status}")
    check(server.raw(f"POST /runs HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 5\r\n\r\nhello".encode(), 0.5)[:12]
          != b"HTTP/1.1 200", "a body is taken")


def paths_lead_nowhere(server, outside):
    up = ["..", "%2e%2e", "%2E.", ".%2e", "%252e%252e", "..%c0%af", "%c0%ae%c0%ae", "..;", "..%00", "....", "%uff0e%uff0e", "..%5c", "..\\"]
    slash = ["/", "%2f", "%2F", "%252f", "\\", "%5c", "//", "/./", "%c0%af", "%u2215"]
    paths = ["/run/0/private.txt", "/private.txt", "/run/0/frames.weftcache", f"//{outside}", outside, f"/run/0/{outside}",
             f"file://{outside}", "/%00", "/runs%00.html", "/run/0/frames%00", "/?/run/0/private.txt", "/run/0/frames/../private.txt"]
    for u in up:
        for s in slash:
            paths.append(f"/run/0/{s.join([u] * 8)}{s}{outside.lstrip('/').replace('/', s)}")
            paths.append(f"/{s.join([u] * 8)}{s}{outside.lstrip('/').replace('/', s)}")
            paths.append(f"/run/0{s}{u}{s}0{s}private.txt")
    for path in paths:
        status, _, body = server.get(path)
        check(SECRET not in body, f"{path} is served")
        check(status in (0, 400, 403, 404, 414) or (status == 200 and (b"<canvas" in body or body.startswith(b"{\"runs\"") or body.startswith(b"weftcach"))),
              f"{path}: {status}")
    check(server.is_well(), "not well after odd paths")
    return len(paths)


def links_are_not_followed(folder, outside):
    """Files of a run that are links out of the folder, pipes and folders."""
    os.makedirs(folder)
    os.symlink(outside, os.path.join(folder, "frames.weftcache"))
    with open(os.path.join(folder, "timeline.csv"), "w", encoding="ascii") as stream:
        stream.write("frame,time\n")
    os.mkfifo(os.path.join(folder, "report.json"))
    os.mkdir(os.path.join(folder, "check.csv"))
    server = Server(folder)
    for name in ("frames", "report", "check"):
        status, _, body = server.get(f"/run/0/{name}")
        check(status == 404 and SECRET not in body, f"{name}: {status}")
    # a file that becomes a link while the server runs
    os.remove(os.path.join(folder, "timeline.csv"))
    os.symlink(outside, os.path.join(folder, "timeline.csv"))
    status, _, body = server.get("/run/0/timeline")
    check(status == 404 and SECRET not in body, f"a link put there later: {status}")
    check(server.is_well(), "not well after links")
    server.stop()


def others_are_refused(server, frames):
    port = server.port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", f"localhost.evil.example:{port}",
                 f"127.0.0.1.evil.example:{port}", "", None, f"10.0.0.1:{port}", "a" * 300):
        status, _, body = server.get("/run/0/frames", {"Host": host})
        check(status in (0, 400, 403) and frames not in body, f"host {host}: {status}")
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", "http://127.0.0.1:1", "file://", "b" * 300):
        status, _, body = server.get("/run/0/frames", {"Origin": origin})
        check(status in (0, 403) and frames not in body, f"origin {origin}: {status}")
    for host in (f"localhost:{port}", f"127.0.0.1:{port}"):
        check(server.get("/runs", {"Host": host, "Origin": f"http://{host}"})[0] == 200, f"{host} is ours")
    # nothing is upgraded to
    for more in ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13",
                 "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__"):
        answer = server.raw(f"GET /run/0/frames HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}\r\n\r\n".encode(), timeout=3)
        check(not answer.startswith(b"HTTP/1.1 101") and frames not in answer, f"upgraded: {answer[:40]}")
    check(server.is_well(), "not well after others")


def too_much_is_refused(server):
    port = server.port
    host = f"Host: 127.0.0.1:{port}\r\n"
    requests = [f"GET /{'a' * 100000} HTTP/1.1\r\n{host}\r\n", f"GET / HTTP/1.1\r\n{host}X: {'a' * 100000}\r\n\r\n",
                f"GET / HTTP/1.1\r\n{host}{'a' * 100000}: b\r\n\r\n", f"GET / HTTP/1.1\r\n{host}" + "X: y\r\n" * 20000 + "\r\n",
                f"GET /run/0/frames HTTP/1.1\r\n{host}Range: bytes={'0' * 50000}-\r\n\r\n", "\r\n" * 5000, "A" * 200000, "\0" * 5000,
                f"GET / HTTP/9.9\r\n{host}\r\n", "GET\r\n\r\n", f"GET  /  HTTP/1.1\r\n{host}\r\n", f"get / http/1.1\r\n{host}\r\n\r\n",
                f"GET / HTTP/1.1\r\n{host}Content-Length: 99999999999999999999\r\n\r\n",
                f"GET / HTTP/1.1\r\n{host}Content-Length: -1\r\n\r\n", f"POST / HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"]
    for request in requests:
        with server.connect(2) as s:
            try:
                s.sendall(request.encode("latin-1"))
                s.recv(1000)
            except OSError:
                pass
        check(server.is_well(), f"not well after {request[:40]!r}")
    return len(requests)


def slow_ones_do_not_hold_up_others(server):
    """Connections that say nothing, a part of a request, read nothing, or go away in the middle."""
    held = []
    for i in range(200):
        s = server.connect()
        if i % 4 == 1:
            s.sendall(b"GET / HT")
        elif i % 4 == 2:
            s.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())  # and never reads
        elif i % 4 == 3:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            s.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            s.close()  # resets
            continue
        held.append(s)
    worst = 0
    for _ in range(10):
        began = time.monotonic()
        check(server.is_well(), "not well beside slow connections")
        worst = max(worst, time.monotonic() - began)
    # half-open ones are closed when their time is over: 5 s for a request
    ended = time.monotonic() + 40
    silent = [s for i, s in enumerate(held) if i % 3 != 2]
    closed = 0
    for s in silent:
        s.settimeout(max(0.1, ended - time.monotonic()))
        try:
            while s.recv(65536):
                pass
            closed += 1
        except ConnectionError:
            closed += 1
        except OSError:
            pass
    check(closed == len(silent), f"{len(silent) - closed} of {len(silent)} half-open connections are still there")
    for s in held:
        s.close()
    check(server.is_well(), "not well after slow connections")
    return worst


def many_requests(server, frames, count):
    """Over four connections at once, each kept alive."""
    answered = [0] * 4

    def ask(k):
        request = f"GET /run/0/frames HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nRange: bytes=0-63\r\n\r\n".encode()
        with server.connect(60) as s:
            stream = s.makefile("rb")
            for _ in range(count // 4):
                s.sendall(request)
                length = 0
                while True:
                    line = stream.readline()
                    if line in (b"\r\n", b""):
                        break
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                if stream.read(length) == frames[:64]:
                    answered[k] += 1

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(sum(answered) == count, f"{sum(answered)} of {count} requests were answered")


def arguments_are_checked(run, work):
    def refused(*arguments, says, code=1):
        done = subprocess.run([weft, "view", "--no-browser", *arguments], capture_output=True, text=True, check=False, timeout=60)
        check(done.returncode == code and says in done.stderr, f"{arguments}: {done.returncode} {done.stderr}")
    refused(says="one or two", code=2)
    refused(run, run, run, says="one or two", code=2)
    refused(run, "--port", "70000", says="65535", code=2)
    refused(os.path.join(work, "missing"), says="cannot be read")
    refused(work, says="no frames.weftcache")
    refused(os.path.join(run, "private.txt"), says="private.txt")
    refused(run, "--bind", "192.0.2.1", says="cannot listen")
    first = Server(run)
    refused(run, "--port", str(first.port), says="cannot listen")
    first.stop()
    # a mesh becomes a cache
    mesh = os.path.join(work, "quad.obj")
    with open(mesh, "w", encoding="ascii") as stream:
        stream.write("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    server = Server(mesh, os.path.join(run, "frames.weftcache"))
    status, _, body = server.get("/run/0/frames")
    with open(os.path.join(work, "mesh.weftcache"), "wb") as stream:
        stream.write(body)
    done = subprocess.run([weft, "info", stream.name], capture_output=True, text=True, check=False, timeout=60)
    check(status == 200 and "mesh: 4 vertices, 2 triangles" in done.stdout, f"a mesh: {done.stdout} {done.stderr}")
    check(server.get("/run/1/frames")[0] == 200 and server.get("/run/2/frames")[0] == 404, "two things at once")
    server.stop()


def main():
    with tempfile.TemporaryDirectory() as work:
        outside = os.path.join(work, "outside.txt")
        with open(outside, "wb") as stream:
            stream.write(SECRET)
        run = os.path.join(work, "run")
        frames = make_run(run)
        server = Server(run)
        if not server.port:
            if "without the viewer" in server.error and not os.environ.get("WEFT_LONG"):
                print("skipped: this weft was built without the viewer")
                sys.exit(77)
            print(server.error)
            sys.exit(1)
        check(server.host == "127.0.0.1", f"listens on {server.host}")
        what_is_served(server, frames)
        paths = paths_lead_nowhere(server, outside)
        others_are_refused(server, frames)
        requests = too_much_is_refused(server)
        many_requests(server, frames, 10000)
        worst = slow_ones_do_not_hold_up_others(server)
        server.stop()
        links_are_not_followed(os.path.join(work, "links"), outside)
        arguments_are_checked(run, work)
    print(f"{paths} paths, {requests} odd requests, 10000 good ones; beside 200 slow connections an answer took at most "
          f"{worst:.3f} s; {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()

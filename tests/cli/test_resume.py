#!/usr/bin/python3
"""Runs that stop in the middle: killed, interrupted, out of room on the disk, with damaged files. What was written stays
good, and --resume ends with the hash, the cache, the timeline and the frames of a run that was never stopped.
   test_resume.py WEFT [seed]
The disk fills up twice: by a shim that fails writes, always; and on a small tmpfs, where one can be mounted."""
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

weft = os.path.abspath(sys.argv[1])
seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20261115
random.seed(seed)
source = os.environ.get("WEFT_SOURCE_DIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
KILLS, FRAMES = 20, 16
SCENE = {
    "frames": FRAMES, "frame_rate": 60, "steps_per_frame": 3, "wind": {"velocity": [3, 1, 0]},
    "cloths": [{"mesh": {"rectangle": {"width": 0.6, "height": 0.5, "columns": 12}}, "material": "silk",
                "pins": [{"select": {"side": "left"}}]}],
    "handles": [{"select": {"corner": "top_right"}, "keys": [{"time": 0}, {"time": 0.2, "translate": [-0.1, 0, 0.1]}],
                 "release": 0.15}],
    # out of the cloth's way
    "obstacles": [{"name": "ground", "mesh": {"plane": {"width": 9, "height": 9}}, "transform": {"translate": [0, 0, -5]}},
                  {"name": "ball", "mesh": {"sphere": {"radius": 0.2, "columns": 6}}, "transform": {"translate": [0, 0, -4]},
                   "keys": [{"time": 0}, {"time": 0.2, "translate": [0, 1, 0], "rotate": [0, 90, 0], "scale": 2}]},
                  {"name": "body", "sequence": {"files": "body_%d.obj", "first": 1, "last": 2, "frame_rate": 5},
                   "transform": {"translate": [0, 0, -4]}}],
    "output": {"every": 2, "values": ["vertices"], "pictures": [], "cache": {"velocities": True}},
}
checks = problems = 0


def check(is_so, text):
    global checks, problems
    checks += 1
    if not is_so:
        problems += 1
        print(f"FAILED: {text}")


def command(folder, *more):
    return [weft, "run", "scene.json", "--threads", "1", "--checkpoint", "0", "--out", folder, *more]


def run(folder, *more, code=0, says="", environment=None):
    done = subprocess.run(command(folder, *more), capture_output=True, text=True, check=False,
                          env={**os.environ, **(environment or {})}, timeout=120)
    text = done.stdout + done.stderr
    check(done.returncode == code and says in text,
          f"{' '.join(more)}: exit {done.returncode} (expected {code}), expected '{says}' in:\n{text}")
    return text


def untimed(table):
    """A timeline without its columns of wall time and memory, which come last."""
    end = table.split(b"\n", 1)[0].split(b",").index(b"seconds_prepare")
    return [line.split(b",")[:end] for line in table.split(b"\n")]


def contents(folder):
    """Everything that must be equal: all files but checkpoints, and of the report what does not tell time."""
    found = {}
    for top, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(top, name)
            if name.startswith("checkpoint_"):
                continue
            with open(path, "rb") as stream:
                found[os.path.relpath(path, folder)] = stream.read()
    report = json.loads(found.pop("report.json"))
    for key in ("seconds", "resumes", "peak_memory", "threads"):
        report.pop(key)
    found["report"] = report
    found.pop("run.json")  # as the run was begun: a --set that changes nothing is in it
    found["timeline.csv"] = untimed(found["timeline.csv"])
    return found


def same(folder, what):
    got = contents(folder)
    different = sorted(name for name in set(got) | set(reference) if got.get(name) != reference.get(name))
    check(not different, f"{what}: these differ from the run that was never stopped: {different}")


def cache_size(folder):
    try:
        return os.path.getsize(os.path.join(folder, "frames.weftcache"))
    except OSError:
        return 0


def kill_at(folder, progress, delay, *more):
    """Starts a run and kills it when its cache has grown to a part of its final size, and a little later. False when it was
    through before."""
    with subprocess.Popen(command(folder, *more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        target = progress * len(reference["frames.weftcache"])
        while process.poll() is None and cache_size(folder) < target:
            time.sleep(0.0005)
        time.sleep(delay)
        process.kill()
        return process.wait() == -signal.SIGKILL


def check_cache(folder, what):
    """Whatever is in the cache now is a beginning of what the whole run writes."""
    path = os.path.join(folder, "frames.weftcache")
    if not os.path.exists(path):
        return
    done = subprocess.run([weft, "info", path], capture_output=True, text=True, check=False)
    check(done.returncode == 0, f"{what}: weft info says {done.stdout}{done.stderr}")
    ignored = re.search(r"incomplete +(\d+) bytes", done.stdout)
    with open(path, "rb") as stream:
        bytes_there = stream.read()
    whole = len(bytes_there) - (int(ignored.group(1)) if ignored else 0)
    check(reference["frames.weftcache"][:whole] == bytes_there[:whole], f"{what}: frames that were written differ")


def killed():
    kills = late = turn = 0
    while kills < KILLS and turn < 4 * KILLS:
        turn += 1
        folder = f"killed{turn}"
        moment, delay = random.uniform(0, 0.95), random.uniform(0, 0.02)
        if not kill_at(folder, moment, delay):
            continue
        kills += 1
        what = f"killed at {moment:.3f} of the cache and {1000 * delay:.1f} ms"
        check_cache(folder, what)
        if turn % 3 == 0 and kill_at(folder, random.uniform(moment, 0.98), random.uniform(0, 0.02), "--resume"):
            kills += 1
            check_cache(folder, what + ", and again")
        threads = random.choice(["1", "2"])
        text = run(folder, "--resume", "--threads", threads)
        late += "going on after frame" in text and "going on after frame 0," not in text
        same(folder, what)
        shutil.rmtree(folder)
    check(kills >= KILLS, f"only {kills} runs could be killed")
    check(late >= KILLS // 4, f"only {late} runs were taken up after their first frame")
    print(f"{kills} kills (seed {seed}), {late} runs taken up after their first frame")


def interrupted():
    with subprocess.Popen(command("stopped", "--set", "mass_damping=0"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        while process.poll() is None and cache_size("stopped") < 0.4 * len(reference["frames.weftcache"]):
            time.sleep(0.0005)
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=60)
    check(process.returncode == 130, f"interrupted: exit {process.returncode}")
    shown = re.search(r"to go on with this run: (.*)", messages)
    check(shown is not None, f"interrupted: no command in {messages}")
    check(os.path.exists("stopped/report.json") and os.path.exists("stopped/state.weft"), "no report or no state")
    run("stopped", code=1, says="holds an unfinished run")
    run("stopped", "--resume", "--set", "gravity=[0,0,-5]", code=1, says="belongs to another run")
    run("stopped", "--resume", "--set", "output.cache=true", code=1, says="the cache does not fit the run: velocities")
    if shown:
        words = shlex.split(shown.group(1))
        check("--resume" in words and "mass_damping=0" in words, f"not the whole command: {words}")
        subprocess.run(words, capture_output=True, check=False)
    same("stopped", "interrupted, then the command that was shown")
    report = json.load(open("stopped/report.json", encoding="utf-8"))
    check(report["resumes"] == 1 and report["steps"] == 3 * FRAMES, f"report: {report['resumes']}, {report['steps']}")
    run("stopped", "--resume")
    same("stopped", "resumed after its end")
    run("stopped")
    same("stopped", "a finished run may be written over")
    run("fewer", "--frames", "10")
    run("fewer", "--resume", says="resumed 1 times")
    same("fewer", "ten frames, then the rest")


def drawn_and_settled():
    """Pictures, whose camera follows the cloth; and a run that ends when it is at rest, within a frame."""
    def equal(first, second, what):
        names = sorted(n for n in os.listdir(first) if n.endswith((".png", "timeline.csv", ".weftcache", "state.weft")))
        def load(folder, name):
            with open(f"{folder}/{name}", "rb") as stream:
                return untimed(stream.read()) if name == "timeline.csv" else stream.read()
        different = [n for n in names if load(first, n) != load(second, n)]
        check(len(names) > 2 and not different, f"{what}: {different} of {names} differ")

    more = ["--set", "output.pictures=all", "--set", "output.picture_size=[64,36]", "--set", "cloths.0.velocity=[3,0,0]",
            "--set", "output.every=1"]
    run("drawn", *more, "--frames", "8")
    run("redrawn", *more, "--frames", "3")
    run("redrawn", *more, "--frames", "8", "--resume")
    equal("drawn", "redrawn", "pictures")
    more = ["--set", "quasi_static.max_speed=0.2", "--frames", "300", "--set", "handles=[]"]
    check("settled" in run("settled", *more), "the cloth does not come to rest")
    with subprocess.Popen(command("resettled", *more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and cache_size("resettled") < 0.6 * cache_size("settled"):
            time.sleep(0.0005)
        process.kill()
    check("settled" in run("resettled", *more, "--resume"), "the cloth does not come to rest again")
    equal("settled", "resettled", "a run that settles")
    run("resettled", *more, "--resume")
    equal("settled", "resettled", "one that has settled already")


def damaged():
    def newest():
        def steps(path):
            told = subprocess.run([weft, "info", path], capture_output=True, text=True, check=True).stdout
            return int(re.search(r"(\d+) steps", told).group(1))
        return max(("damaged/checkpoint_a.weft", "damaged/checkpoint_b.weft"), key=steps)

    def alter(path, at):
        with open(path, "r+b") as stream:
            stream.seek(at)
            byte = stream.read(1)
            stream.seek(at)
            stream.write(bytes([byte[0] ^ 4]))

    while not kill_at("damaged", 0.5, 0):
        shutil.rmtree("damaged")
    os.rename("damaged", "kept")
    # the checkpoint written last was altered: the one before does
    shutil.copytree("kept", "damaged")
    alter(newest(), 1000)
    run("damaged", "--resume", says="the checkpoint was altered")
    same("damaged", "one altered checkpoint")
    # cut off
    shutil.rmtree("damaged")
    shutil.copytree("kept", "damaged")
    os.truncate(newest(), 300)
    run("damaged", "--resume", says="was cut off")
    same("damaged", "one cut-off checkpoint")
    # both
    shutil.rmtree("damaged")
    shutil.copytree("kept", "damaged")
    for name in ("checkpoint_a.weft", "checkpoint_b.weft"):
        alter(f"damaged/{name}", 1000)
    before = cache_size("damaged")
    run("damaged", "--resume", code=1, says="no checkpoint can be read")
    run("damaged", code=1, says="cannot be read")
    check(cache_size("damaged") == before, "the cache was changed by a run that was refused")
    run("damaged", "--overwrite")
    same("damaged", "written over")
    # the cache
    for what, change in (("cut", lambda path: os.truncate(path, os.path.getsize(path) // 4)),
                         ("newer", lambda path: alter(path, 8)), ("gone", os.remove)):
        shutil.rmtree("damaged")
        shutil.copytree("kept", "damaged")
        path = "damaged/frames.weftcache"
        change(path)
        size = cache_size("damaged")
        run("damaged", "--resume", code=1,
            says={"cut": "the cache does not fit the run", "newer": "version 7", "gone": "No such file"}[what])
        check(cache_size("damaged") == size, f"{what}: the cache was changed by a run that was refused")
    # two at once
    with subprocess.Popen(command("twice", "--frames", "100000"), stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not cache_size("twice"):
            time.sleep(0.001)
        run("twice", "--resume", code=1, says="another run is writing into twice")
        process.kill()


def fill_up_by_shim():
    """A hundred bytes more and less than frames and checkpoints need, and anything between."""
    shim = os.path.join(shim_folder, "full_disk.so") # memory may refuse to hold programs
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", shim,
                    os.path.join(source, "tests/cli/full_disk.c"), "-ldl"], check=True)
    for turn, room in enumerate([0, 100, *(random.randrange(2000, 700000) for _ in range(4))]):
        folder = f"full{turn}"
        text = run(folder, code=1, says="No space left on device",
                   environment={"LD_PRELOAD": shim, "WEFT_TEST_ROOM": str(room)})
        check_cache(folder, f"room for {room} bytes")
        check(not [n for _, _, names in os.walk(folder) for n in names if n.endswith(".tmp")], "half-written files are left")
        if "frame" in text and room > 20000:
            check("to go on with this run" in text, f"room for {room} bytes: no command in {text}")
        run(folder, "--resume")
        same(folder, f"room for {room} bytes, then more")
    print("full disk: shown by a shim that fails writes")


def tmpfs():
    """Runs this script's inner part with a small tmpfs in the folder "small", as root or in a namespace where we are."""
    inner = [sys.executable, os.path.abspath(__file__), weft, str(seed), "--inside", os.getcwd()]
    mount = "mkdir -p small && mount -t tmpfs -o size=3m tmpfs small && "
    shell = mount + shlex.join(inner) + "; code=$?; umount small; exit $code"
    for around in ([["sh", "-c", shell]] if os.geteuid() == 0 else []) + [["unshare", "-rm", "sh", "-c", shell]]:
        done = subprocess.run(around, capture_output=True, text=True, check=False)
        if "full disk: shown on a tmpfs" in done.stdout or "FAILED" in done.stdout:
            print(done.stdout, end="")
            check(done.returncode == 0, f"on a tmpfs: {done.stdout}{done.stderr}")
            return
    print(f"NOT DONE: no tmpfs can be mounted here ({done.stderr.strip()}); the shim above has shown the same")


def fill_up_a_tmpfs():
    shutil.copy("scene.json", "small/scene.json")
    with open("small/ballast", "wb") as ballast:
        ballast.write(bytes(2900000))
    run("small/out", code=1, says="No space left on device")
    check_cache("small/out", "on a full tmpfs")
    run("small/out", "--resume", code=1, says="No space left on device")
    check_cache("small/out", "on a tmpfs that is still full")
    os.remove("small/ballast")
    run("small/out", "--resume")
    same("small/out", "on a tmpfs that has room again")
    shutil.rmtree("small/out")
    if subprocess.run(["mount", "-o", "remount,ro", "small"], capture_output=True, check=False).returncode == 0:
        run("small/out", code=1, says="Read-only file system")
    print("full disk: shown on a tmpfs")


is_inside = "--inside" in sys.argv
# In memory where possible: every frame and checkpoint waits for the disk, which is not what is tested here.
memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 2e8 else None
work = sys.argv[-1] if is_inside else tempfile.mkdtemp(dir=memory)
shim_folder = None if is_inside else tempfile.mkdtemp()
os.chdir(work)
try:
    if not is_inside:
        with open("scene.json", "w", encoding="utf-8") as stream:
            json.dump(SCENE, stream)
        for number in (1, 2):
            with open(f"body_{number}.obj", "w", encoding="utf-8") as stream:
                stream.write(f"v 0 0 0\nv {number} 0 0\nv 0 1 {number}\nf 1 2 3\n")
        run("reference", says="done at frame")
    reference = contents("reference")
    if is_inside:
        fill_up_a_tmpfs()
    else:
        for part in (killed, interrupted, drawn_and_settled, damaged, fill_up_by_shim, tmpfs):
            began = time.time()
            part()
            print(f"{part.__name__}: {time.time() - began:.1f} s")
        print(f"{checks} checks, {problems} failed")
finally:
    if not is_inside:
        shutil.rmtree(work, ignore_errors=True)
        shutil.rmtree(shim_folder, ignore_errors=True)
sys.exit(1 if problems else 0)

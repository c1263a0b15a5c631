"""What a cold start of each function costs: ``python -m tests.bench.bench_cold [--rounds N] [--json] [NAME...]``.

Each round is a fresh process that loads a function's ``main.py`` as the functions framework does, and then sends it
one request for nothing, which opens its ports. Clients are made for emulators that are not there, so no time is a
network's. Bytecode is compiled before, as a build does. Medians of seconds of the processor, which hold on a
machine that others use too; modules are all that are then loaded.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from shared.runtime.settings import STAGES_FILE, load_stages

ROOT = STAGES_FILE.parents[1]
_CHILD = """
import sys, time
began = time.process_time()
from functions_framework.aio import create_asgi_app
framework = time.process_time() - began
app = create_asgi_app("handle", sys.argv[1])
loaded, modules = time.process_time() - began, len(sys.modules)
import asyncio, json
status = []
async def send(message):
    status.append(message.get("status"))
async def receive():
    return {"type": "http.request", "body": b"", "more_body": False}
scope = {"type": "http", "http_version": "1.1", "method": "GET", "path": "/nothing", "raw_path": b"/nothing",
         "root_path": "", "scheme": "http", "query_string": b"", "headers": [(b"host", b"x")],
         "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)}
async def open_it():
    began = time.process_time()
    await app(scope, receive, send)
    seconds = time.process_time() - began
    sys.stderr.write(json.dumps({"framework": framework, "loaded": loaded, "modules": modules, "opened": seconds,
                                 "modules_open": len(sys.modules), "status": status[0]}))
    sys.stderr.flush()
    import os
    os._exit(0)
asyncio.run(open_it())
"""


def measured(name: str, environment: dict[str, str]) -> dict[str, float]:
    """One cold start; raises ``RuntimeError`` with what the process printed when it fails."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, f"functions/{name}/main.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stderr.splitlines()[-1])
    if found["status"] != 404:
        raise RuntimeError(f"{name} could not be opened: HTTP {found['status']}, {done.stdout[-2000:]}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_cold", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    there = [row.name for row in load_stages().functions if (ROOT / "functions" / row.name / "main.py").is_file()]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "GOOGLE_CLOUD_PROJECT": "neuralkg-bench",
            "NEURALKG_ARCHIVE": "gs://neuralkg-bench",
            "NEURALKG_FINDER_URL": "http://127.0.0.1:1",
            "NEURALKG_HOME": folder,
            "NEURALKG_LOG": "error",
            "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1",
            "PUBSUB_EMULATOR_HOST": "127.0.0.1:1",
            "STORAGE_EMULATOR_HOST": "http://127.0.0.1:1",
        }
        for name in given.names or there:
            measured(name, environment)
            rounds = [measured(name, environment) for _ in range(given.rounds)]
            row = {key: statistics.median(one[key] for one in rounds) for key in rounds[0]}
            rows.append({"function": name, **row})
    if given.json:
        print(json.dumps(rows, indent=2))
        return
    print("| function | framework | loaded | modules | opened | modules then |\n|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['function']} | {row['framework']:.2f} s | {row['loaded']:.2f} s | {row['modules']:.0f} "
            f"| {row['opened']:.2f} s | {row['modules_open']:.0f} |"
        )


if __name__ == "__main__":
    main()

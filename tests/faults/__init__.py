"""Many questions while everything goes wrong: ``make faults N=500``, or ``python -m tests.faults``.

``chances`` decides where a fault strikes, ``ports`` brings it about, ``checks`` holds what is left against a run
without faults. ``embedded`` does it in one process on a file, ``processes`` through ``neuralkg up``.
"""

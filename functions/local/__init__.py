"""The embedded runner: the command line, its settings and how it prints and draws answers."""

"""HTTP: questions, streams, runs and pages over one application object."""

"""The finder over HTTP: published tables by meaning, by variable, and as a registry of resources."""

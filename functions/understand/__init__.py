"""The first stage: a question in plain words becomes one to four typed readings, with no word about sources."""

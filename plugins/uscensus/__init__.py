"""The US Census Bureau as a source: surveys and counts of the United States, from the nation to a tract."""

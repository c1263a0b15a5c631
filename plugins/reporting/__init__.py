"""What every source does alike with what it publishes: requests, years and measures."""

"""Numbers and bounds in a text: one public face over their two parsers."""

from shared.text.number_scan import SCALES, NumberMatch, find_numbers, parse_number
from shared.text.thresholds import ThresholdMatch, find_thresholds

__all__ = ["SCALES", "NumberMatch", "ThresholdMatch", "find_numbers", "find_thresholds", "parse_number"]

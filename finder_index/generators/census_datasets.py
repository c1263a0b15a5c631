"""The Census Bureau's data sets that hold tables: their ids, API paths and names."""

from __future__ import annotations

import re

_DATASETS: tuple[tuple[str, str, str], ...] = (
    ("ACSST5Y", "acs/acs5/subject", "ACS 5-year subject table"),
    ("ACSST1Y", "acs/acs1/subject", "ACS 1-year subject table"),
    ("ACSST3Y", "acs/acs3/subject", "ACS 3-year subject table"),
    ("ACSDP5Y", "acs/acs5/profile", "ACS 5-year data profile"),
    ("ACSDP1Y", "acs/acs1/profile", "ACS 1-year data profile"),
    ("ACSDP3Y", "acs/acs3/profile", "ACS 3-year data profile"),
    ("ACSCP", "acs/acs1/cprofile", "ACS comparison profile"),
    ("ACSSPP", "acs/acs1/spp", "ACS selected population profile"),
    ("ACSSE", "acs/acsse", "ACS supplemental estimates"),
    ("ACSCD", "acs/acs1/cd", "ACS profile of congressional districts"),
    ("ACSEEO", "acs/acs5/eeo", "ACS equal employment opportunity table"),
    ("ACSDT", "acs/acs5", "ACS detailed table"),
    ("ACSBETA", "acs/acs5", "ACS detailed table"),
    ("DECENNIALDHCVI", "dec/dhcvi", "2020 Census table for the US Virgin Islands"),
    ("DECENNIALDHCGU", "dec/dhcgu", "2020 Census table for Guam"),
    ("DECENNIALDHCMP", "dec/dhcmp", "2020 Census table for the Northern Mariana Islands"),
    ("DECENNIALDHCAS", "dec/dhcas", "2020 Census table for American Samoa"),
    ("DECENNIALCROSSTABVI", "dec/crosstabvi", "2020 Census cross table for the US Virgin Islands"),
    ("DECENNIALCROSSTABGU", "dec/crosstabgu", "2020 Census cross table for Guam"),
    ("DECENNIALCROSSTABMP", "dec/crosstabmp", "2020 Census cross table for the Northern Mariana Islands"),
    ("DECENNIALCROSSTABAS", "dec/crosstabas", "2020 Census cross table for American Samoa"),
    ("DECENNIAL", "dec", "decennial census table"),
)


def split_dataset(dataset: str) -> tuple[str, str]:
    """``ACSST5Y2022`` as the data set's family and its year; the year is empty when it has none."""
    match = re.search(r"((?:19|20)\d{2})(\D*)$", dataset)
    return (dataset[: match.start()] + match[2], match[1]) if match else (dataset, "")


def dataset_of(family: str) -> tuple[str, str] | None:
    """The API path of a data set's family, and what a table of it is called; ``None`` for one without tables."""
    return next(((path, kind) for prefix, path, kind in _DATASETS if family.startswith(prefix)), None)

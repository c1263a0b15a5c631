"""Whose figures a facet holds, and what kind of figure: an estimate, a survey's mean of years, a projection."""

from __future__ import annotations

import re

from plugins.datacommons.records import Facet

PUBLISHER = "Data Commons"

IMPORTS: tuple[tuple[str, str], ...] = (
    ("USCensusPEP_Annual_Population", "US Census Bureau, Population Estimates"),
    ("USCensusPEP_AgeSexRaceHispanicOrigin", "US Census Bureau, Population Estimates by characteristics"),
    ("CensusPEP_StatePopulation_FRED", "US Census Bureau, Population Estimates, as published through FRED"),
    ("CensusPEP", "US Census Bureau, Population Estimates (earlier import)"),
    ("CensusACS5YearSurvey_AggCountry", "US Census Bureau, American Community Survey 5-year, added up"),
    ("CensusACS5YearSurvey_SubjectTables_", "US Census Bureau, American Community Survey 5-year, table "),
    ("CensusACS5YearSurvey", "US Census Bureau, American Community Survey 5-year"),
    ("CensusACS1YearSurvey", "US Census Bureau, American Community Survey 1-year"),
    ("USDecennialCensus_RedistrictingRelease", "US Census Bureau, Decennial Census"),
    ("BLS_LAUS", "US Bureau of Labor Statistics, Local Area Unemployment Statistics"),
    ("BLS_CPS", "US Bureau of Labor Statistics, Current Population Survey"),
    ("EIA_Electricity", "US Energy Information Administration"),
    ("FBIGovCrime", "FBI, Uniform Crime Reports"),
    ("CDC_Mortality_UnderlyingCause", "CDC WONDER"),
    ("CDC_Social_Vulnerability_Index", "CDC, Social Vulnerability Index"),
    ("EPA_GHGRP", "US Environmental Protection Agency, Greenhouse Gas Reporting Program"),
    ("WorldDevelopmentIndicators", "World Bank, World Development Indicators"),
    ("OECDRegionalDemography", "OECD, regional demography"),
    ("EurostatData", "Eurostat"),
    ("France_Demographics", "INSEE"),
    ("IndiaCensus_Primary", "Census of India"),
    ("UNEnergy", "United Nations, energy statistics"),
    ("UNData", "United Nations, UNdata"),
    ("WikidataPopulation", "Wikidata"),
    ("WikipediaStatsData", "Wikipedia"),
)
"""Imports by how their names begin, the longer before the shorter, and who publishes what they hold."""

BASES: tuple[tuple[str, str], ...] = (
    (r"Projection|(?:^|_)RCP\d|SSP\d|NASA_Mean_|CMIP", "projection"),
    (r"ACS5|ACS5yr", "mean of five years"),
    (r"Decennial|(?:^|_)Census(?:$|_)|IndiaCensus", "census"),
    (r"Seasonally(?!Un)", "seasonally adjusted"),
)
"""Kinds of figure by the words of an import and its method; every other is a yearly figure."""

CONTRIBUTED = re.compile(r"^(?:Wikidata|Wikipedia|Custom)")
"""Imports that anybody can write to; they answer only where no other does."""


def published_by(facet: Facet) -> str:
    """Who publishes the figures of a facet, for a reader; the import's own name where it is not known."""
    for beginning, publisher in IMPORTS:
        if facet.import_name.startswith(beginning):
            rest = facet.import_name[len(beginning) :]
            return publisher + rest if publisher.endswith("table ") else publisher
    return facet.import_name


def basis(facet: Facet) -> str:
    """What kind of figure it is. A mean of years and a projection are no neighbours of an estimate."""
    text = f"{facet.import_name} {facet.method}"
    return next((kind for pattern, kind in BASES if re.search(pattern, text)), "yearly figure")


def is_projection(facet: Facet) -> bool:
    """Whether the facet holds what is expected rather than what was counted or estimated."""
    return basis(facet) == "projection"


def is_contributed(facet: Facet) -> bool:
    """Whether anybody may write the facet's figures."""
    return CONTRIBUTED.search(facet.import_name) is not None

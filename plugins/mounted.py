"""The sources of this program: the plugins that are mounted, and their recorded figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plugins.base import Registry
from plugins.countryfacts.plugin import CountryFacts
from plugins.datacommons.plugin import DataCommonsPlugin
from plugins.unsdg.plugin import UnSdgPlugin
from plugins.uscensus.plugin import CensusPlugin
from plugins.worldbank.plugin import WorldBankPlugin

if TYPE_CHECKING:
    from shared.adapters.snapshot_transport import SnapshotResponder


def mounted_plugins() -> Registry:
    """The mounted plugins by source name."""
    return Registry([WorldBankPlugin(), CountryFacts(), DataCommonsPlugin(), CensusPlugin(), UnSdgPlugin()])


def recorded_figures() -> list[SnapshotResponder]:
    """The recorded figures of each publisher, which answer its API's own requests."""
    # Only who executes without a network reads them.
    from plugins.countryfacts.snapshot.responder import CountryFactsResponder  # noqa: PLC0415
    from plugins.datacommons.snapshot.responder import DataCommonsResponder  # noqa: PLC0415
    from plugins.unsdg.snapshot.responder import UnSdgResponder  # noqa: PLC0415
    from plugins.uscensus.snapshot.responder import CensusResponder  # noqa: PLC0415
    from plugins.worldbank.snapshot.responder import WorldBankResponder  # noqa: PLC0415

    return [
        WorldBankResponder(),
        CountryFactsResponder(),
        DataCommonsResponder(),
        CensusResponder(),
        UnSdgResponder(),
    ]

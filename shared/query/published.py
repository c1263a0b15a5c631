"""Charts that a publisher draws itself: its own web component, and its own page with the same.

Nothing of them is loaded here. A reader gets the link; who embeds an answer may load the publisher's script.
"""

from __future__ import annotations

from urllib.parse import quote

from shared.query.quantity import Frozen

PLACES = "{places}"
"""Where a page's address names the places."""


class Component(Frozen):
    """A publisher's web component as it stands in a page: the element, its attributes and the script it needs.

    ``page_url`` is the publisher's own page of the same chart.
    """

    element: str
    attributes: dict[str, str]
    script: str
    page_url: str


class PublishedChart(Frozen):
    """What a source offers to draw of one execution.

    ``attributes`` are the component's but for its title and places; ``page`` is the publisher's page, with
    ``{places}`` for the places in it, parted by commas. A chart of a population names no places.
    """

    element: str
    attributes: dict[str, str]
    places: tuple[str, ...] = ()
    script: str
    page: str

    @property
    def alike(self) -> str:
        """What charts have in common that differ in nothing but their places."""
        return self.model_copy(update={"places": ()}).model_dump_json()

    def component(self, title: str) -> Component:
        """The component under a title."""
        attributes = {"header": title, **self.attributes}
        if self.places:
            attributes["places"] = " ".join(self.places)
        return Component(
            element=self.element,
            attributes=attributes,
            script=self.script,
            page_url=self.page.replace(PLACES, quote(",".join(self.places), safe="")),
        )

"""What is said where a quantity is published in another form than the one that was asked for."""

from __future__ import annotations

from plugins.choice.forms import asks_share, per_head
from plugins.choice.tasks import Candidate, ChoiceRequest


def only_otherwise(publisher: str, request: ChoiceRequest, document: Candidate) -> str:
    """That the publisher has the quantity in another form alone, which one, and how to ask for it."""
    form, how = f"in {document.unit}" if document.unit else "otherwise", "without a share or “per person”"
    if document.unit_kind == "percent":
        form, how = "as a share", "as a percentage"
    elif document.unit_kind == "rate":
        form, how = f"as a rate ({document.unit})", "as a rate"
    elif not request.per_capita and per_head(document):
        form, how = "per person", "per person"
    asked = "a share" if asks_share(request) else "a figure per person" if request.per_capita else "a number"
    return (
        f"{publisher} publishes “{request.measure}” only {form}, not as {asked}: {document.title}; ask for it {how}"
    )

"""Listed members stand by name, and by their number where the names begin with one."""

from functions.combine.members import listed_members
from functions.combine.outcome import Outcome
from shared.query.annotated import Executed
from shared.query.evidence import Observation
from shared.query.identifiers import SlotId
from shared.query.material import Served
from shared.query.quantity import Entity, Period, PlaceKind
from shared.query.slots import Slot, SlotKind


def test_goal_two_stands_before_goal_ten(named):
    names = ["10 Reduce inequality", "2 End hunger", "1 End poverty", "Zambia", "Angola"]
    executed = Executed(
        meaning="m",
        measure=named.measures["SP.POP.TOTL"],
        response=named.response(),
        observations=tuple(
            Observation(entity=Entity(name=name, kind=PlaceKind.PLACE), period=Period.undated(), flag=True)
            for name in names
        ),
    )
    slot = Slot(id=SlotId("slot:1"), kind=SlotKind.MEMBERS, role="members")
    listed = listed_members(Served(slot, executed), Outcome())
    assert [cell.entity.name for cell in listed] == [
        "Angola", "Zambia", "1 End poverty", "2 End hunger", "10 Reduce inequality",
    ]  # fmt: skip

from __future__ import annotations

from sys import getsizeof

from shared.accounting.covered import Covered, hash_of


def test_names_are_counted_and_recognised_and_others_are_not():
    names = [f"usage/2026/11/29/20261129T101500-{n:012x}.json" for n in range(3000)]
    covered = Covered(map(hash_of, names[::2]))
    assert len(covered) == 1500
    assert all(name in covered for name in names[::2])
    assert not any(name in covered for name in names[1::2])


def test_nothing_is_in_none_and_what_is_no_name_is_in_none():
    assert "x" not in Covered()
    assert None not in Covered(map(hash_of, ["None"]))
    assert 7 not in Covered([7])


def test_a_hash_is_the_same_in_every_process():
    assert hash_of("20261129T101500-0123456789ab.json") == 0xC7A263E3891B90B0


def test_a_name_takes_eight_bytes():
    few, many = (Covered(map(hash_of, map(str, range(n)))) for n in (1_000, 101_000))
    assert getsizeof(many._known) - getsizeof(few._known) <= 8 * 100_000 + 100

"""What a language model is told for reading a question. It names no source: a reading is blind to them all."""

from __future__ import annotations

INSTRUCTIONS = """\
Read the question and say what is asked, as one to four typed readings, the likeliest first. Give a second reading \
only where the words truly allow another; most questions have one. A reading holds what the question says and \
nothing else: no answer, no figure that the question does not hold, and no guess at where figures are published. A \
publisher that the question names is left out of every field.

The reply: {"readings": [...], "notes": [...], "unreadable": ""}
notes: one short sentence for each thing that you took for granted ("richer" is taken to be about GDP per person).
unreadable: why the question asks for no published figure, list or fact, or for something that no type below can \
hold in full (a date within a year, an exclusion, a forecast, a figure that depends on another question's answer). \
Then readings is empty. Never drop a part of the question to make it fit.

The types and their fields:
value: entity, measure, period. One figure of one entity.
comparison: entities (2 or more), measure, period, direction. One measure of entities that are all named.
ranking: population, measure, period, direction, count. The first or last members of a set; count null when unsaid.
change_ranking: population, measure, period, movement (rise, fall, either), direction, relative, count. The \
members of a set by how much a measure of each changed over a span of years: direction highest for the largest \
changes, lowest for the smallest, null when the change of every member is asked for; movement rise or fall keeps \
those that moved that way; relative true when asked as a percentage, as the fastest growth is. Where no span is \
said, period is last_years with count 10 and an empty text. measure is the quantity itself, not its growth.
population_value: population, measure, period. A figure for every member of a set.
breakdown: entity, measure, dimension, period, direction, count. A total split into parts (by age, sex, sector).
trend: entities (1 or more), measure, period, extreme. How a measure moved over a span of years; extreme highest \
or lowest where only its highest or lowest figure over the years is asked for, else null.
difference: entities (1 or 2), measure, period, relative. How much more or less; one entity means between two \
years; relative true when asked as a percentage.
ratio: numerator_entity, numerator, denominator_entity, denominator, period, as_percent. One measure divided by \
another, or by another entity's. A quantity that is published as such (GDP per capita) is one measure, not a ratio.
correlation: population, x, y, period. Whether two measures go together over a set.
filtered_list: population, conditions, period, exhaustive. The members that meet every condition.
item_list: relation, population, entity. The members of a group or relation; relation is "members" (then \
population.container is the group) or "borders" (then entity is the place bordered), else the asker's word.
yes_no: entity, measure, period, and either threshold or other with comparator. Whether a figure passes a bound or \
another entity's figure.
vague_aspect: entity, aspect, period. An aspect with no one measure (the economy of Kenya).
status: entity, attribute, object. Whether something is so that is no quantity (landlocked; member of, object).
aggregate: operation (count, sum, mean, median, minimum, maximum), population, measure, conditions, period. One \
figure over a set; for "how many members": count, measure null.
topical: subject. A search for records about a subject.
grant_graph: entity, direction (made_by, received_by, overview). Who funds whom.

The parts:
entity: {"text": words of the question, "status": "resolved", "entity": {"name": full common name, "kind": one of \
country, country_group, us_state, us_county, city, company, organization, place}, "candidates": []}. status \
"ambiguous" when the question does not tell which of several is meant: entity null, 2 to 5 candidates. status \
"unknown" for a name that you do not know: entity null. The world as a whole is the country_group "World". Use \
what the question says to settle a name: California beside New York is the state.
measure: {"text": the quantity in plain words, lower case, without place, year, threshold and direction, \
"per_capita": true if asked per person, "share": true if asked as a share or percentage of something}. Put the \
quantity behind an adjective: richest is gdp per capita, most populous is population.
period: {"kind", "start", "end", "count", "fiscal", "text"}. latest (no year said), year (start), range (start to \
end), since (start), years_ago (count), last_years (count), all. Resolve "last year" by the request's today. \
fiscal true only when a fiscal year is asked for. text: the question's words for it.
population: {"member": the kind of its members, "text", "container": an entity or null for the whole world, \
"listed": entities when the set is named one by one, else [], "fact_filter": a fact that narrows it (landlocked) \
or null}.
condition: {"measure", "threshold" or "reference", "comparator"}: a bound by a number, or by another entity's \
figure; the other of the two is null.
threshold: {"comparator": one of > >= < <= = between, "value": the number in plain units (50 million is 50000000), \
"upper": for between, "unit", "text"}.
direction: highest or lowest, null where it may be unsaid."""

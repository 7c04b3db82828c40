"""Sentence patterns of the sample that use ordinary words only, so that nothing in them is worth
remembering.

A pattern is a function from the speaker's choices to a chunk; its docstring shows the order of both
sides.
"""

from collections.abc import Callable

from tasks.sample.chunks import Chunk, order, pair
from tasks.sample.lexicon import ADJECTIVES
from tasks.sample.speaker import Speaker, action, be, comma


def plain_action(speaker: Speaker) -> Chunk:
    """S V O."""
    return action(speaker, speaker.people())


def plain_because(speaker: Speaker) -> Chunk:
    """因为 A ， B / B because A."""
    cause, effect = action(speaker, speaker.people()), action(speaker, speaker.people())
    because, so = pair("因为", "because"), pair("， 所以", "")
    return order([because, cause, so, effect], [effect, because, cause, so])


def plain_although(speaker: Speaker) -> Chunk:
    """虽然 A ， 但是 B / Although A, B."""
    parts = [pair("虽然", "although"), action(speaker, speaker.people()), comma()]
    return order([*parts, pair("但是", ""), action(speaker, speaker.people())])


def plain_if(speaker: Speaker) -> Chunk:
    """如果 A ， B / B if A."""
    condition, effect = action(speaker, speaker.people()), action(speaker, speaker.people())
    word, pause = pair("如果", "if"), pair("，", "")
    return order([word, condition, pause, effect], [effect, word, condition, pause])


def plain_passive(speaker: Speaker) -> Chunk:
    """O 被 S V 了 / O was V-ed by S."""
    object_, actor, verb = speaker.things(), speaker.people().chunk, speaker.verb()
    by, done_mark = pair("被", "by"), pair("了", "")
    past = {"chose": "chosen"}.get(verb.past, verb.past)
    done = order([pair("", "were" if object_.is_plural else "was"), pair(verb.source, past)])
    source = [object_.chunk, by, actor, done, done_mark]
    return order(source, [object_.chunk, done, by, actor, done_mark])


def plain_owner(speaker: Speaker) -> Chunk:
    """A 的 B 对 C 很 ADJECTIVE / the B of A is very ADJECTIVE for C."""
    owner, thing = speaker.people().chunk, speaker.things()
    zh, en_thing, _ = speaker.rng.choice(ADJECTIVES)
    of, for_, other = pair("的", "of"), pair("对", "for"), speaker.people().chunk
    very, quality = pair("很", "very"), pair(zh, en_thing)
    is_ = pair("", be(thing))
    source = [owner, of, thing.chunk, for_, other, is_, very, quality]
    return order(source, [thing.chunk, of, owner, is_, very, quality, for_, other])


def plain_relative(speaker: Speaker) -> Chunk:
    """V O 的 S 没有 V O / the S who V O did not V O."""
    people, verb, other = speaker.people(), speaker.verb(), speaker.verb()
    thing, last = speaker.things().chunk, speaker.things().chunk
    done, who = pair(verb.source, verb.past), pair("的", "who")
    negation = pair(*speaker.rng.choice((("没有", "did not"), ("不会", "will not"))))
    without = order([negation, pair(other.source, other.base)])
    source = [done, thing, who, people.chunk, without, last]
    return order(source, [people.chunk, who, done, thing, without, last])


def plain_same_time(speaker: Speaker) -> Chunk:
    """A 的 时候 ， B / When A, B."""
    first, second = action(speaker, speaker.people()), action(speaker, speaker.people())
    when, pause = order([pair("的", ""), pair("时候", "when")]), comma()
    return order([first, when, pause, second], [when, first, pause, second])


PLAIN: tuple[Callable[[Speaker], Chunk], ...] = (
    plain_action,
    plain_because,
    plain_although,
    plain_if,
    plain_passive,
    plain_owner,
    plain_relative,
    plain_same_time,
)

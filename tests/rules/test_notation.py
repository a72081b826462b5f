"""Text and back again: cards, moves, rules and whole games; and what is said about text that is none of them."""

import random
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import IllegalMoveError, NotationError, RulesError, UserError
from arena.rules.cards import CARD_NAMES, SEATS, cards_of, format_cards, parse_card, parse_cards
from arena.rules.moves import Move, MoveKind, parse_move
from arena.rules.notation import Transcript, format_game, format_rules, parse_game, parse_rules
from arena.rules.options import Discards, Eggs, Pull, PullSuits, Rules
from tests.rules.play import random_game

REPEATABLE = settings(deadline=None, derandomize=True, database=None)
"""The same examples every time, however busy the machine is."""

card_sets = st.sets(st.integers(0, 35), max_size=36).map(cards_of)
all_rules = st.builds(
    Rules,
    match_target=st.integers(1, 24).map(lambda half: 2 * half),
    max_lead=st.integers(1, 4),
    pull=st.sampled_from(Pull),
    pull_suits=st.sampled_from(PullSuits),
    discards=st.sampled_from(Discards),
    eggs=st.sampled_from(Eggs),
    max_games=st.integers(1, 10**6),
)


@st.composite
def moves(draw: st.DrawFn) -> Move:
    kind = draw(st.sampled_from(MoveKind))
    low, high = {"PASS": (0, 0), "PULL": (4, 4)}.get(kind.name, (1, 4))
    return Move(kind, cards_of(draw(st.sets(st.integers(0, 35), min_size=low, max_size=high))))


@st.composite
def games(draw: st.DrawFn) -> Transcript:
    """A random game under any rules, that may stop anywhere."""
    whole = random_game(random.Random(draw(st.integers(0, 2**32))), draw(all_rules))
    stop = draw(st.integers(0, len(whole.moves)))
    return Transcript(whole.rules, whole.deal, whole.dealer, whole.leader, whole.moves[:stop])


@pytest.mark.parametrize("card", range(36))
def test_cards_round_trip(card: int) -> None:
    name = CARD_NAMES[card]
    assert parse_card(name) == card
    assert parse_card(name.lower()) == card


@settings(REPEATABLE)
@given(card_sets)
def test_sets_of_cards_round_trip(cards: int) -> None:
    assert parse_cards(format_cards(cards)) == cards


@settings(REPEATABLE)
@given(moves())
def test_moves_round_trip(move: Move) -> None:
    assert parse_move(str(move)) == move
    assert parse_move(f"  {str(move).upper()} ") == move
    assert Move.from_code(move.code) == move


@settings(REPEATABLE)
@given(all_rules)
def test_rules_round_trip(rules: Rules) -> None:
    assert parse_rules(format_rules(rules)) == rules


@settings(REPEATABLE, max_examples=60)
@given(games())
def test_games_round_trip(transcript: Transcript) -> None:
    text = format_game(transcript)
    assert text.endswith("\n")
    parsed = parse_game(text)
    assert parsed == transcript
    assert format_game(parsed) == text
    original, again = transcript.replay(), parsed.replay()
    assert [again.view(seat) for seat in SEATS] == [original.view(seat) for seat in SEATS]
    assert (again.hands, again.stock, again.card_points) == (original.hands, original.stock, original.card_points)


def test_what_a_game_looks_like() -> None:
    transcript = parse_game(GAME)
    assert transcript.rules == Rules(max_lead=2)
    assert (transcript.dealer, transcript.leader) == (3, 0)
    assert [f"{seat} {move}" for seat, move in transcript.moves] == ["0 lead 6C", "1 discard 7C", "2 beat 8C"]
    game = transcript.replay()
    assert game.winning_seat == 2
    assert format_game(transcript).splitlines()[0] == (
        "rules match_target=12 max_lead=2 pull=any_time pull_suits=any discards=hidden eggs=nothing max_games=100"
    )


GAME = """# a comment, and an empty line

rules max_lead=2
dealer 3
leader 0
deck 6C 7C 8C 9C JC QC KC 10C AC 6D 7D 8D 9D JD QD KD 10D AD 6H 7H 8H 9H JH QH KH 10H AH 6S 7S 8S 9S JS QS KS 10S AS
indicator 9S
0 lead 6C
  1 discard 7C
# seat 2 is the partner
2 BEAT 8c
"""


def test_rules_that_are_not_named_have_their_defaults() -> None:
    assert parse_game(GAME.replace("rules max_lead=2\n", "")).rules == Rules()
    assert parse_rules("") == Rules()
    assert parse_rules("pull=off eggs=double_next") == Rules(pull=Pull.OFF, eggs=Eggs.DOUBLE_NEXT)


@pytest.mark.parametrize("text", ["", "10", "H", "1H", "11H", "10 H", "TH", "10X", "5C", "🂡", "6C "])
def test_text_that_is_no_card(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_card(text)
    assert str(caught.value) == f"{text!r} is not a card: write the rank (6 7 8 9 J Q K 10 A), then C, D, H or S, like 10H"


def test_a_card_named_twice() -> None:
    with pytest.raises(NotationError, match="'6c' is named twice in '6C 7C 6c'"):
        parse_cards("6C 7C 6c")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a move: it starts with one of lead, beat, discard, pull, pass"),
        ("play 6C", "'play 6C' is not a move: it starts with one of lead, beat, discard, pull, pass"),
        ("6C lead", "it starts with one of"),
        ("lead", "'lead' is not a move: LEAD has 1 to 4 cards of the deck, not 0"),
        ("beat 6C 7C 8C 9C JC", "BEAT has 1 to 4 cards of the deck, not 5"),
        ("pass 6C", "PASS has 0 cards of the deck, not 1"),
        ("pull 6C 7C 8C", "PULL has 4 cards of the deck, not 3"),
        ("lead 6X", "'6X' is not a card"),
        ("lead 6C 6C", "named twice"),
    ],
)
def test_text_that_is_no_move(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max_lead", "'max_lead' is not an option: write name=value"),
        ("max_leed=2", "'max_leed=2' is not an option"),
        ("max_lead=2 max_lead=2", "'max_lead=2' is not an option"),
        ("max_lead=two", "'two' is not a value of max_lead"),
        ("pull=on", "'on' is not a value of pull"),
        ("max_lead=5", "max_lead is 5: it must be from 1 to 4"),
        ("match_target=11", "match_target is 11: it must be an even number from 2 to 48"),
    ],
)
def test_text_that_is_no_rules(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_rules(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rules max_lead=2", "rules max_lead=9", "line 3: max_lead is 9"),
        ("dealer 3", "dealer 4", "line 4: '4' is not a seat: write 0, 1, 2 or 3"),
        ("leader 0", "leader", "line 5: '' is not a seat"),
        ("deck 6C", "deck 6X", "line 6: '6X' is not a card"),
        ("indicator 9S", "indicator", "line 7: '' is not a card"),
        ("0 lead 6C", "0 lead 6X", "line 8: '6X' is not a card"),
        ("0 lead 6C", "4 lead 6C", "line 8: '4' is not a seat"),
        ("0 lead 6C", "0 leads 6C", "line 8: 'leads 6C' is not a move"),
        ("0 lead 6C", "dealer 2", "line 8: 'dealer' is not a seat"),
        ("2 BEAT 8c", "leader 2", "line 11: 'leader' is not a seat"),
        ("dealer 3\n", "", "the game has no line that starts with dealer"),
        ("dealer 3\nleader 0\n", "", "starts with dealer and none with leader"),
        ("deck 6C", "deck", "a deck has each of the 36 cards once"),
        ("deck 6C", "deck 7C", "a deck has each of the 36 cards once"),
        ("indicator 9S", "indicator 6C", "the trump indicator must be inside the stock"),
        ("indicator 9S", "indicator AS", "the trump indicator must be inside the stock"),
    ],
)
def test_text_that_is_no_game(old: str, new: str, message: str) -> None:
    assert old in GAME
    with pytest.raises(NotationError) as caught:
        parse_game(GAME.replace(old, new, 1))
    assert message in str(caught.value)
    assert isinstance(caught.value, UserError)


def test_moves_are_checked_by_the_replay() -> None:
    transcript = parse_game(GAME.replace("2 BEAT 8c", "2 beat 7D"))
    with pytest.raises(IllegalMoveError):
        transcript.replay()


@settings(REPEATABLE, max_examples=300)
@given(st.text(alphabet="6789JQK10ACDHS leadbtpisc\n#=_4", max_size=40))
def test_any_text_is_parsed_or_refused_with_a_message(text: str) -> None:
    for parse in (parse_card, parse_cards, parse_move, parse_rules, parse_game):
        try:
            parse(text)
        except NotationError as error:
            assert str(error)  # noqa: PT017


OPTION_ERRORS = {
    "match_target": (0, -2, 1, 13, 49, 50),
    "max_lead": (0, 5, -1),
    "max_games": (0, -1),
    "pull": ("off", None, PullSuits.ANY),
    "pull_suits": ("trump", Pull.OFF),
    "discards": ("open",),
    "eggs": ("double_next",),
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in OPTION_ERRORS.items() for value in values])
def test_options_out_of_bounds(name: str, value: object) -> None:
    with pytest.raises(RulesError, match=f"{name} is "):
        Rules(**{name: value})  # type: ignore[arg-type]


def test_options_and_their_defaults_are_those_of_the_rules_page() -> None:
    defaults = {field.name: str(getattr(Rules(), field.name)) for field in fields(Rules)}
    assert defaults == {
        "match_target": "12",
        "max_lead": "4",
        "pull": "any_time",
        "pull_suits": "any",
        "discards": "hidden",
        "eggs": "nothing",
        "max_games": "100",
    }
    values = {kind.__name__: [str(value) for value in kind] for kind in (Pull, PullSuits, Discards, Eggs)}
    assert values == {
        "Pull": ["any_time", "before_lead", "off"],
        "PullSuits": ["any", "trump"],
        "Discards": ["hidden", "open"],
        "Eggs": ["nothing", "double_next"],
    }

from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PullRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PULL_RULE_UNSPECIFIED: _ClassVar[PullRule]
    PULL_RULE_ANY_TIME: _ClassVar[PullRule]
    PULL_RULE_BEFORE_LEAD: _ClassVar[PullRule]
    PULL_RULE_OFF: _ClassVar[PullRule]

class PullSuits(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PULL_SUITS_UNSPECIFIED: _ClassVar[PullSuits]
    PULL_SUITS_ANY: _ClassVar[PullSuits]
    PULL_SUITS_TRUMP: _ClassVar[PullSuits]

class DiscardRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DISCARD_RULE_UNSPECIFIED: _ClassVar[DiscardRule]
    DISCARD_RULE_HIDDEN: _ClassVar[DiscardRule]
    DISCARD_RULE_OPEN: _ClassVar[DiscardRule]

class EggsRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EGGS_RULE_UNSPECIFIED: _ClassVar[EggsRule]
    EGGS_RULE_NOTHING: _ClassVar[EggsRule]
    EGGS_RULE_DOUBLE_NEXT: _ClassVar[EggsRule]

class MoveKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOVE_KIND_UNSPECIFIED: _ClassVar[MoveKind]
    MOVE_KIND_LEAD: _ClassVar[MoveKind]
    MOVE_KIND_BEAT: _ClassVar[MoveKind]
    MOVE_KIND_DISCARD: _ClassVar[MoveKind]
    MOVE_KIND_PULL: _ClassVar[MoveKind]
    MOVE_KIND_PASS: _ClassVar[MoveKind]

class Card(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CARD_UNSPECIFIED: _ClassVar[Card]
    CARD_6C: _ClassVar[Card]
    CARD_7C: _ClassVar[Card]
    CARD_8C: _ClassVar[Card]
    CARD_9C: _ClassVar[Card]
    CARD_JC: _ClassVar[Card]
    CARD_QC: _ClassVar[Card]
    CARD_KC: _ClassVar[Card]
    CARD_10C: _ClassVar[Card]
    CARD_AC: _ClassVar[Card]
    CARD_6D: _ClassVar[Card]
    CARD_7D: _ClassVar[Card]
    CARD_8D: _ClassVar[Card]
    CARD_9D: _ClassVar[Card]
    CARD_JD: _ClassVar[Card]
    CARD_QD: _ClassVar[Card]
    CARD_KD: _ClassVar[Card]
    CARD_10D: _ClassVar[Card]
    CARD_AD: _ClassVar[Card]
    CARD_6H: _ClassVar[Card]
    CARD_7H: _ClassVar[Card]
    CARD_8H: _ClassVar[Card]
    CARD_9H: _ClassVar[Card]
    CARD_JH: _ClassVar[Card]
    CARD_QH: _ClassVar[Card]
    CARD_KH: _ClassVar[Card]
    CARD_10H: _ClassVar[Card]
    CARD_AH: _ClassVar[Card]
    CARD_6S: _ClassVar[Card]
    CARD_7S: _ClassVar[Card]
    CARD_8S: _ClassVar[Card]
    CARD_9S: _ClassVar[Card]
    CARD_JS: _ClassVar[Card]
    CARD_QS: _ClassVar[Card]
    CARD_KS: _ClassVar[Card]
    CARD_10S: _ClassVar[Card]
    CARD_AS: _ClassVar[Card]
PULL_RULE_UNSPECIFIED: PullRule
PULL_RULE_ANY_TIME: PullRule
PULL_RULE_BEFORE_LEAD: PullRule
PULL_RULE_OFF: PullRule
PULL_SUITS_UNSPECIFIED: PullSuits
PULL_SUITS_ANY: PullSuits
PULL_SUITS_TRUMP: PullSuits
DISCARD_RULE_UNSPECIFIED: DiscardRule
DISCARD_RULE_HIDDEN: DiscardRule
DISCARD_RULE_OPEN: DiscardRule
EGGS_RULE_UNSPECIFIED: EggsRule
EGGS_RULE_NOTHING: EggsRule
EGGS_RULE_DOUBLE_NEXT: EggsRule
MOVE_KIND_UNSPECIFIED: MoveKind
MOVE_KIND_LEAD: MoveKind
MOVE_KIND_BEAT: MoveKind
MOVE_KIND_DISCARD: MoveKind
MOVE_KIND_PULL: MoveKind
MOVE_KIND_PASS: MoveKind
CARD_UNSPECIFIED: Card
CARD_6C: Card
CARD_7C: Card
CARD_8C: Card
CARD_9C: Card
CARD_JC: Card
CARD_QC: Card
CARD_KC: Card
CARD_10C: Card
CARD_AC: Card
CARD_6D: Card
CARD_7D: Card
CARD_8D: Card
CARD_9D: Card
CARD_JD: Card
CARD_QD: Card
CARD_KD: Card
CARD_10D: Card
CARD_AD: Card
CARD_6H: Card
CARD_7H: Card
CARD_8H: Card
CARD_9H: Card
CARD_JH: Card
CARD_QH: Card
CARD_KH: Card
CARD_10H: Card
CARD_AH: Card
CARD_6S: Card
CARD_7S: Card
CARD_8S: Card
CARD_9S: Card
CARD_JS: Card
CARD_QS: Card
CARD_KS: Card
CARD_10S: Card
CARD_AS: Card

class BotMessage(_message.Message):
    __slots__ = ("hello", "answer")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    answer: Answer
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answer: _Optional[_Union[Answer, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("versions", "name", "language")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedScalarFieldContainer[int]
    name: str
    language: str
    def __init__(self, versions: _Optional[_Iterable[int]] = ..., name: _Optional[str] = ..., language: _Optional[str] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("turn", "move")
    TURN_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    turn: int
    move: Move
    def __init__(self, turn: _Optional[int] = ..., move: _Optional[_Union[Move, _Mapping]] = ...) -> None: ...

class RefereeMessage(_message.Message):
    __slots__ = ("welcome", "match_start", "turn", "game_result", "match_result", "fault")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    MATCH_START_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    GAME_RESULT_FIELD_NUMBER: _ClassVar[int]
    MATCH_RESULT_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    match_start: MatchStart
    turn: Turn
    game_result: GameResult
    match_result: MatchResult
    fault: FaultNotice
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., match_start: _Optional[_Union[MatchStart, _Mapping]] = ..., turn: _Optional[_Union[Turn, _Mapping]] = ..., game_result: _Optional[_Union[GameResult, _Mapping]] = ..., match_result: _Optional[_Union[MatchResult, _Mapping]] = ..., fault: _Optional[_Union[FaultNotice, _Mapping]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("version",)
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: int
    def __init__(self, version: _Optional[int] = ...) -> None: ...

class MatchStart(_message.Message):
    __slots__ = ("seat", "teams", "rules", "time")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEAMS_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    seat: int
    teams: _containers.RepeatedScalarFieldContainer[str]
    rules: Rules
    time: TimeControl
    def __init__(self, seat: _Optional[int] = ..., teams: _Optional[_Iterable[str]] = ..., rules: _Optional[_Union[Rules, _Mapping]] = ..., time: _Optional[_Union[TimeControl, _Mapping]] = ...) -> None: ...

class Rules(_message.Message):
    __slots__ = ("match_target", "max_lead", "pull", "pull_suits", "discards", "eggs", "max_games")
    MATCH_TARGET_FIELD_NUMBER: _ClassVar[int]
    MAX_LEAD_FIELD_NUMBER: _ClassVar[int]
    PULL_FIELD_NUMBER: _ClassVar[int]
    PULL_SUITS_FIELD_NUMBER: _ClassVar[int]
    DISCARDS_FIELD_NUMBER: _ClassVar[int]
    EGGS_FIELD_NUMBER: _ClassVar[int]
    MAX_GAMES_FIELD_NUMBER: _ClassVar[int]
    match_target: int
    max_lead: int
    pull: PullRule
    pull_suits: PullSuits
    discards: DiscardRule
    eggs: EggsRule
    max_games: int
    def __init__(self, match_target: _Optional[int] = ..., max_lead: _Optional[int] = ..., pull: _Optional[_Union[PullRule, str]] = ..., pull_suits: _Optional[_Union[PullSuits, str]] = ..., discards: _Optional[_Union[DiscardRule, str]] = ..., eggs: _Optional[_Union[EggsRule, str]] = ..., max_games: _Optional[int] = ...) -> None: ...

class TimeControl(_message.Message):
    __slots__ = ("move_ms", "bank_ms", "max_faults")
    MOVE_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    MAX_FAULTS_FIELD_NUMBER: _ClassVar[int]
    move_ms: int
    bank_ms: int
    max_faults: int
    def __init__(self, move_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., max_faults: _Optional[int] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("number", "legal", "move_ms", "bank_ms", "view", "score")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    MOVE_MS_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    number: int
    legal: _containers.RepeatedCompositeFieldContainer[Move]
    move_ms: int
    bank_ms: int
    view: View
    score: Score
    def __init__(self, number: _Optional[int] = ..., legal: _Optional[_Iterable[_Union[Move, _Mapping]]] = ..., move_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., view: _Optional[_Union[View, _Mapping]] = ..., score: _Optional[_Union[Score, _Mapping]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("seat", "dealer", "indicator", "hand", "hand_counts", "stock_count", "turn", "tricks")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    INDICATOR_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_COUNTS_FIELD_NUMBER: _ClassVar[int]
    STOCK_COUNT_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    dealer: int
    indicator: Card
    hand: _containers.RepeatedScalarFieldContainer[Card]
    hand_counts: _containers.RepeatedScalarFieldContainer[int]
    stock_count: int
    turn: int
    tricks: _containers.RepeatedCompositeFieldContainer[Trick]
    def __init__(self, seat: _Optional[int] = ..., dealer: _Optional[int] = ..., indicator: _Optional[_Union[Card, str]] = ..., hand: _Optional[_Iterable[_Union[Card, str]]] = ..., hand_counts: _Optional[_Iterable[int]] = ..., stock_count: _Optional[int] = ..., turn: _Optional[int] = ..., tricks: _Optional[_Iterable[_Union[Trick, _Mapping]]] = ...) -> None: ...

class Trick(_message.Message):
    __slots__ = ("leader", "plays", "taker")
    LEADER_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    TAKER_FIELD_NUMBER: _ClassVar[int]
    leader: int
    plays: _containers.RepeatedCompositeFieldContainer[Play]
    taker: int
    def __init__(self, leader: _Optional[int] = ..., plays: _Optional[_Iterable[_Union[Play, _Mapping]]] = ..., taker: _Optional[int] = ...) -> None: ...

class Play(_message.Message):
    __slots__ = ("seat", "kind", "count", "cards", "returned")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    RETURNED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    kind: MoveKind
    count: int
    cards: _containers.RepeatedScalarFieldContainer[Card]
    returned: bool
    def __init__(self, seat: _Optional[int] = ..., kind: _Optional[_Union[MoveKind, str]] = ..., count: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[Card, str]]] = ..., returned: _Optional[bool] = ...) -> None: ...

class Move(_message.Message):
    __slots__ = ("kind", "cards")
    KIND_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    kind: MoveKind
    cards: _containers.RepeatedScalarFieldContainer[Card]
    def __init__(self, kind: _Optional[_Union[MoveKind, str]] = ..., cards: _Optional[_Iterable[_Union[Card, str]]] = ...) -> None: ...

class Score(_message.Message):
    __slots__ = ("game", "defeat_points", "games_won", "eggs", "stake")
    GAME_FIELD_NUMBER: _ClassVar[int]
    DEFEAT_POINTS_FIELD_NUMBER: _ClassVar[int]
    GAMES_WON_FIELD_NUMBER: _ClassVar[int]
    EGGS_FIELD_NUMBER: _ClassVar[int]
    STAKE_FIELD_NUMBER: _ClassVar[int]
    game: int
    defeat_points: _containers.RepeatedScalarFieldContainer[int]
    games_won: _containers.RepeatedScalarFieldContainer[int]
    eggs: int
    stake: int
    def __init__(self, game: _Optional[int] = ..., defeat_points: _Optional[_Iterable[int]] = ..., games_won: _Optional[_Iterable[int]] = ..., eggs: _Optional[int] = ..., stake: _Optional[int] = ...) -> None: ...

class GameResult(_message.Message):
    __slots__ = ("game", "card_points", "tricks", "defeat_points", "dealer", "leader", "taker")
    GAME_FIELD_NUMBER: _ClassVar[int]
    CARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    DEFEAT_POINTS_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    TAKER_FIELD_NUMBER: _ClassVar[int]
    game: int
    card_points: _containers.RepeatedScalarFieldContainer[int]
    tricks: _containers.RepeatedScalarFieldContainer[int]
    defeat_points: _containers.RepeatedScalarFieldContainer[int]
    dealer: int
    leader: int
    taker: int
    def __init__(self, game: _Optional[int] = ..., card_points: _Optional[_Iterable[int]] = ..., tricks: _Optional[_Iterable[int]] = ..., defeat_points: _Optional[_Iterable[int]] = ..., dealer: _Optional[int] = ..., leader: _Optional[int] = ..., taker: _Optional[int] = ...) -> None: ...

class MatchResult(_message.Message):
    __slots__ = ("defeat_points", "loser", "forfeited")
    DEFEAT_POINTS_FIELD_NUMBER: _ClassVar[int]
    LOSER_FIELD_NUMBER: _ClassVar[int]
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    defeat_points: _containers.RepeatedScalarFieldContainer[int]
    loser: int
    forfeited: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, defeat_points: _Optional[_Iterable[int]] = ..., loser: _Optional[int] = ..., forfeited: _Optional[_Iterable[int]] = ...) -> None: ...

class FaultNotice(_message.Message):
    __slots__ = ("turn", "reason", "played", "faults", "max_faults")
    TURN_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    MAX_FAULTS_FIELD_NUMBER: _ClassVar[int]
    turn: int
    reason: str
    played: Move
    faults: int
    max_faults: int
    def __init__(self, turn: _Optional[int] = ..., reason: _Optional[str] = ..., played: _Optional[_Union[Move, _Mapping]] = ..., faults: _Optional[int] = ..., max_faults: _Optional[int] = ...) -> None: ...

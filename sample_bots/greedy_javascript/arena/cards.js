// Cards and kinds of move. They are plain numbers, the same as in proto/arena/v1/bot.proto.

/** A card is suit * 9 + rank + 1, so 1..36: the suits are C D H S, the ranks from low to high 6 7 8 9 J Q K 10 A. */
export const RANKS = 9;

/** What a move, or a play on the table, is. */
export const MoveKind = Object.freeze({ LEAD: 1, BEAT: 2, DISCARD: 3, PULL: 4, PASS: 5 });

const POINTS_BY_RANK = [0, 0, 0, 0, 2, 3, 4, 10, 11];

/** 0 for a six, up to 8 for an ace; the ten (7) is above the king (6). */
export const rankOf = (card) => (card - 1) % RANKS;

/** 0 clubs, 1 diamonds, 2 hearts, 3 spades. */
export const suitOf = (card) => Math.floor((card - 1) / RANKS);

/** What these cards count together when the game is scored. */
export const pointsOf = (cards) => sum(cards.map((card) => POINTS_BY_RANK[rankOf(card)]));

/** The sum of some numbers. */
export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

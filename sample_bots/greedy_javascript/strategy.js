// The strategy: give every legal move a score and play the best one. Whole numbers only, nothing is remembered.

import { MoveKind, pointsOf, rankOf, suitOf, sum } from './arena/cards.js';

// What a hand is worth more for each trump, and when so many of its cards are of one suit: they can be led together.
const TRUMP_BONUS = 12;
const GROUP_BONUS = [0, 0, 8, 24, 48];
// What it is worth to lead so many cards: the more, the harder they are to beat.
const LEAD_BONUS = [0, 0, 20, 80, 160];
// What it is worth to beat, for each card of the trick.
const BEAT_BONUS = 10;

/** The legal move with the highest score; of several, the one that comes first. */
export function chooseMove(view, legal) {
  const scores = legal.map((move) => score(view, move));
  return legal[scores.indexOf(Math.max(...scores))];
}

/** How good a move looks. */
function score(view, move) {
  if (move.kind === MoveKind.PULL) return 1;
  if (move.kind === MoveKind.PASS) return 0;

  const trump = suitOf(view.indicator);
  const kept = view.hand.filter((card) => !move.cards.includes(card));
  const lost = worth(view.hand, trump) - worth(kept, trump);
  const points = pointsOf(move.cards);
  if (move.kind === MoveKind.LEAD) return LEAD_BONUS[move.cards.length] + points - lost;

  // The current trick, without what a pull has sent back. A discard never wins.
  const table = view.tricks.at(-1).plays.filter((play) => !play.returned);
  const winning = table.findLast((play) => play.kind !== MoveKind.DISCARD);
  const isPartnerWinning = winning !== undefined && winning.seat % 2 === view.seat % 2;
  const isLast = table.length === 3;
  if (move.kind === MoveKind.BEAT) {
    if (isPartnerWinning) return points - lost;
    const caught = sum(table.map((play) => pointsOf(play.cards))); // hidden discards have no cards here
    return BEAT_BONUS * move.cards.length + points + caught - lost;
  }
  if (!isPartnerWinning) return -points - lost; // the points go to the opponents
  return isLast ? 2 * points - lost : -lost; // for sure to the partner, or perhaps
}

/** What a hand is worth to keep: its ranks, its trumps, and the most cards it has of one suit. */
function worth(hand, trump) {
  const bySuit = [0, 0, 0, 0];
  for (const card of hand) bySuit[suitOf(card)] += 1;
  return sum(hand.map(rankOf)) + TRUMP_BONUS * bySuit[trump] + GROUP_BONUS[Math.max(...bySuit)];
}

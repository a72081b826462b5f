//! The strategy: give every legal move a score, play the best one. Integers only, nothing is remembered.
//!
//! This is the file to change. A card is a number: suit * 9 + rank + 1, suits 0..3 (clubs, diamonds, hearts, spades),
//! ranks 0..8 (6 7 8 9 J Q K 10 A).

use crate::arena::proto::{Move, MoveKind, Play, View};

const RANKS: i32 = 9;
/// Card points by rank.
const POINTS: [i32; 9] = [0, 0, 0, 0, 2, 3, 4, 10, 11];

const TRUMP_BONUS: i32 = 12;
/// What a hand is worth more when so many of its cards are of one suit: they can be led together.
const GROUP_BONUS: [i32; 5] = [0, 0, 8, 24, 48];
/// What it is worth to lead so many cards: the more, the harder they are to beat.
const LEAD_BONUS: [i32; 5] = [0, 0, 20, 80, 160];
/// What it is worth to beat, for each card of the trick.
const BEAT_BONUS: i32 = 10;

/// The legal move with the highest score; of several, the one that comes first in `legal`.
pub fn choose_move<'a>(view: &View, legal: &'a [Move]) -> &'a Move {
    // max_by_key takes the last of several, so the list is read from its end.
    let best = legal
        .iter()
        .rev()
        .max_by_key(|candidate| score(view, candidate));
    best.expect("every turn has a legal move")
}

/// How good a move looks.
fn score(view: &View, candidate: &Move) -> i32 {
    let cards = &candidate.cards;
    let count = cards.len();
    let trump = suit(view.indicator);
    let rest: Vec<i32> = view
        .hand
        .iter()
        .copied()
        .filter(|card| !cards.contains(card))
        .collect();
    let lost = worth(&view.hand, trump) - worth(&rest, trump);

    match candidate.kind() {
        MoveKind::Pull => 1,
        MoveKind::Pass | MoveKind::Unspecified => 0,
        MoveKind::Lead => LEAD_BONUS[count] + points(cards) - lost,
        MoveKind::Beat if is_partner_winning(view) => points(cards) - lost,
        MoveKind::Beat => {
            let on_table: i32 = table(view).map(|play| points(&play.cards)).sum();
            BEAT_BONUS * count as i32 + points(cards) + on_table - lost
        }
        // The points go to the opponents, for sure to the partner, or perhaps.
        MoveKind::Discard if !is_partner_winning(view) => -points(cards) - lost,
        MoveKind::Discard if table(view).count() == 3 => 2 * points(cards) - lost,
        MoveKind::Discard => -lost,
    }
}

/// What a hand is worth to keep: its ranks, its trumps, and the most cards it has of one suit.
fn worth(hand: &[i32], trump: i32) -> i32 {
    let ranks: i32 = hand.iter().map(|&card| rank(card)).sum();
    let in_suit = |wanted| hand.iter().filter(|&&card| suit(card) == wanted).count();
    let longest = (0..4).map(in_suit).max().unwrap_or(0);
    ranks + TRUMP_BONUS * in_suit(trump) as i32 + GROUP_BONUS[longest]
}

/// What lies on the table in the current trick; a pull may have sent cards back.
fn table(view: &View) -> impl DoubleEndedIterator<Item = &Play> {
    let plays = view.tricks.last().map_or(&[][..], |trick| &trick.plays);
    plays.iter().filter(|play| !play.returned)
}

/// Whether the lead or the last beat was laid by the other seat of the own team.
fn is_partner_winning(view: &View) -> bool {
    let winning = table(view).rfind(|play| play.kind() != MoveKind::Discard);
    winning.is_some_and(|play| play.seat % 2 == view.seat % 2)
}

fn suit(card: i32) -> i32 {
    (card - 1) / RANKS
}

fn rank(card: i32) -> i32 {
    (card - 1) % RANKS
}

fn points(cards: &[i32]) -> i32 {
    cards.iter().map(|&card| POINTS[rank(card) as usize]).sum()
}

#[cfg(test)]
mod tests;

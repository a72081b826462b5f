//! Positions worked out by hand, and what the strategy must play there.

use super::choose_move;
use crate::arena::proto::{Card, Move, MoveKind, Play, Trick, View};

/// What seat 2 plays, spades being trump.
fn chosen(hand: &str, table: Vec<Play>, legal: &[Move]) -> Move {
    let view = View {
        seat: 2,
        indicator: Card::Card9s as i32,
        hand: cards(hand),
        tricks: vec![Trick {
            plays: table,
            ..Trick::default()
        }],
        ..View::default()
    };
    choose_move(&view, legal).clone()
}

#[test]
fn two_high_cards_of_a_suit_are_led_together() {
    let legal = [
        lead("KC"),
        lead("AC"),
        lead("KC AC"),
        lead("6D"),
        lead("7H"),
    ];
    assert_eq!(chosen("KC AC 6D 7H", vec![], &legal), lead("KC AC"));
}

#[test]
fn a_low_trump_catches_an_ace_of_the_opponents() {
    let table = vec![play(1, lead("AC"))];
    let legal = [beat("6S"), discard("7D"), discard("6S")];
    assert_eq!(chosen("7D 6S", table, &legal), beat("6S"));
}

#[test]
fn the_partner_is_given_points_when_nobody_is_left_to_beat() {
    let table = vec![
        play(3, lead("6C")),
        play(0, beat("AC")),
        play(1, discard("")),
    ];
    let legal = [discard("10D"), discard("6H")];
    assert_eq!(chosen("10D 6H", table, &legal), discard("10D"));
}

#[test]
fn but_not_while_an_opponent_may_still_beat() {
    let table = vec![play(0, lead("AC")), play(1, discard(""))];
    let legal = [discard("10D"), discard("6H")];
    assert_eq!(chosen("10D 6H", table, &legal), discard("6H"));
}

#[test]
fn what_a_pull_sent_back_does_not_count() {
    // The partner pulled; seat 3, whose lead went back, is still to play, so a discard may be lost.
    let sent_back = Play {
        returned: true,
        ..play(3, lead("6C"))
    };
    let table = vec![
        sent_back,
        play(0, pull("6H 7H 8H 9H")),
        play(1, discard("")),
    ];
    let hand = "JS QS KS 10S";
    assert_eq!(
        chosen(hand, table, &[beat(hand), discard(hand)]),
        beat(hand)
    );
}

#[test]
fn a_pull_is_taken() {
    let legal = [pull("6C 7C 8C 9C"), with_cards(MoveKind::Pass, "")];
    assert_eq!(chosen("6C 7C 8C 9C", vec![], &legal), pull("6C 7C 8C 9C"));
}

#[test]
fn of_equal_moves_the_first_is_played() {
    assert_eq!(
        chosen("6C 6D", vec![], &[lead("6C"), lead("6D")]),
        lead("6C")
    );
    assert_eq!(
        chosen("6C 6D", vec![], &[lead("6D"), lead("6C")]),
        lead("6D")
    );
}

fn cards(names: &str) -> Vec<i32> {
    let number =
        |name| Card::from_str_name(&format!("CARD_{name}")).expect("the name of a card") as i32;
    names.split_whitespace().map(number).collect()
}

fn with_cards(kind: MoveKind, names: &str) -> Move {
    Move {
        kind: kind as i32,
        cards: cards(names),
    }
}

fn lead(names: &str) -> Move {
    with_cards(MoveKind::Lead, names)
}

fn beat(names: &str) -> Move {
    with_cards(MoveKind::Beat, names)
}

fn discard(names: &str) -> Move {
    with_cards(MoveKind::Discard, names)
}

fn pull(names: &str) -> Move {
    with_cards(MoveKind::Pull, names)
}

fn play(seat: u32, laid: Move) -> Play {
    Play {
        seat,
        kind: laid.kind,
        cards: laid.cards,
        ..Play::default()
    }
}

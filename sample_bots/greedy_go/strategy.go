package main

import (
	"slices"

	"bot/arena"
	arenav1 "bot/arena/v1"
)

// The strategy: give every legal move a score and play the best one. Whole numbers only, nothing is remembered.

// What a hand is worth more for each trump.
const trumpBonus = 12

// What it is worth to beat, for each card of the trick.
const beatBonus = 10

// What a hand is worth more when so many of its cards are of one suit: they can be led together.
var groupBonus = [...]int{0, 0, 8, 24, 48}

// What it is worth to lead so many cards: the more, the harder they are to beat.
var leadBonus = [...]int{0, 0, 20, 80, 160}

// chooseMove returns the legal move with the highest score; of several, the one that comes first.
func chooseMove(view *arenav1.View, legal []*arenav1.Move) *arenav1.Move {
	best, bestScore := legal[0], score(view, legal[0])
	for _, move := range legal[1:] {
		if s := score(view, move); s > bestScore {
			best, bestScore = move, s
		}
	}
	return best
}

// score says how good a move looks.
func score(view *arenav1.View, move *arenav1.Move) int {
	switch move.GetKind() {
	case arenav1.MoveKind_MOVE_KIND_PULL:
		return 1
	case arenav1.MoveKind_MOVE_KIND_PASS:
		return 0
	}

	cards := move.GetCards()
	points := arena.Points(cards)
	trump := arena.Suit(view.GetIndicator())
	lost := worth(view.GetHand(), trump) - worth(without(view.GetHand(), cards), trump)
	if move.GetKind() == arenav1.MoveKind_MOVE_KIND_LEAD {
		return leadBonus[len(cards)] + points - lost
	}

	// What lies on the table: the current trick, without what a pull has sent back.
	var winning *arenav1.Play // the lead or the last beat; a discard never wins
	laid, caught := 0, 0      // plays, and card points that can be seen: hidden discards have no cards here
	for _, play := range view.GetTricks()[len(view.GetTricks())-1].GetPlays() {
		if play.GetReturned() {
			continue
		}
		laid++
		caught += arena.Points(play.GetCards())
		if play.GetKind() != arenav1.MoveKind_MOVE_KIND_DISCARD {
			winning = play
		}
	}
	partnerIsWinning := winning != nil && winning.GetSeat()%2 == view.GetSeat()%2
	isLast := laid == 3
	isBeat := move.GetKind() == arenav1.MoveKind_MOVE_KIND_BEAT

	switch {
	case isBeat && partnerIsWinning:
		return points - lost
	case isBeat:
		return beatBonus*len(cards) + points + caught - lost
	case !partnerIsWinning: // the points go to the opponents
		return -points - lost
	case isLast: // the points go to the partner, for sure
		return 2*points - lost
	default: // or perhaps
		return -lost
	}
}

// worth is what a hand is worth to keep: its ranks, its trumps, and the most cards it has of one suit.
func worth(hand []arenav1.Card, trump int) int {
	ranks := 0
	var bySuit [4]int
	for _, card := range hand {
		ranks += arena.Rank(card)
		bySuit[arena.Suit(card)]++
	}
	return ranks + trumpBonus*bySuit[trump] + groupBonus[slices.Max(bySuit[:])]
}

// without returns the cards of a hand that are not among those played.
func without(hand, played []arenav1.Card) []arenav1.Card {
	var kept []arenav1.Card
	for _, card := range hand {
		if !slices.Contains(played, card) {
			kept = append(kept, card)
		}
	}
	return kept
}

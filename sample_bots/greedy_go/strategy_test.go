package main

import (
	"strings"
	"testing"

	arenav1 "bot/arena/v1"
)

// Positions worked out by hand. `go test .` runs them, without a referee.
func TestChooseMove(t *testing.T) {
	for _, test := range []struct {
		name  string
		hand  string
		table []*arenav1.Play
		legal []*arenav1.Move
		want  int // the index of the move in legal
	}{
		{
			name:  "two high cards of a suit are led together",
			hand:  "KC AC 6D 7H",
			legal: []*arenav1.Move{move("LEAD", "6D"), move("LEAD", "KC"), move("LEAD", "AC"), move("LEAD", "KC AC")},
			want:  3,
		},
		{
			name:  "a low trump catches an ace of the opponents",
			hand:  "7D 6S",
			table: []*arenav1.Play{play(1, "LEAD", "AC")},
			legal: []*arenav1.Move{move("DISCARD", "7D"), move("BEAT", "6S"), move("DISCARD", "6S")},
			want:  1,
		},
		{
			name:  "the partner is given points when nobody can take them any more",
			hand:  "10D 6H",
			table: []*arenav1.Play{play(3, "LEAD", "6C"), play(0, "BEAT", "AC"), play(1, "DISCARD", "")},
			legal: []*arenav1.Move{move("DISCARD", "6H"), move("DISCARD", "10D")},
			want:  1,
		},
		{
			name:  "but not while an opponent may still beat",
			hand:  "10D 6H",
			table: []*arenav1.Play{play(0, "LEAD", "AC"), play(1, "DISCARD", "")},
			legal: []*arenav1.Move{move("DISCARD", "10D"), move("DISCARD", "6H")},
			want:  1,
		},
		{
			name:  "a pull is taken",
			hand:  "6C 7C 8C 9C",
			legal: []*arenav1.Move{move("PASS", ""), move("PULL", "6C 7C 8C 9C")},
			want:  1,
		},
		{
			name:  "of equal moves the first",
			hand:  "6C 6D",
			legal: []*arenav1.Move{move("LEAD", "6C"), move("LEAD", "6D")},
			want:  0,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			// What seat 2 sees, spades being trump.
			view := &arenav1.View{
				Seat:      2,
				Indicator: arenav1.Card_CARD_9S,
				Hand:      cards(test.hand),
				Tricks:    []*arenav1.Trick{{Plays: test.table}},
			}
			if got, want := chooseMove(view, test.legal), test.legal[test.want]; got != want {
				t.Errorf("chose %v, want %v", got, want)
			}
		})
	}
}

func cards(names string) []arenav1.Card {
	var found []arenav1.Card
	for _, name := range strings.Fields(names) {
		found = append(found, arenav1.Card(arenav1.Card_value["CARD_"+name]))
	}
	return found
}

func kind(name string) arenav1.MoveKind {
	return arenav1.MoveKind(arenav1.MoveKind_value["MOVE_KIND_"+name])
}

func move(kindName, cardNames string) *arenav1.Move {
	return &arenav1.Move{Kind: kind(kindName), Cards: cards(cardNames)}
}

func play(seat uint32, kindName, cardNames string) *arenav1.Play {
	return &arenav1.Play{Seat: seat, Kind: kind(kindName), Cards: cards(cardNames)}
}

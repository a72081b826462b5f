package arena

import arenav1 "bot/arena/v1"

// A card's number is suit*9 + rank + 1: the suits are C D H S, the ranks from low to high 6 7 8 9 J Q K 10 A.
const ranks = 9

var pointsByRank = [ranks]int{0, 0, 0, 0, 2, 3, 4, 10, 11}

// Rank is 0 for a six, up to 8 for an ace; the ten (7) is above the king (6).
func Rank(card arenav1.Card) int { return (int(card) - 1) % ranks }

// Suit is 0 for clubs, 1 for diamonds, 2 for hearts, 3 for spades.
func Suit(card arenav1.Card) int { return (int(card) - 1) / ranks }

// Points is what these cards count together when the game is scored.
func Points(cards []arenav1.Card) int {
	sum := 0
	for _, card := range cards {
		sum += pointsByRank[Rank(card)]
	}
	return sum
}

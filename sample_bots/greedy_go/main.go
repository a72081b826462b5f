// A bot for Kozel on 4 cards. This file connects the strategy to the referee.
package main

import (
	"log"
	"runtime"

	"bot/arena"
	arenav1 "bot/arena/v1"
)

// greedy looks at the table, at its hand and no further.
type greedy struct {
	arena.Base
}

func (greedy) Choose(turn *arenav1.Turn) *arenav1.Move {
	return chooseMove(turn.GetView(), turn.GetLegal())
}

func main() {
	log.SetFlags(0)
	// A bot may have few threads and one core's worth of time; on a large machine Go would start many more.
	runtime.GOMAXPROCS(2)
	if err := arena.Play("greedy", greedy{}); err != nil {
		log.Fatal(err)
	}
}

// The entry: connects the strategy to the referee.

import { Bot, play } from './arena/client.js';
import { chooseMove } from './strategy.js';

class Greedy extends Bot {
  choose(turn) {
    return chooseMove(turn.view, turn.legal);
  }
}

play(new Greedy());

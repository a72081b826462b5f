// Positions worked out by hand. `npm test` runs them, without a referee.

import assert from 'node:assert/strict';
import test from 'node:test';

import { MoveKind } from './arena/cards.js';
import { chooseMove } from './strategy.js';

/** cards('6C 10H') is [1, 26]. */
const cards = (names) =>
  names.split(' ').map((name) => {
    const rank = ['6', '7', '8', '9', 'J', 'Q', 'K', '10', 'A'].indexOf(name.slice(0, -1));
    return 'CDHS'.indexOf(name.at(-1)) * 9 + rank + 1;
  });
const move = (kind, names) => ({ kind: MoveKind[kind], cards: names ? cards(names) : [] });
const play = (seat, kind, names) => ({ seat, ...move(kind, names), returned: false });
/** What seat 2 sees, spades being trump. */
const view = (hand, plays = []) => ({ seat: 2, indicator: cards('9S')[0], hand: cards(hand), tricks: [{ plays }] });

test('two high cards of a suit are led together', () => {
  const legal = [move('LEAD', '6D'), move('LEAD', 'KC'), move('LEAD', 'AC'), move('LEAD', 'KC AC')];
  assert.equal(chooseMove(view('KC AC 6D 7H'), legal), legal[3]);
});

test('a low trump catches an ace of the opponents', () => {
  const legal = [move('BEAT', '6S'), move('DISCARD', '7D'), move('DISCARD', '6S')];
  assert.equal(chooseMove(view('7D 6S', [play(1, 'LEAD', 'AC')]), legal), legal[0]);
});

test('the partner is given points when nobody can take them any more', () => {
  const legal = [move('DISCARD', '10D'), move('DISCARD', '6H')];
  const partnerIsWinning = [play(3, 'LEAD', '6C'), play(0, 'BEAT', 'AC'), play(1, 'DISCARD', '')];
  assert.equal(chooseMove(view('10D 6H', partnerIsWinning), legal), legal[0]);
  const opponentMayStillBeat = [play(0, 'LEAD', 'AC'), play(1, 'DISCARD', '')];
  assert.equal(chooseMove(view('10D 6H', opponentMayStillBeat), legal), legal[1]);
});

test('a pull is taken, and of equal moves the first', () => {
  const pull = [move('PULL', '6C 7C 8C 9C'), move('PASS')];
  assert.equal(chooseMove(view('6C 7C 8C 9C'), pull), pull[0]);
  const equal = [move('LEAD', '6C'), move('LEAD', '6D')];
  assert.equal(chooseMove(view('6C 6D'), equal), equal[0]);
});

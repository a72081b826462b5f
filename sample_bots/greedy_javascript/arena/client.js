// The conversation with the referee: connect, greet, answer every turn until the referee ends the call.
// Nothing here is about how to play; a new bot can keep this file as it is.

import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const PROTOCOL_VERSIONS = [1];

// Messages are plain objects with the fields of bot.proto in camelCase, such as turn.view.handCounts.
const PROTO = fileURLToPath(new URL('../proto/arena/v1/bot.proto', import.meta.url));
const AS_OBJECTS = {
  defaults: true, // a field with the value 0, '' or [] is not sent: put it there all the same
  oneofs: true, // message.body is the name of the field that is set, such as 'turn'
  enums: Number, // cards and kinds of move are numbers, see cards.js
};

/** A bot: one method to write, three more that may be. An error that leaves any of them ends the program: a crash. */
export class Bot {
  /** Returns the move to play: one of turn.legal. It has turn.moveMs, plus what it takes from turn.bankMs. */
  choose(turn) {
    throw new Error(`${this.constructor.name} has no method choose(turn)`);
  }

  /** A match begins; start has seat, teams, rules and time. */
  matchStart(start) {}

  /** A game has ended; result has cardPoints, tricks, defeatPoints and more. */
  gameEnd(result) {}

  /** A match has ended; another one may begin. */
  matchEnd(result) {}
}

/**
 * Plays until the referee ends the call. The program exits by itself then: with 0 when the referee is done with it, with 1
 * and a line on stderr when the referee refused it or is not there.
 */
export function play(bot) {
  const address = process.env.ARENA_ADDRESS;
  if (!address) {
    fail('ARENA_ADDRESS is not set: this program is a bot and is started by the arena, e.g. with a tournament file');
    return;
  }
  // The path of a socket is written as in a URL, and grpc-js takes it as it is.
  const target = address.startsWith('unix:') ? decodeURIComponent(address) : address;
  const { Referee } = grpc.loadPackageDefinition(loadSync(PROTO, AS_OBJECTS)).arena.v1;
  const referee = new Referee(target, grpc.credentials.createInsecure(), {
    'grpc.enable_http_proxy': 0, // the referee is on this machine: a proxy in the environment is not for it
  });
  const metadata = new grpc.Metadata();
  metadata.set('arena-token', process.env.ARENA_TOKEN ?? '');

  const call = referee.play(metadata);
  call.on('data', (message) => handle(message, bot, call));
  call.on('error', (error) => fail(`the referee ended the call: ${error.message}`));
  call.on('status', () => referee.close());
  const language = `node ${process.versions.node}`;
  call.write({ hello: { versions: PROTOCOL_VERSIONS, name: bot.constructor.name, language } });
}

async function handle(message, bot, call) {
  switch (message.body) {
    case 'turn': {
      const move = await bot.choose(message.turn);
      call.write({ answer: { turn: message.turn.number, move } });
      break;
    }
    case 'matchStart':
      bot.matchStart(message.matchStart);
      break;
    case 'gameResult':
      bot.gameEnd(message.gameResult);
      break;
    case 'matchResult':
      bot.matchEnd(message.matchResult);
      break;
    case 'fault': {
      const { faults, maxFaults, turn, reason } = message.fault;
      console.error(`fault ${faults} of ${maxFaults}, turn ${turn}: ${reason}`);
      break;
    }
    default: // the welcome, or something that a later version of the protocol brought: nothing to do
  }
}

function fail(line) {
  console.error(line);
  process.exitCode = 1;
}

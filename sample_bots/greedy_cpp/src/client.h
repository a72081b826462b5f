// The client: dials the referee, says hello, answers turns until the referee ends the call.
//
// Nothing here knows how to play. A bot derives from Bot and calls serve.

#pragma once

#include <string>

#include "arena/v1/bot.pb.h"  // made from proto/arena/v1/bot.proto, which says what each field means

namespace arena {

// A player. Only choose() has to be written.
class Bot {
public:
    virtual ~Bot() = default;

    // The answer to a turn: one of turn.legal().
    virtual v1::Move choose(const v1::Turn& turn) = 0;

    // A match begins. The values here stay the same for all of it.
    virtual void match_start(const v1::MatchStart&) {}

    // A game has ended; the next one of the match may follow.
    virtual void game_end(const v1::GameResult&) {}

    // The match has ended; another one may follow.
    virtual void match_end(const v1::MatchResult&) {}
};

// Plays until the referee ends the call. The result is the exit code: 0 when the referee is done with us.
int serve(const std::string& name, Bot& bot);

}  // namespace arena

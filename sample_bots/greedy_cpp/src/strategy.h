// The strategy; strategy.cpp is the file to change.

#pragma once

#include "arena/v1/bot.pb.h"

// The legal move with the highest score; of several, the one that comes first in `legal`.
const arena::v1::Move& choose_move(const arena::v1::View& view,
                                   const google::protobuf::RepeatedPtrField<arena::v1::Move>& legal);

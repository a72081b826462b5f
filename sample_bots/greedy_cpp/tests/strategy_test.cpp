// Positions worked out by hand, and what the strategy must play there. `make test` runs them, without a referee.

#include "strategy.h"

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace arena::v1;

namespace {

template <typename Message>
Message with_cards(MoveKind kind, const std::string& names) {
    Message message;
    message.set_kind(kind);
    std::istringstream words(names);
    for (std::string word; words >> word;) {
        Card card = CARD_UNSPECIFIED;
        Card_Parse("CARD_" + word, &card);
        message.add_cards(card);
    }
    return message;
}

Move lead(const std::string& names) { return with_cards<Move>(MOVE_KIND_LEAD, names); }
Move beat(const std::string& names) { return with_cards<Move>(MOVE_KIND_BEAT, names); }
Move discard(const std::string& names) { return with_cards<Move>(MOVE_KIND_DISCARD, names); }
Move pull(const std::string& names) { return with_cards<Move>(MOVE_KIND_PULL, names); }
Move pass() { return with_cards<Move>(MOVE_KIND_PASS, ""); }

Play play(int seat, const Move& move, bool is_returned = false) {
    Play laid;
    laid.set_seat(seat);
    laid.set_kind(move.kind());
    *laid.mutable_cards() = move.cards();
    laid.set_returned(is_returned);
    return laid;
}

int failures = 0;

// What seat 2 must play, spades being trump; legal: the moves to choose from, wanted: the index of the right one.
void expect(const std::string& what, const std::string& hand, const std::vector<Play>& table,
            const std::vector<Move>& legal, int wanted) {
    View view;
    view.set_seat(2);
    view.set_indicator(CARD_9S);
    *view.mutable_hand() = lead(hand).cards();
    Trick* trick = view.add_tricks();
    for (const Play& laid : table) *trick->add_plays() = laid;
    google::protobuf::RepeatedPtrField<Move> moves(legal.begin(), legal.end());

    const Move& chosen = choose_move(view, moves);
    if (&chosen == &moves[wanted]) return;
    ++failures;
    std::cerr << what << ": chose " << chosen.ShortDebugString() << "\n";
}

}  // namespace

int main() {
    expect("two high cards of a suit are led together", "KC AC 6D 7H", {},
           {lead("KC"), lead("AC"), lead("KC AC"), lead("6D"), lead("7H")}, 2);
    expect("a low trump catches an ace of the opponents", "7D 6S", {play(1, lead("AC"))},
           {beat("6S"), discard("7D"), discard("6S")}, 0);
    expect("the partner is given points when nobody is left to beat", "10D 6H",
           {play(3, lead("6C")), play(0, beat("AC")), play(1, discard(""))}, {discard("10D"), discard("6H")}, 0);
    expect("but not while an opponent may still beat", "10D 6H", {play(0, lead("AC")), play(1, discard(""))},
           {discard("10D"), discard("6H")}, 1);
    expect("what a pull sent back does not count", "JS QS KS 10S",
           {play(3, lead("6C"), true), play(0, pull("6H 7H 8H 9H")), play(1, discard(""))},
           {beat("JS QS KS 10S"), discard("JS QS KS 10S")}, 0);
    expect("a pull is taken", "6C 7C 8C 9C", {}, {pull("6C 7C 8C 9C"), pass()}, 0);
    expect("of equal moves the first", "6C 6D", {}, {lead("6C"), lead("6D")}, 0);
    expect("of equal moves the first, whichever it is", "6C 6D", {}, {lead("6D"), lead("6C")}, 0);
    if (failures == 0) std::cout << "the strategy plays all positions right\n";
    return failures == 0 ? 0 : 1;
}

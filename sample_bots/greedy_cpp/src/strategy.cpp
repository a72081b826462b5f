// Give every legal move a score, play the best one. Integers only, nothing is remembered.
//
// A card is a number: suit * 9 + rank + 1, suits 0..3 (clubs, diamonds, hearts, spades), ranks 0..8 (6 7 8 9 J Q K 10 A).

#include "strategy.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace arena::v1;

namespace {

using Cards = std::vector<int>;

constexpr int kRanks = 9;
constexpr int kPoints[kRanks] = {0, 0, 0, 0, 2, 3, 4, 10, 11};  // by rank

constexpr int kTrumpBonus = 12;
// What a hand is worth more when so many of its cards are of one suit: they can be led together.
constexpr int kGroupBonus[] = {0, 0, 8, 24, 48};
// What it is worth to lead so many cards: the more, the harder they are to beat.
constexpr int kLeadBonus[] = {0, 0, 20, 80, 160};
// What it is worth to beat, for each card of the trick.
constexpr int kBeatBonus = 10;

int suit(int card) { return (card - 1) / kRanks; }
int rank(int card) { return (card - 1) % kRanks; }

int points(const Cards& cards) {
    int sum = 0;
    for (int card : cards) sum += kPoints[rank(card)];
    return sum;
}

// protobuf's lists of enumerators as lists of plain numbers.
template <typename List>
Cards cards_of(const List& list) {
    return Cards(list.begin(), list.end());
}

// What a hand is worth to keep: its ranks, its trumps, and the most cards it has of one suit.
int worth(const Cards& hand, int trump) {
    int ranks = 0;
    std::array<int, 4> in_suit{};
    for (int card : hand) {
        ranks += rank(card);
        ++in_suit[suit(card)];
    }
    const int longest = *std::max_element(in_suit.begin(), in_suit.end());
    return ranks + kTrumpBonus * in_suit[trump] + kGroupBonus[longest];
}

// What lies on the table in the current trick; a pull may have sent cards back.
std::vector<Play> table(const View& view) {
    std::vector<Play> plays;
    if (view.tricks().empty()) return plays;
    for (const Play& play : view.tricks().rbegin()->plays()) {
        if (!play.returned()) plays.push_back(play);
    }
    return plays;
}

// Whether the lead or the last beat was laid by the other seat of the own team.
bool is_partner_winning(const std::vector<Play>& table, const View& view) {
    const auto winning = std::find_if(table.rbegin(), table.rend(),
                                      [](const Play& play) { return play.kind() != MOVE_KIND_DISCARD; });
    return winning != table.rend() && winning->seat() % 2 == view.seat() % 2;
}

// How good a move looks.
int score(const View& view, const Move& move) {
    if (move.kind() == MOVE_KIND_PULL) return 1;
    if (move.kind() == MOVE_KIND_PASS) return 0;

    const Cards cards = cards_of(move.cards());
    const int count = static_cast<int>(cards.size());
    const int trump = suit(view.indicator());
    const Cards hand = cards_of(view.hand());
    Cards rest;
    for (int card : hand) {
        if (std::find(cards.begin(), cards.end(), card) == cards.end()) rest.push_back(card);
    }
    const int lost = worth(hand, trump) - worth(rest, trump);
    if (move.kind() == MOVE_KIND_LEAD) return kLeadBonus[count] + points(cards) - lost;

    const std::vector<Play> on_table = table(view);
    const bool is_partners = is_partner_winning(on_table, view);
    if (move.kind() == MOVE_KIND_BEAT) {
        if (is_partners) return points(cards) - lost;
        int to_win = 0;
        for (const Play& play : on_table) to_win += points(cards_of(play.cards()));
        return kBeatBonus * count + points(cards) + to_win - lost;
    }
    if (!is_partners) return -points(cards) - lost;             // the points go to the opponents
    return on_table.size() == 3 ? 2 * points(cards) - lost      // for sure to the partner
                                : -lost;                        // perhaps to the partner
}

}  // namespace

const Move& choose_move(const View& view, const google::protobuf::RepeatedPtrField<Move>& legal) {
    // max_element takes the first of several.
    return *std::max_element(legal.begin(), legal.end(), [&view](const Move& left, const Move& right) {
        return score(view, left) < score(view, right);
    });
}

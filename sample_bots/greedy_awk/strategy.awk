# Reads turns, a line each, and writes for each the legal move with the highest score; of several, the one that comes first.
# This is the part to change for a better bot.
#
# A turn, here on several lines (docs/protocol.md has every field):
#
#   {"turn":{"number":7,
#     "legal":[{"kind":"MOVE_KIND_BEAT","cards":["CARD_7S"]},{"kind":"MOVE_KIND_DISCARD","cards":["CARD_6C"]},...],
#     "moveMs":1000,"bankMs":20000,
#     "view":{"seat":2,"dealer":0,"indicator":"CARD_9S","hand":["CARD_6C","CARD_7S",...],...,
#       "tricks":[...,{"leader":1,"plays":[{"seat":1,"kind":"MOVE_KIND_LEAD","count":1,"cards":["CARD_AH"],"returned":false}]}]},
#     "score":{...}}}
#
# The bridge writes no space and keeps this order, so the parts are found by what stands before and after them. Below, cards
# are a text such as "6C 10H": the suit is the last letter, the rank is what stands before it.

BEGIN {
    count = split("6 7 8 9 J Q K 10 A", name, " ") # from low to high
    split("0 0 0 0 2 3 4 10 11", value, " ")
    for (i = 1; i <= count; i++) {
        RANK[name[i]] = i - 1
        POINTS[name[i]] = value[i]
    }
    TRUMP_BONUS = 12
    split("0 8 24 48", GROUP_BONUS, " ")  # for a hand with so many cards of one suit: they can be led together
    split("0 20 80 160", LEAD_BONUS, " ") # for leading so many cards: the more, the harder they are to beat
    BEAT_BONUS = 10                       # for each card of a trick that is beaten
}

{
    read_view()
    count = split(between($0, "\"legal\":[{", "}],\"moveMs\""), move, "[}],[{]")
    best = 0
    for (i = 1; i <= count; i++) {
        points = score(between(move[i], "\"MOVE_KIND_", "\""), cards_in(move[i]))
        if (best == 0 || points > best_points) {
            best = i
            best_points = points
        }
    }
    if (best == 0) {
        print "no legal move found in: " $0 | "cat 1>&2"
        exit 1
    }
    print "{" move[best] "}"
}

# Takes from the line what the strategy wants to know of the game: seat, hand, trump, and the current trick.
function read_view(   trick, count, play, i, kind) {
    seat = between($0, "\"view\":{\"seat\":", ",")
    trump = suit(between($0, "\"indicator\":\"CARD_", "\""))
    hand = cards_in(substr($0, index($0, "\"hand\":[")))
    laid = 0   # how many have laid cards to this trick
    caught = 0 # the points of those that can be seen
    winner = 0 # the seat that is winning it
    count = split($0, trick, "\"leader\":") # the current trick is the last one
    count = split(between(trick[count], "\"plays\":[{", "}]"), play, "[}],[{]")
    for (i = 1; i <= count; i++) {
        if (index(play[i], "\"returned\":true"))
            continue # a pull has sent it back
        kind = between(play[i], "\"MOVE_KIND_", "\"")
        laid++
        caught += points_of(cards_in(play[i])) # 0 for a discard that lies face down
        if (kind != "DISCARD")
            winner = between(play[i], "\"seat\":", ",")
    }
}

# How good a move looks.
function score(kind, cards,   apart, count, lost, points, partner_wins) {
    if (kind == "PULL")
        return 1
    if (kind == "PASS")
        return 0
    count = split(cards, apart, " ")
    lost = worth(hand) - worth(without(hand, cards))
    points = points_of(cards)
    if (kind == "LEAD")
        return LEAD_BONUS[count] + points - lost
    partner_wins = (winner + seat) % 2 == 0
    if (kind == "BEAT")
        return partner_wins ? points - lost : BEAT_BONUS * count + points + caught - lost
    if (!partner_wins)
        return -points - lost # the points go to the opponents
    return laid == 3 ? 2 * points - lost : -lost # for sure to the partner, or perhaps
}

# What a hand is worth to keep: its ranks, its trumps, and the most cards it has of one suit.
function worth(cards,   card, count, i, total, held, longest) {
    count = split(cards, card, " ")
    for (i = 1; i <= count; i++) {
        total += RANK[rank(card[i])] + (suit(card[i]) == trump ? TRUMP_BONUS : 0)
        if (++held[suit(card[i])] > longest)
            longest = held[suit(card[i])]
    }
    return count ? total + GROUP_BONUS[longest] : 0
}

function points_of(cards,   card, count, i, total) {
    count = split(cards, card, " ")
    total = 0
    for (i = 1; i <= count; i++)
        total += POINTS[rank(card[i])]
    return total
}

# The cards of a hand that are not among these.
function without(hand, cards,   card, count, i, kept) {
    count = split(hand, card, " ")
    kept = ""
    for (i = 1; i <= count; i++)
        if (!index(" " cards " ", " " card[i] " "))
            kept = kept " " card[i]
    return kept
}

function suit(card) {
    return substr(card, length(card))
}

function rank(card) {
    return substr(card, 1, length(card) - 1)
}

# The first list of cards in a text: 6C 10H for ...["CARD_6C","CARD_10H"]...
function cards_in(text) {
    text = between(text, "[", "]")
    gsub(/"CARD_/, "", text)
    gsub(/"/, "", text)
    gsub(/,/, " ", text)
    return text
}

# What stands in a text between two marks; nothing when they are not there.
function between(text, before, after,   at) {
    at = index(text, before)
    if (at == 0)
        return ""
    text = substr(text, at + length(before))
    return substr(text, 1, index(text, after) - 1)
}

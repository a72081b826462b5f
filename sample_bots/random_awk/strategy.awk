# Reads a turn and writes one of its legal moves, each equally often. This is the part to change for a better bot.
#
# The line goes {"turn":{"number":7,"legal":[{"kind":"MOVE_KIND_LEAD","cards":["CARD_6C"]},{...}],"moveMs":1000,...}}
# A move has neither a bracket nor a brace inside but those of its own cards, so it ends with the first "]}".

{
    srand(seed)
    rand() # the first number after a seed is much like that of its neighbours

    rest = substr($0, index($0, "\"legal\":[") + length("\"legal\":["))
    count = 0
    while (substr(rest, 1, 1) == "{") {
        end = index(rest, "]}") + 1
        move[++count] = substr(rest, 1, end)
        rest = substr(rest, end + 1)
        sub(/^,/, "", rest)
    }
    if (count == 0) {
        print "no legal move found in: " $0 | "cat 1>&2"
        exit 1
    }
    print move[1 + int(rand() * count)]
}

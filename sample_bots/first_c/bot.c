/* A bot for Kozel on 4 cards: one JSON line a turn on stdin, one with the move on stdout. C99 and nothing else. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE (256 * 1024) /* a turn has a few KiB */
#define MAX_MOVES 64          /* four cards can be laid in 15 ways, to beat or to discard */

/* One legal move: its JSON text, which lies in the line and does not end with a NUL. */
struct move {
    const char *text;
    size_t length;
};

/* Which of the moves to play, 0 to count - 1. The first one is legal, and no more can be said for it: change this. */
static size_t choose(const char *turn, const struct move *moves, size_t count) {
    (void)turn;  /* the whole line: the hand, the trump, the tricks and the time are in it */
    (void)moves;
    (void)count; /* at least 1 */
    return 0;
}

/*
 * Finds the moves in ..."legal":[{"kind":"MOVE_KIND_LEAD","cards":["CARD_6C"]},{...}],"moveMs":... and returns how many
 * there are, 0 when the line is not what we know. The bridge writes no space between tokens, and a move has no list but
 * its cards, so it ends with the first "]}".
 */
static size_t find_moves(const char *line, struct move *moves) {
    const char *key = "\"legal\":[";
    const char *at = strstr(line, key);
    size_t count = 0;

    if (at == NULL)
        return 0;
    at += strlen(key);
    while (*at == '{' && count < MAX_MOVES) {
        const char *end = strstr(at, "]}");
        if (end == NULL)
            return 0;
        end += 2;
        moves[count].text = at;
        moves[count].length = (size_t)(end - at);
        count++;
        at = *end == ',' ? end + 1 : end;
    }
    return count;
}

int main(void) {
    static char line[MAX_LINE];
    struct move moves[MAX_MOVES];
    const char *start = "{\"turn\":{";

    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t count, chosen;

        if (strchr(line, '\n') == NULL) {
            fputs("a line is longer than I can read\n", stderr);
            return EXIT_FAILURE;
        }
        if (strncmp(line, start, strlen(start)) != 0)
            continue; /* something that needs no answer */
        count = find_moves(line, moves);
        if (count == 0) {
            fputs("a turn has no legal moves that I can find\n", stderr);
            return EXIT_FAILURE;
        }
        chosen = choose(line, moves, count);
        printf("%.*s\n", (int)moves[chosen].length, moves[chosen].text);
        fflush(stdout); /* else the answer waits in our buffer, and is late */
    }
    return EXIT_SUCCESS; /* the referee is done with us */
}

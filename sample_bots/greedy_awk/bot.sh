#!/bin/sh
# A bot for Kozel on 4 cards: one JSON line a turn on stdin, one with the move on stdout.
#
# The shell picks out the lines with a turn, and awk answers each. One awk could read all lines by itself, but POSIX lets it
# wait until its buffer is full, and mawk does: the first turn would never be answered.

while IFS= read -r line; do
    case $line in
    '{"turn":{'*) printf '%s\n' "$line" | awk -f strategy.awk || exit 1 ;;
    esac
done

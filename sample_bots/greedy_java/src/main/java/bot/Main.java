package bot;

import bot.arena.Client;

/** A bot for Kozel on 4 cards: connects the strategy to the referee. */
final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        Client.play("greedy", new Strategy());
    }
}

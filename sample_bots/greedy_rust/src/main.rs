//! The bot: what it does when the referee wants something.

mod arena;
mod strategy;

use std::process::ExitCode;

use arena::proto::{Move, Turn};

struct Greedy;

impl arena::Bot for Greedy {
    fn choose(&mut self, turn: &Turn) -> Move {
        let view = turn.view.as_ref().expect("every turn has a view");
        strategy::choose_move(view, &turn.legal).clone()
    }
}

fn main() -> ExitCode {
    arena::serve("greedy", Greedy)
}

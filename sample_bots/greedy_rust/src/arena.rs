//! The client: dials the referee, says hello, answers turns until the referee ends the call.
//!
//! Nothing here knows how to play. A bot implements [`Bot`] and calls [`serve`].

use std::env;
use std::error::Error;
use std::process::ExitCode;

use percent_encoding::percent_decode_str;
use tokio::runtime::Builder;
use tokio::sync::mpsc::unbounded_channel;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use proto::bot_message::Body as ToReferee;
use proto::referee_client::RefereeClient;
use proto::referee_message::Body as FromReferee;
use proto::{Answer, BotMessage, GameResult, Hello, MatchResult, MatchStart, Move, Turn};

/// The messages of proto/arena/v1/bot.proto, which says what each field means.
pub mod proto {
    #![allow(dead_code, clippy::all)] // no bot uses all of it, and nobody wrote it
    tonic::include_proto!("arena.v1");
}

const PROTOCOL_VERSION: u32 = 1;
const EXIT_NOT_STARTED_BY_ARENA: u8 = 2;
const EXIT_REFUSED: u8 = 3;

/// A player. Only `choose` has to be written.
pub trait Bot {
    /// The answer to a turn: one of `turn.legal`.
    fn choose(&mut self, turn: &Turn) -> Move;

    /// A match begins. The values here stay the same for all of it.
    fn match_start(&mut self, _start: &MatchStart) {}

    /// A game has ended; the next one of the match may follow.
    fn game_end(&mut self, _result: &GameResult) {}

    /// The match has ended; another one may follow.
    fn match_end(&mut self, _result: &MatchResult) {}
}

/// Plays until the referee ends the call. The result is for `main` to return: success when the referee is done with us.
pub fn serve(name: &str, bot: impl Bot) -> ExitCode {
    let Ok(address) = env::var("ARENA_ADDRESS") else {
        eprintln!("ARENA_ADDRESS is not set: this program is a bot and is started by the arena");
        return ExitCode::from(EXIT_NOT_STARTED_BY_ARENA);
    };
    let token = env::var("ARENA_TOKEN").unwrap_or_default();

    // All work happens on this one thread: a bot may have only a few, and its time is spent in `choose` anyway.
    let mut threads = Builder::new_current_thread();
    let runtime = threads.enable_all().build().expect("an event loop");
    match runtime.block_on(play(name, bot, &address, &token)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(EXIT_REFUSED)
        }
    }
}

async fn play(
    name: &str,
    mut bot: impl Bot,
    address: &str,
    token: &str,
) -> Result<(), Box<dyn Error>> {
    let channel = dial(address).await?;

    // What is put into `outgoing` goes to the referee. It must stay alive: dropping it would end our half of the call.
    let (outgoing, stream) = unbounded_channel();
    outgoing.send(message(ToReferee::Hello(Hello {
        versions: vec![PROTOCOL_VERSION],
        name: name.to_string(),
        language: "rust".to_string(),
    })))?;

    let mut request = Request::new(UnboundedReceiverStream::new(stream));
    request.metadata_mut().insert("arena-token", token.parse()?);
    let mut client = RefereeClient::new(channel);
    let mut messages = client.play(request).await.map_err(explain)?.into_inner();

    while let Some(received) = messages.message().await.map_err(explain)? {
        match received.body {
            Some(FromReferee::Turn(turn)) => {
                let answer = Answer {
                    turn: turn.number,
                    r#move: Some(bot.choose(&turn)),
                };
                // This fails when the call is over; the next read says why.
                let _ = outgoing.send(message(ToReferee::Answer(answer)));
            }
            Some(FromReferee::MatchStart(start)) => bot.match_start(&start),
            Some(FromReferee::GameResult(result)) => bot.game_end(&result),
            Some(FromReferee::MatchResult(result)) => bot.match_end(&result),
            Some(FromReferee::Fault(fault)) => {
                eprintln!(
                    "fault {} of {}, turn {}: {}",
                    fault.faults, fault.max_faults, fault.turn, fault.reason
                );
            }
            // The welcome, and messages that a newer referee may send.
            Some(FromReferee::Welcome(_)) | None => {}
        }
    }
    Ok(())
}

/// Opens a channel to a gRPC target: `unix:///path` or, where there are no such sockets, `127.0.0.1:port`.
async fn dial(address: &str) -> Result<Channel, Box<dyn Error>> {
    let uri = match address.strip_prefix("unix:") {
        // In a target a path is written as in a URI (%20 is a blank); tonic takes it as it is.
        Some(path) => format!("unix:{}", percent_decode_str(path).decode_utf8()?),
        None => format!("http://{address}"),
    };
    let channel = Endpoint::from_shared(uri)?.connect().await;
    channel.map_err(|error| format!("there is no referee at {address}: {error:?}").into())
}

fn message(body: ToReferee) -> BotMessage {
    BotMessage { body: Some(body) }
}

fn explain(status: Status) -> String {
    format!(
        "the referee ended the call: {:?}: {}",
        status.code(),
        status.message()
    )
}

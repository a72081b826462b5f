// Package arena is the conversation with the referee: connect, greet, answer every turn until the referee ends the call.
// Nothing here is about how to play; a new bot can keep this package as it is.
package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	arenav1 "bot/arena/v1"
)

var protocolVersions = []uint32{1}

// Bot is what plays. A panic in one of its methods ends the program: a crash.
type Bot interface {
	// Choose returns the move to play: one of turn.Legal. It has turn.MoveMs, plus what it takes from turn.BankMs.
	Choose(turn *arenav1.Turn) *arenav1.Move
	// MatchStart is called when a match begins, with the own seat, the teams, the rules and the clock.
	MatchStart(start *arenav1.MatchStart)
	// GameEnd is called when a game has ended.
	GameEnd(result *arenav1.GameResult)
	// MatchEnd is called when a match has ended; another one may begin.
	MatchEnd(result *arenav1.MatchResult)
}

// Base does nothing when something begins or ends. A bot that embeds it has only Choose to write.
type Base struct{}

func (Base) MatchStart(*arenav1.MatchStart) {}
func (Base) GameEnd(*arenav1.GameResult)    {}
func (Base) MatchEnd(*arenav1.MatchResult)  {}

// Play plays until the referee ends the call. It returns nil when the referee is done with the bot, and an error when
// the referee refused it or is not there. name is for the logs.
func Play(name string, bot Bot) error {
	address := os.Getenv("ARENA_ADDRESS")
	if address == "" {
		return errors.New("ARENA_ADDRESS is not set: this program is a bot and is started by the arena, e.g. with a tournament file")
	}
	connection, err := grpc.NewClient(
		address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithNoProxy(), // the referee is on this machine: a proxy in the environment is not for it
	)
	if err != nil {
		return fmt.Errorf("ARENA_ADDRESS=%q: %w", address, err)
	}
	defer connection.Close()

	ctx := metadata.AppendToOutgoingContext(context.Background(), "arena-token", os.Getenv("ARENA_TOKEN"))
	call, err := arenav1.NewRefereeClient(connection).Play(ctx)
	if err != nil {
		return refusal(err)
	}
	if err := greet(call, name); err != nil {
		return err
	}
	return answerTurns(call, bot)
}

type playCall = grpc.BidiStreamingClient[arenav1.BotMessage, arenav1.RefereeMessage]

func greet(call playCall, name string) error {
	hello := &arenav1.Hello{
		Versions: protocolVersions,
		Name:     name,
		Language: "go " + strings.TrimPrefix(runtime.Version(), "go"),
	}
	return send(call, &arenav1.BotMessage{Body: &arenav1.BotMessage_Hello{Hello: hello}})
}

func answerTurns(call playCall, bot Bot) error {
	for {
		message, err := call.Recv()
		if err == io.EOF { // the referee ended the call with OK
			return nil
		}
		if err != nil {
			return refusal(err)
		}
		switch body := message.GetBody().(type) {
		case *arenav1.RefereeMessage_Turn:
			answer := &arenav1.Answer{Turn: body.Turn.GetNumber(), Move: bot.Choose(body.Turn)}
			if err := send(call, &arenav1.BotMessage{Body: &arenav1.BotMessage_Answer{Answer: answer}}); err != nil {
				return err
			}
		case *arenav1.RefereeMessage_MatchStart:
			bot.MatchStart(body.MatchStart)
		case *arenav1.RefereeMessage_GameResult:
			bot.GameEnd(body.GameResult)
		case *arenav1.RefereeMessage_MatchResult:
			bot.MatchEnd(body.MatchResult)
		case *arenav1.RefereeMessage_Fault:
			fault := body.Fault
			log.Printf("fault %d of %d, turn %d: %s", fault.GetFaults(), fault.GetMaxFaults(), fault.GetTurn(), fault.GetReason())
		default: // the welcome, or something that a later version of the protocol brought: nothing to do
		}
	}
}

// send returns nil as well when the referee has ended the call: the next Recv says how.
func send(call playCall, message *arenav1.BotMessage) error {
	if err := call.Send(message); err != nil && err != io.EOF {
		return refusal(err)
	}
	return nil
}

func refusal(err error) error {
	reason := status.Convert(err)
	return fmt.Errorf("the referee ended the call: %s: %s", reason.Code(), reason.Message())
}

// Steps through a match. What is to be seen is decided by the data (arena/show/web/positions.py); here cards are only moved.
(() => {
  "use strict";
  const source = document.getElementById("match");
  if (!source) return;
  const match = JSON.parse(source.textContent);
  const RANKS = ["6", "7", "8", "9", "J", "Q", "K", "10", "A"];
  const RANK_WORDS = ["6", "7", "8", "9", "jack", "queen", "king", "10", "ace"];
  const SUITS = ["clubs", "diamonds", "hearts", "spades"];
  const VERBS = {L: "leads", B: "beats with", D: "discards", P: "pulls with"};
  const SHORT = {L: "leads", B: "beats", D: "discards", P: "pulls", N: "declines the pull", Y: "would pull"};
  const PLACES = ["bottom", "left", "top", "right"];
  const bottom = match.seat === null ? 0 : match.seat;
  const place = seat => PLACES[(seat - bottom + 4) % 4];
  const $ = id => document.getElementById(id);

  // The states of a game: state 0 is the deal, state n what step n has made of it.
  function unfold(game) {
    const states = [{
      hands: game.hands, stock: game.stock, leader: game.leader, trick: 1, plays: [], returned: [], winner: null,
      tricks: [0, 0], points: match.seat === null ? [0, 0] : null, move: 0, sub: 0, seat: null, action: null,
    }];
    for (const step of game.steps) {
      const last = states[states.length - 1];
      const [action, think = 0, more = {}] = step;
      const over = action === "E";
      const seat = over ? null : Number(action[0]), kind = over ? "E" : action[1], rest = over ? "" : action.slice(2);
      const state = Object.assign({}, last, {seat, kind, action, think, more, pulled: false});
      if (last.kind === "T" && !over) Object.assign(state, {plays: [], returned: [], winner: null, trick: last.trick + 1, leader: last.seat});
      const isPlay = kind in VERBS;
      state.move = last.move + (isPlay ? 1 : 0);
      state.sub = isPlay ? 0 : last.sub + 1;
      if (isPlay) {
        const count = rest[0] === ":" ? Number(rest.slice(1)) : rest.length;
        const play = {seat, kind, cards: rest[0] === ":" ? null : rest, count};
        state.hands = state.hands.map((hand, at) => at === seat ? without(hand, play) : hand);
        if (kind === "P") {
          state.returned = state.plays;
          state.plays = [];
          state.pulled = true;
        }
        state.returned = kind === "P" ? state.returned : state.returned.filter(it => it.seat !== seat);
        state.plays = state.plays.concat([play]);
        if (kind !== "D") state.winner = seat;
      }
      if (kind === "T") state.tricks = last.tricks.map((count, team) => count + (team === seat % 2 ? 1 : 0));
      if (more.hands) state.hands = more.hands;
      if (more.stock !== undefined) state.stock = more.stock;
      if (more.points) state.points = more.points;
      if (over) Object.assign(state, {plays: [], returned: [], winner: null});
      states.push(state);
    }
    return states;
  }
  function without(hand, play) {
    if (typeof hand === "number") return hand - play.count;
    return Array.from(hand).filter(card => !play.cards.includes(card)).join("");
  }

  // Elements. Text of others only ever becomes a text node.
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }
  function icon(suit, name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", "#suit-" + suit);
    svg.setAttribute("class", name);
    svg.setAttribute("aria-hidden", "true");
    svg.append(use);
    return svg;
  }
  const face = digit => { const card = parseInt(digit, 36); return {rank: card % 9, suit: Math.floor(card / 9)}; };
  function card(digit, style) {
    if (digit === null) return make("span", {class: "card back " + (style || ""), role: "img", "aria-label": "hidden card"});
    const {rank, suit} = face(digit);
    const label = RANK_WORDS[rank] + " of " + SUITS[suit] + (style ? ", " + {down: "face down", ghost: "gone back"}[style] : "");
    const rankText = make("span", {class: "rank", "aria-hidden": "true"}, RANKS[rank]);
    return make("span", {class: `card suit-${suit} ${rank === 7 ? "ten" : ""} ${style || ""}`, role: "img", "aria-label": label},
      rankText, icon(suit, "small"), icon(suit, "large"));
  }
  const cards = (set, count, style) => set === null ? Array.from({length: count}, () => card(null, style)) : Array.from(set, digit => card(digit, style));
  function mini(digit) {
    const {rank, suit} = face(digit);
    return make("span", {class: "mini suit-" + suit}, RANKS[rank], icon(suit, ""), make("span", {class: "unseen"}, " of " + SUITS[suit]));
  }
  function minis(set, count) {
    if (set === null) return [count === 1 ? "a hidden card" : count + " hidden cards"];
    return Array.from(set).flatMap((digit, at) => at ? [" ", mini(digit)] : [mini(digit)]);
  }
  const isDown = play => play.kind === "D" && !match.open;
  const team = seat => make("bdi", {dir: "auto"}, match.teams[seat % 2]);
  const time = us => us >= 1e6 ? (us / 1e6).toFixed(2) + " s" : us >= 1e4 ? (us / 1e3).toFixed(1) + " ms" : (us / 1e3).toFixed(2) + " ms";

  const games = match.games.map(unfold);
  let at = {game: 0, step: 0}, timer = null, shownGame = -1;
  const states = () => games[at.game];

  function show() {
    const state = states()[at.step], game = match.games[at.game];
    if (shownGame !== at.game) showGame();
    for (let seat = 0; seat < 4; seat++) {
      const box = document.querySelector(`[data-seat="${place(seat)}"]`);
      const hand = state.hands[seat];
      box.querySelector(".hand").replaceChildren(...(typeof hand === "number" ? cards(null, hand) : cards(hand, 0)));
      const roles = [seat === game.dealer ? "dealer" : "", seat === state.leader ? "lead" : ""].filter(Boolean).join(", ");
      const who = [make("b", {}, "Seat " + seat)];
      if (seat === match.seat) who.push(" (you)");
      const count = typeof hand === "number" ? hand : hand.length;
      const about = match.bots ? make("bdi", {dir: "auto"}, match.bots[seat]) : count === 1 ? "1 card" : count + " cards";
      who.push(make("small", {}, about, roles ? " \u00b7 " + roles : ""));
      const label = box.querySelector(".who");
      label.replaceChildren(...who);
      label.className = "who team-" + seat % 2;
      box.classList.toggle("acting", seat === state.seat);
      const play = state.plays.find(it => it.seat === seat), gone = state.returned.find(it => it.seat === seat);
      const spot = document.querySelector(`[data-play="${place(seat)}"]`);
      spot.className = "play " + place(seat) + (state.winner === seat && play ? " winning" : "") + (state.seat === seat && state.kind in VERBS ? " new" : "");
      spot.style.setProperty("--team", `var(--team-${seat % 2})`);
      spot.replaceChildren(...(play ? cards(play.cards, play.count, isDown(play) && play.cards !== null ? "down" : "")
        : gone ? [...cards(gone.cards, gone.count, "ghost"), make("span", {class: "back-to"}, "\u21a9 back")] : []));
    }
    $("trump").replaceChildren(card(game.indicator));
    $("stock").replaceChildren(state.stock ? `${state.stock} in the stock` : "stock is empty");
    for (const side of [0, 1]) {
      const box = document.querySelector(`[data-pile="${side}"]`);
      box.className = `corner pile pile-${side}`;
      const scored = game.result && state.kind === "E" ? game.result.points : state.points;
      box.replaceChildren(make("strong", {class: "team-" + side}, make("bdi", {dir: "auto"}, match.teams[side])),
        make("span", {class: "big"}, scored ? scored[side] + " points" : ""),
        make("span", {class: "label"}, state.tricks[side] === 1 ? "1 trick" : state.tricks[side] + " tricks"),
        make("span", {class: "label"}, "match: " + scoreAfter(game, state)[side]));
    }
    showStatus(state, game);
    for (const button of $("moves").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const current = $("moves").querySelector(`[data-step="${at.step}"]`);
    if (current) {
      current.setAttribute("aria-current", "step");
      const box = $("moves"), top = current.offsetTop;
      if (top < box.scrollTop + 30 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 2;
    }
    $("jump").value = state.trick;
    remember();
  }
  const scoreAfter = (game, state) => game.result && state.kind === "E" ? game.score.map((points, side) => points + game.result.defeat[side]) : game.score;

  function showStatus(state, game) {
    const words = [], news = [];
    const seat = state.seat === null ? "" : `Seat ${state.seat} `;
    if (state.action === null) words.push(make("b", {}, `Game ${at.game + 1} is dealt. `), `Seat ${game.dealer} dealt, seat ${game.leader} has the lead.`);
    else if (state.kind === "E") {
      const result = game.result;
      if (!result) words.push(make("b", {}, "Cut short"), " by a forfeit: the game has no result.");
      else if (result.winner === null) words.push(make("b", {}, "Eggs: "), "60 to 60, no defeat points.");
      else words.push(make("b", {}, team(result.winner), " wins the game"), ` with ${result.points[result.winner]} points; `, team(1 - result.winner), ` gets ${result.defeat[1 - result.winner]} defeat points.`);
    } else if (state.kind === "T") {
      const before = states()[at.step - 1].points;
      words.push(make("b", {}, seat, "takes the trick"), " for ", team(state.seat), state.points ? `: ${state.points[state.seat % 2] - before[state.seat % 2]} points.` : ".");
    } else if (state.kind in VERBS) {
      const play = state.plays[state.plays.length - 1];
      words.push(make("b", {}, seat, VERBS[state.kind]), " ", ...minis(play.cards, play.count), isDown(play) ? ", face down." : ".");
      if (state.pulled) {
        if (state.returned.length) news.push("The pull sends back to their owners: ", ...state.returned.flatMap((it, n) => [n ? "; " : "", `seat ${it.seat} `, ...minis(it.cards, it.count)]), ".");
        else news.push(`Pulled before the lead of seat ${state.leader}.`);
      }
    } else {
      words.push(make("b", {}, seat, state.kind === "N" ? "declines" : "would pull"), state.kind === "N" ? " to pull." : " as well.");
      if (state.more.unheard) words.push(" Not heard: a seat with more right pulled, or the match ended.");
    }
    if (state.think) words.push(make("span", {class: "soft"}, ` ${time(state.think)}`));
    if (state.more && state.more.substitute) words.push(make("span", {class: "fault"}, "The referee moved instead."));
    for (const it of state.more && state.more.faults || []) words.push(make("span", {class: "fault"}, make("span", {class: "kind"}, `Seat ${it.seat}, ${it.kind}: `), make("bdi", {dir: "auto"}, it.text)));
    for (const it of state.more && state.more.faults || []) if (it.stderr) words.push(make("pre", {class: "stderr"}, it.stderr.join("\n")));
    $("status").replaceChildren(...words);
    $("news").replaceChildren(...news);
  }

  function showGame() {
    shownGame = at.game;
    const list = [make("ol", {})];
    const tricks = [];
    states().forEach((state, step) => {
      const first = step && (step === 1 || states()[step - 1].kind === "T") && state.kind !== "E";
      if (first) {
        tricks.push({trick: state.trick, step});
        list.push(make("h3", {}, "Trick " + state.trick), make("ol", {}));
      }
      const button = make("button", {type: "button", "data-step": step});
      if (state.action === null) button.append("The deal");
      else if (state.kind === "E") button.append("End of the game");
      else {
        button.append(make("span", {class: "no team-" + state.seat % 2}, make("span", {class: "unseen"}, "seat "), String(state.seat)), make("span", {}, state.kind === "T" ? "takes the trick" : SHORT[state.kind]));
        if (state.kind in VERBS) {
          const play = state.plays[state.plays.length - 1];
          button.append(make("span", {class: "cards"}, ...(isDown(play) ? ["(", ...minis(play.cards, play.count), ")"] : minis(play.cards, play.count))));
        }
        if (state.more.faults || state.more.substitute) button.append(make("span", {class: "trouble"}, "\u26a0", make("span", {class: "unseen"}, "fault")));
        if (state.think) button.append(make("span", {class: "think"}, time(state.think)));
      }
      list[list.length - 1].append(make("li", {}, button));
    });
    $("moves").replaceChildren(...list);
    $("jump").replaceChildren(...tricks.map(it => make("option", {value: it.trick}, String(it.trick))));
    $("game").value = at.game;
  }

  // Moves about.
  function go(game, step) {
    at = {game: Math.max(0, Math.min(games.length - 1, game)), step: 0};
    at.step = Math.max(0, Math.min(states().length - 1, step));
    show();
  }
  function step(by) {
    if (at.step + by >= states().length && at.game + 1 < games.length) go(at.game + 1, 0);
    else if (at.step + by < 0 && at.game > 0) go(at.game - 1, Infinity);
    else go(at.game, at.step + by);
  }
  function trick(by) {
    const starts = states().map((_, n) => n).filter(n => n === 0 || states()[n - 1].kind === "T" || states()[n].kind === "E");
    const next = by > 0 ? starts.find(n => n > at.step) : starts.reverse().find(n => n < at.step);
    if (next === undefined) step(by > 0 ? Infinity : -Infinity);
    else go(at.game, next);
  }
  function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => {
      if (at.game === games.length - 1 && at.step === states().length - 1) play(false);
      else step(1);
    }, Number($("speed").value)) : null;
    const button = document.querySelector('[data-go="play"]');
    button.classList.toggle("playing", on);
    button.setAttribute("aria-label", on ? "Stop" : "Play");
  }
  const commands = {
    first: () => go(at.game, 0), last: () => go(at.game, Infinity), back: () => step(-1), on: () => step(1),
    "trick-back": () => trick(-1), "trick-on": () => trick(1), play: () => play(timer === null),
  };
  const keys = {
    ArrowLeft: commands.back, ArrowRight: commands.on, ArrowUp: commands["trick-back"], ArrowDown: commands["trick-on"],
    Home: commands.first, End: commands.last, PageUp: () => go(at.game - 1, 0), PageDown: () => go(at.game + 1, 0), " ": commands.play,
  };
  document.addEventListener("keydown", event => {
    const target = event.target.closest("select, input, button, a");
    const own = target && (target.matches("select, input") || (event.key === " " && !target.matches("a")));
    if (!(event.key in keys) || own || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (event.key !== " ") play(false);
    keys[event.key]();
  });
  document.addEventListener("click", event => {
    const button = event.target.closest("[data-go], [data-step]");
    if (!button) return;
    if (button.dataset.go !== "play") play(false);
    if (button.dataset.step) go(at.game, Number(button.dataset.step));
    else commands[button.dataset.go]();
  });
  $("game").addEventListener("change", event => { play(false); go(Number(event.target.value), 0); });
  $("jump").addEventListener("change", event => {
    play(false);
    go(at.game, states().findIndex((state, n) => n && state.trick === Number(event.target.value)));
  });
  $("speed").addEventListener("change", () => { if (timer !== null) play(true); });

  // Addresses: #g2m17 is the second game after its 17th play, .1 what came after it without a card. Plays are seen by
  // everybody, so an address means the same moment from every seat.
  const address = () => { const state = states()[at.step]; return `#g${at.game + 1}m${state.move}${state.sub ? "." + state.sub : ""}`; };
  function find() {
    const found = /^#g(\d+)(?:m(\d+)(?:\.(\d+))?)?$/.exec(location.hash);
    if (!found || location.hash === address()) return;
    const game = Math.max(0, Math.min(games.length - 1, Number(found[1]) - 1));
    const move = Number(found[2] || 0), sub = Number(found[3] || 0);
    let step = 0;
    games[game].forEach((state, n) => { if (state.move < move || (state.move === move && state.sub <= sub)) step = n; });
    go(game, step);
  }
  let writing = null;
  function remember() {
    for (const link of document.querySelectorAll("[data-view]")) link.hash = address();
    // Browsers refuse to write it at every step of a key that is held down.
    clearTimeout(writing);
    writing = setTimeout(() => { if (location.hash !== address()) history.replaceState(null, "", address()); }, 200);
  }
  addEventListener("hashchange", find);

  $("game").replaceChildren(...match.games.map((_, n) => make("option", {value: n}, `${n + 1} of ${games.length}`)));
  $("no-script").hidden = true;
  $("stage").hidden = false;
  show();
  find();
})();

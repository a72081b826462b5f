"use strict";
// Puts every moment of a run that the server sends into the page. Each is whole: none needs the one before it.
(() => {
  const RETRY_MS = 2000;
  const LOST = "No connection to the tournament. The table may be an old one; trying again.";
  const live = document.getElementById("live");
  const stage = document.getElementById("stage");
  let known = {stage: live.dataset.stage, words: stage.textContent};

  // Only what is new is written, since it is read out.
  function say(name, words) {
    live.dataset.stage = name;
    if (stage.textContent !== words) stage.textContent = words;
  }

  // What was scrolled aside or has the focus stays so.
  function put(id, html) {
    const place = document.getElementById(id);
    const parts = () => Array.from(place.querySelectorAll(".scroll"));
    const places = parts().map(it => it.scrollLeft);
    const focused = parts().indexOf(document.activeElement);
    place.innerHTML = html;
    parts().forEach((it, n) => { it.scrollLeft = places[n] || 0; });
    if (focused >= 0 && parts()[focused]) parts()[focused].focus({preventScroll: true});
  }

  function open() {
    const source = new EventSource("events");
    source.onopen = () => say(known.stage, known.words);
    source.onmessage = event => {
      known = JSON.parse(event.data);
      say(known.stage, known.words);
      put("progress", known.progress);
      put("board", known.board);
      if (known.stage === "finished") source.close();
    };
    source.onerror = () => {
      // After the end nobody answers, until somebody lets the run go on.
      if (known.stage !== "stopped") say("lost", LOST);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, RETRY_MS);
    };
  }

  if (known.stage !== "finished") open();
})();

// A game as the pages know it: the server's state, and every public entry taken into it. The same as web/public_game.py.
const MOVE_FIELDS = ["ply", "side", "iccs", "captured", "fen", "legal", "clock", "names"];

export function apply(state, entry) {
  state.seq = entry.seq;
  switch (entry.kind) {
    case "start":
      state.start_fen = state.fen = entry.fen;
      break;
    case "move":
      state.moves.length = Math.min(state.moves.length, entry.ply - 1);
      state.moves.push(Object.fromEntries(MOVE_FIELDS.map((name) => [name, entry[name]])));
      state.fen = entry.fen;
      break;
    case "move_withdrawn":
      state.moves.length = Math.min(state.moves.length, entry.ply - 1);
      state.fen = entry.fen;
      break;
    case "position":
      state.fen = entry.fen;
      if (!state.moves.length) state.start_fen = entry.fen;
      break;
    case "clock":
      state.clock = {
        event: entry.event, red_s: entry.red_s, black_s: entry.black_s, running: entry.running, at_s: entry.at_s,
      };
      break;
    case "result":
      state.result = entry.result === "*" ? null : { result: entry.result, termination: entry.termination };
      break;
    case "view":
      state.view = entry.state;
      state.view_points = entry.points ?? [];
      break;
    case "system":
      state.system = entry.event;
      if (entry.event === "ended" && state.clock) state.clock = { ...state.clock, running: null };
      break;
  }
}

// What a side's clock shows `now_s` (server time, less the delay): it runs on smoothly between readings.
export function remaining(state, side, now_s) {
  const clock = state.clock;
  const shown = clock && clock[`${side}_s`];
  if (shown === null || shown === undefined) return null;
  const gone = clock.running === side && !state.result ? Math.max(0, now_s - clock.at_s) : 0;
  return Math.max(0, shown - gone);
}

export function clockText(seconds) {
  if (seconds === null) return "–:––";
  const whole = Math.ceil(seconds - 1e-6);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const two = (value) => String(value).padStart(2, "0");
  return (hours ? `${hours}:${two(minutes)}` : `${minutes}`) + `:${two(whole % 60)}`;
}

// Red's pieces that Black took, and the other way round, in the order of value.
export function captured(moves) {
  const order = "RNCBAPKrncbapk";
  const taken = moves.map((move) => move.captured).filter(Boolean);
  taken.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return {
    red: taken.filter((letter) => letter === letter.toUpperCase()),
    black: taken.filter((letter) => letter !== letter.toUpperCase()),
  };
}

export function startsWithBlack(state) {
  return (state.start_fen ?? "").split(" ")[1] === "b";
}

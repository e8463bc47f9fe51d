// One scenario: its board at each stop, the time line, what was expected.

// ---------------------------------------------------------------- what is shown

const state = { at: -1, row: 0, story: null };
const STATUS = {};
for (const box of document.querySelectorAll("#search input[name=status]")) STATUS[box.value] = box.parentElement.textContent.trim();

const status = (name) => h("span", { class: `status ${name}` }, h("span", { class: "sign", "aria-hidden": "true" }), STATUS[name] || name);
const linkTo = (row) => `#${scenarios[state.at].slug}/${rowKey(row)}`;

function rowKey(row) {
  const [left, right] = state.story.rows[row];
  const sides = state.story.sides;
  if (right === undefined) return sides[0].stops[left].key;
  return right >= 0 ? sides[1].stops[right].key : `old-${sides[0].stops[left].key}`;
}

/** The stop each side stands at in a row: its own, or the last it had before. */
function stopsAt(row) {
  return state.story.sides.map((side, which) => {
    for (let at = row; at >= 0; at -= 1) {
      const stop = state.story.rows[at][which];
      if (stop !== undefined && stop >= 0) return stop;
    }
    return 0;
  });
}

function open(at, key) {
  if (at !== state.at) {
    state.at = at;
    const body = unpack(scenarios[at].at);
    const alone = body.sides.length === 1 ? body.sides[0].stops.map((_, stop) => [stop]) : [];
    state.story = { ...body, rows: body.rows.length ? body.rows : alone };
    build();
  }
  const rows = state.story.rows;
  let row = rows.findIndex((_, place) => rowKey(place) === key);
  if (row < 0) row = key === undefined && !["passed", "skipped"].includes(scenarios[at].status) ? rows.length - 1 : 0;
  show(Math.max(0, row));
}

function step(to) {
  const last = state.story ? state.story.rows.length - 1 : -1;
  const row = Math.max(0, Math.min(last, to));
  if (last < 0 || row === state.row) return;
  history.replaceState(null, "", linkTo(row));
  show(row);
}

// ---------------------------------------------------------------- a scenario

const parts = {};

function build() {
  const one = scenarios[state.at];
  const { sides, problems, details } = state.story;
  const pair = sides.length > 1;
  const stage = byId("stage");
  const called = sides.map((side, which) => `${pair ? (which ? "new: " : "old: ") : ""}${side.ruleset}${side.mode ? `, ${side.mode}` : ""}`);
  parts.boards = sides.map(() => h("figure", {}));
  parts.range = h("input", { type: "range", min: 0, max: Math.max(0, state.story.rows.length - 1), value: 0, "aria-label": "Step", on: { input: (event) => step(Number(event.target.value)) } });
  const button = (text, label, to) => h("button", { type: "button", "aria-label": label, title: label, on: { click: () => step(to()) } }, text);
  parts.buttons = [button("|◀", "The board given", () => 0), button("◀", "One step back", () => state.row - 1), button("▶", "One step on", () => state.row + 1), button("▶|", "The end", () => state.story.rows.length - 1)];
  parts.output = h("output", {});
  parts.callouts = h("ol", { class: "callouts" });
  parts.words = sides.map(() => h("div", { class: "words" }));
  parts.rule = h("section", { class: "panel rule", "aria-label": "What happened" });
  parts.why = h("section", { class: "panel why", "aria-label": "Why", hidden: true, tabindex: "-1" });
  parts.timeline = h("ol", {});
  const failing = sides.length ? sides[sides.length - 1].stops.flatMap((stop) => (stop.differences || []).map((difference) => ({ ...difference, at: stop.key }))) : [];
  const heading = h(
    "header",
    {},
    h("h2", {}, one.name),
    h("p", { class: "facts" }, status(one.status), one.id ? h("span", {}, one.id) : null, h("span", { class: "code" }, `${one.path}:${one.line}`), one.cites.length ? h("span", {}, `cites ${one.cites.join(", ")}`) : null, called.map((text) => h("span", {}, text))),
    one.says ? h("p", { class: "says" }, one.says) : null,
    one.reason ? h("p", {}, one.reason) : null,
  );
  const board = sides.length
    ? h(
        "div",
        { class: "stage" },
        h(
          "section",
          { class: "panel", "aria-label": "The board" },
          h("div", { class: "steps", role: "group", "aria-label": "Steps" }, parts.buttons.slice(0, 2), parts.range, parts.buttons.slice(2), parts.output),
          h("div", { class: "boards" }, parts.boards.map((figure, which) => h("div", {}, pair ? h("h3", {}, which ? "By the new rules" : "By the old rules") : null, figure))),
          parts.callouts,
        ),
        parts.why,
        h("section", { class: "panel", "aria-label": "The board in words", id: "words" }, h("h3", {}, "The board in words"), parts.words.map((words, which) => [pair ? h("h3", {}, which ? "By the new rules" : "By the old rules") : null, words])),
      )
    : null;
  const aside = sides.length ? h("div", { class: "side" }, parts.rule, h("section", { class: "panel timeline", "aria-label": "Time line" }, h("h3", {}, "Time line"), h("div", { tabindex: "0", role: "group", "aria-label": "Stops of the time line" }, parts.timeline))) : null;
  stage.replaceChildren(h("article", { class: `story${pair ? " pair" : ""}` }, heading, differencesPanel(failing), problemsPanel(problems, details), board, aside));
  if (sides.length) timeline();
  for (const link of document.querySelectorAll("#list a")) {
    if (link.getAttribute("href") === `#${one.slug}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  document.title = `${one.name} · ${document.querySelector("h1").textContent}`;
}

function differencesPanel(differences) {
  if (!differences.length) return null;
  return h(
    "section",
    { class: "panel differences", "aria-label": "Not as expected" },
    h("h3", {}, "Not as expected"),
    h(
      "ol",
      {},
      differences.map((one) =>
        h(
          "li",
          {},
          h("span", {}, h("strong", {}, one.what), " ", h("span", { class: "quiet code" }, one.place)),
          h("dl", { class: "versus" }, h("dt", {}, "expected"), h("dd", { class: "want" }, one.expected), h("dt", {}, "found"), h("dd", { class: "got" }, one.found)),
          h("span", { class: "quiet" }, one.firing ? ["written by ", h("a", { href: `#${scenarios[state.at].slug}/${one.firing}` }, `firing ${one.firing}, ${one.rule}`), " · "] : null, h("a", { href: `#${scenarios[state.at].slug}/${one.at}` }, "see the board there"), one.note ? ` · ${one.note}` : null),
        ),
      ),
    ),
  );
}

function problemsPanel(problems, details) {
  if (!problems.length && !details.length) return null;
  return h(
    "section",
    { class: "panel differences", "aria-label": "Problems" },
    h("h3", {}, problems.length ? "It cannot be played as it is written" : "The last that happened"),
    h("ol", {}, problems.map((one) => h("li", {}, h("span", { class: "code quiet" }, `${one.path}:${one.line}:${one.column}`), h("span", {}, one.message), one.hint ? h("span", { class: "quiet" }, one.hint) : null)), details.map((one) => h("li", { class: "code" }, one))),
  );
}

// ---------------------------------------------------------------- time line

const SIGNS = { start: "●", request: "▶", begin: "▶", choice: "▶", refused: "⊘", expect: "?", end: "■" };
const LEADS = { start: "the board given", request: "", begin: "begin ", choice: "", refused: "refused: ", expect: "expected here", end: "the end" };

function timeline() {
  const { sides, rows } = state.story;
  let where = "";
  const items = rows.flatMap((row, at) => {
    const which = row.length > 1 && row[1] >= 0 ? 1 : 0;
    const stop = sides[which].stops[row[which]];
    const only = row.length > 1 && row.includes(-1) ? (which ? "only new" : "only old") : "";
    const found = [];
    const here = stop.kind === "firing" ? (stop.event ? `heard: ${stop.event}` : `${stop.frame}${stop.pass > 1 ? `, pass ${stop.pass}` : ""}${stop.step ? ` · ${stop.step}` : ""}`) : "";
    if (here && here !== where) found.push(h("li", { class: "where" }, here));
    where = here || where;
    found.push(stopItem(stop, at, only));
    return found;
  });
  parts.timeline.replaceChildren(...items);
  parts.links = [...parts.timeline.querySelectorAll("a[data-row]")];
}

function stopItem(stop, at, only) {
  const lead = LEADS[stop.kind] ?? "";
  const fixed = ["start", "expect", "end"].includes(stop.kind);
  const wrong = stop.differences && stop.differences.length;
  const verdict = ["expect", "end"].includes(stop.kind) && (wrong || (stop.expected && stop.expected.length)) ? ` ${wrong ? "✗ not so" : "✓"}` : "";
  const text = fixed ? `${lead}${verdict}` : `${lead}${stop.text}`;
  return h(
    "li",
    { class: `${stop.kind}${only ? " only" : ""}` },
    h(
      "a",
      { href: linkTo(at), "data-row": at },
      h("span", { class: "n" }, stop.kind === "firing" ? stop.key : SIGNS[stop.kind]),
      h(
        "span",
        {},
        text,
        only ? [" ", h("span", { class: "tag bad" }, only)] : null,
        stop.changes ? stop.changes.filter((change) => change.fields.length || change.kind !== "modify").map((change) => h("span", { class: "done" }, changeText(change))) : null,
        stop.emitted ? stop.emitted.map((event) => h("span", { class: "event" }, event)) : null,
        stop.waiting && stop.kind !== "end" ? h("span", { class: "done" }, `then: ${stop.waiting}`) : null,
      ),
    ),
  );
}

const nameOf = (key) => {
  const [template, id] = key.split("\t");
  return template === id || !id ? template : `${template} ${id}`;
};

const spoken = (name) => name.replace(/[_-]/g, " ");

function changeText(change) {
  if (change.kind === "retract") return `${nameOf(change.key)} is gone`;
  if (change.kind === "assert") return `${nameOf(change.key)} is new`;
  return `${nameOf(change.key)}: ${inGroups(change.fields, 3).map(([name, before, after]) => `${name} ${before} → ${after}`).join(", ")}`;
}

// ---------------------------------------------------------------- a stop

function show(row) {
  state.row = row;
  if (!state.story.sides.length) return;
  const at = stopsAt(row);
  const [left, right] = state.story.rows[row];
  const main = right !== undefined && right >= 0 ? 1 : left >= 0 ? 0 : state.story.sides.length - 1;
  const stop = state.story.sides[main].stops[at[main]];
  parts.range.value = row;
  parts.range.setAttribute("aria-valuetext", `${row + 1} of ${state.story.rows.length}: ${summary(stop)}`);
  parts.output.textContent = `${row} of ${state.story.rows.length - 1}`;
  parts.buttons.forEach((button, which) => (button.disabled = which < 2 ? row === 0 : row === state.story.rows.length - 1));
  const pointed = (stop.callouts || []).map((one, n) => ({ ...one, number: n + 1 }));
  parts.callouts.replaceChildren(...pointed.map((one) => h("li", { class: one.kind }, h("span", { class: "ball" }, String(one.number)), h("span", {}, h("strong", {}, nameOf(one.target), one.target.split("\t")[2] ? ` ${spoken(one.target.split("\t")[2])}` : ""), ": ", one.text))));
  drawBoards(at, main, pointed);
  ruleFor(stop, state.story.sides[main]);
  for (const link of parts.links) link.removeAttribute("aria-current");
  const current = parts.links[row];
  if (current) {
    current.setAttribute("aria-current", "step");
    const box = current.closest("div");
    const top = current.offsetTop - box.offsetTop;
    if (box.scrollHeight > box.clientHeight && (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight)) box.scrollTop = top - box.clientHeight / 3;
  }
  closeWhy();
  byId("told").textContent = summary(stop);
}

const summary = (stop) => `${stop.kind === "firing" ? `firing ${stop.key}: ` : LEADS[stop.kind] || ""}${["start", "expect", "end"].includes(stop.kind) ? "" : stop.text}${(stop.changes || []).length ? `; ${stop.changes.map(changeText).join("; ")}` : ""}`;

/** The text of every value on a board, by key. */
function valuesOf(board) {
  const found = new Map();
  const take = (part, where) => {
    found.set(part.key, where);
    for (const shown of part.values) found.set(shown.key, shown.text);
    for (const mark of part.marks) found.set(mark.key, mark.text);
    for (const inner of part.parts) take(inner, part.key);
  };
  for (const part of [board.turn, ...board.far.map((seat) => seat.part), ...board.places, ...board.near.map((seat) => seat.part), ...board.lists.flatMap((list) => list[1]), ...board.others]) if (part) take(part, "");
  return found;
}

/** What is wrong with a board, by the key of the value concerned: against what was expected, or against the other board. */
function flagsFor(at, which) {
  const { sides } = state.story;
  const flags = new Map();
  const add = (key, text) => flags.set(key, [...(flags.get(key) || []), text]);
  const stop = sides[which].stops[at[which]];
  const own = valuesOf(stop.board);
  const other = sides.length > 1 ? valuesOf(sides[1 - which].stops[at[1 - which]].board) : own;
  for (const [key, text] of other === own ? [] : own) {
    const field = key.split("\t")[2];
    if (!other.has(key) && !(field && !other.has(whole(key)))) add(key, `≠ only by the ${which ? "new" : "old"} rules`);
    else if (other.has(key) && other.get(key) !== text) add(key, field ? `≠ ${text || `no ${spoken(field)}`}` : "≠ elsewhere");
  }
  for (const one of stop.differences || []) {
    const field = one.target.split("\t")[2];
    if (flags.has(one.target)) continue;
    if (field && own.has(one.target)) add(one.target, `✗ ${spoken(field)} ${one.found}, expected ${one.expected}`);
    else if (one.target && own.has(whole(one.target))) add(whole(one.target), `✗ ${field ? `${spoken(field)} ` : ""}${one.found}, expected ${one.expected}`);
    else add("", `✗ ${one.what}: ${one.found}, expected ${one.expected}`);
  }
  return flags;
}

function drawBoards(at, main, pointed) {
  parts.drawn = (paper) => {
    state.story.sides.forEach((side, which) => {
      const stop = side.stops[at[which]];
      const figure = parts.boards[which];
      const room = paper || Math.max(240, Math.round(figure.clientWidth || figure.parentElement.clientWidth));
      const flags = flagsFor(at, which);
      parts.width = room;
      const svg = new Picture(stop.board, room, side.players, flags, which === main ? pointed : []).draw();
      svg.setAttribute("aria-describedby", `words-${which}`);
      figure.replaceChildren(svg, h("figcaption", {}, happened(stop)));
      parts.words[which].id = `words-${which}`;
      parts.words[which].replaceChildren(...inWords(stop.board, which, which === main ? pointed : [], flags));
    });
  };
  parts.drawn();
}

function happened(stop) {
  const number = stop.kind === "firing" ? h("span", { class: "number" }, `${stop.key}. `) : null;
  const text = ["start", "expect", "end"].includes(stop.kind) ? LEADS[stop.kind] : `${LEADS[stop.kind] ?? ""}${stop.text}`;
  return [h("p", { class: "happened" }, number, text), stop.waiting ? h("p", { class: "quiet" }, stop.kind === "end" ? `At the end ${stop.waiting}.` : `Then ${stop.waiting}.`) : null];
}

function inWords(board, which, pointed, flags) {
  const marked = new Map(pointed.map((one) => [one.target, one.kind === "wrong" ? "wrong" : "new"]));
  const word = (one) => {
    if (!one[1]) return one[0];
    const css = marked.get(one[1]) || (flags.has(one[1]) ? "wrong" : "");
    return h("button", { type: "button", class: `value ${css}`, on: { click: () => why(one[1], which, true) } }, one[0]);
  };
  return board.words.map(([about, words]) => h("p", {}, h("span", { class: "about" }, inGroups(about, 2).map(word)), ": ", inGroups(words, 2).map(word), "."));
}

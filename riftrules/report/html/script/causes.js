// What happened at a stop, and why a value is as it is.

// ---------------------------------------------------------------- what happened

function citesList(numbers, rules) {
  return h("ul", { class: "cites" }, numbers.map((number) => h("li", {}, h("span", { class: "cite" }, number), rules.printed[number] ? ` ${rules.printed[number]}` : "")));
}

function ruleFor(stop, side) {
  const rules = rulesets[side.rules];
  const rule = stop.rule ? rules.rules[stop.rule] : null;
  const row = (name, ...content) => [h("dt", {}, name), h("dd", {}, ...content)];
  const list = h("dl", {});
  if (rule) {
    if (rule.cites.length) list.append(...row("citations", citesList(rule.cites, rules)));
    if (rule.house) list.append(...row("citations", "a house rule"));
  }
  if (stop.kind === "firing") {
    const changed = stop.changes.filter((change) => change.fields.length);
    if (changed.length)
      list.append(
        ...row(
          "before and after",
          h(
            "table",
            {},
            h("thead", {}, h("tr", {}, ["what", "before", "after"].map((name) => h("th", { scope: "col" }, name)))),
            h("tbody", {}, changed.flatMap((change) => inGroups(change.fields, 3).map(([name, before, after]) => h("tr", {}, h("td", {}, `${nameOf(change.key)}.${name}`), h("td", {}, before), h("td", { class: "after" }, after))))),
          ),
        ),
      );
    const effects = [...stop.emitted.map((event) => `event ${event}`), ...stop.begun.map((frame) => `begins ${frame}`), ...stop.due.map((frame) => `due: ${frame}`), ...stop.left.map((frame) => `leaves ${frame}`), ...(stop.ends ? ["ends the game"] : [])];
    if (effects.length) list.append(...row("and", h("ul", {}, effects.map((effect) => h("li", {}, effect)))));
    if (stop.bindings.length) list.append(...row("with", h("ul", { class: "code" }, inGroups(stop.bindings, 2).map(([name, value]) => h("li", {}, `$${name} = ${value}`)))));
    if (stop.reads.length) list.append(...row("it read", h("ul", {}, inGroups(stop.reads, 3).map((read) => h("li", {}, readText(read), " ", writerLink(read[1], side))))));
  }
  if (rule) {
    list.append(...row("conditions", h("pre", { tabindex: "0", "aria-label": "conditions" }, [rule.where, ...rule.when.map((one) => `when ${one}`), ...rule.then.map((one) => `then ${one}`)].join("\n"))));
    list.append(...row("where", h("span", { class: "code" }, rule.place)));
  }
  const refused = (stop.refused || []).map(([name, cites, bindings]) => {
    const by = rules.rules[name];
    return h("div", {}, h("p", {}, h("strong", {}, name), by && by.says ? `: ${by.says}` : ""), citesList(cites, rules), bindings.length ? h("p", { class: "code quiet" }, bindings.map(([variable, value]) => `$${variable} = ${value}`).join(", ")) : null);
  });
  const expected = (stop.expected || []).length ? h("ul", { class: "expected" }, stop.expected.map(([text, so]) => h("li", { class: so ? "passed" : "failed" }, h("span", { class: "sign", "aria-hidden": "true" }), h("span", {}, h("span", { class: "off-screen" }, so ? "so: " : "not so: "), text)))) : null;
  const title = stop.kind === "firing" ? stop.text : { start: "The board given", request: "A request", begin: "Begun from outside", choice: "A choice", refused: "A request is refused", expect: "Expected here", end: "The end" }[stop.kind];
  parts.rule.replaceChildren(
    ...[
      h("h3", {}, title),
      rule && rule.says ? h("p", {}, rule.says) : null,
      rule && rule.note ? h("p", { class: "quiet" }, rule.note) : null,
      stop.kind !== "firing" && !["start", "expect", "end"].includes(stop.kind) ? h("p", { class: "code" }, stop.text) : null,
      stop.why ? h("p", {}, stop.why) : null,
      ...refused,
      expected,
      stop.waiting ? h("p", { class: "quiet" }, stop.waiting) : null,
      list.children.length ? list : null,
    ].filter(Boolean),
  );
}

const readText = ([key, , value]) => `${nameOf(key)}.${key.split("\t")[2]}${value === undefined ? "" : ` = ${value}`}`;
const stopLink = (key, text) => h("a", { href: `#${scenarios[state.at].slug}/${key}` }, text);
const called = (stop) => (stop.kind === "firing" ? `firing ${stop.key}` : `the ${stop.kind === "begin" ? "instruction" : stop.kind} ${stop.text}`);
const writerLink = (key, side) => h("span", { class: "quiet" }, key ? ["(from ", stopLink(key, called(side.stops.find((one) => one.key === key))), ")"] : "(given)");

// ---------------------------------------------------------------- why

let asked = null;

function closeWhy() {
  if (!parts.why || parts.why.hidden) return;
  parts.why.hidden = true;
  parts.why.replaceChildren();
  if (asked && asked.isConnected) asked.focus();
  asked = null;
}

/** The firing that last wrote a value by a stop (or let a fact or frame come), if one did. */
function writerOf(key, side, until) {
  const [template, id, field] = key.split("\t");
  for (let at = until; at >= 0; at -= 1) {
    const stop = side.stops[at];
    if (stop.kind !== "firing") continue;
    if ([...stop.begun, ...stop.due].includes(id)) return { stop, change: null };
    const change = stop.changes.find((one) => one.key === whole(key) && (field ? inGroups(one.fields, 3).some((pair) => pair[0] === field) : one.kind === "assert"));
    if (change) return { stop, change };
  }
  return null;
}

/** The field that says where a piece stands; nothing for what stands nowhere. */
function standing(board, key) {
  const look = (found) => found.flatMap((part) => [part, ...look(part.parts)]);
  const all = look([...board.places, ...[...board.far, ...board.near].map((seat) => seat.part)]);
  return all.find((part) => part.key === key)?.stands || "";
}

function why(about, which, focus) {
  const side = state.story.sides[which];
  const until = stopsAt(state.row)[which];
  const key = about + (about.endsWith("\t") ? standing(side.stops[until].board, about) : "");
  const [template, id, field] = key.split("\t");
  asked = focus ? document.activeElement : null;
  const title = field ? `Why is ${nameOf(key)}.${field} so?` : `Why is ${nameOf(key)} there?`;
  const derived = rulesets[side.rules].derived[`${template}.${field}`];
  const found = derived ? null : writerOf(key, side, until);
  const content = derived
    ? h("div", {}, h("p", {}, "It is worked out from the board, by the first of these that holds:"), h("pre", { tabindex: "0", "aria-label": "cases" }, derived.map(([when, value]) => `${when ? `when ${when}: ` : "else "}${value}`).join("\n")))
    : found
      ? h("ul", {}, causes(found, key, side))
      : h("p", {}, "It was given: no firing has written it.");
  parts.why.hidden = false;
  parts.why.replaceChildren(h("header", {}, h("h3", {}, title), h("button", { type: "button", on: { click: closeWhy } }, "Close")), content);
  if (focus) parts.why.focus();
  else parts.why.scrollIntoView({ block: "nearest" });
}

/** A firing with, below it, what it read and who wrote that, down to what was given. */
function causes({ stop, change }, key, side) {
  const rule = rulesets[side.rules].rules[stop.rule];
  const field = key.split("\t")[2];
  const pair = change && field ? inGroups(change.fields, 3).find((one) => one[0] === field) : null;
  const head = [h("a", { href: `#${scenarios[state.at].slug}/${stop.key}` }, `firing ${stop.key}`), ` ${stop.rule}`, rule.cites.length ? h("span", { class: "cite" }, ` [${rule.cites.join(", ")}]`) : "", pair ? `: ${pair[0]} ${pair[1]} → ${pair[2]}` : ""];
  const says = rule.says ? h("p", { class: "quiet" }, rule.says) : null;
  const reads = inGroups(stop.reads, 3);
  const because = (text, key, inner) => {
    const from = key && side.stops.find((one) => one.key === key);
    if (!from) return h("li", {}, `because ${text} `, h("span", { class: "quiet" }, "(given)"));
    if (from.kind !== "firing") return h("li", {}, `because ${text}, from `, stopLink(key, called(from)));
    const change = from.changes.find((one) => one.key === whole(inner)) || null;
    const open = (event) => event.target.open && event.target.children.length < 2 && event.target.append(h("ul", {}, causes({ stop: from, change }, inner, side)));
    return h("li", {}, h("details", { on: { toggle: open } }, h("summary", {}, `because ${text}, from firing ${key}`)));
  };
  const lines = reads.map(([inner, writer, value]) => because(readText([inner, writer, value]), writer, inner));
  const heard = stop.event ? because(`${stop.event} was heard`, side.stops.find((one) => one.kind === "firing" && one.emitted.some((event) => event.includes(` ${stop.event} {`)))?.key, "\t\t") : null;
  const told = reads.some(([inner]) => inner.split("\t")[1] === stop.frame);
  const running = stop.event || told || !stop.frame ? null : because(`${stop.frame} was under way`, stop.source, "\t\t");
  return h("li", {}, head, says, h("ul", {}, running, heard, lines));
}

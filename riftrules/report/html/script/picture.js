// The board as a picture: a scene laid out for the room there is, and drawn.

const GAP = 10;
const whole = (key) => key.split("\t").slice(0, 2).join("\t") + "\t";

class Picture {
  constructor(board, room, players, flags, pointed) {
    Object.assign(this, { board, room, players, flags, pointed });
    this.boxes = new Map();
    this.uid = `d${(Picture.count = (Picture.count || 0) + 1)}`;
    this.svg = s("svg", { role: "img", "aria-label": "The board, described in words below", focusable: "false" });
  }

  player(id) {
    const at = this.players.indexOf(id);
    return at < 0 ? 0 : (at % 6) + 1;
  }

  /** Circle, diamond, triangle, square, pentagon, hexagon: a player is known by shape as well as by colour. */
  shape(id, x, y, size, hollow) {
    const at = this.players.indexOf(id);
    const r = size / 2;
    const css = `shape p${this.player(id)}${hollow ? " hollow" : ""}`;
    if (at < 0 || at % 6 === 0) return s("circle", { cx: x, cy: y, r: r * 0.92, class: css });
    const corners = [0, 4, 3, 4, 5, 6][at % 6];
    const start = at % 6 === 3 ? -Math.PI / 4 : -Math.PI / 2;
    const reach = [0, 1.1, 1.15, 1.15, 1.05, 1.05][at % 6] * r;
    const points = Array.from({ length: corners }, (_, n) => {
      const turn = start + (2 * Math.PI * n) / corners;
      return `${(x + reach * Math.cos(turn)).toFixed(2)},${(y + reach * Math.sin(turn) + (at % 6 === 2 ? r * 0.15 : 0)).toFixed(2)}`;
    });
    return s("polygon", { points: points.join(" "), class: css });
  }

  /** Remember where something was drawn, so that it can be pointed at. */
  box(key, x, y, w, height) {
    if (!this.boxes.has(key)) this.boxes.set(key, { x, y, w, h: height });
  }

  text(x, y, text, css = "") {
    return s("text", { x, y, class: css || null }, text);
  }

  valued(key, ...children) {
    return s("g", { "data-key": key }, ...children);
  }

  // -------------------------------------------------------- tags

  /** What is said of a part on small labels: what is wrong first, then its marks, then these of its values. */
  tags(part, fields) {
    const flagged = (key) => this.flags.get(key) || [];
    const wrong = (key) => flagged(key).map((text) => ({ text, css: "wrong", key }));
    const undrawn = part.values.filter((shown) => !fields.includes(shown));
    const found = [...wrong(part.key), ...undrawn.flatMap((shown) => wrong(shown.key))];
    for (const mark of part.marks) {
      const own = { text: mark.text, css: mark.player ? "owned" : "role", key: mark.key, player: mark.player };
      found.push(...(flagged(mark.key).length ? wrong(mark.key) : [own]));
    }
    for (const shown of fields) {
      const css = shown.kind === "player" ? "owned" : part.against && shown.field === part.against ? "hurt" : "";
      const own = { text: shown.text, css, key: shown.key, player: shown.kind === "player" ? shown.value : "" };
      found.push(...(shown.field && flagged(shown.key).length ? wrong(shown.key) : [own]));
    }
    return found;
  }

  flow(tags, room) {
    let x = 0;
    let y = 0;
    for (const tag of tags) {
      const sign = tag.player ? 14 : 0;
      const font = tag.css ? "strong" : "small";
      tag.said = cut(tag.text, room - 14 - sign - (tag.css === "wrong" ? 12 : 0), font);
      tag.w = Math.min(room, width(tag.said, font) + 14 + sign + (tag.css === "wrong" ? 12 : 0));
      if (x && x + tag.w > room) {
        x = 0;
        y += 22;
      }
      Object.assign(tag, { x, y });
      x += tag.w + 4;
    }
    return tags.length ? y + 19 : 0;
  }

  drawTags(tags, x, y) {
    return tags.map((tag) => {
      const left = x + tag.x;
      const top = y + tag.y;
      this.box(tag.key, left, top, tag.w, 19);
      const css = `chip ${tag.css} p${this.player(tag.player)}`;
      return this.valued(
        tag.key,
        s("title", {}, tag.text),
        s("rect", { x: left, y: top, width: tag.w, height: 19, rx: tag.css === "wrong" || tag.css === "role" ? 3 : 9.5, class: css }),
        tag.player ? this.shape(tag.player, left + 11, top + 9.5, 10) : null,
        this.text(left + 7 + (tag.player ? 14 : 0), top + 13.5, tag.said, `small on-${tag.css || "plain"}`),
      );
    });
  }

  // -------------------------------------------------------- pieces

  planPiece(part, room) {
    const seal = part.values.find((shown) => part.seal && shown.field === part.seal);
    const lines = wrap(part.title, room - 34 - (seal ? 34 : 8), "name", 2);
    const tags = this.tags(part, part.values.filter((shown) => shown !== seal && shown.text && !shown.off));
    const tagged = this.flow(tags, room - 22);
    return { part, seal, lines, tags, w: room, h: 16 + lines.length * 16 + (tagged ? tagged + 6 : 0) + 4 };
  }

  drawPiece(plan, x, y, height) {
    const { part, seal, lines, tags, w } = plan;
    const number = this.player(part.owner);
    this.box(part.key, x, y, w, height);
    const turn = part.turned ? `rotate(${w > 160 ? 2.2 : 3.2} ${x + w / 2} ${y + height / 2})` : null;
    const group = s("g", { class: `piece p${number}${part.turned ? " turned" : ""}`, transform: turn });
    group.append(
      this.valued(
        part.key,
        s("title", {}, `${part.title}: why is it here?`),
        s("rect", { x, y, width: w, height, rx: 8, class: "card" }),
        s("path", { d: `M${x + 8} ${y}h-1a7 7 0 0 0-7 7v${height - 14}a7 7 0 0 0 7 7h1z`, class: "band" }),
        part.owner ? this.shape(part.owner, x + 20, y + 17, 13) : null,
        lines.map((line, at) => this.text(x + (part.owner ? 32 : 16), y + 21.5 + at * 16, line, "name")),
      ),
    );
    if (seal) {
      this.box(seal.key, x + w - 33, y + 5, 28, 24);
      group.append(
        this.valued(
          seal.key,
          s("title", {}, seal.text),
          s("path", { d: `M${x + w - 32} ${y + 6}h26v14q0 7-13 11q-13-4-13-11z`, class: "seal" }),
          this.text(x + w - 19, y + 22, String(seal.value), "seal-text"),
        ),
      );
    }
    group.append(...this.drawTags(tags, x + 14, y + 16 + lines.length * 16));
    return group;
  }

  planPieces(parts, room) {
    const most = Math.max(1, Math.floor((room + 8) / (room < 340 ? 128 : 148)));
    const columns = Math.min(most, Math.max(parts.length, Math.min(most, 3)));
    const w = Math.min(210, (room - 8 * (columns - 1)) / columns);
    const rows = [];
    for (let at = 0; at < parts.length; at += columns) {
      const plans = parts.slice(at, at + columns).map((part) => this.planPiece(part, w));
      rows.push({ plans, h: Math.max(...plans.map((plan) => plan.h)) });
    }
    return { rows, w, h: rows.reduce((sum, row) => sum + row.h + 8, 0) - (rows.length ? 8 : 0) };
  }

  drawPieces(plan, x, y) {
    let top = y;
    return plan.rows.flatMap((row) => {
      const drawn = row.plans.map((one, at) => this.drawPiece(one, x + at * (plan.w + 8), top, row.h));
      top += row.h + 8;
      return drawn;
    });
  }

  // -------------------------------------------------------- places

  planPlace(part, room) {
    const inner = room - 24;
    const owner = part.values.find((shown) => shown.kind === "player" && (shown.off ? shown.text : shown.value === part.owner));
    const claims = part.values.filter((shown) => shown !== owner && shown.kind === "player" && shown.text && !shown.off);
    const rest = part.values.filter((shown) => shown !== owner && !claims.includes(shown) && shown.text && !shown.off);
    const lines = wrap(part.title, inner, "title", 2);
    const tags = this.tags(part, rest);
    const tagged = this.flow(tags, inner);
    const seats = [...this.board.far, ...this.board.near].map((seat) => seat.part.key.split("\t")[1]);
    const groups = [...seats, ""].map((id) => part.parts.filter((piece) => (seats.includes(piece.owner) ? piece.owner : "") === id));
    const pieces = groups.filter((group) => group.length).map((group) => this.planPieces(group, inner));
    const head = 12 + lines.length * 19 + (owner ? 22 : 0) + claims.length * 24 + (tagged ? tagged + 8 : 0);
    const body = pieces.reduce((sum, plan) => sum + plan.h + 12, 0);
    return { part, owner, claims, lines, tags, tagged, pieces, head, w: room, h: head + Math.max(body, 26) + 10 };
  }

  drawPlace(plan, x, y, height) {
    const { part, owner, claims, lines, tags, w } = plan;
    const held = this.player(part.owner);
    this.box(part.key, x, y, w, height);
    const group = s("g", { class: `place p${held}${held ? " owned" : ""}` });
    group.append(
      this.valued(
        part.key,
        s("title", {}, part.title),
        s("rect", { x: x + 1, y: y + 1, width: w - 2, height: height - 2, rx: 12, class: `zone${held ? "" : " free"}` }),
        lines.map((line, at) => this.text(x + 14, y + 26 + at * 19, line, "title")),
      ),
    );
    let top = y + 14 + lines.length * 19;
    if (owner) {
      this.box(owner.key, x + 10, top, w - 20, 20);
      group.append(
        this.valued(
          owner.key,
          s("title", {}, owner.text),
          this.shape(owner.off ? "" : owner.value, x + 20, top + 10, 13, owner.off),
          this.text(x + 33, top + 14.5, cut(owner.text, w - 48, "text"), owner.off ? "quiet-text" : "strong"),
        ),
      );
      top += 22;
    }
    for (const claim of claims) {
      group.append(this.drawClaim(claim, x + 10, top, w - 20));
      top += 24;
    }
    group.append(...this.drawTags(tags, x + 12, top + 2));
    top = y + plan.head + 2;
    if (!plan.pieces.length) group.append(this.text(x + 14, top + 16, "nothing here", "quiet-text small"));
    for (const pieces of plan.pieces) {
      group.append(...this.drawPieces(pieces, x + 12, top));
      top += pieces.h + 12;
    }
    return group;
  }

  /** A player who lays claim to a place: hatched in their colour, with their shape. */
  drawClaim(claim, x, y, w) {
    const number = this.player(claim.value);
    const pattern = `${this.uid}h${number}`;
    this.box(claim.key, x, y, w, 20);
    return this.valued(
      claim.key,
      s("title", {}, claim.text),
      s(
        "g",
        { class: `p${number}` },
        s("pattern", { id: pattern, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("line", { x1: 0, y1: 0, x2: 0, y2: 7, class: "hatch" })),
        s("rect", { x, y, width: w, height: 20, rx: 4, fill: `url(#${pattern})`, opacity: 0.55 }),
        s("rect", { x: x + 8, y: y + 1, width: Math.min(w - 16, width(claim.text, "strong") + 30), height: 18, rx: 9, class: "chip owned" }),
        this.shape(claim.value, x + 19, y + 10, 10),
        this.text(x + 29, y + 14, cut(claim.text, w - 52, "strong"), "small strong"),
      ),
    );
  }

  // -------------------------------------------------------- players

  drawSeat(seat, y, near) {
    const part = seat.part;
    const w = this.room;
    const id = part.key.split("\t")[1];
    const number = this.player(id);
    const group = s("g", { class: `seat p${number}` });
    const score = part.values.find((shown) => shown.kind === "score");
    const stats = part.values.filter((shown) => shown !== score && shown.text);
    const named = this.valued(part.key, s("title", {}, part.title), this.shape(id, 14, 15, 16), this.text(28, 20, cut(part.title, w * 0.45, "title"), "title"));
    this.box(part.key, 2, 2, Math.min(w - 4, 30 + width(part.title, "title")), 26);
    let x = 38 + Math.min(w * 0.45, width(part.title, "title"));
    const inner = s("g", {}, named);
    if (seat.turn) {
      const w = width("on turn", "strong") + 28;
      inner.append(s("rect", { x, y: 5.5, width: w, height: 19, rx: 3, class: "chip here" }), s("path", { d: `M${x + 8} 10.5l8 4.5l-8 4.5z`, class: "on-here" }), this.text(x + 21, 19, "on turn", "small on-here"));
    }
    let top = 30;
    if (score) {
      const pips = this.pips(score);
      const wide = pips.w;
      const right = x + wide + 12 <= w;
      const at = right ? w - wide - 6 : 6;
      this.box(score.key, at - 4, right ? 2 : top - 2, wide + 8, 26);
      inner.append(s("g", { transform: `translate(${at} ${right ? 15 : top + 11})` }, pips.node));
      if (!right) top += 26;
    }
    const tags = this.tags(part, stats);
    const tagged = this.flow(tags, w - 12);
    inner.append(...this.drawTags(tags, 6, top + 4));
    top += tagged + 10;
    if (this.board.home) {
      const label = `${this.board.home}`;
      const plan = this.planPieces(part.parts, w - 24 - 46);
      const height = Math.max(30, plan.h + 16);
      inner.append(
        s("rect", { x: 4, y: top, width: w - 8, height, rx: 10, class: "home" }),
        this.text(14, top + 20, cut(label, 48, "small"), "small quiet-text"),
        ...(plan.rows.length ? this.drawPieces(plan, 60, top + 8) : [this.text(60, top + 20, "nothing here", "small quiet-text")]),
      );
      top += height;
    }
    group.append(inner);
    return { node: group, h: top + 4, near };
  }

  pips(score) {
    const count = score.whole || 0;
    const text = score.whole === null ? score.text : `${score.value} of ${score.whole}`;
    const label = `${text} ${score.label}`;
    const drawn = count > 0 && count <= 15 ? Math.max(count, score.value) : 0;
    const each = this.room < 420 ? 13 : 16;
    const node = this.valued(score.key, s("title", {}, label));
    for (let at = 0; at < drawn; at += 1) {
      const last = at === count - 1;
      const full = at < score.value;
      const x = 7 + at * each;
      if (last) node.append(s("path", { d: `M${x - 5} -6h10v8l-5 5l-5-5z`, class: `pip last${full ? " full" : ""}` }));
      else node.append(s("circle", { cx: x, cy: 0, r: 4.6, class: `pip${full ? " full" : ""}` }));
    }
    node.append(this.text(drawn * each + (drawn ? 8 : 0), 4.5, drawn && this.room < 420 ? text : label, "small strong"));
    return { node, w: drawn * each + (drawn ? 8 : 0) + width(drawn && this.room < 420 ? text : label, "strong") + 4 };
  }

  // -------------------------------------------------------- the rest

  drawTurn(part, y) {
    const group = s("g", {});
    const phrases = part.values.filter((shown) => shown.text);
    let x = 6;
    let top = y;
    const line = (w) => {
      if (x > 6 && x + w > this.room) {
        x = 6;
        top += 26;
      }
    };
    for (const shown of phrases) {
      const total = shown.choices.reduce((sum, word) => sum + width(word, "strong") + 20, 0);
      if (shown.choices.length > 1 && total <= this.room - 12) {
        line(total);
        this.box(shown.key, x, top, total, 22);
        const track = this.valued(shown.key, s("title", {}, shown.text), s("rect", { x, y: top, width: total, height: 22, rx: 11, class: "chip" }));
        for (const word of shown.choices) {
          const w = width(word, "strong") + 20;
          const now = word === shown.value;
          if (now) track.append(s("rect", { x, y: top, width: w, height: 22, rx: 11, class: "chip here" }));
          track.append(this.text(x + 10, top + 15, word, `small ${now ? "on-here" : "quiet-text"}`));
          x += w;
        }
        group.append(track);
        x += GAP;
        continue;
      }
      const sign = shown.kind === "player" ? 18 : 0;
      const w = width(shown.text, "strong") + sign + 6;
      line(w);
      this.box(shown.key, x - 3, top, w, 22);
      group.append(this.valued(shown.key, s("title", {}, shown.text), sign ? this.shape(shown.value, x + 7, top + 11, 11) : null, this.text(x + sign, top + 15, cut(shown.text, this.room - 20, "small"), "small strong")));
      x += w + GAP;
    }
    return { node: group, h: top - y + 30 };
  }

  drawList(name, parts, y) {
    const plan = this.planPieces(parts, this.room - 24);
    const group = s("g", {}, s("rect", { x: 4, y, width: this.room - 8, height: plan.h + 40, rx: 10, class: "home" }), this.text(14, y + 20, `${name.replace(/[-_]/g, " ")}, in order`, "small quiet-text"));
    group.append(...this.drawPieces(plan, 12, y + 30));
    return { node: group, h: plan.h + 50 };
  }

  drawOthers(parts, y) {
    const tags = parts.flatMap((part) => {
      const said = part.values.filter((shown) => shown.text && !shown.off).map((shown) => shown.text).join(", ");
      const named = part.key.split("\t")[1] === part.template ? part.template : `${part.template} ${part.title}`;
      return [...this.tags(part, []), { text: said ? `${named}: ${said}` : named, css: "", key: part.key }];
    });
    const height = this.flow(tags, this.room - 12);
    return { node: s("g", {}, this.drawTags(tags, 6, y)), h: height + GAP };
  }

  draw() {
    const board = this.board;
    const layers = s("g", {});
    let y = 6;
    const add = (drawn) => {
      layers.append(drawn.node);
      y += drawn.h;
    };
    const shift = (seat, near) => {
      const before = new Set(this.boxes.keys());
      const drawn = this.drawSeat(seat, 0, near);
      for (const [key, box] of this.boxes) if (!before.has(key)) box.y += y;
      drawn.node.setAttribute("transform", `translate(0 ${y})`);
      add({ node: drawn.node, h: drawn.h + 6 });
    };
    if (board.turn) add(this.drawTurn(board.turn, y));
    const late = board.turn ? this.tags(board.turn, []) : [];
    if (late.length) add({ h: this.flow(late, this.room - 12) + GAP, node: s("g", {}, this.drawTags(late, 6, y)) });
    for (const seat of board.far) shift(seat, false);
    add(this.drawPlaces(board.places, y));
    for (const [name, parts] of board.lists) add(this.drawList(name, parts, y));
    for (const seat of board.near) shift(seat, true);
    const loose = (this.flags.get("") || []).map((text) => ({ text, css: "wrong", key: "" }));
    if (board.others.length) add(this.drawOthers(board.others, y));
    if (loose.length) {
      const height = this.flow(loose, this.room - 12);
      add({ node: s("g", {}, this.drawTags(loose, 6, y)), h: height + GAP });
    }
    this.svg.append(layers, this.drawPointers());
    this.svg.setAttribute("viewBox", `0 0 ${this.room} ${Math.max(y, 40)}`);
    return this.svg;
  }

  drawPlaces(places, y) {
    if (!places.length) return { node: s("g", {}), h: 0 };
    const columns = Math.max(1, Math.min(places.length, Math.floor((this.room + GAP) / 212)));
    const w = (this.room - GAP * (columns - 1)) / columns;
    const group = s("g", {});
    let top = y;
    for (let at = 0; at < places.length; at += columns) {
      const plans = places.slice(at, at + columns).map((part) => this.planPlace(part, w));
      const height = Math.max(...plans.map((plan) => plan.h));
      plans.forEach((plan, n) => group.append(this.drawPlace(plan, n * (w + GAP), top, height)));
      top += height + GAP;
    }
    return { node: group, h: top - y };
  }

  /** What is pointed at: a halo round it and, at its corner, the number of the callout. */
  drawPointers() {
    const group = s("g", {});
    const taken = new Map();
    for (const one of this.pointed) {
      const box = this.boxes.get(one.target) || this.boxes.get(whole(one.target));
      if (!box) continue;
      const at = `${box.x},${box.y}`;
      const before = taken.get(at) || 0;
      taken.set(at, before + 1);
      const css = one.kind === "wrong" ? " wrong" : "";
      if (!before && one.kind !== "note") group.append(s("rect", { x: box.x - 2, y: box.y - 2, width: box.w + 4, height: box.h + 4, rx: 9, class: `halo${css}` }));
      const x = Math.min(this.room - 11, box.x + box.w - 3) - before * 20;
      const y = Math.max(11, box.y + 1);
      group.append(
        s("g", {}, css ? s("rect", { x: x - 9.5, y: y - 9.5, width: 19, height: 19, rx: 4, class: "ball wrong" }) : s("circle", { cx: x, cy: y, r: 10, class: "ball" }), this.text(x, y + 4.3, String(one.number), `ball-text${css}`)),
      );
    }
    return group;
  }
}

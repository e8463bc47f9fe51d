// The page's data, the elements it is built of, and the measures of text.

// ---------------------------------------------------------------- data: a table in which every distinct value stands once

const packed = JSON.parse(document.getElementById("data").textContent);
const unpacked = new Array(packed.table.length);
const known = new Uint8Array(packed.table.length);

function unpack(place) {
  if (known[place]) return unpacked[place];
  const node = packed.table[place];
  let value = node;
  if (Array.isArray(node)) {
    if (node[0] === -1) value = node.slice(1).map(unpack);
    else value = Object.fromEntries(unpack(node[0]).map((name, at) => [name, unpack(node[at + 1])]));
  }
  known[place] = 1;
  return (unpacked[place] = value);
}

const { rules: rulesets, scenarios } = unpack(packed.root);
/** Values that are told one after the other, so many of them belonging together. */
const inGroups = (values, size) => Array.from({ length: values.length / size }, (_, at) => values.slice(at * size, (at + 1) * size));

const bySlug = new Map(scenarios.map((one, at) => [one.slug, at]));

// ---------------------------------------------------------------- elements

const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, what] of Object.entries(value)) element.addEventListener(event, what);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}
const h = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
const s = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

const pen = document.createElement("canvas").getContext("2d");
const family = getComputedStyle(document.documentElement).getPropertyValue("--sans");
const serif = getComputedStyle(document.documentElement).getPropertyValue("--serif");
const FONT = { text: `400 13px ${family}`, small: `500 11.5px ${family}`, strong: `650 11.5px ${family}`, name: `650 13px ${family}`, title: `600 15px ${serif}` };

function width(text, font) {
  pen.font = FONT[font];
  return pen.measureText(text).width;
}

function cut(text, room, font) {
  if (width(text, font) <= room) return text;
  let end = text.length;
  while (end > 1 && width(`${text.slice(0, end)}…`, font) > room) end -= 1;
  return `${text.slice(0, end)}…`;
}

function wrap(text, room, font, most) {
  const lines = [];
  let line = "";
  for (const word of text.split(/(?<=[\s-])/)) {
    if (line && width((line + word).trimEnd(), font) > room) {
      lines.push(line.trimEnd());
      line = word;
    } else line += word;
  }
  if (line) lines.push(line.trimEnd());
  const kept = lines.length > most ? [...lines.slice(0, most - 1), lines.slice(most - 1).join(" ")] : lines;
  return kept.map((one) => cut(one, room, font));
}

// The list of scenarios, its filter, keys and links.

const links = [...document.querySelectorAll("#list a")];
const haystacks = scenarios.map((one) => `${one.name} ${one.id} ${one.path} ${one.cites.join(" ")} ${one.fired.join(" ")}`.toLowerCase());

function filter() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = new Set([...document.querySelectorAll("#search input[name=status]:checked")].map((box) => box.value));
  let count = 0;
  links.forEach((link, at) => {
    const shown = wanted.has(scenarios[at].status) && words.every((word) => haystacks[at].includes(word));
    link.parentElement.hidden = !shown;
    count += shown;
  });
  byId("shown").textContent = count === scenarios.length ? "" : `${count} of ${scenarios.length} shown`;
}

function beside(by) {
  for (let at = state.at + by; at >= 0 && at < scenarios.length; at += by) if (!links[at].parentElement.hidden) return at;
  return -1;
}

function follow() {
  const [slug, key] = decodeURIComponent(location.hash.slice(1)).split("/");
  if (bySlug.has(slug)) open(bySlug.get(slug), key || undefined);
  else if (state.at < 0 && scenarios.length) open(0);
}

const KEYS = {
  ArrowRight: () => step(state.row + 1),
  ArrowLeft: () => step(state.row - 1),
  Home: () => step(0),
  End: () => step(state.story.rows.length - 1),
  "]": () => go(beside(1)),
  "[": () => go(beside(-1)),
  "/": () => {
    document.querySelector(".index details").open = true;
    byId("filter").focus();
  },
  w: () => document.querySelector("#words .value")?.focus(),
  "?": () => byId("keys").showModal(),
  Escape: () => closeWhy(),
};

function go(at) {
  if (at >= 0) location.hash = `#${scenarios[at].slug}`;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  const typing = event.target.matches("input[type=search]");
  if (typing) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.target.matches("input[type=range], input[type=checkbox]") && !["]", "[", "/", "?"].includes(event.key)) return;
  const act = KEYS[event.key];
  if (!act || (!state.story && event.key !== "?" && event.key !== "/")) return;
  event.preventDefault();
  act();
});

byId("stage").addEventListener("click", (event) => {
  const valued = event.target.closest("svg [data-key]");
  if (!valued || !valued.dataset.key) return;
  const figure = valued.closest("figure");
  why(valued.dataset.key, parts.boards.indexOf(figure), false);
});

const THEMES = ["auto", "light", "dark"];
byId("theme").addEventListener("click", () => {
  const now = document.documentElement.dataset.theme || "auto";
  const next = THEMES[(THEMES.indexOf(now) + 1) % 3];
  if (next === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  byId("theme").textContent = `Light/dark: ${next}`;
  byId("theme").setAttribute("aria-label", `Light or dark: ${next === "auto" ? "as the system" : next}`);
});
byId("help").addEventListener("click", () => byId("keys").showModal());
byId("search").addEventListener("submit", (event) => event.preventDefault());
byId("search").addEventListener("input", filter);
window.addEventListener("hashchange", follow);
window.addEventListener("beforeprint", () => parts.drawn && parts.drawn(state.story.sides.length > 1 ? 460 : 680));
window.addEventListener("afterprint", () => parts.drawn && parts.drawn());
new ResizeObserver(() => {
  const figure = parts.boards && parts.boards[0];
  if (figure && figure.isConnected && parts.drawn && Math.abs(figure.clientWidth - parts.width) > 2) parts.drawn();
}).observe(byId("stage"));
if (matchMedia("(max-width: 61.99rem)").matches) document.querySelector(".index details").open = false;
follow();

// What the pages do beyond HTML: live parts, keys, and the switch between light and dark. All of it is optional.
"use strict";

const main = document.getElementById("main");

// Live parts. The server sends HTML that its templates made, with everything escaped; this puts it where it belongs.
function replace(name, html) {
  const region = document.querySelector(`[data-region="${CSS.escape(name)}"]`);
  if (!region) return;
  const item = document.activeElement?.closest("[data-item]")?.getAttribute("href");
  region.innerHTML = html;
  region.hidden = false;
  if (item) region.querySelector(`[data-item][href="${CSS.escape(item)}"]`)?.focus();
}

function append(html) {
  const list = document.querySelector("[data-rows]");
  if (list) list.insertAdjacentHTML("beforeend", html);
}

const STATES = { live: "live", lost: "connecting again", over: "over" };

function say(state) {
  const told = document.querySelector("[data-live-state]");
  if (main.dataset.state === state) return;
  main.dataset.state = state;
  told.textContent = STATES[state];
  told.hidden = false;
}

// A browser has few connections to one server, and each live page holds one: a page that nobody sees lets go of it.
function follow(address) {
  let source = null;
  let last = "";
  const open = () => {
    const url = new URL(address, location.href);
    if (last) url.searchParams.set("after", last);
    source = new EventSource(url);
    source.addEventListener("region", (event) => {
      const { name, html } = JSON.parse(event.data);
      replace(name, html);
    });
    source.addEventListener("rows", (event) => {
      last = event.lastEventId;
      append(JSON.parse(event.data).html);
    });
    source.addEventListener("open", () => say("live"));
    source.addEventListener("error", () => say("lost"));
    source.addEventListener("over", () => {
      source.close();
      say("over");
    });
  };
  document.addEventListener("visibilitychange", () => {
    if (main.dataset.state === "over") return;
    source?.close();
    if (!document.hidden) open();
  });
  if (!document.hidden) open();
}

// Keys. None works while somebody writes, and none decides anything: a, r and s go to the reason first, and then to
// their button, which Enter presses.
function step(by) {
  const items = [...document.querySelectorAll("[data-item]")];
  const at = items.indexOf(document.activeElement);
  items[Math.min(items.length - 1, Math.max(0, at < 0 ? 0 : at + by))]?.focus();
}

let wantsPage = false;

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (wantsPage) {
    const links = [...document.querySelectorAll("nav a")];
    links.find((link) => link.textContent.toLowerCase().startsWith(event.key))?.click();
  } else if (event.key === "j" || event.key === "k") {
    step(event.key === "j" ? 1 : -1);
  } else if (button) {
    const reason = document.getElementById("reason");
    (reason && !reason.value.trim() ? reason : button).focus();
    event.preventDefault();
  }
  wantsPage = event.key === "g" && !wantsPage;
}

// Light and dark.
function switchable(button) {
  const root = document.documentElement;
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const named = () => { button.textContent = dark() ? "Light" : "Dark"; };
  button.hidden = false;
  named();
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try {
      localStorage.setItem("ralph-theme", root.dataset.theme);
    } catch (error) {
      // it holds for this page, then
    }
    named();
  });
}

document.addEventListener("keydown", pressed);
document.querySelectorAll("[data-theme-switch]").forEach(switchable);
if (main.dataset.live) follow(main.dataset.live);

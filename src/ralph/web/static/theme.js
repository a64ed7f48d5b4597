// Before anything is drawn: the scheme that was chosen here, if one was.
"use strict";
try {
  const chosen = localStorage.getItem("ralph-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch (error) {
  // a browser that keeps nothing shows what the system prefers
}

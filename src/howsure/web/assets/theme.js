// @ts-check
// Runs before the first paint, so that a chosen theme does not flash. Without a choice the system decides.
(() => {
  try {
    const chosen = localStorage.getItem("howsure-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // storage may be forbidden; the system's theme will do
  }
})();

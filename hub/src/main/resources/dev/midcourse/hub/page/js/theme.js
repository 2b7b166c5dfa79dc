// Runs before the first paint: the theme that was chosen here, or the system's.
(() => {
  const chosen = localStorage.getItem("midcourse.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();

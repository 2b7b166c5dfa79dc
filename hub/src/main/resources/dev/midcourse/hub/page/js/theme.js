// Runs before the first paint: sets the theme that was chosen in this browser, or else the system's.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const system = dark.matches ? "dark" : "light";
    document.documentElement.dataset.theme = localStorage.getItem("midcourse.theme") ?? system;
  };
  apply();
  dark.addEventListener("change", apply);
})();

// Runs before the first paint: the theme that was chosen here, or else the system's.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const usual = dark.matches ? "dark" : "light";
    document.documentElement.dataset.theme = localStorage.getItem("midcourse.theme") ?? usual;
  };
  apply();
  dark.addEventListener("change", apply);
})();

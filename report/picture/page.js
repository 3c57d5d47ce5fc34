"use strict";
const map = document.querySelector(".map");
const tip = document.getElementById("tip");

function show(rect, x, y) {
  tip.textContent = rect.getAttribute("aria-label");
  tip.hidden = false;
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = Math.max(4, y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 18) + "px";
}
function hide() { tip.hidden = true; }

for (const rect of map.querySelectorAll(".buffer")) {
  const title = rect.querySelector("title");
  rect.setAttribute("aria-label", title.textContent);
  rect.setAttribute("tabindex", "0");
  title.remove();
  rect.addEventListener("pointermove", event => show(rect, event.clientX, event.clientY));
  rect.addEventListener("pointerleave", hide);
  rect.addEventListener("focus", () => {
    const box = rect.getBoundingClientRect();
    show(rect, Math.max(box.left, 0), Math.min(box.bottom, innerHeight) - 18);
  });
  rect.addEventListener("blur", hide);
}
map.addEventListener("scroll", hide);

function toPeak() {
  const peak = map.querySelector("rect.peak");
  if (!peak) return;
  const box = peak.getBoundingClientRect();
  map.scrollLeft += box.left + box.width / 2 - map.getBoundingClientRect().left - map.clientWidth / 2;
}
document.getElementById("to-peak").addEventListener("click", toPeak);
const svg = map.querySelector("svg");
const fit = document.getElementById("fit");
const natural = { width: svg.width.baseVal.value, height: svg.height.baseVal.value };
let zoom = 1;

/* Scale the map and keep what is at `x`, `y` of the window where it is. */
function scale(factor, x, y) {
  const before = svg.getBoundingClientRect();
  const outer = map.getBoundingClientRect();
  if (x === undefined) { x = outer.left + map.clientWidth / 2; y = before.top; }
  if (fit.checked) { zoom = before.width / natural.width; fit.checked = false; map.classList.remove("fit"); }
  zoom = Math.min(16, Math.max(0.1, zoom * factor));
  svg.style.width = natural.width * zoom + "px";
  svg.style.height = natural.height * zoom + "px";
  const after = svg.getBoundingClientRect();
  map.scrollLeft += (x - before.left) / before.width * after.width + after.left - x;
  scrollBy(0, (y - before.top) / before.height * after.height + after.top - y);
  hide();
}
document.getElementById("zoom-in").addEventListener("click", () => scale(1.5));
document.getElementById("zoom-out").addEventListener("click", () => scale(1 / 1.5));
map.addEventListener("wheel", event => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  scale(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
}, { passive: false });
fit.addEventListener("change", () => {
  map.classList.toggle("fit", fit.checked);
  svg.style.width = svg.style.height = "";
  zoom = 1;
  toPeak();
});
toPeak();

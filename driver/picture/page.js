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

for (const rect of map.querySelectorAll("rect.buffer")) {
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
document.getElementById("fit").addEventListener("change", event => {
  map.classList.toggle("fit", event.target.checked);
  toPeak();
});
toPeak();

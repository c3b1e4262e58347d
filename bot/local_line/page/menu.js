// The menu of one bubble: a button beside it opens it, arrows walk through it, Escape closes it.

import { element } from "./bubbles.js";
import { words } from "./words.js";

const menu = () => document.getElementById("menu");
const WALK = { ArrowDown: 1, ArrowUp: -1 };

// A button that opens the choices ([label, what it does]) of a bubble.
export function menuButton(choices) {
  const button = element("button", "bubble-menu");
  button.type = "button";
  button.setAttribute("aria-label", words.actions);
  button.setAttribute("aria-haspopup", "menu");
  button.append(element("span", "", "⋯"));
  button.addEventListener("click", () => open(button, choices));
  return button;
}

function open(button, choices) {
  menu().replaceChildren(...choices.map(([label, act]) => {
    const item = element("button", "menu-item", label);
    item.type = "button";
    item.setAttribute("role", "menuitem");
    item.addEventListener("click", () => { menu().hidePopover(); act(); });
    return item;
  }));
  menu().onkeydown = (event) => {
    const items = [...menu().children], at = items.indexOf(document.activeElement);
    const ends = { Home: 0, End: items.length - 1 };
    const next = event.key in WALK ? (at + WALK[event.key] + items.length) % items.length : ends[event.key];
    if (event.key === "Tab") menu().hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    items[next].focus();
  };
  menu().showPopover();
  place(button.getBoundingClientRect());
  menu().firstElementChild.focus();
}

// Beside the button, and never outside the window.
function place(beside) {
  const { offsetWidth: width, offsetHeight: height } = menu();
  const left = Math.min(Math.max(8, beside.left + beside.width / 2 - width / 2), innerWidth - width - 8);
  const below = beside.bottom + 4;
  menu().style.left = `${left}px`;
  menu().style.top = `${below + height > innerHeight - 8 ? beside.top - height - 4 : below}px`;
}

// Groups: their entries beside the people, who speaks in one, and the dialog that makes one.

import { element } from "./bubbles.js";
import { words } from "./words.js";

export function initial(name, place) {
  const made = element("span", `face tint-${place % 5}`, [...name][0] ?? "?");
  made.setAttribute("aria-hidden", "true");
  return made;
}

// One of the chats at the side. ``under`` is the small line below its name.
export function chatter(name, under, mark, isOpen, isUnread, onOpen) {
  const item = element("li"), button = element("button", "chatter"), told = element("span", "chatter-name", name);
  button.type = "button";
  button.setAttribute("aria-current", String(isOpen));
  if (isUnread) {
    button.classList.add("unread");
    told.append(element("span", "hidden-words", ` (${words.unread})`));
  }
  told.append(element("small", "", under));
  button.append(mark, told);
  button.addEventListener("click", onOpen);
  item.append(button);
  return item;
}

export function groupMark(name) {
  const mark = element("span", "face of-group", [...name][0] ?? "?");
  mark.setAttribute("aria-hidden", "true");
  return mark;
}

export const sizeOf = (group) => `${group.people.length} ${words.groupOf}`;

// The people of a group as radio buttons: whoever is chosen speaks.
export function showMembers(group, people, speaker, onChoice) {
  const members = people.filter((person) => group.people.includes(person.id));
  document.getElementById("members").replaceChildren(...members.map((person) => {
    const label = element("label", "member"), radio = element("input", "hidden-words");
    Object.assign(radio, { type: "radio", name: "speaker", value: person.id, checked: person.id === speaker });
    radio.addEventListener("change", () => onChoice(person.id));
    label.append(radio, initial(person.name, people.indexOf(person)), element("span", "", person.name));
    return label;
  }));
}

// Everybody is asked along unless they are left out.
export function showCandidates(people) {
  document.getElementById("candidates").replaceChildren(...people.map((person) => {
    const label = element("label", "candidate"), box = element("input");
    Object.assign(box, { type: "checkbox", name: "people", value: person.id, checked: true });
    label.append(box, element("span", "", person.name));
    return label;
  }));
}

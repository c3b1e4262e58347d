// LINE's message objects as elements. Everything a message says is inserted as text; nothing is loaded from outside.

import { language, words } from "./words.js";

export function element(name, classes = "", text = null) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  if (text !== null) made.textContent = text;
  return made;
}

function drawn(viewBox, ...paths) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("aria-hidden", "true");
  for (const [name, attributes] of paths) {
    const part = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    svg.append(part);
  }
  return svg;
}

// ── text

const LINK = /https?:\/\/[^\s<>"'「」『』（）()，。、！？]+/g;

function withLinks(into, text) {
  let from = 0;
  for (const found of text.matchAll(LINK)) {
    into.append(text.slice(from, found.index));
    const link = element("a", "", found[0]);
    link.href = found[0];
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    into.append(link);
    from = found.index + found[0].length;
  }
  into.append(text.slice(from));
}

function textBubble(message) {
  const bubble = element("div", "bubble");
  const plain = message.type === "textV2" ? message.text.replaceAll("{{", "{").replaceAll("}}", "}") : message.text;
  withLinks(bubble, plain);
  return bubble;
}

// ── stickers: four faces of our own

const FACES = {
  ok: ["#8fd0b3", "M19 27q2-3 4 0M41 27q2-3 4 0", "M24 38q8 8 16 0"],
  thanks: ["#f3c98b", "M19 28q3 3 6 0M39 28q3 3 6 0", "M26 38q6 5 12 0"],
  happy: ["#f5b5a4", "M19 28q3-5 6 0M39 28q3-5 6 0", "M22 35q10 15 20 0Z"],
  tired: ["#b5c3e6", "M18 29h7M39 29h7", "M27 41q5-4 10 0"],
};
const STICKERS = { "446/1988": "ok", "446/1993": "thanks", "446/1989": "happy", "446/2005": "tired" };

export function face(name) {
  const [color, eyes, mouth] = FACES[name];
  const line = { fill: "none", stroke: "#3a4a42", "stroke-width": 3, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return drawn(
    "0 0 64 64",
    ["path", { d: "M32 6c16 0 26 10 26 26S48 58 32 58 6 48 6 32 16 6 32 6Z", fill: color }],
    ["circle", { cx: 16, cy: 36, r: 4, fill: "#ffffff", opacity: 0.45 }],
    ["circle", { cx: 48, cy: 36, r: 4, fill: "#ffffff", opacity: 0.45 }],
    ["path", { ...line, d: eyes }],
    ["path", { ...line, d: mouth }],
  );
}

function stickerBubble(message) {
  const name = STICKERS[`${message.packageId}/${message.stickerId}`];
  const bubble = element("div", "sticker");
  bubble.setAttribute("role", "img");
  bubble.setAttribute("aria-label", `${words.sticker}: ${name ? words.stickers[name] : message.stickerId}`);
  bubble.append(name ? face(name) : element("span", "placeholder", words.sticker));
  return bubble;
}

// ── pictures and places

function pictureBubble(message, shown) {
  if (shown.side !== "person") {
    const sent = botPicture(message.previewImageUrl, words.picture);
    if (sent.tagName === "IMG") sent.className = "picture";
    return sent;
  }
  const picture = element("img", "picture");
  picture.src = `/local/content/${encodeURIComponent(shown.id)}`;
  picture.alt = words.picture;
  picture.loading = "lazy";
  return picture;
}

function recordingBubble(message, shown) {
  if (shown.side !== "person") return outsidePicture();
  const made = element(message.type, "picture");
  made.controls = true;
  made.preload = "none";
  made.src = `/local/content/${encodeURIComponent(shown.id)}`;
  return made;
}

function fileBubble(message) {
  return element("div", "bubble", message.fileName);
}

let ownPictures = "";
// How the addresses of the bot's own pictures begin, which the platform fetches.
export function showPicturesFrom(prefix) {
  ownPictures = prefix;
}

function botPicture(url, description) {
  if (!ownPictures || !url?.startsWith(ownPictures)) return outsidePicture();
  const picture = element("img");
  picture.src = `/local/picture?url=${encodeURIComponent(url)}`;
  picture.alt = description;
  picture.addEventListener("error", () => picture.replaceWith(outsidePicture()), { once: true });
  return picture;
}

function flexPicture(part) {
  const frame = element("div", `flex-picture ${part.aspectMode ?? "fit"}`);
  const picture = botPicture(part.url, words.picture);
  frame.style.aspectRatio = (part.aspectRatio ?? "1:1").replace(":", "/");
  frame.append(picture);
  return frame;
}

function outsidePicture() {
  const place = element("div", "placeholder", words.noPicture);
  place.setAttribute("role", "img");
  place.setAttribute("aria-label", words.noPicture);
  return place;
}

function placeBubble(message) {
  const bubble = element("div", "bubble place");
  const pin = drawn("0 0 24 24", [
    "path", { d: "M12 21s6.5-6 6.5-11a6.5 6.5 0 0 0-13 0c0 5 6.5 11 6.5 11Zm0-8.6a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8Z" },
  ]);
  const told = element("div");
  if (message.title) told.append(element("strong", "", message.title));
  if (message.address) told.append(element("span", "", message.address));
  told.append(element("small", "", `${message.latitude.toFixed(4)}, ${message.longitude.toFixed(4)}`));
  bubble.append(pin, told);
  return bubble;
}

// ── actions

export function actionButton(action, classes, onTap, text = null) {
  const button = element("button", classes, text ?? action.label ?? action.text ?? action.uri ?? "");
  button.type = "button";
  button.addEventListener("click", () => onTap(action));
  return button;
}

// ── templates

function templateBubble(message, onTap) {
  const { template } = message;
  if (template.type === "carousel") return carouselOf(template.columns.map((each) => templateCard(each, onTap)));
  if (template.type === "image_carousel") {
    return carouselOf(template.columns.map((each) => templateCard({ actions: [each.action], imageUrl: each.imageUrl }, onTap)));
  }
  return templateCard(template, onTap);
}

function templateCard(template, onTap) {
  const card = element("article", "card template");
  if (template.thumbnailImageUrl || template.imageUrl) card.append(outsidePicture());
  const told = element("div", "template-text");
  if (template.title) told.append(element("strong", "", template.title));
  if (template.text) told.append(element("p", "", template.text));
  if (told.childElementCount) card.append(told);
  const choices = element("div", template.type === "confirm" ? "choices side-by-side" : "choices");
  for (const action of template.actions) choices.append(actionButton(action, "choice", onTap));
  card.append(choices);
  return card;
}

function carouselOf(cards) {
  const row = element("div", "carousel");
  row.tabIndex = 0;
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", words.card);
  row.append(...cards);
  return row;
}

// ── Flex, the usual subset

const GAPS = { none: 0, xs: 2, sm: 4, md: 8, lg: 12, xl: 16, xxl: 20 };
const FONTS = { xxs: 11, xs: 13, sm: 14, md: 16, lg: 19, xl: 22, xxl: 29, "3xl": 35, "4xl": 48, "5xl": 74 };
const ALIGN = { start: "start", center: "center", end: "end" };
const GRAVITY = { top: "flex-start", center: "center", bottom: "flex-end" };

function length(value, names = GAPS) {
  if (value in names) return `${names[value]}px`;
  return /^-?\d+(\.\d+)?(px|%)$/.test(value ?? "") ? value : "";
}

function flexBubble(message, onTap) {
  const { contents } = message;
  if (contents.type === "carousel") return carouselOf(contents.contents.map((each) => flexCard(each, message, onTap)));
  return flexCard(contents, message, onTap);
}

function flexCard(bubble, message, onTap) {
  const card = element("article", `card flex-card size-${bubble.size ?? "mega"}`);
  card.setAttribute("aria-label", message.altText);
  for (const part of ["header", "hero", "body", "footer"]) {
    if (!bubble[part]) continue;
    const block = element("div", `block ${part}`);
    const style = bubble.styles?.[part] ?? {};
    if (style.separator) block.classList.add("separated");
    if (style.backgroundColor) block.style.backgroundColor = style.backgroundColor;
    block.append(component(bubble[part], "vertical", onTap));
    card.append(block);
  }
  tappable(card, bubble.action, onTap);
  return card;
}

const COMPONENTS = {
  box: flexBox,
  text: flexText,
  button: (part, onTap) => {
    const button = actionButton(part.action, `flex-button ${part.style ?? "link"} ${part.height ?? "md"}`, onTap);
    if (part.color) button.style[(part.style ?? "link") === "link" ? "color" : "backgroundColor"] = part.color;
    return button;
  },
  separator: (part) => {
    const line = element("hr", "flex-separator");
    if (part.color) line.style.borderColor = part.color;
    return line;
  },
  image: flexPicture,
  video: outsidePicture,
  icon: () => element("span", "flex-icon"),
  filler: () => element("span", "flex-filler"),
};

function component(part, layout, onTap, spacing = "none") {
  const made = (COMPONENTS[part.type] ?? (() => element("span")))(part, onTap);
  const gap = length(part.margin ?? spacing);
  if (gap) made.style[layout === "vertical" ? "marginTop" : "marginInlineStart"] = gap;
  const stretch = part.flex ?? (layout !== "vertical" && ["text", "box", "button", "filler"].includes(part.type) ? 1 : null);
  if (stretch !== null) made.style.flex = stretch === 0 ? "0 0 auto" : `${stretch} ${layout === "vertical" ? "0 auto" : "1 0"}`;
  if (part.gravity && layout === "horizontal") made.style.alignSelf = GRAVITY[part.gravity];
  if (part.type !== "button") tappable(made, part.action, onTap);
  return made;
}

function flexBox(part, onTap) {
  const box = element("div", `flex-box ${part.layout}`);
  part.contents.forEach((each, place) => {
    const made = component(each, part.layout, onTap, place ? part.spacing : "none");
    if (!place && !each.margin) made.style.marginTop = "";
    box.append(made);
  });
  const sides = { paddingAll: "padding", paddingTop: "paddingTop", paddingBottom: "paddingBottom", paddingStart: "paddingInlineStart", paddingEnd: "paddingInlineEnd" };
  for (const [name, property] of Object.entries(sides)) if (part[name]) box.style[property] = length(part[name]);
  for (const name of ["width", "height", "maxWidth", "maxHeight"]) if (part[name]) box.style[name] = length(part[name]);
  if (part.backgroundColor) box.style.backgroundColor = part.backgroundColor;
  if (part.cornerRadius) Object.assign(box.style, { borderRadius: length(part.cornerRadius), overflow: "hidden" });
  if (part.borderWidth) box.style.border = `${length(part.borderWidth, { light: 0.5, normal: 1, medium: 2, "semi-bold": 3, bold: 4 })} solid ${part.borderColor ?? "#0002"}`;
  if (part.justifyContent) box.style.justifyContent = part.justifyContent;
  if (part.alignItems) box.style.alignItems = part.alignItems;
  return box;
}

function flexText(part) {
  const text = element("p", part.wrap ? "flex-text wrap" : "flex-text");
  if (part.contents) text.append(...part.contents.map((each) => written(element("span", "", each.text), each)));
  else withLinks(text, part.text);
  if (part.align) text.style.textAlign = ALIGN[part.align];
  if (part.wrap && part.maxLines) {
    text.classList.add("clamped");
    text.style.webkitLineClamp = String(part.maxLines);
  }
  return written(text, part);
}

function written(made, part) {
  if (part.size) made.style.fontSize = length(part.size, FONTS);
  if (part.color) made.style.color = part.color;
  if (part.weight) made.style.fontWeight = part.weight === "bold" ? "700" : "400";
  if (part.style) made.style.fontStyle = part.style;
  if (part.decoration) made.style.textDecoration = part.decoration;
  return made;
}

function tappable(made, action, onTap) {
  if (!action) return;
  made.classList.add("tappable");
  made.tabIndex = 0;
  made.setAttribute("role", "button");
  made.addEventListener("click", (event) => { event.stopPropagation(); onTap(action); });
  made.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); onTap(action); }
  });
}

// ── a whole row

const KINDS = {
  text: textBubble, textV2: textBubble, sticker: stickerBubble, image: pictureBubble, location: placeBubble,
  video: recordingBubble, audio: recordingBubble, file: fileBubble,
  template: (message, _shown, onTap) => templateBubble(message, onTap),
  flex: (message, _shown, onTap) => flexBubble(message, onTap),
};

const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

// ``side``: whose it is, seen by whoever speaks. ``name`` and ``mark`` stand beside it where several talk; ``quoted`` is
// what it answers.
export function row(shown, onTap, { side = shown.side, name = "", mark = null, quoted = null } = {}) {
  const made = element("div", `row ${side}`);
  made.dataset.id = shown.id;
  if (shown.event_id) made.dataset.event = shown.event_id;
  const speaker = side === "bot" ? words.answered : name || words.said;
  const who = element("span", "hidden-words", `${speaker}: `);
  const aside = element("div", "aside");
  aside.append(element("span", "state"), element("time", "", clock.format(shown.at)));
  aside.querySelector("time").dateTime = new Date(shown.at).toISOString();
  if (shown.message.edited) aside.prepend(element("span", "edited", words.edited));
  if (shown.unsent) {
    made.append(unsentNote(side));
    return made;
  }
  const said = KINDS[shown.message.type]?.(shown.message, shown, onTap) ?? outsidePicture();
  if (quoted && said.classList.contains("bubble")) said.prepend(quoted);
  made.append(who, ...(mark ? [mark, told(name, said)] : [said]), aside);
  return made;
}

export const unsentNote = (side) => element("p", "note", side === "person" ? words.unsentMine : words.unsentTheirs);

function told(name, said) {
  const made = element("div", "told");
  made.append(element("span", "told-by", name), said);
  return made;
}

// What a message says in one line.
export function gist(message) {
  const named = { image: words.picture, location: message.title || message.address || words.place, file: message.fileName };
  return message.text ?? message.altText ?? named[message.type] ?? words[message.type] ?? "";
}

export function quotation(name, message, onGo) {
  const made = element("button", "quotation");
  made.type = "button";
  made.append(element("strong", "", name), element("span", "", gist(message)));
  made.addEventListener("click", onGo);
  return made;
}

export function day(at) {
  const date = new Date(at);
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  const days = Math.round((midnight - new Date(date).setHours(0, 0, 0, 0)) / 864e5);
  const name = days === 0 ? words.today : days === 1 ? words.yesterday : null;
  const text = new Intl.DateTimeFormat(language === "th" ? "th-TH-u-ca-buddhist" : language, {
    month: "numeric", day: "numeric", weekday: "short", ...(days > 300 ? { year: "numeric" } : {}),
  }).format(date);
  return element("div", "day", name ? `${name}・${text}` : text);
}

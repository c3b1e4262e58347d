// The chat page: what is typed goes to the platform, what the platform shows comes back over a stream.

import { actionButton, day, element, face, gist, quotation, row, showPicturesFrom, unsentNote } from "./bubbles.js";
import { chatter, groupMark, initial, showCandidates, showMembers, sizeOf } from "./company.js";
import { menuButton } from "./menu.js";
import { LANGUAGES, fill, language, words } from "./words.js";

const $ = (id) => document.getElementById(id);
const BOT = "@Secretary";

// ``person``: whose chat is open, or which group; ``speaker``: who speaks there. ``about``: what is quoted or edited.
const now = {
  person: null, speaker: null, group: null, people: [], about: null, history: null,
  bond: "stranger", stream: null, held: null, rows: new Map(), shown: new Map(), lastDay: "", activities: new Map(), unread: new Set(),
};

// ── asking the platform

async function ask(path, body) {
  const answer = await fetch(path, body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.message);
  return found;
}

// What whoever speaks does in the open chat.
async function act(what, body) {
  const path = now.group ? `/local/groups/${what}` : `/local/${what}`;
  const who = now.group ? { group: now.person, person: now.speaker } : { person: now.person };
  try {
    return await ask(path, { ...who, ...body });
  } catch (problem) {
    toast(problem instanceof TypeError ? words.lost : `${words.notDone} (${problem.message})`);
    return null;
  }
}

let toastEnds = 0;
function toast(text) {
  $("toast").textContent = text;
  $("toast").classList.add("shown");
  clearTimeout(toastEnds);
  toastEnds = setTimeout(() => $("toast").classList.remove("shown"), 4000);
}

// ── the log

function isAtEnd() {
  const view = $("scroll");
  return view.scrollHeight - view.scrollTop - view.clientHeight < 120;
}

function toEnd() {
  const view = $("scroll");
  view.scrollTop = view.scrollHeight;
}

function addBubble(shown) {
  const known = now.rows.get(shown.id);
  now.shown.set(shown.id, shown);
  const made = row(shown, (action) => tap(action, shown), standing(shown));
  if (known) {
    known.replaceWith(made);
  } else {
    const date = new Date(shown.at).toDateString();
    if (date !== now.lastDay) $("log").append(day(shown.at));
    now.lastDay = date;
    $("log").append(made);
  }
  now.rows.set(shown.id, made);
  if (!shown.unsent) made.append(menuButton(choices(shown)));
  setState(made, shown.state);
  $("empty").hidden = true;
}

// How a bubble stands in the chat, seen by whoever speaks.
function standing(shown) {
  const quoted = now.shown.get(shown.message.quotedMessageId);
  const quote = quoted && !quoted.unsent ? quotation(nameOf(quoted), quoted.message, () => goTo(quoted.id)) : null;
  if (!now.group || isMine(shown)) return { quoted: quote };
  if (shown.side === "bot") {
    const mark = element("img", "face");
    Object.assign(mark, { src: "/icon.svg", alt: "" });
    return { quoted: quote, mark, name: words.secretary };
  }
  const place = now.people.findIndex((person) => person.id === shown.speaker);
  return { quoted: quote, side: "other", mark: initial(shown.by, Math.max(place, 0)), name: shown.by };
}

const isMine = (shown) => shown.side === "person" && (!now.group || shown.speaker === now.speaker);
const nameOf = (shown) => (shown.side === "bot" ? words.secretary : shown.by ?? words.you);

function goTo(id) {
  const made = now.rows.get(id);
  made?.scrollIntoView({ block: "center" });
  made?.classList.add("found");
  setTimeout(() => made?.classList.remove("found"), 1200);
}

function choices(shown) {
  const found = [[words.quote, () => beginAbout("quote", shown)]];
  if (!isMine(shown)) return found;
  if (shown.message.type === "text") found.push([words.edit, () => beginAbout("edit", shown)]);
  return [...found, [words.unsend, () => act("unsend", { message_id: shown.id })]];
}

// ── what is quoted or edited

function beginAbout(kind, shown) {
  const follow = isAtEnd();
  now.about = { kind, shown };
  const head = kind === "edit" ? words.editing : `${words.quoting} ${nameOf(shown)}`;
  $("about-words").querySelector("strong").textContent = head;
  $("about-words").querySelector("span").textContent = gist(shown.message);
  $("about").hidden = false;
  if (kind === "edit") $("words").value = shown.message.text;
  grow();
  if (follow) toEnd();
  $("words").focus();
}

function endAbout() {
  if (now.about?.kind === "edit") $("words").value = "";
  now.about = null;
  $("about").hidden = true;
  $("about-words").querySelector("strong").textContent = $("about-words").querySelector("span").textContent = "";
  grow();
}

function setState(made, state, tries = 0) {
  const mark = made.querySelector(".state");
  if (!mark || !made.classList.contains("person")) return;
  mark.replaceChildren();
  mark.className = `state ${state ?? ""}`;
  if (state === "delivered") mark.textContent = words.read;
  if (state === "waiting" && tries > 0) mark.textContent = words.waiting;
  if (state !== "failed") return;
  mark.textContent = words.failed;
  const again = element("button", "again", words.again);
  again.type = "button";
  again.addEventListener("click", () => ask("/local/redeliver", { event_id: made.dataset.event }).catch(() => toast(words.notDone)));
  mark.append(again);
}

function showQuickReplies(shown) {
  const items = shown?.side === "bot" ? shown.message.quickReply?.items ?? [] : [];
  const buttons = items.map(({ action }) => actionButton(action, "chip", (tapped) => {
    if (["postback", "message"].includes(tapped.type)) showQuickReplies(null);
    tap(tapped, shown);
  }));
  $("quick").replaceChildren(...buttons);
  $("quick").hidden = buttons.length === 0;
}

let loadingEnds = 0;
function showLoading(seconds) {
  clearTimeout(loadingEnds);
  $("loading").hidden = seconds <= 0;
  if (seconds > 0) loadingEnds = setTimeout(() => showLoading(0), seconds * 1000);
}

function showActivity(line) {
  const [started, done, failed] = words.tools[line.tool] ?? words.tools.other;
  const key = `${line.tool} ${line.call ?? ""}`;
  let made = now.activities.get(key);
  if (!made || line.state === "started") {
    made = element("div", "activity");
    made.append(element("span", "activity-mark"), element("span", "activity-words"));
    now.activities.set(key, made);
    $("log").append(made);
  }
  made.className = `activity ${line.state}`;
  made.lastElementChild.textContent = { started, done, failed }[line.state] ?? line.tool;
  if (line.state !== "started") now.activities.delete(key);
}

// ── tapping

function tap(action, shown) {
  const taps = {
    message: () => say({ text: action.text }),
    postback: () => postback(action, shown),
    datetimepicker: () => pickMoment(action, shown),
    uri: () => openLink(action.uri),
    clipboard: () => navigator.clipboard.writeText(action.clipboardText).then(() => toast(words.copied), () => toast(words.notDone)),
    camera: () => $("file").click(),
    cameraRoll: () => $("file").click(),
    location: () => choosePlace(),
  };
  return taps[action.type]?.();
}

async function postback(action, shown, params) {
  if (action.inputOption === "openKeyboard") {
    $("words").value = action.fillInText ?? "";
    $("words").focus();
  }
  const body = { message_id: shown.id, data: action.data, label: action.label ?? "" };
  await act("tap", { ...(now.group ? { data: action.data } : body), ...(params ? { params } : {}) });
}

function openLink(uri) {
  if (/^https?:\/\//.test(uri)) window.open(uri, "_blank", "noopener,noreferrer");
  else toast(uri);
}

async function pickMoment(action, shown) {
  const kinds = { date: "date", time: "time", datetime: "datetime-local" };
  const input = $("moment-dialog").querySelector("input");
  input.type = kinds[action.mode];
  for (const [name, value] of Object.entries({ value: action.initial, min: action.min, max: action.max })) {
    input[name] = (value ?? "").replace("t", "T");
  }
  const chosen = await answered($("moment-dialog"));
  if (chosen) postback(action, shown, { [action.mode]: chosen.moment });
}

// ── dialogs

function answered(dialog) {
  const form = dialog.querySelector("form");
  const opener = document.activeElement;
  dialog.querySelector("[value=cancel]").onclick = () => dialog.close("");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "ok" ? Object.fromEntries(new FormData(form)) : null);
      opener?.focus();
    }, { once: true });
  });
}

async function choosePlace() {
  const chosen = await answered($("place-dialog"));
  if (!chosen) return;
  const place = { latitude: Number(chosen.latitude), longitude: Number(chosen.longitude) };
  if (chosen.title.trim()) place.title = chosen.title;
  if (chosen.address.trim()) place.address = chosen.address;
  await say({ location: place });
}

async function addPerson() {
  $("person-dialog").querySelector("[name=name]").value = "";
  $("person-dialog").querySelector("[name=language]").value = language;
  const chosen = await answered($("person-dialog"));
  if (!chosen) return;
  const added = await ask("/local/people", chosen).catch((problem) => toast(problem.message));
  if (added) await show(added.id);
}

async function addGroup() {
  const dialog = $("group-dialog");
  dialog.querySelector("[name=name]").value = "";
  showCandidates(now.people);
  const chosen = await answered(dialog);
  if (!chosen) return;
  const people = [...dialog.querySelectorAll("[name=people]:checked")].map((each) => each.value);
  const made = await ask("/local/groups", { name: chosen.name, people }).catch((problem) => toast(problem.message));
  if (made) await show(made.id);
}

// ── speaking

async function say(said) {
  showQuickReplies(null);
  const done = await act("say", said);
  if (done) toEnd();
  return done;
}

function grow() {
  const box = $("words");
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, 140)}px`;
  $("send").disabled = !box.value.trim();
}

async function submit() {
  const text = $("words").value.trim(), { about } = now;
  if (!text) return;
  endAbout();
  $("words").value = "";
  grow();
  const done = about?.kind === "edit" ? await act("edit", { message_id: about.shown.id, text }) : await say(spoken(text, about));
  if (done || $("words").value) return;
  if (about) beginAbout(about.kind, about.shown);
  $("words").value = text;
  grow();
}

function spoken(text, about) {
  const quote = about ? { [now.group ? "quote" : "quotes"]: about.shown.id } : {};
  const isCalled = now.group && $("mention").getAttribute("aria-pressed") === "true" && !text.startsWith(BOT);
  return { text, ...quote, ...(isCalled ? { mention: "bot" } : {}) };
}

const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

function readAsBase64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

async function sendPicture() {
  const files = [...$("file").files];
  $("file").value = "";
  if (files.some((file) => file.size > 10 * 1024 * 1024)) return toast(words.tooLarge);
  const pictures = files.filter((file) => PICTURES.includes(file.type));
  if (pictures.length > 1) await say({ images: await Promise.all(pictures.map(readAsBase64)) });
  else if (pictures.length) await say({ image: await readAsBase64(pictures[0]) });
  for (const file of files.filter((each) => !pictures.includes(each))) {
    const content = await readAsBase64(file);
    const kind = file.type.split("/")[0];
    await say(["audio", "video"].includes(kind) ? { [kind]: content } : { file: { name: file.name, content } });
  }
}

function showExtras(open) {
  const follow = isAtEnd();
  $("extras").hidden = !open;
  if (follow) toEnd();
  $("more").setAttribute("aria-expanded", String(open));
}

// ── people

async function showPeople() {
  const [{ people }, { groups }] = await Promise.all([ask("/local/people"), ask("/local/groups")]);
  now.people = people;
  const entry = (chat, under, mark) =>
    chatter(chat.name, under, mark, chat.id === now.person, now.unread.has(chat.id), () => show(chat.id));
  $("people").replaceChildren(
    ...people.map((person, place) => entry(person, LANGUAGES[person.language], initial(person.name, place))),
    ...groups.map((group) => entry(group, sizeOf(group), groupMark(group.name))),
  );
  now.group = groups.find((group) => group.id === now.person) ?? null;
  showCast();
  if (now.group) showBond(now.group.bot ? "friend" : "blocked");
  return people;
}

// Who speaks in the open group, if it is one.
function showCast() {
  $("cast").hidden = !now.group;
  $("more").hidden = Boolean(now.group);
  if (!now.group) return;
  if (!now.group.people.includes(now.speaker)) now.speaker = now.group.people[0];
  showMembers(now.group, now.people, now.speaker, (speaker) => {
    now.speaker = speaker;
    endAbout();
    layOut(now.history);
  });
}

function showBond(bond) {
  now.bond = bond;
  const isAway = bond === "blocked";
  const [here, away, begin, end] = now.group
    ? [sizeOf(now.group), words.botAway, words.takeAlong, words.putOut]
    : [words.here, words.blocked, words.unblock, words.block];
  $("bond").textContent = isAway ? begin : end;
  $("bond").hidden = bond === "stranger";
  $("chat-name").textContent = now.group?.name ?? words.secretary;
  $("standing").textContent = isAway ? away : here;
  $("words").disabled = isAway;
  $("more").disabled = isAway;
}

function changeBond() {
  const isAway = now.bond === "blocked";
  if (now.group) return act(isAway ? "take_along" : "put_out", {});
  return act(isAway ? "follow" : "block", {});
}

// What happens while the history is read may be newer than it: it is held back, and shown behind it.
async function showHistory() {
  const person = now.person, held = [];
  now.held = held;
  try {
    const history = await ask(`/local/history?person=${person}`);
    if (person !== now.person) return;
    now.history = history;
    showPicturesFrom(history.pictures);
    layOut(history);
  } finally {
    if (now.held === held) now.held = null;
    if (person === now.person) held.forEach((hear) => hear());
  }
}

function layOut(history) {
  $("log").setAttribute("aria-busy", "true");
  $("log").replaceChildren();
  now.rows.clear();
  now.shown.clear();
  now.activities.clear();
  now.lastDay = "";
  history.bubbles.forEach(addBubble);
  $("empty").hidden = history.bubbles.length > 0;
  showQuickReplies(history.bubbles.at(-1));
  if (!now.group) showBond(history.person.bond);
  showLoading(history.loading);
  $("log").setAttribute("aria-busy", "false");
  toEnd();
  const isIdle = document.activeElement === document.body || document.activeElement.closest(".people");
  if (isIdle && matchMedia("(hover: hover)").matches) $("words").focus({ preventScroll: true });
}

async function show(person) {
  endAbout();
  now.person = person;
  now.unread.delete(person);
  now.stream?.close();
  now.stream = listen(person);
  showExtras(false);
  await showPeople();
}

const listeners = {
  open: () => { showHistory().catch(() => {}); },
  people: () => { showPeople().catch(() => {}); },
  bubble: (shown) => {
    const isNew = !now.rows.has(shown.id);
    addBubble(shown);
    remember(shown);
    if (isNew) showQuickReplies(shown);
    if (shown.side !== "bot") return;
    showLoading(0);
    for (const line of now.activities.values()) line.classList.remove("started");
    now.activities.clear();
  },
  arrived: ({ person }) => {
    if (person === now.person) return;
    now.unread.add(person);
    showPeople().catch(() => {});
  },
  state: ({ event_id, state, tries }) => {
    for (const shown of now.shown.values()) if (shown.event_id === event_id) shown.state = state;
    for (const made of now.rows.values()) if (made.dataset.event === event_id) setState(made, state, tries);
  },
  unsent: ({ id }) => {
    const made = now.rows.get(id), shown = now.shown.get(id);
    if (!made) return;
    if (now.about?.shown.id === id) endAbout();
    Object.assign(shown, { unsent: true, message: {} });
    remember(shown);
    made.replaceChildren(unsentNote(isMine(shown) ? "person" : "other"));
  },
  loading: ({ seconds }) => showLoading(seconds),
  activity: showActivity,
  bond: ({ bond }) => showBond(bond),
};

// What came since is laid out again where somebody else speaks.
function remember(shown) {
  if (!now.history) return;
  const known = now.history.bubbles.findIndex((each) => each.id === shown.id);
  now.history.bubbles.splice(known < 0 ? now.history.bubbles.length : known, known < 0 ? 0 : 1, shown);
}

function listen(person) {
  const stream = new EventSource(`/local/stream?person=${person}`);
  for (const [kind, hear] of Object.entries(listeners)) {
    stream.addEventListener(kind, (event) => {
      if (!event.data || stream !== now.stream) return;
      const heard = () => {
        const follow = isAtEnd();
        hear(JSON.parse(event.data));
        if (follow) toEnd();
      };
      if (now.held && kind !== "open") now.held.push(heard);
      else heard();
    });
  }
  stream.addEventListener("error", () => { $("standing").textContent = words.lost; });
  return stream;
}

// ── the beginning

function wire() {
  $("composer").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  $("words").addEventListener("input", grow);
  $("words").addEventListener("keydown", (event) => {
    const isComposing = event.isComposing || event.keyCode === 229;
    if (event.key === "Escape" && now.about && !isComposing) endAbout();
    if (event.key !== "Enter" || event.shiftKey || isComposing) return;
    event.preventDefault();
    submit();
  });
  $("more").addEventListener("click", () => showExtras($("extras").hidden));
  $("extras").addEventListener("keydown", (event) => {
    if (event.key === "Escape") { showExtras(false); $("more").focus(); }
  });
  $("picture").addEventListener("click", () => { showExtras(false); $("file").click(); });
  $("place").addEventListener("click", () => { showExtras(false); choosePlace(); });
  $("file").addEventListener("change", sendPicture);
  $("add-person").addEventListener("click", addPerson);
  $("add-group").addEventListener("click", addGroup);
  $("about-end").addEventListener("click", () => { endAbout(); $("words").focus(); });
  $("mention").addEventListener("click", ({ currentTarget: toggle }) => {
    toggle.setAttribute("aria-pressed", String(toggle.getAttribute("aria-pressed") !== "true"));
  });
  $("bond").addEventListener("click", changeBond);
}

function offer() {
  $("examples").replaceChildren(...words.examples.map((text) => actionButton({ text }, "chip", () => say({ text }))));
  $("stickers").replaceChildren(...Object.entries(words.stickers).map(([name, label]) => {
    const button = actionButton({}, "extra sticker-choice", () => { showExtras(false); say({ sticker: name }); });
    button.append(face(name), element("span", "", label));
    return button;
  }));
}

// Until something was said, the first person speaks the language of the browser.
async function introduce(first) {
  const history = await ask(`/local/history?person=${first.id}`);
  if (history.bubbles.length || first.bond !== "stranger" || first.language === language) return;
  await ask("/local/people", { person: first.id, name: words.you, language });
}

async function begin() {
  document.documentElement.lang = language;
  document.title = words.secretary;
  fill(document);
  wire();
  offer();
  grow();
  const [first] = await showPeople();
  await introduce(first);
  await show(first.id);
}

begin().catch(() => toast(words.lost));

// The chat page: what is typed goes to the platform, what the platform shows comes back over a stream.

import { actionButton, day, element, face, row } from "./bubbles.js";
import { LANGUAGES, fill, language, words } from "./words.js";

const $ = (id) => document.getElementById(id);
const now = { person: null, bond: "stranger", stream: null, held: null, rows: new Map(), lastDay: "", activities: new Map(), unread: new Set() };

// ── asking the platform

async function ask(path, body) {
  const answer = await fetch(path, body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.message);
  return found;
}

async function act(path, body) {
  try {
    return await ask(path, { person: now.person, ...body });
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
  const made = row(shown, (action) => tap(action, shown));
  if (known) {
    known.replaceWith(made);
  } else {
    const date = new Date(shown.at).toDateString();
    if (date !== now.lastDay) $("log").append(day(shown.at));
    now.lastDay = date;
    $("log").append(made);
  }
  now.rows.set(shown.id, made);
  if (shown.side === "person" && !shown.unsent) addOwnActions(made, shown);
  setState(made, shown.state);
  $("empty").hidden = true;
}

function addOwnActions(made, shown) {
  const back = element("button", "own-action", words.unsend);
  back.type = "button";
  back.addEventListener("click", () => act("/local/unsend", { message_id: shown.id }));
  made.querySelector(".aside").prepend(back);
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
  await act("/local/tap", params ? { ...body, params } : body);
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

// ── speaking

async function say(said) {
  showQuickReplies(null);
  const done = await act("/local/say", said);
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
  const text = $("words").value.trim();
  if (!text) return;
  $("words").value = "";
  grow();
  if (!(await say({ text })) && !$("words").value) {
    $("words").value = text;
    grow();
  }
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
  const { people } = await ask("/local/people");
  $("people").replaceChildren(...people.map((person, place) => {
    const item = element("li");
    const button = element("button", "chatter");
    button.type = "button";
    button.setAttribute("aria-current", String(person.id === now.person));
    const initial = element("span", "face", [...person.name][0] ?? "?");
    initial.setAttribute("aria-hidden", "true");
    initial.classList.add(`tint-${place % 5}`);
    const name = element("span", "chatter-name", person.name);
    if (now.unread.has(person.id)) {
      button.classList.add("unread");
      name.append(element("span", "hidden-words", ` (${words.unread})`));
    }
    name.append(element("small", "", LANGUAGES[person.language]));
    button.append(initial, name);
    button.addEventListener("click", () => show(person.id));
    item.append(button);
    return item;
  }));
  return people;
}

function showBond(bond) {
  now.bond = bond;
  const isBlocked = bond === "blocked";
  $("bond").textContent = isBlocked ? words.unblock : words.block;
  $("bond").hidden = bond === "stranger";
  $("standing").textContent = isBlocked ? words.blocked : words.here;
  $("words").disabled = isBlocked;
  $("more").disabled = isBlocked;
}

// What happens while the history is read may be newer than it: it is held back, and shown behind it.
async function showHistory() {
  const person = now.person, held = [];
  now.held = held;
  try {
    const history = await ask(`/local/history?person=${person}`);
    if (person === now.person) layOut(history);
  } finally {
    if (now.held === held) now.held = null;
    if (person === now.person) held.forEach((hear) => hear());
  }
}

function layOut(history) {
  $("log").setAttribute("aria-busy", "true");
  $("log").replaceChildren();
  now.rows.clear();
  now.activities.clear();
  now.lastDay = "";
  history.bubbles.forEach(addBubble);
  $("empty").hidden = history.bubbles.length > 0;
  showQuickReplies(history.bubbles.at(-1));
  showBond(history.person.bond);
  showLoading(history.loading);
  $("log").setAttribute("aria-busy", "false");
  toEnd();
  const isIdle = document.activeElement === document.body || document.activeElement.closest(".people");
  if (isIdle && matchMedia("(hover: hover)").matches) $("words").focus({ preventScroll: true });
}

async function show(person) {
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
    for (const made of now.rows.values()) if (made.dataset.event === event_id) setState(made, state, tries);
  },
  unsent: ({ id }) => {
    const made = now.rows.get(id);
    if (made) made.replaceChildren(element("p", "note", words.unsentMine));
  },
  loading: ({ seconds }) => showLoading(seconds),
  activity: showActivity,
  bond: ({ bond }) => showBond(bond),
};

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
  $("bond").addEventListener("click", () => act(now.bond === "blocked" ? "/local/follow" : "/local/block", {}));
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

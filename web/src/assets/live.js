// Reloads a page when its subject changes. Without this file, people reload it themselves.
//
// The element with data-live names a path that returns {revision} once it is later than data-revision, or after a while.
// A reload keeps typed text, ticks and the focus.

const main = document.querySelector('main');
const place = () => main.querySelector('[data-live]');
const said = Object.assign(document.createElement('p'), { className: 'unseen' });
said.setAttribute('role', 'status');
document.body.append(said);

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const least = 1_000;
const most = 60_000;
/** Ignores clicks for a moment after a reload, because another button may have just moved there. */
const settlesFor = 700;
let shownAt = Number.NEGATIVE_INFINITY;

async function seen() {
  while (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
}

/** Ends the long poll of a hidden page, because a browser's tabs share a few connections. */
function untilHidden() {
  const hidden = new AbortController();
  const look = () => document.hidden && hidden.abort();
  document.addEventListener('visibilitychange', look, { signal: hidden.signal });
  return hidden;
}

/** Whether the page changed; undefined if this viewer gets no more changes. */
async function hasChanged({ live, revision, csrf }, { signal }) {
  const answer = await fetch(live, {
    signal,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ csrf, revision: Number(revision) }),
  });
  if ([401, 403, 404].includes(answer.status)) return undefined;
  if (!answer.ok) throw new Error(`it was answered ${answer.status}`);
  return (await answer.json()).revision !== Number(revision);
}

const controls = () => [...main.querySelectorAll('input:not([type=hidden]), textarea, select')];

const isTouched = ({ type, checked, defaultChecked, value, defaultValue, options }) => {
  if (options) return [...options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  return type === 'checkbox' || type === 'radio' ? checked !== defaultChecked : value !== defaultValue;
};

function putBack(touched, opened) {
  for (const { id, type, checked, value } of touched) {
    const control = document.getElementById(id);
    if (control === null) continue;
    if (type === 'checkbox' || type === 'radio') control.checked = checked;
    else control.value = value;
  }
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
}

async function show() {
  const answer = await fetch(location.pathname, { headers: { Accept: 'text/html' } });
  if (answer.status === 429 || answer.status >= 500) throw new Error(`it was answered ${answer.status}`);
  if (!answer.ok || answer.redirected) return location.reload();
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const touched = controls()
    .filter((control) => control.id !== '' && isTouched(control))
    .map(({ id, type, checked, value }) => ({ id, type, checked, value }));
  const opened = [...main.querySelectorAll('details[open][id]')].map(({ id }) => id);
  const focused = main.contains(document.activeElement) ? document.activeElement : null;
  const stage = place()?.dataset.stage;
  main.replaceChildren(...fresh.querySelector('main').childNodes);
  document.title = fresh.title;
  putBack(touched, opened);
  if (focused !== null && focused !== main)
    ((focused.id && document.getElementById(focused.id)) || main).focus({ preventScroll: true });
  if (stage !== place()?.dataset.stage) shownAt = performance.now();
  said.textContent = place()?.dataset.words ?? main.querySelector('.notice-title')?.textContent ?? '';
}

document.addEventListener(
  'submit',
  (event) => {
    if (performance.now() - shownAt < settlesFor) event.preventDefault();
  },
  true,
);

for (let wait = least; place() !== null; ) {
  await seen();
  const hidden = untilHidden();
  try {
    const changed = await hasChanged(place().dataset, hidden);
    // Without access, because the viewer signed out or was removed, the reload shows that.
    if (changed !== false) await show();
    wait = changed === undefined ? Math.min(2 * wait, most) : least;
  } catch {
    if (!hidden.signal.aborted) wait = Math.min(2 * wait, most);
  }
  hidden.abort();
  await pause(wait);
}

// Keyboard shortcuts for the page of requests, which works without this file. They do nothing while a person
// types, and can be switched off; they press the page's own buttons.

const rows = [...document.querySelectorAll('[data-request]')];
const panel = document.querySelector('[data-keys]');
const toggle = panel?.querySelector('input');
const remembered = 'hearth-keys-off';
let here = -1;

function goTo(index) {
  if (rows.length === 0) return;
  here = Math.max(0, Math.min(rows.length - 1, index));
  const row = rows[here];
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}

const press = (name) => rows[here]?.querySelector(`[data-key="${name}"]`)?.click();

function openDecline() {
  const details = rows[here]?.querySelector('[data-decline]');
  if (!details) return;
  details.open = true;
  details.querySelector('textarea').focus();
}

const keys = {
  j: () => goTo(here + 1),
  k: () => goTo(here - 1),
  a: () => press('a'),
  d: openDecline,
  n: () => press('n'),
  x: () => press('x'),
};

const isTyping = (target) =>
  target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]');

function stored() {
  try {
    return localStorage.getItem(remembered);
  } catch {
    // Without storage, the shortcuts are on.
    return null;
  }
}

function remember() {
  try {
    if (toggle.checked) localStorage.removeItem(remembered);
    else localStorage.setItem(remembered, 'yes');
  } catch {
    // Without storage, the choice holds for this page only.
  }
}

if (panel && rows.length > 0) {
  panel.hidden = false;
  toggle.checked = stored() !== 'yes';
  toggle.addEventListener('change', remember);
  for (const [index, row] of rows.entries()) row.addEventListener('focusin', () => (here = index));
  document.addEventListener('keydown', (event) => {
    const { key, target, repeat, altKey, ctrlKey, metaKey, isComposing } = event;
    if (repeat || altKey || ctrlKey || metaKey || isComposing || !toggle.checked) return;
    if (!Object.hasOwn(keys, key) || isTyping(target)) return;
    event.preventDefault();
    keys[key]();
  });
}

// Keeps a form's text while there is no connection, and reloads a form that was already sent. Every page
// works without this file.

const words = Object.assign(document.createElement('p'), { className: 'error' });
words.setAttribute('role', 'alert');
let sent = false;

document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return;
  sent = navigator.onLine;
  if (sent) return words.remove();
  event.preventDefault();
  (event.submitter ?? event.target.lastElementChild).before(words);
  words.textContent = document.querySelector('[data-offline]').dataset.offline;
});

// Reload instead of showing a stale page from the back/forward cache, where an answered form would seem open.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && sent) location.reload();
});

// The browser's time zone, for readers who have not chosen one. The script formats times like
// packages/calendar.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const secure = location.protocol === 'https:' ? '; Secure' : '';
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on http and in older browsers.
document.cookie = `hearth_zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;

const { lang } = document.documentElement;
const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' };
const formats = {
  day: new Intl.DateTimeFormat(lang, day),
  whole: new Intl.DateTimeFormat(lang, { ...day, hour: '2-digit', minute: '2-digit' }),
};
for (const time of document.querySelectorAll('time[data-local]')) {
  const was = time.textContent;
  const format = time.dataset.local === 'day' ? formats.day : formats.whole;
  time.textContent = format.format(new Date(time.dateTime));
  if (time.dataset.local === 'day') continue;
  const name = time.nextElementSibling;
  if (time.dataset.local === 'meant' && time.textContent !== was)
    name.textContent = `(${was} ${name.textContent})`;
  else name.remove();
}

// Keeps the words of a form while there is no connection, and shows no form again that was sent. Every page works without this file.

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

// A browser that goes back shows a page as it was left, with what was answered since as if it still waited.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && sent) location.reload();
});

// The zone of this browser: times are shown in it to readers who have chosen none. The words are those of packages/calendar.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const secure = location.protocol === 'https:' ? '; Secure' : '';
// biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on http and in older browsers.
document.cookie = `hearth_zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;

const format = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});
for (const time of document.querySelectorAll('time[data-local]')) {
  const parts = format.formatToParts(new Date(time.dateTime)).map(({ type, value }) => [type, value]);
  const { weekday, day, month, year, hour, minute } = Object.fromEntries(parts);
  const was = time.textContent;
  const words = `${weekday}, ${day} ${month.slice(0, 3)} ${year}`;
  time.textContent = time.dataset.local === 'day' ? words : `${words}, ${hour}:${minute}`;
  if (time.dataset.local === 'day') continue;
  const name = time.nextElementSibling;
  if (time.dataset.local === 'meant' && time.textContent !== was)
    name.textContent = `(${was} ${name.textContent})`;
  else name.remove();
}

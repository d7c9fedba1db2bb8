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
  words.textContent =
    'You are offline. Nothing was sent, and your words are still here: send them once you are online again.';
});

// A browser that goes back shows a page as it was left, with what was answered since as if it still waited.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && sent) location.reload();
});

import { type Html, html } from '../html.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Less than this, and it is said with care. */
const soonMs = 6 * hour;

/** So little is not counted: what was asked a moment ago, for a week, has seven days left. */
const moment = 5 * minute;

/** How long something can still be answered: '3 days left'. */
export function timeLeft(endsAtMs: number, nowMs: number): Html {
  const leftMs = endsAtMs - nowMs;
  const iso = new Date(endsAtMs).toISOString();
  return html`<time class="${leftMs < soonMs ? 'left soon' : 'left'}" datetime="${iso}">${leftWords(leftMs)}</time>`;
}

function leftWords(leftMs: number): string {
  if (leftMs <= 0) return 'its time is over';
  const about = leftMs + moment;
  if (about >= 2 * day) return `${Math.floor(about / day)} days left`;
  if (about >= 2 * hour) return `${Math.floor(about / hour)} hours left`;
  return `${count(Math.max(1, Math.floor(leftMs / minute)), 'minute')} left`;
}

/** How long ago something was: '3 hours ago'. */
export function timeAgo(atMs: number, nowMs: number): Html {
  const iso = new Date(atMs).toISOString();
  return html`<time datetime="${iso}">${agoWords(nowMs - atMs)}</time>`;
}

function agoWords(agoMs: number): string {
  if (agoMs < 2 * minute) return 'just now';
  if (agoMs < 2 * hour) return `${Math.floor(agoMs / minute)} minutes ago`;
  if (agoMs < 2 * day) return `${Math.floor(agoMs / hour)} hours ago`;
  return `${Math.floor(agoMs / day)} days ago`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

import { formatted, type Text, t } from '@hearth/i18n';
import { type Html, html } from '../html.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Below this, the time is highlighted. */
const soonMs = 6 * hour;

/** Ignored, so that something sent a moment ago for a week has seven days left. */
const moment = 5 * minute;

/** How long something can still be answered: '3 days left'. */
export function timeLeft(endsAtMs: number, nowMs: number): Html {
  const leftMs = endsAtMs - nowMs;
  const iso = new Date(endsAtMs).toISOString();
  return html`<time class="${leftMs < soonMs ? 'left soon' : 'left'}" datetime="${iso}">${leftWords(leftMs)}</time>`;
}

function leftWords(leftMs: number): Text {
  if (leftMs <= 0) return t('common.time-over');
  const about = leftMs + moment;
  if (about >= 2 * day) return t('common.days-left', { count: Math.floor(about / day) });
  if (about >= 2 * hour) return t('common.hours-left', { count: Math.floor(about / hour) });
  return t('common.minutes-left', { count: Math.max(1, Math.floor(leftMs / minute)) });
}

/** How long ago something was: '3 hours ago'. */
export function timeAgo(atMs: number, nowMs: number): Html {
  const iso = new Date(atMs).toISOString();
  return html`<time datetime="${iso}">${agoWords(nowMs - atMs)}</time>`;
}

function agoWords(agoMs: number): Text {
  if (agoMs < 2 * minute) return t('common.just-now');
  if (agoMs < 2 * hour) return ago(agoMs / minute, 'minute');
  if (agoMs < 2 * day) return ago(agoMs / hour, 'hour');
  return ago(agoMs / day, 'day');
}

const ago = (count: number, unit: 'minute' | 'hour' | 'day') =>
  formatted(({ tag }) => new Intl.RelativeTimeFormat(tag).format(-Math.floor(count), unit));

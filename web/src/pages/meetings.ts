import { type Text, t } from '@hearth/i18n';
import { pill } from '../components/ai-name.ts';
import { linkButton } from '../components/form.ts';
import { requestTabs } from '../components/request-tabs.ts';
import { moment } from '../components/time.ts';
import { timeLeft } from '../components/time-left.ts';
import { zonedPeriod } from '../components/zoned-time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, unseen } from '../html.ts';
import type { Meeting, Offer } from '../meeting.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';

export interface Meetings {
  /** Soonest first. */
  coming: readonly Meeting[];
  /** Open offers of times. */
  offers: readonly Offer[];
  /** Past or cancelled, latest first. */
  ended: readonly Meeting[];
  nowMs: number;
}

/** The meetings of a person and their AIs, and the times offered by and to them. Read-only. */
export function meetingsPage(frame: Frame, { coming, offers, ended, nowMs }: Meetings): string {
  const main = html`<h1>${t('meetings.title')}</h1>
${requestTabs('meetings')}
<p class="lead">${t('meetings.lead')}</p>
<p class="actions">${linkButton(t('meetings.offer'), paths.newOffer)}</p>
<section aria-labelledby="coming"><h2 id="coming">${t('meetings.upcoming')}</h2>
${list(coming, t('meetings.upcoming-none'), (meeting) => meetingRow(frame, meeting))}</section>
<section aria-labelledby="offers"><h2 id="offers">${t('meetings.offers')}</h2>
${list(offers, t('meetings.offers-none'), (offer) => offerRow(frame, offer, nowMs))}</section>
${
  ended.length > 0 &&
  html`<section aria-labelledby="ended"><h2 id="ended">${t('meetings.past')}</h2>
${rows(ended, (meeting) => meetingRow(frame, meeting))}</section>`
}`;
  return page(frame, { title: t('meetings.title'), main, here: 'requests' });
}

function list<Thing>(all: readonly Thing[], none: Text, row: (thing: Thing) => Html): Html {
  return all.length === 0 ? html`<div class="card"><p class="soft">${none}</p></div>` : rows(all, row);
}

const rows = <Thing>(all: readonly Thing[], row: (thing: Thing) => Html): Html =>
  html`<ul class="cards">${all.map(row)}</ul>`;

function meetingRow(frame: Frame, meeting: Meeting): Html {
  const { id, title, with: other, timeZone, status, move } = meeting;
  const state: Piece =
    status === 'cancelled'
      ? pill(t('meetings.state.cancelled'))
      : status === 'booked' &&
        move !== undefined &&
        pill(move.yours ? t('meetings.state.move-yours') : t('meetings.state.move-theirs'), 'care');
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.meeting(id)}">${othersText(title, 140)}</a></p>
<p>${zonedPeriod(frame, meeting, timeZone)}</p>
<p class="settled-state">${state} <span class="soft">${t('meetings.with', { name: othersText(other.name) })}</span></p>
</li>`;
}

function offerRow(frame: Frame, { id, title, by, own, slots, expiresMs }: Offer, nowMs: number): Html {
  const free = slots.filter((slot) => slot.free).length;
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.offer(id)}">${othersText(title, 140)}</a></p>
<p class="settled-state">${pill(t('meetings.free', { count: free }), free > 0 && !own ? 'good' : 'plain')}
<span class="soft">${own ? t('meetings.yours') : t('meetings.from', { name: othersText(by.name) })}</span>
<span class="soft">${t('meetings.until', { at: moment(frame, expiresMs), left: timeLeft(expiresMs, nowMs) })}</span></p>
${!own && free > 0 && html`<p class="actions">${linkButton(t('meetings.choose', { title: othersText(title, 140), unseen }), paths.offer(id))}</p>`}
</li>`;
}

import { pill } from '../components/ai-name.ts';
import { linkButton } from '../components/form.ts';
import { requestTabs } from '../components/request-tabs.ts';
import { moment } from '../components/time.ts';
import { timeLeft } from '../components/time-left.ts';
import { zonedPeriod } from '../components/zoned-time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import type { Meeting, Offer } from '../meeting.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';

export interface Meetings {
  /** The next one first. */
  coming: readonly Meeting[];
  /** Offers of times that are open. */
  offers: readonly Offer[];
  /** Over or called off, the latest first. */
  ended: readonly Meeting[];
  nowMs: number;
}

/** The meetings of a person and of their AIs, and the times that they were offered and offer. Nothing is changed on this page. */
export function meetingsPage(frame: Frame, { coming, offers, ended, nowMs }: Meetings): string {
  const main = html`<h1>Meetings</h1>
${requestTabs('meetings')}
<p class="lead">The times that you and your AIs agreed with others.</p>
<p class="actions">${linkButton('Offer times', paths.newOffer)}</p>
<section aria-labelledby="coming"><h2 id="coming">Coming</h2>
${list(coming, 'No meeting is coming.', (meeting) => meetingRow(frame, meeting))}</section>
<section aria-labelledby="offers"><h2 id="offers">Times on offer</h2>
${list(offers, 'No times are on offer now.', (offer) => offerRow(frame, offer, nowMs))}</section>
${
  ended.length > 0 &&
  html`<section aria-labelledby="ended"><h2 id="ended">Over</h2>
${list(ended, '', (meeting) => meetingRow(frame, meeting))}</section>`
}`;
  return page(frame, { title: 'Meetings', main, here: 'requests' });
}

function list<Thing>(all: readonly Thing[], none: string, row: (thing: Thing) => Html): Html {
  return all.length === 0
    ? html`<div class="card"><p class="soft">${none}</p></div>`
    : html`<ul class="cards">${all.map(row)}</ul>`;
}

function meetingRow(frame: Frame, meeting: Meeting): Html {
  const { id, title, with: other, timeZone, status, move } = meeting;
  const state: Piece =
    status === 'cancelled'
      ? pill('called off')
      : status === 'booked' &&
        move !== undefined &&
        pill(move.yours ? 'you propose another time' : 'another time is proposed', 'care');
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.meeting(id)}">${othersText(title, 140)}</a></p>
<p>${zonedPeriod(frame, meeting, timeZone)}</p>
<p class="settled-state">${state} <span class="soft">with ${othersText(other.name)}</span></p>
</li>`;
}

function offerRow(frame: Frame, { id, title, by, own, slots, expiresMs }: Offer, nowMs: number): Html {
  const free = slots.filter((slot) => slot.free).length;
  return html`<li class="card settled">
<p class="settled-title"><a href="${paths.offer(id)}">${othersText(title, 140)}</a></p>
<p class="settled-state">${pill(free === 1 ? '1 time is free' : `${free} times are free`, free > 0 && !own ? 'good' : 'plain')}
<span class="soft">${own ? 'you offer them' : html`from ${othersText(by.name)}`}</span>
<span class="soft">until ${moment(frame, expiresMs)} (${timeLeft(expiresMs, nowMs)})</span></p>
${!own && free > 0 && html`<p class="actions">${linkButton(html`Choose a time<span class="unseen">: ${othersText(title, 140)}</span>`, paths.offer(id))}</p>`}
</li>`;
}

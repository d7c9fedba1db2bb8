import { who } from '../components/ai-name.ts';
import { field } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { moment } from '../components/time.ts';
import { timeLeft } from '../components/time-left.ts';
import { dayOf, readersZone, zonedPeriod } from '../components/zoned-time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html } from '../html.ts';
import type { Offer, OfferPage } from '../meeting.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

/**
 * An offer of times: those that are free, by day, each with its button, or what its maker does about it. Forms to
 * paths.offer(id): `do` (book with `slot` and `note`, withdraw).
 */
export function offerPage(frame: Frame, model: OfferPage): string {
  const { offer, nowMs, errors = {} } = model;
  const { by, status, note, place, expiresMs } = offer;
  const main = html`<p class="back"><a href="${paths.meetings}">Meetings</a></p>
<h1>${othersText(offer.title, 140)}</h1>
${actResult(model)}
${status !== 'open' && notice('info', ends[status])}
<div class="card">
${who(by.name, html`<bdi class="address">${plainText(by.address, 80)}</bdi> · offers times`)}
${note !== undefined && html`<div class="quote">${othersLines(note)}</div>`}
<dl class="facts">
${place !== undefined && html`<div><dt>Where</dt><dd>${othersText(place, 200)}</dd></div>`}
${status === 'open' && html`<div><dt>Until</dt><dd>${moment(frame, expiresMs)} (${timeLeft(expiresMs, nowMs)})</dd></div>`}
</dl>
</div>
<section class="card" aria-labelledby="times"><h2 id="times">The times</h2>
${times(frame, model)}
</section>
${offer.own && status === 'open' && frame.byLink === undefined && takeBack(frame, offer)}`;
  return page(frame, { title: 'Times to meet', main, here: 'requests', hasErrors: hasErrors(errors) });
}

const ends: Readonly<Record<Exclude<Offer['status'], 'open'>, string>> = {
  taken: 'All that could be booked is booked',
  withdrawn: 'It was taken back',
  expired: 'It is over',
};

function times(frame: Frame, { offer, values, errors = {} }: OfferPage): Html {
  const { slots, timeZone, own, status, id } = offer;
  const books = !own && status === 'open' && frame.byLink === undefined;
  const shown = books ? slots.filter(({ free }) => free) : slots;
  if (shown.length === 0) return html`<p>None of its times is free now.</p>`;
  const zone = readersZone(frame, timeZone);
  const grid = html`${[...Map.groupBy(shown, ({ startsAt }) => dayOf(startsAt, zone))].map(
    ([day, some]) => html`<div class="grid-day"><h3 class="grid-date">${day}</h3>
<ul class="grid">${some.map((slot) => {
      const time = zonedPeriod(frame, slot, timeZone, 'clock');
      return html`<li class="grid-option"><div class="grid-head"><p class="grid-name">${time}</p></div>
${
  books
    ? button(html`<span>Book it<span class="unseen">: ${day}, ${time}</span></span>`, {
        ...{ kind: 'plain', name: 'slot', value: slot.startsAt },
      })
    : html`<span class="soft">${slot.free ? 'free' : 'not free'}</span>`
}</li>`;
    })}</ul></div>`,
  )}`;
  if (!books) return grid;
  const words = field({
    name: 'note',
    label: 'A few words',
    optional: true,
    maxLength: 500,
    value: values['note'],
    hint: 'For the one who offers the times.',
    error: errors['note'],
  });
  return form(
    frame,
    { action: paths.offer(id), carried: { do: 'book' }, label: 'Book a time' },
    html`${words}${grid}`,
  );
}

function takeBack(frame: Frame, { id }: Offer): Html {
  const sent = form(
    frame,
    { action: paths.offer(id), carried: { do: 'withdraw' } },
    html`<p>No one can book these times any more. Meetings that were booked stay booked.</p>${button('Take the offer back', { kind: 'danger' })}`,
  );
  return html`<section class="card" aria-labelledby="acts"><h2 id="acts">Change it</h2><div class="run-acts">
<details class="note" id="act-withdraw"><summary class="button quiet">Take it back</summary>${sent}</details>
</div></section>`;
}

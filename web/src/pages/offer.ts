import { t } from '@hearth/i18n';
import { who } from '../components/ai-name.ts';
import { field } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { calendarDay, moment } from '../components/time.ts';
import { timeLeft } from '../components/time-left.ts';
import { localDay, readersZone, zonedPeriod } from '../components/zoned-time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, unseen } from '../html.ts';
import type { Offer, OfferPage } from '../meeting.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

/**
 * An offer of times: the free ones by day, each with its button, or its maker's acts. Forms to
 * paths.offer(id): `do` (book with `slot` and `note`, withdraw).
 */
export function offerPage(frame: Frame, model: OfferPage): string {
  const { offer, nowMs, errors = {} } = model;
  const { by, status, note, place, expiresMs } = offer;
  const main = html`<p class="back"><a href="${paths.meetings}">${t('meetings.title')}</a></p>
<h1>${othersText(offer.title, 140)}</h1>
${actResult(model)}
${status !== 'open' && notice('info', t(`meetings.offer-status.${status}`))}
<div class="card">
${who(by.name, t('meetings.offer-by', { address: html`<bdi class="address">${plainText(by.address, 80)}</bdi>` }))}
${note !== undefined && html`<div class="quote">${othersLines(note)}</div>`}
<dl class="facts">
${place !== undefined && html`<div><dt>${t('courses.where')}</dt><dd>${othersText(place, 200)}</dd></div>`}
${status === 'open' && html`<div><dt>${t('courses.open-until')}</dt><dd>${t('courses.until-left', { at: moment(frame, expiresMs), left: timeLeft(expiresMs, nowMs) })}</dd></div>`}
</dl>
</div>
<section class="card" aria-labelledby="times"><h2 id="times">${t('meetings.times')}</h2>
${times(frame, model)}
</section>
${offer.own && status === 'open' && frame.byLink === undefined && takeBack(frame, offer)}`;
  return page(frame, {
    title: t('meetings.offer-page'),
    main,
    here: 'requests',
    hasErrors: hasErrors(errors),
  });
}

function times(frame: Frame, { offer, values, errors = {} }: OfferPage): Html {
  const { slots, timeZone, own, status, id } = offer;
  const books = !own && status === 'open' && frame.byLink === undefined;
  const shown = books ? slots.filter(({ free }) => free) : slots;
  if (shown.length === 0) return html`<p>${t('meetings.times-none')}</p>`;
  const zone = readersZone(frame, timeZone);
  const grid = html`${[...Map.groupBy(shown, ({ startsAt }) => localDay(startsAt, zone))].map(
    ([date, some]) => html`<div class="grid-day"><h3 class="grid-date">${calendarDay(date)}</h3>
<ul class="grid">${some.map((slot) => {
      const time = zonedPeriod(frame, slot, timeZone, 'clock');
      return html`<li class="grid-option"><div class="grid-head"><p class="grid-name">${time}</p></div>
${
  books
    ? button(t('meetings.book', { day: calendarDay(date), time, unseen }), {
        ...{ kind: 'plain', name: 'slot', value: slot.startsAt },
      })
    : html`<span class="soft">${slot.free ? t('meetings.time-free') : t('meetings.time-not-free')}</span>`
}</li>`;
    })}</ul></div>`,
  )}`;
  if (!books) return grid;
  const words = field({
    name: 'note',
    label: t('meetings.book-note'),
    optional: true,
    maxLength: 500,
    value: values['note'],
    hint: t('meetings.book-note-hint', { name: othersText(offer.by.name) }),
    error: errors['note'],
  });
  return form(
    frame,
    { action: paths.offer(id), carried: { do: 'book' }, label: t('meetings.book-form') },
    html`${words}${grid}`,
  );
}

function takeBack(frame: Frame, { id }: Offer): Html {
  const sent = form(
    frame,
    { action: paths.offer(id), carried: { do: 'withdraw' } },
    html`<p>${t('meetings.withdraw-more')}</p>${button(t('meetings.withdraw'), { kind: 'danger' })}`,
  );
  return html`<section class="card" aria-labelledby="acts"><h2 id="acts">${t('meetings.manage-offer')}</h2><div class="run-acts">
<details class="note" id="act-withdraw"><summary class="button quiet">${t('meetings.withdraw')}</summary>${sent}</details>
</div></section>`;
}

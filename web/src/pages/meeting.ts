import { zoneWords } from '@hearth/calendar/moments';
import { type Text, t } from '@hearth/i18n';
import { who } from '../components/ai-name.ts';
import { disclosure } from '../components/disclosure.ts';
import { field } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, disputeNotice, hasErrors, notice } from '../components/notice.ts';
import { readersZone, zonedPeriod } from '../components/zoned-time.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, type Words } from '../html.ts';
import type { Meeting, MeetingPage } from '../meeting.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';

/**
 * A meeting: its time, a proposed other time, and what the viewer may do. Forms to paths.meeting(id): `do`
 * (accept with the shown time, decline, move with `starts_at` in the time zone `zone` and `reason`, cancel
 * with `reason`).
 */
export function meetingPage(frame: Frame, model: MeetingPage): string {
  const { meeting, errors = {}, done } = model;
  const { status, place, note, timeZone, movedFrom, receipt, reason } = meeting;
  const acts = status === 'booked' && frame.byLink === undefined;
  const asked = acts && meeting.move?.yours === false;
  const main = html`<p class="back"><a href="${paths.meetings}">${t('meetings.title')}</a></p>
<h1>${othersText(meeting.title, 140)}</h1>
${actResult(model)}
${disputeNotice(meeting.disputed, 'meeting')}
${
  asked
    ? notice('care', t('meetings.asked'))
    : (done === undefined || reason !== undefined) &&
      notice(
        status === 'booked' ? 'good' : 'info',
        t(`meetings.status.${status}`),
        reason !== undefined && othersText(reason, 280),
      )
}
${status === 'booked' && html`<p class="actions">${linkButton(t('courses.calendar'), paths.meetingCalendar(meeting.id), 'main')}${receipt !== undefined && linkButton(t('ask.receipt'), receipt)}</p>`}
<div class="card">
${who(meeting.with.name, html`<bdi class="address">${plainText(meeting.with.address, 80)}</bdi>`)}
${note !== undefined && html`<div class="quote">${othersLines(note)}</div>`}
<dl class="facts">
<div><dt>${t('courses.when')}</dt><dd>${zonedPeriod(frame, meeting, timeZone)}</dd></div>
${movedFrom !== undefined && html`<div><dt>${t('meetings.moved-from')}</dt><dd>${zonedPeriod(frame, { startsAt: movedFrom }, timeZone)}</dd></div>`}
${place !== undefined && html`<div><dt>${t('courses.where')}</dt><dd>${othersText(place, 200)}</dd></div>`}
</dl>
</div>
${acts && proposed(frame, meeting)}
${acts && changes(frame, model)}`;
  return page(frame, { title: t('meetings.page'), main, here: 'requests', hasErrors: hasErrors(errors) });
}

function proposed(frame: Frame, { id, move, timeZone }: Meeting): Piece {
  if (move === undefined) return false;
  // The proposed time may change while the page is open.
  const carried = { shown_start: move.startsAt, shown_end: move.endsAt };
  const act = (name: string, words: Text, kind: 'main' | 'plain') =>
    form(frame, { action: paths.meeting(id), carried: { do: name, ...carried } }, button(words, { kind }));
  return html`<section class="card" aria-labelledby="move"><h2 id="move">${t('meetings.move')}</h2>
<p><strong>${zonedPeriod(frame, move, timeZone)}</strong></p>
${move.reason !== undefined && html`<div class="quote">${othersLines(move.reason)}</div>`}
${move.yours && html`<p>${t('meetings.move-yours')}</p>`}
<div class="actions">${!move.yours && act('accept', t('meetings.accept'), 'main')}${act('decline', move.yours ? t('meetings.take-back') : t('meetings.keep'), 'plain')}</div>
</section>`;
}

function changes(frame: Frame, { meeting, values, errors = {} }: MeetingPage): Html {
  const { id } = meeting;
  const zone = readersZone(frame, meeting.timeZone);
  const error = errors['starts_at'];
  const act = (name: string, summary: Text, inside: Html, open = false) =>
    disclosure(
      { summary, id: `act-${name}`, open },
      form(frame, { action: paths.meeting(id), carried: { do: name, zone } }, inside),
    );
  const why = (value: string | undefined, wrong: Words | undefined, key: string) =>
    field({
      name: key,
      label: t('courses.reason'),
      optional: true,
      maxLength: 280,
      value,
      hint: t('meetings.reason-hint'),
      error: wrong,
    });
  return html`<section class="card" aria-labelledby="acts"><h2 id="acts">${t('meetings.change')}</h2><div class="run-acts">
${act(
  'move',
  t('meetings.propose'),
  html`${field({ name: 'starts_at', label: t('courses.starts'), type: 'datetime-local', value: values['starts_at'], hint: t('meetings.propose-hint', { zone: zoneWords(zone) }), error })}${why(values['reason'], errors['reason'], 'reason')}${button(t('meetings.propose-send'))}`,
  error !== undefined,
)}
${act('cancel', t('meetings.cancel'), html`<p>${t('meetings.cancel-more')}</p>${why(values['cancel_reason'], errors['cancel_reason'], 'cancel_reason')}${button(t('meetings.cancel'), { kind: 'danger' })}`)}
</div></section>`;
}

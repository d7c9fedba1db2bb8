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
 * A meeting: when it is, the other time that one side proposes, and what its viewer may do. Forms to paths.meeting(id): `do`
 * (accept with the time that is shown, decline, move with `starts_at` by the clocks of `zone` and `reason`, cancel with `reason`).
 */
export function meetingPage(frame: Frame, model: MeetingPage): string {
  const { meeting, errors = {}, done } = model;
  const { status, place, note, timeZone, movedFrom, receipt, reason } = meeting;
  const acts = status === 'booked' && frame.byLink === undefined;
  const asked = acts && meeting.move?.yours === false;
  const main = html`<p class="back"><a href="${paths.meetings}">Meetings</a></p>
<h1>${othersText(meeting.title, 140)}</h1>
${actResult(model)}
${disputeNotice(meeting.disputed, 'meeting')}
${
  asked
    ? notice('care', 'Another time is proposed: say below whether it works')
    : (done === undefined || reason !== undefined) &&
      notice(
        status === 'booked' ? 'good' : 'info',
        states[status],
        reason !== undefined && othersText(reason, 280),
      )
}
${status === 'booked' && html`<p class="actions">${linkButton('Into your calendar', paths.meetingCalendar(meeting.id), 'main')}${receipt !== undefined && linkButton('Open the receipt', receipt)}</p>`}
<div class="card">
${who(meeting.with.name, html`<bdi class="address">${plainText(meeting.with.address, 80)}</bdi>`)}
${note !== undefined && html`<div class="quote">${othersLines(note)}</div>`}
<dl class="facts">
<div><dt>When</dt><dd>${zonedPeriod(frame, meeting, timeZone)}</dd></div>
${movedFrom !== undefined && html`<div><dt>Moved from</dt><dd>${zonedPeriod(frame, { startsAt: movedFrom }, timeZone)}</dd></div>`}
${place !== undefined && html`<div><dt>Where</dt><dd>${othersText(place, 200)}</dd></div>`}
</dl>
</div>
${acts && proposed(frame, meeting)}
${acts && changes(frame, model)}`;
  return page(frame, { title: 'A meeting', main, here: 'requests', hasErrors: hasErrors(errors) });
}

const states: Readonly<Record<Meeting['status'], string>> = {
  booked: 'It is booked',
  cancelled: 'It was called off',
  past: 'It is over',
};

function proposed(frame: Frame, { id, move, timeZone }: Meeting): Piece {
  if (move === undefined) return false;
  // Another time may be proposed while this one is looked at.
  const carried = { shown_start: move.startsAt, shown_end: move.endsAt };
  const act = (name: string, words: string, kind: 'main' | 'plain') =>
    form(frame, { action: paths.meeting(id), carried: { do: name, ...carried } }, button(words, { kind }));
  return html`<section class="card" aria-labelledby="move"><h2 id="move">Another time is proposed</h2>
<p><strong>${zonedPeriod(frame, move, timeZone)}</strong></p>
${move.reason !== undefined && html`<div class="quote">${othersLines(move.reason)}</div>`}
${move.yours && html`<p>You propose it; it waits for the other side.</p>`}
<div class="actions">${!move.yours && act('accept', 'Accept it', 'main')}${act('decline', move.yours ? 'Take it back' : 'Keep the time', 'plain')}</div>
</section>`;
}

function changes(frame: Frame, { meeting, values, errors = {} }: MeetingPage): Html {
  const { id } = meeting;
  const zone = readersZone(frame, meeting.timeZone);
  const error = errors['starts_at'];
  const act = (name: string, summary: string, inside: Html, open = false) =>
    disclosure(
      { summary, id: `act-${name}`, open },
      form(frame, { action: paths.meeting(id), carried: { do: name, zone } }, inside),
    );
  const why = (value: string | undefined, wrong: Words | undefined, key: string) =>
    field({
      name: key,
      label: 'Why?',
      optional: true,
      maxLength: 280,
      value,
      hint: 'The other side can read it.',
      error: wrong,
    });
  return html`<section class="card" aria-labelledby="acts"><h2 id="acts">Change it</h2><div class="run-acts">
${act(
  'move',
  'Propose another time',
  html`${field({ name: 'starts_at', label: 'Starts', type: 'datetime-local', value: values['starts_at'], hint: `The clock of ${zone.replaceAll('_', ' ')}; it lasts as long as now.`, error })}${why(values['reason'], errors['reason'], 'reason')}${button('Propose it')}`,
  error !== undefined,
)}
${act('cancel', 'Call it off', html`<p>The other side is told, and the time is free again.</p>${why(values['cancel_reason'], errors['cancel_reason'], 'cancel_reason')}${button('Call it off', { kind: 'danger' })}`)}
</div></section>`;
}

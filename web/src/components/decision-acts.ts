import { t } from '@hearth/i18n';
import type { Decision, DecisionPage, DecisionProposal } from '../decision.ts';
import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { disclosure } from './disclosure.ts';
import { field, select } from './field.ts';
import { button, form } from './form.ts';
import { moreTime } from './more-time.ts';
import { textArea } from './text-area.ts';
import { tick, ticks } from './tick.ts';
import { zonedWords } from './zoned-time.ts';

/** The acts of the starter and the organizers. Forms with `do`: accept, edit, reopen, remind, extend, cancel. */
export function decisionActs(frame: Frame, model: DecisionPage): Html | false {
  const { decision } = model;
  const { status, isStarter, isOrganizer } = decision;
  const isOver = status === 'agreed' || status === 'cancelled';
  if (isOver || frame.byLink !== undefined || !(isStarter || isOrganizer)) return false;
  const reviews = status === 'review' && isOrganizer;
  return html`<section class="card" aria-labelledby="acts">
<h2 id="acts">${reviews ? t('decisions.next') : t('decisions.manage')}</h2>
${reviews && review(frame, model)}
<div class="run-acts">
${act(frame, decision, 'remind', button(t('decisions.remind'), { kind: 'plain' }))}
${
  status === 'open' &&
  disclosure(
    { summary: t('courses.extend'), id: 'act-extend' },
    act(frame, decision, 'extend', html`${moreTime('extend-hours')}${button(t('courses.extend'))}`),
  )
}
${disclosure(
  { summary: t('decisions.cancel'), id: 'act-cancel' },
  act(
    frame,
    decision,
    'cancel',
    html`<p>${t('decisions.cancel-more')}</p>${button(t('decisions.cancel'), { kind: 'danger' })}`,
  ),
)}
</div>
</section>`;
}

function act(frame: Frame, { id }: Decision, name: string, inside: Html): Html {
  return form(frame, { action: paths.decision(id), carried: { do: name } }, inside);
}

function review(frame: Frame, model: DecisionPage): Html {
  const { decision, values, errors = {} } = model;
  const { proposal } = decision;
  const reviewOn = (id: string) =>
    field({
      name: 'review_on',
      id,
      label: t('decisions.review-on'),
      type: 'date',
      look: 'short',
      optional: true,
      value: values['review_on'],
      hint: t('decisions.review-hint'),
      error: errors['review_on'],
    });
  return html`${
    proposal !== undefined &&
    html`${act(frame, decision, 'accept', html`<p>${t('decisions.accept-more')}</p>${reviewOn('accept-review')}${button(t('decisions.accept'))}`)}
${disclosure({ summary: t('decisions.edit'), id: 'act-edit' }, edit(frame, model, proposal))}`
  }
${disclosure(
  { summary: t('decisions.reopen'), id: 'act-reopen' },
  act(
    frame,
    decision,
    'reopen',
    html`<p>${t('decisions.reopen-more')}</p>${moreTime('reopen-hours')}${button(t('decisions.reopen'), { kind: 'danger' })}`,
  ),
)}`;
}

/**
 * Fields: `q<id>` (an option's index, or text), `where`, `summary`, and `keep` for each thing that stays on
 * the list.
 */
function edit(frame: Frame, { decision, values }: DecisionPage, proposal: DecisionProposal): Html {
  return act(
    frame,
    decision,
    'edit',
    html`<p>${t('decisions.edit-more')}</p>
${decision.questions.map(({ id, kind, prompt, options }) => {
  const line = proposal.lines.find(({ question }) => question === id);
  const name = `q${id}`;
  const label = othersText(prompt, 200);
  if (kind === 'bring')
    return (
      proposal.bring.length > 0 &&
      html`<fieldset><legend>${label}</legend>${ticks(proposal.bring.map(({ what, name: who }, index) => tick({ name: 'keep', value: String(index), label: othersText(what, 200), hint: othersText(who), ticked: true })))}</fieldset>`
    );
  if (kind === 'text')
    return field({
      name,
      id: `edit-${name}`,
      label,
      optional: true,
      maxLength: 500,
      value: values[name] ?? (typeof line?.answer === 'string' ? line.answer : ''),
    });
  return select({
    name,
    id: `edit-${name}`,
    label,
    empty: t('decisions.edit-same'),
    optional: true,
    value: values[name] ?? '',
    groups: [
      {
        choices: options.map((option, index) => ({
          value: String(index),
          words: kind === 'when' ? zonedWords(frame, option, decision.timeZone) : plainText(option, 80),
        })),
      },
    ],
  });
})}
${field({ name: 'where', label: t('courses.where'), optional: true, maxLength: 200, value: values['where'] ?? proposal.where })}
${textArea({ name: 'summary', label: t('decisions.edit-summary'), hint: t('decisions.edit-summary-hint'), optional: true, maxLength: 500, rows: 2, value: values['summary'] })}
${button(t('decisions.edit-send'))}`,
  );
}

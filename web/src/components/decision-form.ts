import { t } from '@hearth/i18n';
import {
  answersFor,
  answersNow,
  type Decision,
  type DecisionPage,
  type Question,
  showsAnswers,
} from '../decision.ts';
import type { Frame } from '../frame.ts';
import { attributes, type Html, html, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { pill } from './ai-name.ts';
import { answersTo, questionAnswers, whenOptions } from './decision-answers.ts';
import { disclosure } from './disclosure.ts';
import { describedBy, descriptions, field } from './field.ts';
import { forWhom } from './for-whom.ts';
import { button, form } from './form.ts';
import { stanceGrid } from './stance-grid.ts';
import { tick, ticks } from './tick.ts';

/**
 * The questions, with the viewer's or their AI's answers. Form: `do` (answer), `for`, and for each question
 * `q<id>` (for `choice` the option's index, else text), or for `when` `q<id>-<index>` (works, not) for each
 * option; `firm-<id>`, `note-<id>`.
 */
export function answerForm(frame: Frame, model: DecisionPage): Html {
  const { decision, nowMs, values } = model;
  const theirs = answersNow(decision, nowMs);
  const whole = theirs.every(({ answered }) => answered);
  return form(
    frame,
    { action: paths.decision(decision.id), carried: { do: 'answer' }, label: t('courses.answers') },
    html`${forWhom(theirs, 'answers-for', values['for'])}
${decision.questions.map((question) => questionCard(frame, model, question))}
${!showsAnswers(decision) && html`<p class="soft">${t('decisions.answers-hidden')}</p>`}
<div class="actions">${button(whole ? t('courses.change-answers') : t('courses.send-answers'))}</div>`,
  );
}

function questionCard(
  frame: Frame,
  { decision, values, errors = {} }: DecisionPage,
  question: Question,
): Html {
  const { id } = question;
  const described = { hint: t(`decisions.hint.${question.kind}`), error: errors[`q${id}`] };
  const drafted = answersTo(decision, question).some(
    ({ person, byAi }) => byAi && answersFor(decision).some((each) => each.id === person),
  );
  return html`<fieldset ${attributes({ id: `q${id}`, class: 'card question', tabindex: -1, ...describedBy(`q${id}`, described) })}>
<legend>${othersText(question.prompt, 200)}</legend>
${drafted && html`<p class="drafted">${pill(t('decisions.drafted'), 'care')} ${t('decisions.drafted-more')}</p>`}
${descriptions(`q${id}`, described)}
${control(frame, decision, question, values)}
${(question.kind === 'when' || question.kind === 'choice') && ticks([tick({ name: `firm-${id}`, value: 'on', label: t('decisions.must-label'), hint: t('decisions.must-hint'), ticked: values[`firm-${id}`] === 'on' })])}
${noteField(id, values, errors[`note-${id}`])}
</fieldset>
${question.kind !== 'when' && showsAnswers(decision) && html`<div class="card answers-shown"><h3>${t('decisions.answers-so-far')}</h3>${questionAnswers(frame, decision, question)}</div>`}`;
}

function control(frame: Frame, decision: Decision, question: Question, values: DecisionPage['values']): Html {
  const { id, kind, options } = question;
  const name = `q${id}`;
  if (kind === 'when') {
    const choice = (index: number) => ({
      name: `${name}-${index}`,
      offered: ['works', 'not'] as const,
      value: values[`${name}-${index}`],
    });
    return stanceGrid(
      frame,
      whenOptions(decision, question).map((option, index) => ({ ...option, choice: choice(index) })),
      decision.timeZone,
    );
  }
  if (kind === 'choice')
    return ticks(
      options.map((option, index) =>
        tick({
          kind: 'radio',
          name,
          value: String(index),
          label: othersText(option, 80),
          ticked: values[name] === String(index),
        }),
      ),
    );
  const words = { name, id: `${name}-words`, value: values[name], maxLength: 500 };
  return kind === 'bring'
    ? field({ ...words, label: t('decisions.bring-label'), optional: true })
    : field({ ...words, label: t('decisions.text-label'), sometimes: true });
}

function noteField(id: number, values: DecisionPage['values'], error: Words | undefined): Html {
  const name = `note-${id}`;
  const value = values[name] ?? '';
  return disclosure(
    { summary: t('ask.note-add'), id: `${name}-open`, open: value !== '' || error !== undefined },
    field({
      name,
      label: t('courses.note'),
      value,
      maxLength: 200,
      optional: true,
      hint: t('decisions.note-hint'),
      error,
    }),
  );
}

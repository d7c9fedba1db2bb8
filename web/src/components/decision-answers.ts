import { t } from '@hearth/i18n';
import { type Decision, type DecisionAnswer, type Question, showsAnswers } from '../decision.ts';
import type { Frame } from '../frame.ts';
import { type Html, html, unseen } from '../html.ts';
import { othersText } from '../others-text.ts';
import { pill } from './ai-name.ts';
import { type GridOption, stanceGrid } from './stance-grid.ts';

/** The visible answers to a question. */
export function questionAnswers(frame: Frame, decision: Decision, question: Question): Html {
  const given = answersTo(decision, question);
  switch (question.kind) {
    case 'when':
      return stanceGrid(frame, whenOptions(decision, question), decision.timeZone);
    case 'choice':
      return html`<ul class="tally">${question.options.map((option) => {
        const chosen = given.filter(({ answer }) => answer === option);
        return html`<li><p class="tally-head">${othersText(option, 80)} <span class="score">${t('decisions.tally', { count: chosen.length, unseen })}</span></p>${chosen.length > 0 && html`<ul class="plain">${chosen.map((one) => html`<li>${othersText(one.name)}${marksOf(decision, one)}</li>`)}</ul>`}</li>`;
      })}</ul>`;
    default:
      return given.length === 0
        ? html`<p class="soft">${t('decisions.answers-none')}</p>`
        : html`<ul class="log">${given.map(
            (answer) =>
              html`<li class="asked"><span class="asked-who">${othersText(answer.name)}</span><span class="asked-words">${saidIn(answer)}${question.kind === 'bring' && isTwice(given, answer) && html` ${pill(t('decisions.duplicate'), 'care')}`}${marksOf(decision, answer)}</span></li>`,
          )}</ul>`;
  }
}

/** The options of a `when` question with each person's answer; without people while answers are hidden. */
export function whenOptions(decision: Decision, question: Question): GridOption[] {
  const given = answersTo(decision, question);
  const asked = showsAnswers(decision) ? decision.people.filter((person) => person.asked) : [];
  return question.options.map((time) => ({
    time,
    people: asked.map(({ id, name }) => {
      const answer = given.find(({ person }) => person === id);
      const suits = answer?.answer.includes(time);
      return {
        name,
        stance: answer === undefined ? 'none' : suits ? 'works' : 'not',
        marks: answer && marksOf(decision, answer),
      };
    }),
  }));
}

export function answersTo({ answers }: Decision, { id }: Question): DecisionAnswer[] {
  return answers.filter(({ question }) => question === id);
}

const saidIn = ({ answer }: DecisionAnswer): Html =>
  answer === '' ? html`<span class="soft">${t('decisions.nothing')}</span>` : othersText(String(answer), 500);

const plain = (text: unknown) => String(text).normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

function isTwice(given: readonly DecisionAnswer[], answer: DecisionAnswer): boolean {
  const brought = given.filter(({ answer }) => answer !== '');
  return (
    brought.includes(answer) &&
    brought.some((other) => other !== answer && plain(other.answer) === plain(answer.answer))
  );
}

/** An answer's author, firmness, origin and note. */
function marksOf(decision: Decision, { person, firm, byAi, assumed, note }: DecisionAnswer): Html {
  const isViewer = decision.people.some((each) => each.id === person && each.isViewer);
  return html`${firm && html` ${pill(t('decisions.must'), 'care')}`}${byAi && html` ${pill(isViewer ? t('courses.by-your-ai') : t('courses.by-their-ai'))}`}${
    assumed &&
    html` ${pill(t('decisions.assumed'), 'care')} <span class="soft">${note === undefined ? t('decisions.assumed-from') : t('decisions.assumed-from-note', { note: othersText(note, 200) })}</span>`
  }${!assumed && note !== undefined && html` <span class="soft">${t('ask.note-of', { note: othersText(note, 200) })}</span>`}`;
}

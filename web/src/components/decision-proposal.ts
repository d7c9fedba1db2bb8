import type { ProposalContent, SummedAnswer } from '@hearth/calendar/decision-summary';
import { listed, t } from '@hearth/i18n';
import type { Decision, DecisionPage, DecisionProposal, ProposedLine } from '../decision.ts';
import { namesOf } from '../decision.ts';
import type { Frame } from '../frame.ts';
import { type Html, html, unseen } from '../html.ts';
import { othersLines, othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { pill } from './ai-name.ts';
import { disclosure } from './disclosure.ts';
import { forWhom } from './for-whom.ts';
import { button, form } from './form.ts';
import { summaryWords } from './summary-words.ts';
import { textArea } from './text-area.ts';
import { moment } from './time.ts';
import { zonedTime } from './zoned-time.ts';

/**
 * The proposal, line by line. Forms: `do` (approve), `version`, `for`; `do` (change), `version`, `line` (a
 * question's id, or empty for the whole proposal), `note`.
 */
export function proposalCard(frame: Frame, model: DecisionPage, proposal: DecisionProposal): Html {
  const { decision, values } = model;
  const speaks = frame.byLink === undefined ? decision.people.filter(({ spokenFor }) => spokenFor) : [];
  const waiting = speaks.filter(({ id }) =>
    proposal.approvals.some(({ person, decision: word }) => person === id && word === 'waiting'),
  );
  const objects = decision.status === 'proposed' && speaks.length > 0;
  const objection = (line?: ProposedLine) => objects && notRight(frame, model, proposal, line);
  return html`<section class="card" aria-labelledby="proposal">
<h2 id="proposal">${decision.status === 'agreed' ? t('decisions.outcome') : t('decisions.proposal')}</h2>
<p class="soft">${proposal.by === undefined ? t('decisions.proposal-home') : t('decisions.proposal-by', { name: othersText(proposal.by) })}${proposal.version > 1 && html` ${t('decisions.proposal-version', { version: proposal.version })}`}</p>
<p class="outcome">${summaryWords(frame, proposal.summary, contentOf(proposal), decision.timeZone)}</p>
${proposal.where !== undefined && html`<p>${t('decisions.proposal-where', { where: othersText(proposal.where, 200) })}</p>`}
<ul class="lines">${proposal.lines.map((line) => html`<li>${proposedLine(frame, decision, proposal, line)}${objection(line)}</li>`)}</ul>
${
  waiting.length > 0 &&
  form(
    frame,
    { action: paths.decision(decision.id), carried: { version: String(proposal.version) } },
    html`${forWhom(waiting, 'approval-for', values['for'])}
<div class="actions even">${button(t('decisions.proposal-approve'), { name: 'do', value: 'approve' })}</div>`,
  )
}
${objection()}
${proposal.objectByMs !== undefined && decision.status === 'proposed' && html`<p class="soft">${t('decisions.proposal-object', { at: moment(frame, proposal.objectByMs) })}</p>`}
${approvals(frame, decision, proposal)}
</section>`;
}

const contentOf = ({ lines, bring }: DecisionProposal): ProposalContent => ({
  answers: lines.flatMap(({ kind, answer }): SummedAnswer[] =>
    typeof answer !== 'string' ? [] : [kind === 'when' ? { time: answer } : { words: answer }],
  ),
  bring: bring.map(({ what }) => what),
});

const prompt = ({ questions }: Decision, { question }: ProposedLine): Html =>
  othersText(questions.find(({ id }) => id === question)?.prompt ?? '', 200);

function proposedLine(
  frame: Frame,
  decision: Decision,
  proposal: DecisionProposal,
  line: ProposedLine,
): Html {
  return html`<p class="line-prompt">${prompt(decision, line)}</p>
${line.kind === 'bring' ? bringList(proposal) : lineAnswer(frame, decision, line)}`;
}

function lineAnswer(frame: Frame, decision: Decision, { kind, answer, people, assumed }: ProposedLine): Html {
  if (answer === undefined) return html`<p class="line-answer">${t('decisions.proposal-none')}</p>`;
  if (typeof answer !== 'string')
    return html`<ul class="plain">${answer.map((quote) => html`<li>${othersText(quote, 560)}</li>`)}</ul>`;
  const named = namesOf(decision, people).map((name, index) =>
    assumed.includes(people[index]!) ? html`${name} ${pill(t('decisions.assumed'), 'care')}` : name,
  );
  const whom =
    named.length > 0 && html`<p class="soft">${t('decisions.proposal-suits', { names: listed(named) })}</p>`;
  return html`<p class="line-answer">${kind === 'when' ? zonedTime(frame, answer, decision.timeZone) : othersText(answer, 500)}</p>${kind !== 'text' && whom}`;
}

function bringList({ bring }: DecisionProposal): Html {
  if (bring.length === 0) return html`<p class="soft">${t('decisions.proposal-bring-none')}</p>`;
  return html`<ul class="plain">${bring.map(
    ({ name, what, assumed, duplicate }) =>
      html`<li>${othersText(what, 500)} <span class="soft">(${othersText(name)})</span>${duplicate && html` ${pill(t('decisions.duplicate'), 'care')}`}${assumed && html` ${pill(t('decisions.assumed'), 'care')}`}</li>`,
  )}</ul>`;
}

function notRight(
  frame: Frame,
  { decision, values, errors = {} }: DecisionPage,
  { version }: DecisionProposal,
  line: ProposedLine | undefined,
): Html {
  const id = `change-${line?.question ?? 'all'}`;
  const error = errors[`${id}-note`];
  const summary =
    line === undefined
      ? t('decisions.change-other')
      : t('decisions.change-line', { question: prompt(decision, line), unseen });
  return disclosure(
    { summary, id, open: error !== undefined },
    form(
      frame,
      {
        action: paths.decision(decision.id),
        carried: { do: 'change', version: String(version), line: String(line?.question ?? '') },
      },
      html`${textArea({ name: 'note', id: `${id}-note`, label: t('decisions.change-label'), hint: t('decisions.change-hint'), maxLength: 200, rows: 2, value: error === undefined ? '' : values['note'], error })}
${button(t('decisions.change-send'), { kind: 'danger' })}`,
    ),
  );
}

const tones = { waiting: 'plain', approved: 'good', change: 'care' } as const;

function approvals(frame: Frame, { needs }: Decision, { approvals: given }: DecisionProposal): Html | false {
  if (given.length === 0) return false;
  return html`<h3>${t('decisions.approvals')}</h3>
<p class="soft">${t(`decisions.needs.${needs}`)}</p>
<ul class="log">${given.map(({ name, decision, by, atMs, note }) => {
    return html`<li class="asked"><span class="asked-who">${othersText(name)}</span><span class="asked-state">${pill(t(`decisions.verdict.${decision}`), tones[decision])}${by === 'ai' && html` ${pill(t('courses.by-their-ai'), 'care')}`}</span>
${note !== undefined && html`<span class="asked-words">${othersLines(note, 280)}</span>`}
${atMs !== undefined && html`<span class="log-time">${moment(frame, atMs)}</span>`}</li>`;
  })}</ul>`;
}

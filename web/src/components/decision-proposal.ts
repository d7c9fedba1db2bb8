import { listed } from '@hearth/i18n';
import type { Decision, DecisionPage, DecisionProposal, ProposedLine } from '../decision.ts';
import { namesOf } from '../decision.ts';
import type { Frame } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersLines, othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { pill } from './ai-name.ts';
import { disclosure } from './disclosure.ts';
import { forWhom } from './for-whom.ts';
import { button, form } from './form.ts';
import { textArea } from './text-area.ts';
import { moment } from './time.ts';
import { zonedTime } from './zoned-time.ts';

/**
 * The proposal, line by line. Forms: `do` (approve), `version`, `for`; `do` (change), `version`, `line` (the id of a question,
 * empty for the whole), `note`.
 */
export function proposalCard(frame: Frame, model: DecisionPage, proposal: DecisionProposal): Html {
  const { decision, values } = model;
  const speaks = frame.byLink === undefined ? decision.people.filter(({ spokenFor }) => spokenFor) : [];
  const waiting = speaks.filter(({ id }) =>
    proposal.approvals.some(({ person, decision: word }) => person === id && word === 'waiting'),
  );
  const objects = decision.status === 'proposed' && speaks.length > 0;
  const objection = (line: string, words: Piece) =>
    objects && notRight(frame, model, { line, words, version: proposal.version });
  return html`<section class="card" aria-labelledby="proposal">
<h2 id="proposal">${decision.status === 'agreed' ? 'What was agreed' : 'The proposal'}</h2>
<p class="soft">${proposal.by === undefined ? 'This home made it of the answers.' : html`Brought by ${othersText(proposal.by)}.`}${proposal.version > 1 && ` It is version ${proposal.version}.`}</p>
<p class="outcome">${othersText(proposal.summary, 500)}</p>
${proposal.where !== undefined && html`<p>Where: ${othersText(proposal.where, 200)}</p>`}
<ul class="lines">${proposal.lines.map((one) => html`<li>${proposedLine(frame, decision, proposal, one)}${objection(String(one.question), prompt(decision, one))}</li>`)}</ul>
${
  waiting.length > 0 &&
  form(
    frame,
    { action: paths.decision(decision.id), carried: { version: String(proposal.version) } },
    html`${forWhom(waiting, 'approval-for', values['for'])}
<div class="actions even">${button('Approve the proposal', { name: 'do', value: 'approve' })}</div>`,
  )
}
${objection('', 'the proposal')}
${proposal.objectByMs !== undefined && decision.status === 'proposed' && html`<p class="soft">Those whose answers are assumed may object until ${moment(frame, proposal.objectByMs)}.</p>`}
${approvals(frame, decision, proposal)}
</section>`;
}

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
  if (answer === undefined) return html`<p class="line-answer">Nothing suits.</p>`;
  if (typeof answer !== 'string')
    return html`<ul class="plain">${answer.map((quote) => html`<li>${othersText(quote, 560)}</li>`)}</ul>`;
  const named = namesOf(decision, people).map((name, index) =>
    assumed.includes(people[index]!)
      ? html`${othersText(name)} ${pill('assumed', 'care')}`
      : othersText(name),
  );
  const whom = named.length > 0 && html`<p class="soft">Suits ${listed(named)}</p>`;
  return html`<p class="line-answer">${kind === 'when' ? zonedTime(frame, answer, decision.timeZone) : othersText(answer, 500)}</p>${kind !== 'text' && whom}`;
}

function bringList({ bring }: DecisionProposal): Html {
  if (bring.length === 0) return html`<p class="soft">No one brings anything.</p>`;
  return html`<ul class="plain">${bring.map(
    ({ name, what, assumed, duplicate }) =>
      html`<li>${othersText(what, 500)} <span class="soft">(${othersText(name)})</span>${duplicate && html` ${pill('brought twice', 'care')}`}${assumed && html` ${pill('assumed', 'care')}`}</li>`,
  )}</ul>`;
}

function notRight(
  frame: Frame,
  { decision, values, errors = {} }: DecisionPage,
  { line, words, version }: { line: string; words: Piece; version: number },
): Html {
  const id = `change-${line === '' ? 'all' : line}`;
  const error = errors[`${id}-note`];
  const summary =
    line === '' ? 'Ask for another change' : html`That is not right<span class="unseen">: ${words}</span>`;
  return disclosure(
    { summary, id, open: error !== undefined },
    form(
      frame,
      { action: paths.decision(decision.id), carried: { do: 'change', version: String(version), line } },
      html`${textArea({ name: 'note', id: `${id}-note`, label: 'What would be right?', hint: 'Everyone of this decision can read it, and the organizers decide how it goes on.', maxLength: 200, rows: 2, value: error === undefined ? '' : values['note'], error })}
${button('Ask for this change', { kind: 'danger' })}`,
    ),
  );
}

const verdicts = {
  waiting: { words: 'has not said', tone: 'plain' },
  approved: { words: 'approves', tone: 'good' },
  change: { words: 'wants a change', tone: 'care' },
} as const;

function approvals(frame: Frame, { needs }: Decision, { approvals: given }: DecisionProposal): Html | false {
  if (given.length === 0) return false;
  return html`<h3>Approvals</h3>
<p class="soft">${needsWords[needs]}</p>
<ul class="log">${given.map(({ name, decision, by, atMs, note }) => {
    const { words, tone } = verdicts[decision];
    return html`<li class="asked"><span class="asked-who">${othersText(name)}</span><span class="asked-state">${pill(words, tone)}${by === 'ai' && html` ${pill('by their AI', 'care')}`}</span>
${note !== undefined && html`<span class="asked-words">${othersLines(note, 280)}</span>`}
${atMs !== undefined && html`<span class="log-time">${moment(frame, atMs)}</span>`}</li>`;
  })}</ul>`;
}

const needsWords = {
  all: 'It stands once everyone approves it.',
  answered: 'It stands once everyone who answered approves it.',
  organizers: 'It stands once every organizer approves it.',
} as const;

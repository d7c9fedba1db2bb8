import { assets } from '../assets.ts';
import { pill } from '../components/ai-name.ts';
import { asksGroup } from '../components/asks-group.ts';
import { decisionActs } from '../components/decision-acts.ts';
import { questionAnswers } from '../components/decision-answers.ts';
import { clashCard } from '../components/decision-clash.ts';
import { answerForm } from '../components/decision-form.ts';
import { proposalCard } from '../components/decision-proposal.ts';
import { linkButton } from '../components/form.ts';
import { live } from '../components/live.ts';
import { actResult, disputeNotice, hasErrors, notice } from '../components/notice.ts';
import { peopleAsked } from '../components/people-asked.ts';
import { calendarDay, moment } from '../components/time.ts';
import { timeLeft } from '../components/time-left.ts';
import { isDay, zonedTime } from '../components/zoned-time.ts';
import {
  answersFor,
  answersNow,
  type Decision,
  type DecisionPage,
  showsAnswers,
  stillOpen,
  waitsForViewer,
} from '../decision.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';

/**
 * A decision with all that its viewer may do about it. Every form goes to paths.decision(id) with `do`: answer, pick, approve,
 * change, remind, extend, cancel, accept, edit, reopen; the parts of the page say which fields each has.
 */
export function decisionPage(frame: Frame, model: DecisionPage): string {
  const { decision, nowMs, errors = {} } = model;
  const { id, status, clash, proposal, questions } = decision;
  const answers = frame.byLink === undefined && answersNow(decision, nowMs).length > 0;
  const isOver = status === 'agreed' || status === 'cancelled';
  const results = html`${questions.map((question) => html`<h3>${othersText(question.prompt, 200)}</h3>${questionAnswers(frame, decision, question)}`)}`;
  const main = html`<p class="back"><a href="${paths.requests}">Requests</a></p>
<h1>${othersText(decision.title, 140)}</h1>
${actResult(model)}
${stateNotice(frame, model)}
${disputeNotice(decision.disputed)}
<div class="card">
${asksGroup(decision)}
${facts(frame, model)}
</div>
${status === 'agreed' && outcome(decision)}
${clash !== undefined && clashCard(frame, decision, clash)}
${proposal !== undefined && status !== 'cancelled' && proposalCard(frame, model, proposal)}
${
  answers
    ? html`<section aria-labelledby="your-answers"><h2 id="your-answers">Your answers</h2>${answerForm(frame, model)}</section>`
    : showsAnswers(decision) &&
      (
        isOver
          ? html`<details class="card" id="all-answers"><summary>All answers</summary><h2 class="unseen">The answers</h2>${results}</details>`
          : html`<section class="card" aria-labelledby="all-answers"><h2 id="all-answers">The answers</h2>${results}</section>`
      )
}
${!answers && !showsAnswers(decision) && questionList(frame, decision)}
${whoAnswers(decision)}
${decisionActs(frame, model)}
${!isOver && live(frame, { path: paths.decisionChanges(id), revision: decision.revision, words: stateWords(decision, nowMs).title, stage: `${status} ${proposal?.version ?? 0}` })}`;
  return page(frame, {
    title: pageTitles[status],
    main,
    here: 'requests',
    hasErrors: hasErrors(errors),
    module: assets.live,
  });
}

/** Nothing of others: a title is read out before anything else. */
const pageTitles: Readonly<Record<Decision['status'], string>> = {
  open: 'A decision: questions',
  clash: 'A decision: answers clash',
  proposed: 'A decision: a proposal',
  review: 'A decision in review',
  agreed: 'A decision that was agreed',
  cancelled: 'A decision that was cancelled',
};

interface StateWords {
  tone: 'info' | 'good' | 'care';
  title: string;
  words?: Piece;
}

function stateNotice(frame: Frame, { decision, nowMs }: DecisionPage): Html {
  const { tone, title, words } = stateWords(decision, nowMs);
  const since = decision.settledAtMs !== undefined && html` Since ${moment(frame, decision.settledAtMs)}.`;
  return notice(tone, title, (words || since) && html`${words}${since}`);
}

function stateWords(decision: Decision, nowMs: number): StateWords {
  const { status, peopleAnswered, peopleAsked, why, people } = decision;
  const waits = waitsForViewer(decision);
  const count = `${peopleAnswered} of ${peopleAsked} answered.`;
  const guarded = people.some(({ isViewer, guarded: child, asked }) => isViewer && child && asked);
  const toGuardian = guarded ? 'Your guardian answers for you here.' : undefined;
  switch (status) {
    case 'open':
      if (waits)
        return { tone: 'care', title: `Your answer is asked. ${count}`, words: openQuestions(decision) };
      if (answersFor(decision).length > 0)
        return {
          tone: 'good',
          title: `Your answer is in. ${count}`,
          words: 'It can be changed while the questions are open.',
        };
      return { tone: 'info', title: `The questions are open. ${count}`, words: toGuardian };
    case 'clash':
      return waits
        ? { tone: 'care', title: 'The answers clash: you pick', words: 'Only a person’s own tap settles it.' }
        : {
            ...{ tone: 'info', title: 'The answers clash, and their people pick' },
            words: answersNow(decision, nowMs).length > 0 ? 'You can still answer.' : toGuardian,
          };
    case 'proposed':
      return waits
        ? { tone: 'care', title: 'A proposal waits for your approval' }
        : { tone: 'info', title: 'A proposal waits for approval', words: toGuardian };
    case 'review':
      return waits
        ? {
            tone: 'care',
            title: 'You decide how it goes on',
            words: 'Its people do not agree, or one of them asked for a change.',
          }
        : { tone: 'info', title: 'The organizers decide how it goes on' };
    case 'agreed':
      return { tone: 'good', title: 'Agreed' };
    case 'cancelled':
      return { tone: 'info', title: endings[why ?? 'cancelled'] };
  }
}

function openQuestions(decision: Decision): Html | undefined {
  const questions = stillOpen(decision);
  if (questions.length === 0) return undefined;
  return html`Still without an answer: ${questions.map(({ prompt }, index) => html`${index > 0 && ', '}${othersText(prompt, 60)}`)}`;
}

const endings = {
  no_answers: 'It ended without answers',
  group_archived: 'It ended with its group',
  cancelled: 'It was cancelled',
} as const;

function facts(frame: Frame, { decision, nowMs }: DecisionPage): Html {
  const { status, deadlineMs, timeZone, atMs, hiddenFrom, peopleAnswered, peopleAsked, reviewOn } = decision;
  return html`<dl class="facts">
<div><dt>Answered</dt><dd>${peopleAnswered} of ${peopleAsked}</dd></div>
${(status === 'open' || (status === 'clash' && deadlineMs > nowMs)) && html`<div><dt>Until</dt><dd>${zonedTime(frame, new Date(deadlineMs).toISOString(), timeZone)} (${timeLeft(deadlineMs, nowMs)})</dd></div>`}
<div><dt>Asked</dt><dd>${moment(frame, atMs)}</dd></div>
${hiddenFrom !== undefined && html`<div><dt>Hidden from</dt><dd>${othersText(hiddenFrom)} ${pill('do not tell them', 'care')}</dd></div>`}
${reviewOn !== undefined && html`<div><dt>Looked at again</dt><dd>${isDay(reviewOn) && calendarDay(reviewOn)}</dd></div>`}
</dl>`;
}

function outcome({ id, calendar, receipt }: Decision): Html {
  return html`<p class="actions">${calendar && linkButton('Into your calendar', paths.decisionCalendar(id), 'main')}${
    receipt === undefined
      ? html`<span class="soft">Its receipt is being signed.</span>`
      : linkButton('Open the receipt', receipt)
  }</p>`;
}

/** The questions alone, for a viewer who is not asked. */
function questionList(frame: Frame, { questions, timeZone }: Decision): Html {
  return html`<section class="card" aria-labelledby="questions"><h2 id="questions">The questions</h2>
${questions.map(
  ({ prompt, kind, options }) =>
    html`<h3>${othersText(prompt, 200)}</h3>${
      options.length > 0 &&
      html`<ul>${options.map((option) => html`<li>${kind === 'when' ? zonedTime(frame, option, timeZone) : othersText(option, 80)}</li>`)}</ul>`
    }`,
)}
<p class="soft">What was answered is shown once the questions are closed.</p></section>`;
}

function whoAnswers({ people, status }: Decision): Html | false {
  const asked = people.filter((one) => one.asked || one.waiting);
  if (status === 'agreed' || status === 'cancelled') return false;
  return peopleAsked(asked);
}

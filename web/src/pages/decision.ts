import { listed, type Text, t } from '@hearth/i18n';
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
 * A decision and everything that its viewer may do. All forms go to paths.decision(id) with `do`: answer,
 * pick, approve, change, remind, extend, cancel, accept, edit, reopen; the components document their fields.
 */
export function decisionPage(frame: Frame, model: DecisionPage): string {
  const { decision, nowMs, errors = {} } = model;
  const { id, status, clash, proposal, questions } = decision;
  const answers = frame.byLink === undefined && answersNow(decision, nowMs).length > 0;
  const isOver = status === 'agreed' || status === 'cancelled';
  const results = html`${questions.map((question) => html`<h3>${othersText(question.prompt, 200)}</h3>${questionAnswers(frame, decision, question)}`)}`;
  const main = html`<p class="back"><a href="${paths.requests}">${t('frame.requests')}</a></p>
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
    ? html`<section aria-labelledby="your-answers"><h2 id="your-answers">${t('courses.answers')}</h2>${answerForm(frame, model)}</section>`
    : showsAnswers(decision) &&
      (
        isOver
          ? html`<details class="card" id="all-answers"><summary>${t('decisions.answers-all')}</summary><h2 class="unseen">${t('decisions.answers')}</h2>${results}</details>`
          : html`<section class="card" aria-labelledby="all-answers"><h2 id="all-answers">${t('decisions.answers')}</h2>${results}</section>`
      )
}
${!answers && !showsAnswers(decision) && questionList(frame, decision)}
${whoAnswers(decision)}
${decisionActs(frame, model)}
${!isOver && live(frame, { path: paths.decisionChanges(id), revision: decision.revision, words: stateWords(decision, nowMs).title, stage: `${status} ${proposal?.version ?? 0}` })}`;
  return page(frame, {
    // Without text by others: a title is read out before anything else.
    title: t(`decisions.page.${status}`),
    main,
    here: 'requests',
    hasErrors: hasErrors(errors),
    module: assets.live,
  });
}

interface StateWords {
  tone: 'info' | 'good' | 'care';
  title: Text;
  words?: Piece;
}

function stateNotice(frame: Frame, { decision, nowMs }: DecisionPage): Html {
  const { tone, title, words } = stateWords(decision, nowMs);
  const since =
    decision.settledAtMs !== undefined &&
    html` ${t('courses.since', { at: moment(frame, decision.settledAtMs) })}`;
  return notice(tone, title, (words || since) && html`${words}${since}`);
}

function stateWords(decision: Decision, nowMs: number): StateWords {
  const { status, peopleAnswered, peopleAsked, why, people } = decision;
  const waits = waitsForViewer(decision);
  const counts = { answered: peopleAnswered, asked: peopleAsked };
  const guarded = people.some(({ isViewer, guarded: child, asked }) => isViewer && child && asked);
  const toGuardian = guarded ? t('courses.your-guardian') : undefined;
  switch (status) {
    case 'open':
      if (waits)
        return { tone: 'care', title: t('decisions.open-yours', counts), words: openQuestions(decision) };
      if (answersFor(decision).length > 0)
        return {
          tone: 'good',
          title: t('decisions.open-answered', counts),
          words: t('decisions.open-answered-more'),
        };
      return { tone: 'info', title: t('decisions.open', counts), words: toGuardian };
    case 'clash':
      return waits
        ? { tone: 'care', title: t('decisions.clash-yours'), words: t('decisions.clash-yours-more') }
        : {
            ...{ tone: 'info', title: t('decisions.clash') },
            words: answersNow(decision, nowMs).length > 0 ? t('decisions.clash-more') : toGuardian,
          };
    case 'proposed':
      return waits
        ? { tone: 'care', title: t('decisions.proposed-yours') }
        : { tone: 'info', title: t('decisions.proposed'), words: toGuardian };
    case 'review':
      return waits
        ? {
            tone: 'care',
            title: t('decisions.review-yours'),
            words: t('decisions.review-yours-more'),
          }
        : { tone: 'info', title: t('decisions.review') };
    case 'agreed':
      return { tone: 'good', title: t('decisions.agreed') };
    case 'cancelled':
      return { tone: 'info', title: t(`decisions.end.${why ?? 'cancelled'}`) };
  }
}

function openQuestions(decision: Decision): Text | undefined {
  const questions = stillOpen(decision).map(({ prompt }) =>
    t('decisions.open-question', { question: othersText(prompt, 60) }),
  );
  return questions.length === 0
    ? undefined
    : t('decisions.open-yours-more', { questions: listed(questions) });
}

function facts(frame: Frame, { decision, nowMs }: DecisionPage): Html {
  const { status, deadlineMs, timeZone, atMs, hiddenFrom, peopleAnswered, peopleAsked, reviewOn } = decision;
  return html`<dl class="facts">
<div><dt>${t('decisions.answered')}</dt><dd>${t('decisions.answered-count', { answered: peopleAnswered, asked: peopleAsked })}</dd></div>
${(status === 'open' || (status === 'clash' && deadlineMs > nowMs)) && html`<div><dt>${t('courses.answer-by')}</dt><dd>${t('courses.until-left', { at: zonedTime(frame, new Date(deadlineMs).toISOString(), timeZone), left: timeLeft(deadlineMs, nowMs) })}</dd></div>`}
<div><dt>${t('decisions.asked')}</dt><dd>${moment(frame, atMs)}</dd></div>
${hiddenFrom !== undefined && html`<div><dt>${t('courses.hidden-from')}</dt><dd>${othersText(hiddenFrom)} ${pill(t('courses.do-not-tell'), 'care')}</dd></div>`}
${reviewOn !== undefined && html`<div><dt>${t('decisions.review-on')}</dt><dd>${isDay(reviewOn) && calendarDay(reviewOn)}</dd></div>`}
</dl>`;
}

function outcome({ id, calendar, receipt }: Decision): Html {
  return html`<p class="actions">${calendar && linkButton(t('courses.calendar'), paths.decisionCalendar(id), 'main')}${
    receipt === undefined
      ? html`<span class="soft">${t('ask.settled-signing')}</span>`
      : linkButton(t('ask.receipt'), receipt)
  }</p>`;
}

/** Only the questions, for a viewer who isn't asked. */
function questionList(frame: Frame, { questions, timeZone }: Decision): Html {
  return html`<section class="card" aria-labelledby="questions"><h2 id="questions">${t('decisions.questions')}</h2>
${questions.map(
  ({ prompt, kind, options }) =>
    html`<h3>${othersText(prompt, 200)}</h3>${
      options.length > 0 &&
      html`<ul>${options.map((option) => html`<li>${kind === 'when' ? zonedTime(frame, option, timeZone) : othersText(option, 80)}</li>`)}</ul>`
    }`,
)}
<p class="soft">${t('decisions.questions-more')}</p></section>`;
}

function whoAnswers({ people, status }: Decision): Html | false {
  const asked = people.filter((person) => person.asked || person.waiting);
  if (status === 'agreed' || status === 'cancelled') return false;
  return peopleAsked(asked);
}

import { type Text, t } from '@hearth/i18n';
import { assets } from '../assets.ts';
import { pill } from '../components/ai-name.ts';
import { asksGroup } from '../components/asks-group.ts';
import { field } from '../components/field.ts';
import { forWhom, picksOf } from '../components/for-whom.ts';
import { button, form, linkButton } from '../components/form.ts';
import { live } from '../components/live.ts';
import { actResult, disputeNotice, hasErrors, notice } from '../components/notice.ts';
import { peopleAsked } from '../components/people-asked.ts';
import { optionName, planActs } from '../components/plan-acts.ts';
import { type GridOption, stanceGrid } from '../components/stance-grid.ts';
import { moment } from '../components/time.ts';
import { timeLeft } from '../components/time-left.ts';
import { zonedTime } from '../components/zoned-time.ts';
import { type Frame, page } from '../frame.ts';
import { attributes, type Html, html, unseen } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { agreeable, type Plan, type PlanOption, type PlanPage, type PlanStance, speaksFor } from '../plan.ts';

/**
 * A plan: its options with everyone's answers, and what the viewer may do. Forms to paths.plan(id): `do`
 * (say), `for`, and for each option `o<id>` (works, not, approve) and `note-<id>`; `do` (choose), `option`;
 * and the forms of the proposer and the organizers.
 */
export function planPage(frame: Frame, model: PlanPage): string {
  const { plan, errors = {} } = model;
  const { id, status, isClash, people } = plan;
  const acts = status === 'open' && frame.byLink === undefined && speaksFor(plan).length > 0;
  const main = html`<p class="back"><a href="${paths.requests}">${t('frame.requests')}</a></p>
<h1>${othersText(plan.title, 140)}</h1>
${actResult(model)}
${stateNotice(frame, plan)}
${disputeNotice(plan.disputed)}
<div class="card">
${asksGroup(plan)}
${facts(frame, model)}
</div>
<section class="card" aria-labelledby="options"><h2 id="options">${t('plans.times')}</h2>
${acts && isClash ? chooseForm(frame, plan) : acts ? sayForm(frame, model) : stanceGrid(frame, options(plan), plan.timeZone)}
</section>
${status === 'open' && peopleAsked(people.filter((person) => person.asked))}
${planActs(frame, model)}
${status === 'open' && live(frame, { path: paths.planChanges(id), revision: plan.revision, words: stateWords(plan).title, stage: `${isClash} ${plan.options.length}` })}`;
  return page(frame, {
    // Without text by others: a title is read out before anything else.
    title: t(`plans.page.${status}`),
    main,
    here: 'requests',
    hasErrors: hasErrors(errors),
    module: assets.live,
  });
}

interface StateWords {
  tone: 'info' | 'good' | 'care';
  title: Text;
  words?: Html | Text | undefined;
}

function stateNotice(frame: Frame, plan: Plan): Html {
  const { tone, title, words } = stateWords(plan);
  const { settledAtMs, settledOption, receipt, status } = plan;
  const option = plan.options.find(({ id }) => id === settledOption);
  const since = settledAtMs !== undefined && html` ${t('courses.since', { at: moment(frame, settledAtMs) })}`;
  return html`${notice(tone, title, (words || since || option) && html`${option && html`<strong>${optionName(frame, plan, option)}</strong>.`}${words}${since}`)}
${
  status === 'settled' &&
  html`<p class="actions">${linkButton(t('courses.calendar'), paths.planCalendar(plan.id), 'main')}${receipt === undefined ? html`<span class="soft">${t('ask.settled-signing')}</span>` : linkButton(t('ask.receipt'), receipt)}</p>`
}`;
}

function stateWords(plan: Plan): StateWords {
  const { status, people, isClash, why, reason } = plan;
  const asked = people.filter((person) => person.asked);
  const counts = { answered: asked.filter(({ answered }) => answered).length, asked: asked.length };
  const waits = people.some(({ waiting, spokenFor }) => waiting && spokenFor);
  const guarded = people.some((person) => person.isViewer && person.guarded && person.asked);
  const words = guarded ? t('courses.your-guardian') : undefined;
  if (status === 'settled') return { tone: 'good', title: t('plans.settled') };
  if (status === 'cancelled')
    return {
      ...{ tone: 'info', title: t(`plans.end.${why ?? 'cancelled'}`) },
      words: reason === undefined ? undefined : othersText(reason, 280),
    };
  if (isClash)
    return waits
      ? {
          tone: 'care',
          title: t('plans.clash-yours'),
          words: t('plans.clash-yours-more'),
        }
      : { tone: 'info', title: t('plans.clash'), words };
  if (agreeable(plan) !== undefined)
    return waits
      ? { tone: 'care', title: t('plans.agreeable-yours') }
      : { tone: 'info', title: t('plans.agreeable'), words };
  return waits
    ? { tone: 'care', title: t('plans.asked-yours', counts) }
    : { tone: 'info', title: t('plans.asked', counts), words };
}

function facts(frame: Frame, { plan, nowMs }: PlanPage): Html {
  const { status, deadlineMs, timeZone, atMs, hiddenFrom, where, isClash } = plan;
  return html`<dl class="facts">
${where !== undefined && html`<div><dt>${t('courses.where')}</dt><dd>${othersText(where, 200)}</dd></div>`}
${status === 'open' && !isClash && html`<div><dt>${t('courses.answer-by')}</dt><dd>${t('courses.until-left', { at: zonedTime(frame, new Date(deadlineMs).toISOString(), timeZone), left: timeLeft(deadlineMs, nowMs) })}</dd></div>`}
<div><dt>${t('plans.proposed')}</dt><dd>${moment(frame, atMs)}</dd></div>
${hiddenFrom !== undefined && html`<div><dt>${t('courses.hidden-from')}</dt><dd>${othersText(hiddenFrom)} ${pill(t('courses.do-not-tell'), 'care')}</dd></div>`}
</dl>`;
}

function options(plan: Plan): GridOption[] {
  const asked = plan.people.filter((person) => person.asked);
  const best = plan.status === 'open' ? agreeable(plan)?.id : undefined;
  return plan.options.map((option) => ({
    ...{ time: option.time, endsAt: option.endsAt, label: option.label },
    marks: html`${option.id === plan.settledOption && pill(t('plans.mark-settled'), 'good')}${option.id === best && pill(t('plans.mark-best'), 'good')}${option.chosen !== undefined && pill(t('plans.mark-chosen', { count: option.chosen }))}`,
    people: asked.map(({ id, name, isViewer }) => {
      const word = option.stances.find(({ person }) => person === id);
      return { name, stance: word?.stance ?? 'none', marks: word && marksOf(word, isViewer) };
    }),
  }));
}

function marksOf({ by, note }: PlanStance, isViewer: boolean): Html {
  return html`${by !== undefined && html` ${pill(by === 'guardian' ? t('courses.by-guardian') : isViewer ? t('courses.by-your-ai') : t('courses.by-their-ai'))}`}${note !== undefined && html` <span class="soft">${t('ask.note-of', { note: othersText(note, 200) })}</span>`}`;
}

function sayForm(frame: Frame, { plan, values, errors = {} }: PlanPage): Html {
  const theirs = speaksFor(plan);
  const drafted = plan.options.some(({ stances }) =>
    stances.some(({ person, by }) => by === 'ai' && theirs.some(({ id }) => id === person)),
  );
  const noteOf = ({ id }: PlanOption) => {
    const value = values[`note-${id}`] ?? '';
    const error = errors[`note-${id}`];
    return html`<details ${attributes({ class: 'note', id: `note-${id}-open`, open: value !== '' || error !== undefined })}><summary class="button quiet">${t('courses.note')}</summary>${field({ name: `note-${id}`, label: t('courses.note'), value, maxLength: 200, optional: true, error })}</details>`;
  };
  const offered = ['works', 'not', 'approve'] as const;
  const cells = options(plan).map((cell, index) => {
    const option = plan.options[index]!;
    const choice = { name: `o${option.id}`, offered, value: values[`o${option.id}`] };
    return { ...cell, choice, below: noteOf(option) };
  });
  return form(
    frame,
    { action: paths.plan(plan.id), carried: { do: 'say' }, label: t('courses.answers') },
    html`${forWhom(theirs, 'stances-for', values['for'])}
${drafted && html`<p class="drafted">${pill(t('plans.drafted'), 'care')} ${t('plans.drafted-more')}</p>`}
<p class="hint">${t('plans.approve-hint')}</p>
${stanceGrid(frame, cells, plan.timeZone)}
<div class="actions">${button(theirs.every(({ answered }) => answered) ? t('courses.change-answers') : t('courses.send-answers'))}</div>`,
  );
}

function chooseForm(frame: Frame, plan: Plan): Html {
  const cells = options(plan).map((cell, index) => {
    const option = plan.options[index]!;
    const words = t('plans.choose', { option: html`${optionName(frame, plan, option)}`, unseen });
    const id = String(option.id);
    const choice = button(words, { kind: 'plain', name: 'option', value: id });
    return { ...cell, below: html`${choice}${picksOf(plan.people, id)}` };
  });
  return form(
    frame,
    { action: paths.plan(plan.id), carried: { do: 'choose' }, label: t('plans.choice') },
    stanceGrid(frame, cells, plan.timeZone),
  );
}

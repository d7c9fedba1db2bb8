import { t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { PlanProposedSchema } from '@hearth/proto/delivery/v1/wake_ups';
import type { PlanSnapshot } from '@hearth/proto/events/v1/events';
import { type Family, quiet } from './family.ts';
import { activityOf, groupIdOf, groupsOf, outcomeEvent, stageNotices } from './group-thing.ts';
import { wakeUp } from './wake-up.ts';
import { byActor, sentence } from './words.ts';

/** A plan stands in the lists of those who see it alone, as a decision does. */
export const planEvents = {
  planChanged: {
    ...quiet,
    app: null,
    activity({ plan, what, viewers }, by) {
      const stage = told.find((known) => known === what);
      if (stage === undefined) return null;
      const summary = t(`events.plan.${stage}`, { ...byActor(by), title: plan?.title ?? '' });
      return activityOf(`plan.${stage}`, summary, plan, viewers);
    },
    wakeUp({ plan, wakes }) {
      if (plan?.group === undefined || wakes.length === 0) return null;
      const { title, group, options } = plan;
      const data = { plan: idOf(plan), title, group: groupIdOf(group), options };
      return wakeUp(PlanProposedSchema, data, { people: wakes, groups: groupsOf(group) });
    },
    notice: (value, by) =>
      stageNotices(value.plan, value, by, {
        kind: value.what === 'clash' ? 'clash' : 'plan',
        title: titleOf(value.what, value.why, by.who),
        link: value.plan === undefined ? '/' : `/p/${idOf(value.plan)}`,
      }),
  },
  planSettled: {
    ...quiet,
    activity({ plan, viewers }) {
      const summary = t('events.plan.settled', { title: plan?.title ?? '' });
      return activityOf('plan.settled', summary, plan, viewers);
    },
    app: ({ plan, when, endsAt, details, by, byAi, ...outcome }) =>
      outcomeEvent('plan', 'settled', plan && { ...plan, shownId: idOf(plan) }, outcome, {
        people: [by?.id ?? ''],
        data: (view) => ({
          when,
          ...(endsAt && { endsAt }),
          ...(details !== '' && { details }),
          // Another home does not say it.
          ...(by === undefined ? byAi !== '' && { by: printId('ai', byAi) } : { by: view.personId(by) }),
        }),
      }),
  },
} satisfies Family;

/** As callers know it. */
const idOf = ({ id, reference }: Pick<PlanSnapshot, 'id' | 'reference'>) => reference || printId('pln', id);

/** The stages that are activity. */
const told = ['proposed', 'option_added', 'extended', 'clash', 'cancelled'] as const;

function titleOf(what: string, why: string, who: string | null): string {
  switch (what) {
    case 'proposed':
      return sentence(who, 'proposes times to meet', 'Times to meet are proposed');
    case 'option_added':
      return sentence(who, 'added a time to a plan', 'A time was added to a plan');
    case 'approve':
      return 'A time works for all: it waits for your own yes';
    case 'clash':
      return 'No time works for all: you choose';
    case 'settle':
      return 'A plan waits for you to settle it';
    case 'cancelled':
      return why === 'past'
        ? 'The times of a plan are over'
        : sentence(who, 'cancelled a plan', 'A plan was cancelled');
    default:
      return 'A plan waits for you';
  }
}

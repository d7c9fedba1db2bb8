import { type Text, t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { PlanProposedSchema } from '@hearth/proto/delivery/v1/wake_ups';
import type { PlanSnapshot } from '@hearth/proto/events/v1/events';
import type { KnownActor } from './actor.ts';
import { type Family, quiet } from './family.ts';
import { activityOf, groupIdOf, groupsOf, outcomeEvent, stageNotices } from './group-thing.ts';
import { wakeUp } from './wake-up.ts';
import { byActor } from './words.ts';

/** A plan is only in the lists of the parties that see it, like a decision. */
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
        title: titleOf(value.what, value.why, by),
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
          // Another home does not report it.
          ...(by === undefined ? byAi !== '' && { by: printId('ai', byAi) } : { by: view.personId(by) }),
        }),
      }),
  },
} satisfies Family;

/** The id, as callers know it. */
const idOf = ({ id, reference }: Pick<PlanSnapshot, 'id' | 'reference'>) => reference || printId('pln', id);

/** The stages that are activity. */
const told = ['proposed', 'option_added', 'extended', 'clash', 'cancelled'] as const;

function titleOf(what: string, why: string, by: KnownActor): Text {
  const known = noticed.find((known) => known === what) ?? 'waits';
  const stage = known === 'cancelled' && why === 'past' ? why : known;
  return t(`notices.plan.${stage}`, byActor(by));
}

/** The stages with a notice of their own. */
const noticed = ['proposed', 'option_added', 'approve', 'clash', 'settle', 'cancelled'] as const;

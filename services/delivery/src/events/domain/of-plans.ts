import { printId } from '@hearth/ids';
import { PlanProposedSchema } from '@hearth/proto/delivery/v1/wake_ups';
import { type Family, quiet } from './family.ts';
import { outcomeActivity, outcomeEvent, type Sentences, stageActivity, stageNotices } from './group-thing.ts';
import { wakeUp } from './wake-up.ts';
import { sentence } from './words.ts';

/** A plan stands in the lists of those who see it alone, as a decision does. */
export const planEvents = {
  planChanged: {
    ...quiet,
    app: null,
    activity: (value, { who }) => stageActivity('plan', sentences, value.plan, value, who),
    wakeUp({ plan, wakes }) {
      if (plan?.group === undefined || wakes.length === 0) return null;
      const { id, title, group, options } = plan;
      const data = { plan: printId('pln', id), title, group: printId('grp', group.id), options };
      return wakeUp(PlanProposedSchema, data, { people: wakes, groups: [group.id] });
    },
    notice: (value, by) =>
      stageNotices(value.plan, value, by, {
        kind: value.what === 'clash' ? 'clash' : 'plan',
        title: titleOf(value.what, value.why, by.who),
        link: value.plan === undefined ? '/' : `/p/${printId('pln', value.plan.id)}`,
      }),
  },
  planSettled: {
    ...quiet,
    activity: ({ plan, viewers }) => outcomeActivity('plan', 'settled', plan, viewers),
    app: ({ plan, when, endsAt, details, by, byAi, ...outcome }) =>
      outcomeEvent('plan', 'settled', plan && { ...plan, shownId: printId('pln', plan.id) }, outcome, {
        people: [by?.id ?? ''],
        data: (view) => ({
          when,
          ...(endsAt && { endsAt }),
          ...(details !== '' && { details }),
          by: by === undefined ? printId('ai', byAi) : view.personId(by),
        }),
      }),
  },
} satisfies Family;

const sentences: Sentences = {
  proposed: ['proposed times to meet', 'Times to meet were proposed'],
  option_added: ['added a time to a plan', 'A time was added to a plan'],
  extended: ['gave more time for a plan', 'More time for a plan'],
  clash: ['said what works; no time works for all', 'No time works for all'],
  cancelled: ['cancelled a plan', 'A plan was cancelled'],
};

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

import { type Text, t } from '@hearth/i18n';
import { DecisionNeedsYouSchema } from '@hearth/proto/delivery/v1/wake_ups';
import type { DecisionSnapshot } from '@hearth/proto/events/v1/events';
import type { KnownActor } from './actor.ts';
import { type Family, listed, quiet } from './family.ts';
import { activityOf, groupIdOf, groupsOf, outcomeEvent, stageNotices } from './group-thing.ts';
import { wakeUp } from './wake-up.ts';
import { byActor } from './words.ts';

/** Decisions are in the lists of the parties that see them. */
export const decisionEvents = {
  decisionChanged: {
    activity({ decision, what, viewers }, by) {
      const stage = told.find((known) => known === what);
      if (stage === undefined) return null;
      const summary = t(`events.decision.${stage}`, { ...byActor(by), title: decision?.title ?? '' });
      return activityOf(`decision.${stage}`, summary, decision, viewers);
    },
    ...listed,
    wakeUp({ decision, wakes }) {
      if (decision?.group === undefined || wakes.length === 0) return null;
      const { reference, title, group, questions, deadline } = decision;
      const data = {
        decision: idOf(decision),
        title,
        group: groupIdOf(group),
        questions,
        ...(deadline && { deadline }),
        ...(reference !== '' && { ref: reference }),
      };
      return wakeUp(DecisionNeedsYouSchema, data, { people: wakes, groups: groupsOf(group) });
    },
    notice({ decision, what, note, needs }, by) {
      // If an AI was woken it answers; its person is only notified before the decision closes.
      const told = needs.filter(({ byAi }) => !(byAi && woken.has(what)));
      return stageNotices(decision, { what, note, needs: told }, by, {
        kind: what === 'clash' ? 'clash' : 'decision',
        title: titleOf(what, by),
        link: decision === undefined ? '/' : `/d/${idOf(decision)}`,
        again: what === 'reminded',
      });
    },
  },
  decisionAgreed: {
    ...quiet,
    activity({ decision, viewers }) {
      const summary = t('events.decision.agreed', { title: decision?.title ?? '' });
      return activityOf('decision.agreed', summary, decision, viewers);
    },
    app: ({ decision, when, bring, ...outcome }) =>
      outcomeEvent('decision', 'agreed', decision && { ...decision, shownId: idOf(decision) }, outcome, {
        data: (view) => ({
          ...(when !== '' && { when }),
          bring: bring.flatMap(({ person, what, assumed }) =>
            person === undefined ? [] : [{ person: view.personId(person), what, assumed }],
          ),
        }),
      }),
  },
} satisfies Family;

/** The id, as callers know it. */
const idOf = ({ number, reference }: Pick<DecisionSnapshot, 'number' | 'reference'>) =>
  reference || number.toString();

/** The stages that are activity. */
const told = ['started', 'extended', 'clash', 'proposed', 'review', 'reopened', 'cancelled'] as const;

/** The stages at which AIs are woken. */
const woken: ReadonlySet<string> = new Set(['started', 'reopened']);

function titleOf(what: string, by: KnownActor): Text {
  const stage = noticed.find((known) => known === what) ?? 'waits';
  return t(`notices.decision.${stage}`, byActor(by));
}

/** The stages with a notice of their own. */
const noticed = [
  'started',
  'reopened',
  'reminded',
  'closing_soon',
  'clash',
  'proposed',
  'review',
  'cancelled',
  'look_again',
] as const;

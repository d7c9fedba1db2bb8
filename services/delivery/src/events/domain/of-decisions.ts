import { DecisionNeedsYouSchema } from '@hearth/proto/delivery/v1/wake_ups';
import type { DecisionSnapshot } from '@hearth/proto/events/v1/events';
import { type Family, listed, quiet } from './family.ts';
import {
  groupIdOf,
  groupsOf,
  outcomeActivity,
  outcomeEvent,
  type Sentences,
  stageActivity,
  stageNotices,
} from './group-thing.ts';
import { wakeUp } from './wake-up.ts';
import { sentence } from './words.ts';

/** Decisions stand in the lists of those who see them. */
export const decisionEvents = {
  decisionChanged: {
    activity: (value, { who }) => stageActivity('decision', sentences, value.decision, value, who),
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
      // An AI that was woken answers; its person is told before it closes.
      const told = needs.filter(({ byAi }) => !(byAi && woken.has(what)));
      return stageNotices(decision, { what, note, needs: told }, by, {
        kind: what === 'clash' ? 'clash' : 'decision',
        title: titleOf(what, by.who),
        link: decision === undefined ? '/' : `/d/${idOf(decision)}`,
        again: what === 'reminded',
      });
    },
  },
  decisionAgreed: {
    ...quiet,
    activity: ({ decision, viewers }) => outcomeActivity('decision', 'agreed', decision, viewers),
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

/** As callers know it. */
const idOf = ({ number, reference }: Pick<DecisionSnapshot, 'number' | 'reference'>) =>
  reference || number.toString();

const sentences: Sentences = {
  started: ['started a decision', 'A decision started'],
  extended: ['gave more time to decide', 'More time to decide'],
  clash: ['gave an answer that clashes', 'Answers clash'],
  proposed: ['completed the answers; there is a proposal', 'There is a proposal'],
  review: ['asked for a change of the proposal', 'The organizers decide how it goes on'],
  reopened: ['asked the questions again', 'The questions are asked again'],
  cancelled: ['cancelled a decision', 'A decision was cancelled'],
};

/** The stages at which AIs are woken. */
const woken: ReadonlySet<string> = new Set(['started', 'reopened']);

function titleOf(what: string, who: string | null): string {
  switch (what) {
    case 'started':
      return sentence(who, 'asks you to decide together', 'You are asked to decide together');
    case 'reopened':
      return 'The questions are asked again';
    case 'reminded':
      return sentence(who, 'reminds you of a decision', 'A decision waits for you');
    case 'closing_soon':
      return 'A decision closes soon';
    case 'clash':
      return 'Two answers clash: you pick';
    case 'proposed':
      return 'A proposal waits for your approval';
    case 'review':
      return 'A decision waits for you as an organizer';
    case 'cancelled':
      return sentence(who, 'cancelled a decision', 'A decision was cancelled');
    case 'look_again':
      return 'Look at this decision again today';
    default:
      return 'A decision waits for you';
  }
}

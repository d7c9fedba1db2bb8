import { timestampDate } from '@bufbuild/protobuf/wkt';
import { type Copies, type CopyState, type HomeThings, isLine } from '@hearth/home-acts';
import type { Announcement } from '@hearth/outbox';
import { type Decision, DecisionSchema, DecisionStatus } from '@hearth/proto/decisions/v1/decisions';
import { admitMembers, type Members, toldOutcome } from '../../shared/actions/elsewhere.ts';
import { seatTopic } from '../../shared/domain/topics.ts';
import { isTime } from '../../shared/domain/zone.ts';
import type { Context } from '../context.ts';
import { statuses } from '../domain/enum-names.ts';
import type { What } from '../domain/events.ts';
import { decisionForHomes } from './tell-homes.ts';

export type DecisionCopies = Copies<typeof DecisionSchema>;
type State = CopyState<typeof DecisionSchema>;
type Deps = Pick<Context, 'decisions' | 'homeNames' | 'peers' | 'people'>;

/** Decisions of groups of other homes, and what those homes are told of this one's. */
export function createHomeDecisions(context: Deps, things: HomeThings): DecisionCopies {
  return things.kind('decision', {
    desc: DecisionSchema,
    factsOf({ at, deadline, group, proposal, status, timeZone, title }) {
      if (at === undefined || deadline === undefined || group === undefined || status === 0) return null;
      if (!isLine(title) || !isLine(group.name) || !isTime(proposal?.when, timeZone)) return null;
      return { status: statuses.nameOf(status), startedAt: timestampDate(at) };
    },
    async admit(state) {
      const { askedBy, group, waitingOn } = state.after.message;
      const of = { group: group?.id ?? '', waitingOn, by: askedBy?.address ?? '' };
      const members = await admitMembers(context, state, of);
      if (!('seats' in members)) return members;
      return { seats: members.seats, news: await newsOf(context, state, members) };
    },
    changed: (tx, { seats }) => tx.wake(...seats.map(({ viewer }) => seatTopic(viewer))),
    current: (id) => decisionForHomes(context, id),
    asks({ askedBy, status, title }) {
      const kind = status === DecisionStatus.CLASH ? 'clash' : 'questions';
      const isAsked = status === DecisionStatus.CLASH || status === DecisionStatus.OPEN;
      return isAsked ? { kind, title, from: askedBy?.address ?? '' } : null;
    },
    isKept: ({ record }) => record !== undefined,
  });
}

async function newsOf(
  context: Deps,
  { before, after: { id, message, reference } }: State,
  { group, needs, topics, viewers }: Members,
): Promise<Announcement[]> {
  const what = whatOf(before?.message ?? null, message);
  const { title, questions, deadline, proposal, why = '' } = message;
  const decision = {
    ...{ id, title, group, questions: questions.length, deadline, reference },
    number: BigInt(/:(\d{1,18})$/.exec(reference)?.[1] ?? 0),
  };
  if (what === 'agreed') {
    const { summary = '', when = '', where = '' } = proposal ?? {};
    const outcome = { summary, when, where, ...(await toldOutcome(context, viewers)) };
    return [{ data: { case: 'decisionAgreed', value: { ...outcome, decision, viewers } }, topics }];
  }
  if (what === null && needs.length === 0) return [];
  const wakes = needs.map(({ person }) => person);
  const value = { decision, viewers, needs, wakes, why, what: what ?? 'reminded' };
  return [{ data: { case: 'decisionChanged', value }, topics }];
}

/** The stage that began; null where none did. */
function whatOf(before: Decision | null, after: Decision): What | 'agreed' | null {
  const status = statuses.nameOf(after.status);
  if (before?.status === after.status && before.proposal?.version === after.proposal?.version) return null;
  if (status === 'open') return before === null ? 'started' : 'reopened';
  return status as What | 'agreed';
}

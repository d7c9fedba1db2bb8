import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Copies, CopyState, HomeThings } from '@hearth/home-acts';
import type { Announcement } from '@hearth/outbox';
import { type Decision, DecisionSchema, DecisionStatus } from '@hearth/proto/decisions/v1/decisions';
import { createCourseCopies } from '../../shared/actions/course-copies.ts';
import { type Members, toldOutcome } from '../../shared/actions/elsewhere.ts';
import { isTime } from '../../shared/domain/zone.ts';
import type { Context } from '../context.ts';
import { statuses } from '../domain/enum-names.ts';
import type { What } from '../domain/events.ts';
import { kind } from './course.ts';
import { lacks, withLeftOut } from './left-out.ts';
import { asSaid, wordsIn } from './words-of-ours.ts';

type Deps = Pick<Context, 'homeNames' | 'log' | 'peers' | 'people' | 'things'>;

export function createHomeDecisions(context: Deps, homeThings: HomeThings): Copies<typeof DecisionSchema> {
  return createCourseCopies(context, homeThings, {
    kind,
    desc: DecisionSchema,
    factsOf({ at, proposal, status, timeZone }) {
      if (at === undefined || !isTime(proposal?.when, timeZone)) return null;
      return { status: statuses.nameOf(status), startedAt: timestampDate(at) };
    },
    groupOf: ({ askedBy, group, waitingOn }) => ({
      group: group?.id ?? '',
      waitingOn,
      by: askedBy?.address ?? '',
    }),
    newsOf: (state, members) => newsOf(context, state, members),
    asks({ askedBy, status, title }) {
      const isClash = status === DecisionStatus.CLASH;
      const isAsked = isClash || status === DecisionStatus.OPEN;
      return isAsked ? { kind: isClash ? 'clash' : 'questions', title, from: askedBy?.address ?? '' } : null;
    },
    ...{ wordsIn, lacks },
    asSaid: (decision, said, since) =>
      [...said].reduce(
        (shown, [person, acts]) => withLeftOut(shown, person, acts, since),
        asSaid(decision, said),
      ),
    spare: ['record', 'answers', 'details', 'proposal.answers', 'proposal.approvals', 'proposal.bring'],
  });
}

async function newsOf(
  context: Deps,
  { before, after: { id, message, reference } }: CopyState<typeof DecisionSchema>,
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

/** The stage that began; null if none did. */
function whatOf(before: Decision | null, after: Decision): What | 'agreed' | null {
  const status = statuses.nameOf(after.status);
  if (before?.status === after.status && before.proposal?.version === after.proposal?.version) return null;
  if (status === 'open') return before === null ? 'started' : 'reopened';
  return status as What | 'agreed';
}

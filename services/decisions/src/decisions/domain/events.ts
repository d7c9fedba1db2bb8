import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { DecisionAgreedSchema, DecisionSnapshotSchema } from '@hearth/proto/events/v1/events';
import { type Awaited, organizersOf, taskOf, wordOf } from '../../shared/domain/awaited.ts';
import { needsOf } from '../../shared/domain/needs.ts';
import { groupIn, viewersHere } from '../../shared/domain/seated.ts';
import { topicsOf } from '../../shared/domain/topics.ts';
import type { DecisionRow, WholeDecision } from '../db/decisions.ts';
import { awaited, isAssumed, type Participant } from './decision.ts';
import { seatsOf } from './seats.ts';
import { courseOf } from './state.ts';

export type What =
  | 'started'
  | 'extended'
  | 'clash'
  | 'proposed'
  | 'review'
  | 'reopened'
  | 'cancelled'
  | 'closing_soon'
  | 'reminded'
  | 'look_again';

/** Stages that address AIs; the others address people. */
const forAis: ReadonlySet<What> = new Set(['started', 'reopened', 'reminded']);

export interface DecisionNews {
  what: What;
  /** Limits notices to these people (uuids), for themselves or for a child; the others already know. */
  only?: readonly string[];
  /** uuids of people whose AI answers for them and who need no notice. */
  represented?: ReadonlySet<string>;
  note?: string;
  by?: Caller | undefined;
}

export function decisionChanged(
  whole: WholeDecision,
  { what, only, represented, note = '', by }: DecisionNews,
): Announcement {
  const { row } = whole;
  const viewers = viewersHere(whole.people, seatsOf(whole));
  const told = needsOf(row, toldAt(whole, what), represented);
  const needs = told.filter(({ person }) => only?.includes(person) !== false);
  const value = {
    decision: snapshotOf(row),
    what,
    why: row.why ?? '',
    note,
    viewers,
    needs,
    wakes: forAis.has(what) ? needs.map(({ person }) => person) : [],
  };
  return {
    data: { case: 'decisionChanged', value },
    topics: topicsOf('decision', whole.row.id, viewers),
    by,
  };
}

/** The people to notify at a stage. */
function toldAt(whole: WholeDecision, what: What): readonly Awaited<Participant>[] {
  const { row, people } = whole;
  const waiting = awaited(courseOf(whole));
  switch (what) {
    case 'extended':
      return [];
    case 'look_again':
      return organizersOf(people).map(taskOf);
    case 'cancelled':
      return row.why === 'no_answers'
        ? people.filter(({ person }) => person === row.starter_person).map(wordOf)
        : people.filter(({ asked }) => asked).map(wordOf);
    case 'proposed': {
      // People whose answers are assumed may object.
      const assumed = people.filter(
        (person) => isAssumed(person) && waiting.every((each) => each.one !== person),
      );
      return [...waiting, ...assumed.map(wordOf)];
    }
    default:
      return waiting;
  }
}

export function decisionAgreed(
  whole: WholeDecision,
  outcome: Omit<MessageInitShape<typeof DecisionAgreedSchema>, 'decision' | 'viewers' | '$typeName'>,
  by: Caller | undefined,
): Announcement {
  const viewers = viewersHere(whole.people, seatsOf(whole));
  const value = { ...outcome, decision: snapshotOf(whole.row), viewers };
  return { data: { case: 'decisionAgreed', value }, topics: topicsOf('decision', whole.row.id, viewers), by };
}

function snapshotOf(row: DecisionRow): MessageInitShape<typeof DecisionSnapshotSchema> {
  return {
    id: row.id,
    number: BigInt(row.number),
    title: row.title,
    group: groupIn(row),
    questions: row.questions.length,
    deadline: timestampFromDate(row.deadline_at),
    hiddenFrom: row.hidden_from ?? '',
  };
}

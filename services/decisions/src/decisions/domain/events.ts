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

/** The stages at which AIs are asked; at the others people are. */
const forAis: ReadonlySet<What> = new Set(['started', 'reopened', 'reminded']);

export interface DecisionNews {
  what: What;
  /** uuids of those who are told for themselves or for a child, where the others of the stage know it. */
  only?: readonly string[];
  /** uuids of people who have an AI that answers: they need not be told. */
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

/** The people of a decision who are told at a stage. */
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
      // Those whose answers are assumed may object.
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

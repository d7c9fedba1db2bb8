import { create, fromJson, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs, type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import {
  type ClashSchema,
  type DecisionAnswerSchema,
  DecisionSchema,
  type DecisionStarterSchema,
  type ProposalSchema,
  type Decision as Shown,
} from '@hearth/proto/decisions/v1/decisions';
import { shownAwaited } from '../../shared/domain/awaited.ts';
import { speakersOf } from '../../shared/domain/member.ts';
import type { Reader } from '../../shared/domain/reader.ts';
import { goneStarter } from '../../shared/domain/starter.ts';
import type { DecisionRow, WholeDecision } from '../db/decisions.ts';
import {
  type Answer,
  approvers,
  awaited,
  type Clash,
  type Decision,
  hasAnswered,
  type Participant,
  type Proposal,
} from '../domain/decision.ts';
import { needs, questionKinds, statuses, verdicts } from '../domain/enum-names.ts';
import { leaveOut } from '../domain/leave-out.ts';
import { outcomeOf } from '../domain/outcome.ts';
import { answersTo, duplicates, plain } from '../domain/propose.ts';
import { courseOf } from '../domain/state.ts';

/** The decision as this reader may see it. */
export function shownTo(found: WholeDecision, reader: Reader): Shown {
  const isTold = (person: string) => reader.person(person) !== null;
  const row = reader.abroad ? { ...found.row, ...leaveOut(found.row, isTold) } : found.row;
  const whole = { ...found, row };
  const course = courseOf(whole);
  const asked = course.people.filter((person) => person.asked);
  const past = row.status !== 'open' && row.status !== 'clash';
  return create(DecisionSchema, {
    id: row.number,
    title: row.title,
    status: statuses.valueOf(row.status),
    details: row.details ?? undefined,
    group: { id: printId('grp', row.group), name: row.group_name, address: `&${row.group_handle}` },
    askedBy: askedBy(row, reader),
    questions: row.questions.map(({ id, kind, prompt, options }) => ({
      id,
      kind: questionKinds.valueOf(kind),
      prompt,
      options: [...options],
    })),
    waitingOn: shownAwaited(awaited(course), reader),
    peopleAsked: asked.length,
    peopleAnswered: asked.filter((participant) => hasAnswered(course, participant)).length,
    answers: answersOf(course, reader),
    ...(past && row.proposal !== null && { proposal: proposalOf(whole, row.proposal, reader) }),
    ...(row.clash !== null && { clash: clashOf(course, row.clash, reader) }),
    needs: needs.valueOf(row.needs),
    deadline: timestampFromDate(row.deadline_at),
    at: timestampFromDate(row.started_at),
    timeZone: row.time_zone ?? undefined,
    why: row.why ?? undefined,
    ...(row.hidden_from !== null && { hiddenFrom: reader.id(row.hidden_from) }),
    reviewOn: row.review_on ?? undefined,
    ...(row.settled_at !== null && { settledAt: timestampFromDate(row.settled_at) }),
    ...(row.signed_record !== null && { record: JSON.parse(row.signed_record) }),
    revision: row.revision,
  });
}

/** Only apps see the starter's id, and only while the account exists. */
function askedBy(row: DecisionRow, reader: Reader): MessageInitShape<typeof DecisionStarterSchema> {
  const { id, name, address } = reader.starter(row);
  return { name, address, ...(reader.app !== '' && address !== goneStarter.address && { id }) };
}

/**
 * The answers of the viewer and the people they guard; everyone's once those are complete, or once answers
 * are closed.
 */
function answersOf(course: Decision, reader: Reader): MessageInitShape<typeof DecisionAnswerSchema>[] {
  const { people, questions, status } = course;
  const theirs = people.filter(
    (person) => person.person === reader.viewer || speakersOf(person).includes(reader.viewer),
  );
  const mine = theirs.filter(({ asked }) => asked);
  const open =
    status !== 'open' ||
    // The group AI, or an app that acts for no person.
    reader.viewer === course.group_ai ||
    (reader.viewer === reader.app && !reader.abroad) ||
    (mine.length > 0 && mine.every((participant) => hasAnswered(course, participant)));
  return questions.flatMap((question) =>
    answersTo(question, open ? people : theirs).map(({ person, answer, firm, note, as, assumed, at }) => ({
      questionId: question.id,
      person: reader.id(person),
      name: reader.name(person),
      answer: jsonValue(answer),
      firm,
      ...(note !== '' && { note }),
      byAi: as === 'ai' && !assumed,
      assumed,
      at: timestampFromMs(at),
    })),
  );
}

function proposalOf(
  whole: WholeDecision,
  proposal: Proposal,
  reader: Reader,
): MessageInitShape<typeof ProposalSchema> {
  const { row, people } = whole;
  const course = courseOf(whole);
  const { summary, when, where } = outcomeOf(row, proposal);
  const twice = duplicates(proposal.bring);
  return {
    version: proposal.version,
    by: proposal.by === row.group_ai && !reader.abroad ? printId('ai', row.group_ai) : reader.id(proposal.by),
    at: timestampFromMs(proposal.at),
    answers: proposal.answers.map(({ question, answer, people: suited }) => {
      const { kind } = row.questions.find(({ id }) => id === question)!;
      const said = answersTo(row.questions.find(({ id }) => id === question)!, people);
      const quotes = said.map((one) => `${reader.name(one.person)}: ${String(one.answer)}`);
      const shown = kind === 'text' && answer === null ? quotes : answer;
      return {
        questionId: question,
        kind: questionKinds.valueOf(kind),
        ...(shown !== null && { answer: jsonValue(shown) }),
        people: suited.map(reader.id),
        assumed: said.flatMap(({ person, assumed }) =>
          assumed && suited.includes(person) ? [reader.id(person)] : [],
        ),
      };
    }),
    summary,
    ...(when !== null && { when }),
    ...(where !== '' && { where }),
    bring: proposal.bring.map(({ person, what, assumed }) => ({
      person: reader.id(person),
      name: reader.name(person),
      what,
      assumed,
      duplicate: twice.has(plain(what)),
    })),
    approvals: approvalsOf(course, reader),
    ...(proposal.objectBy !== null && { objectBy: timestampFromMs(proposal.objectBy) }),
  };
}

/** The people whose approval is needed, and others who gave one. */
function approvalsOf(course: Decision, reader: Reader) {
  const needed = new Set(approvers(course));
  return course.people
    .filter((person) => needed.has(person) || person.approval !== null)
    .map(({ person, approval }: Participant) => ({
      person: reader.id(person),
      name: reader.name(person),
      decision: verdicts.valueOf(approval?.decision ?? 'waiting'),
      ...(approval !== null && { at: timestampFromMs(approval.at), by: approval.as }),
      ...(approval !== null && approval.note !== '' && { note: approval.note }),
    }));
}

function clashOf(course: Decision, clash: Clash, reader: Reader): MessageInitShape<typeof ClashSchema> {
  const question = course.questions.find(({ id }) => id === clash.question);
  return {
    question: question?.prompt ?? '',
    questionId: clash.question,
    people: clash.sides.flatMap(({ people }) => people.map(reader.id)),
    waitingFor: course.status === 'clash' ? shownAwaited(awaited(course), reader) : [],
    sides: clash.sides.map(({ answer, people, byAi }) => ({
      answer: jsonValue(answer),
      people: people.map(reader.id),
      byAi,
    })),
    until: timestampFromMs(clash.until),
  };
}

function jsonValue(answer: Answer): Value {
  return fromJson(ValueSchema, answer as JsonValue);
}

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
import { speakersOf } from '../../shared/domain/member.ts';
import type { WholeDecision } from '../db/decisions.ts';
import {
  type Answer,
  approvers,
  type Clash,
  type Decision,
  hasAnswered,
  type Participant,
  type Proposal,
  waitingOn,
} from '../domain/decision.ts';
import { needs, questionKinds, statuses, verdicts } from '../domain/enum-names.ts';
import { outcomeOf } from '../domain/outcome.ts';
import { answersTo, duplicates, plain } from '../domain/propose.ts';
import { courseOf } from '../domain/state.ts';

/** How one caller names the people of decisions. */
export interface Names {
  id(person: string): string;
  name(person: string): string;
}

export interface View extends Names {
  viewer: string;
  /** Sees all answers at once: an app that acts for no one, and the group AI. */
  sees: 'all' | 'own';
  /** The AI that runs the group. */
  groupAi: string;
  askedBy: MessageInitShape<typeof DecisionStarterSchema>;
}

/** A decision in the words of one reader. */
export function shownTo(view: View, whole: WholeDecision): Shown {
  const { row } = whole;
  const course = courseOf(whole);
  const asked = course.people.filter((one) => one.asked);
  const past = row.status !== 'open' && row.status !== 'clash';
  return create(DecisionSchema, {
    id: row.number,
    title: row.title,
    status: statuses.valueOf(row.status),
    details: row.details ?? undefined,
    group: { id: printId('grp', row.group), name: row.group_name, address: `&${row.group_handle}` },
    askedBy: view.askedBy,
    questions: row.questions.map(({ id, kind, prompt, options }) => ({
      id,
      kind: questionKinds.valueOf(kind),
      prompt,
      options: [...options],
    })),
    waitingOn: waitingOn(course).map(({ person }) => view.id(person)),
    peopleAsked: asked.length,
    peopleAnswered: asked.filter((one) => hasAnswered(course, one)).length,
    answers: answersOf(course, view),
    ...(past && row.proposal !== null && { proposal: proposalOf(whole, row.proposal, view) }),
    ...(row.clash !== null && { clash: clashOf(course, row.clash, view) }),
    needs: needs.valueOf(row.needs),
    deadline: timestampFromDate(row.deadline_at),
    at: timestampFromDate(row.started_at),
    timeZone: row.time_zone ?? undefined,
    why: row.why ?? undefined,
    ...(row.hidden_from !== null && { hiddenFrom: view.id(row.hidden_from) }),
    reviewOn: row.review_on ?? undefined,
    ...(row.settled_at !== null && { settledAt: timestampFromDate(row.settled_at) }),
    ...(row.signed_record !== null && { record: JSON.parse(row.signed_record) }),
    revision: row.revision,
  });
}

/** Those of the viewer and of whom they guard; all once theirs are given, or once no more are taken. */
function answersOf(course: Decision, view: View): MessageInitShape<typeof DecisionAnswerSchema>[] {
  const { people, questions, status } = course;
  const theirs = people.filter((one) => one.person === view.viewer || speakersOf(one).includes(view.viewer));
  const mine = theirs.filter(({ asked }) => asked);
  const open =
    status !== 'open' ||
    view.sees === 'all' ||
    (mine.length > 0 && mine.every((one) => hasAnswered(course, one)));
  return questions.flatMap((question) =>
    answersTo(question, open ? people : theirs).map(({ person, answer, firm, note, as, assumed, at }) => ({
      questionId: question.id,
      person: view.id(person),
      name: view.name(person),
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
  view: View,
): MessageInitShape<typeof ProposalSchema> {
  const { row, people } = whole;
  const course = courseOf(whole);
  const { summary, when, where } = outcomeOf(row, proposal);
  const twice = duplicates(proposal.bring);
  return {
    version: proposal.version,
    by: proposal.by === row.group_ai ? view.groupAi : view.id(proposal.by),
    at: timestampFromMs(proposal.at),
    answers: proposal.answers.map(({ question, answer, people: suited }) => {
      const { kind } = row.questions.find(({ id }) => id === question)!;
      const said = answersTo(row.questions.find(({ id }) => id === question)!, people);
      const quotes = said.map((one) => `${view.name(one.person)}: ${String(one.answer)}`);
      const shown = kind === 'text' && answer === null ? quotes : answer;
      return {
        questionId: question,
        kind: questionKinds.valueOf(kind),
        ...(shown !== null && { answer: jsonValue(shown) }),
        people: suited.map(view.id),
        assumed: said.flatMap(({ person, assumed }) =>
          assumed && suited.includes(person) ? [view.id(person)] : [],
        ),
      };
    }),
    summary,
    ...(when !== null && { when }),
    ...(where !== '' && { where }),
    bring: proposal.bring.map(({ person, what, assumed }) => ({
      person: view.id(person),
      name: view.name(person),
      what,
      assumed,
      duplicate: twice.has(plain(what)),
    })),
    approvals: approvalsOf(course, view),
    ...(proposal.objectBy !== null && { objectBy: timestampFromMs(proposal.objectBy) }),
  };
}

/** Those whose approval it needs, and what others said of it. */
function approvalsOf(course: Decision, view: View) {
  const needed = new Set(approvers(course));
  return course.people
    .filter((one) => needed.has(one) || one.approval !== null)
    .map(({ person, approval }: Participant) => ({
      person: view.id(person),
      name: view.name(person),
      decision: verdicts.valueOf(approval?.decision ?? 'waiting'),
      ...(approval !== null && { at: timestampFromMs(approval.at), by: approval.as }),
      ...(approval !== null && approval.note !== '' && { note: approval.note }),
    }));
}

function clashOf(course: Decision, clash: Clash, view: View): MessageInitShape<typeof ClashSchema> {
  const question = course.questions.find(({ id }) => id === clash.question);
  return {
    question: question?.prompt ?? '',
    questionId: clash.question,
    people: clash.sides.flatMap(({ people }) => people.map(view.id)),
    waitingFor: course.status === 'clash' ? waitingOn(course).map(({ person }) => view.id(person)) : [],
    sides: clash.sides.map(({ answer, people, byAi }) => ({
      answer: jsonValue(answer),
      people: people.map(view.id),
      byAi,
    })),
    until: timestampFromMs(clash.until),
  };
}

function jsonValue(answer: Answer): Value {
  return fromJson(ValueSchema, answer as JsonValue);
}

import { create, fromJsonString } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { lastSaidIn, type SentWord } from '@hearth/home-acts';
import {
  type Decision,
  type DecisionAnswer,
  type ProposalApproval,
  ProposalApprovalSchema,
  Verdict,
} from '@hearth/proto/decisions/v1/decisions';
import { canonicalize, type JsonValue } from '@hearth/signing';
import type { ActsByAddress, Word } from '../../shared/actions/course-copies.ts';
import { questionKinds, verdicts } from '../domain/enum-names.ts';
import { plainValue, readAnswer } from '../domain/read-answers.ts';

type Acts = readonly SentWord[];

interface Given {
  question_id?: number;
  answer?: JsonValue;
  firm?: boolean;
  note?: string;
}

export interface Answered {
  answer: JsonValue;
  firm: boolean;
  note: string;
  byAi: boolean;
  /** Time it was sent; undefined if unknown. */
  sentAt?: string | undefined;
}

export interface Approved {
  verdict: Verdict;
  note: string;
  by: string;
  sentAt?: string | undefined;
}

export const toValue = (json: JsonValue) => fromJsonString(ValueSchema, JSON.stringify(json));
const isEqual = (one: JsonValue, other: JsonValue) => canonicalize([one]) === canonicalize([other]);

/** The last answer to a question in one person's acts. */
export function answeredBy(decision: Decision, acts: Acts, question: number) {
  return lastSaidIn(acts, ({ operation, request, byAi, at: sentAt }): Answered | undefined => {
    if (operation !== 'answer_decision') return undefined;
    const given = ((request['answers'] ?? []) as Given[]).find((one) => one.question_id === question);
    if (given === undefined) return undefined;
    const { firm = false, note = '' } = given;
    return { answer: readGiven(decision, question, given.answer), firm, note, byAi, sentAt };
  });
}

/** The last pick in a clash over a question; it replaces the answer once everyone picked the same. */
const pickedBy = (acts: Acts, question: number) =>
  lastSaidIn(acts, ({ operation, request }) =>
    operation === 'settle_clash' && request['question_id'] === question
      ? String(request['answer'])
      : undefined,
  );

/** The answers that the decision's home may report: as sent, or as the person picked in the clash. */
function allowedFor(decision: Decision, acts: Acts, question: number): readonly Answered[] | null {
  const answered = answeredBy(decision, acts, question);
  if (answered === null) return null;
  const isWhen = kindOf(decision, question) === 'when';
  const picks = (pickedBy(acts, question)?.allowed ?? []).map((pick) =>
    readGiven(decision, question, isWhen ? [pick] : pick),
  );
  return answered.allowed.flatMap((one) => [one, ...picks.map((answer) => ({ ...one, answer }))]);
}

export const approvedBy = ({ proposal }: Decision, acts: Acts) =>
  lastSaidIn(acts, ({ operation, request, byAi, at: sentAt }): Approved | undefined =>
    operation === 'approve_decision' && request['version'] === proposal?.version
      ? {
          verdict: verdicts.valueOf(String(request['decision'])) as Verdict,
          note: String(request['note'] ?? ''),
          by: byAi ? 'ai' : 'person',
          sentAt,
        }
      : undefined,
  );

/**
 * Everything a remote decision attributes to people or their AIs. Assumed answers are never valid for local
 * people: their notes don't leave this home.
 */
export function wordsIn(decision: Decision): Word[] {
  const { answers, clash, proposal } = decision;
  const { approvals = [], bring = [] } = proposal ?? {};
  const word = (
    person: string,
    question: number,
    stated: JsonValue,
    isSaid: (answered: Answered) => boolean,
  ): Word => ({
    ...{ person, stated: [question, stated] },
    isSaidBy: (acts) => allowedFor(decision, acts, question)?.some(isSaid) ?? null,
  });
  const assumedOf = (person: string, stated: JsonValue): Word => ({
    ...{ person, stated: ['assumed', stated] },
    isSaidBy: () => false,
  });
  const suited = (question: number, answer: JsonValue, people: readonly string[]) =>
    people.map((person) => word(person, question, ['suits', answer], suits(decision, question, answer)));
  return [
    ...answers.map((one) => {
      const stated = { ...one, answer: jsonOf(one.answer), note: one.note ?? '' };
      const { answer, assumed, firm, note, byAi } = stated;
      return assumed
        ? assumedOf(one.person, [one.questionId, answer])
        : word(one.person, one.questionId, [answer, firm, note, byAi], isAnswered(stated));
    }),
    ...bring.map(({ assumed, person, what }): Word => {
      const isSaidBy = (acts: Acts) => broughtBy(decision, acts)?.includes(what) ?? null;
      return assumed ? assumedOf(person, what) : { person, stated: ['bring', what], isSaidBy };
    }),
    ...(proposal?.answers ?? []).flatMap((answer) => [
      ...suited(answer.questionId, jsonOf(answer.answer), answer.people),
      ...answer.assumed.map((person) => assumedOf(person, [answer.questionId, 'suits'])),
    ]),
    ...(clash?.sides ?? []).flatMap(({ answer, people }) =>
      suited(clash!.questionId, jsonOf(answer), people),
    ),
    ...approvals.flatMap((approval): Word[] => {
      if (approval.decision === Verdict.WAITING) return [];
      const { decision: verdict, note = '', by = '', person } = approval;
      const isSaidBy = (acts: Acts) => approvedBy(decision, acts)?.allowed.some(isApproved(approval)) ?? null;
      return [{ person, stated: [proposal!.version, verdict, note, by], isSaidBy }];
    }),
  ];
}

const isAnswered = (stated: Answered) => (said: Answered) =>
  said.firm === stated.firm &&
  said.note === stated.note &&
  said.byAi === stated.byAi &&
  isEqual(said.answer, stated.answer);

const isApproved =
  ({ decision, note = '', by = '' }: ProposalApproval) =>
  (said: Approved) =>
    said.verdict === decision && said.note === note && said.by === by;

/** Whether a proposal or clash side may count this answer as support. */
const suits = (decision: Decision, question: number, stated: JsonValue) => {
  const kind = kindOf(decision, question);
  return ({ answer }: Answered) => {
    if (kind !== 'when' && kind !== 'choice') return true;
    if (Array.isArray(answer) && !Array.isArray(stated)) return answer.includes(stated);
    return isEqual(answer, stated);
  };
};

/** The things a person brings by their last answers; null if they answered no bring question. */
function broughtBy(decision: Decision, acts: Acts): JsonValue[] | null {
  const asked = decision.questions.filter(({ kind }) => questionKinds.nameOf(kind) === 'bring');
  const allowed = asked.map(({ id }) => allowedFor(decision, acts, id));
  if (allowed.every((one) => one === null)) return null;
  return allowed.flatMap((one) => one ?? []).map(({ answer }) => answer);
}

const jsonOf = (value: DecisionAnswer['answer']) => (plainValue(value) ?? null) as JsonValue;

function kindOf({ questions }: Decision, id: number): string {
  const question = questions.find((one) => one.id === id);
  return question === undefined ? '' : questionKinds.nameOf(question.kind);
}

/** Normalizes an answer as its home would: an option in the question's own words. */
function readGiven({ questions, timeZone }: Decision, id: number, answer: JsonValue = null): JsonValue {
  const question = questions.find((one) => one.id === id);
  if (question === undefined) return answer;
  const kind = questionKinds.nameOf(question.kind);
  try {
    const asked = { ...question, kind } as Parameters<typeof readAnswer>[0];
    return readAnswer(asked, toValue(answer), timeZone ?? null, 'answer') as JsonValue;
  } catch {
    return answer;
  }
}

/** The decision with these people's statements as they sent them, and without statements they never sent. */
export function asSaid(decision: Decision, said: ActsByAddress): Decision {
  const { answers, clash, proposal } = decision;
  const countsFor = (question: number, stated: JsonValue) => (person: string) => {
    const acts = said.get(person);
    if (acts === undefined) return true;
    return allowedFor(decision, acts, question)?.some(suits(decision, question, stated)) ?? false;
  };
  return {
    ...decision,
    answers: answers.flatMap((answer) => {
      const acts = said.get(answer.person);
      return acts === undefined ? answer : (answerAsSaid(decision, answer, acts) ?? []);
    }),
    ...(clash !== undefined && {
      clash: {
        ...clash,
        people: clash.people.filter((person) => {
          const acts = said.get(person);
          return acts === undefined || allowedFor(decision, acts, clash.questionId) !== null;
        }),
        sides: clash.sides.map((side) => ({
          ...side,
          people: side.people.filter(countsFor(clash.questionId, jsonOf(side.answer))),
        })),
      },
    }),
    ...(proposal !== undefined && {
      proposal: {
        ...proposal,
        answers: proposal.answers.map((answer) => {
          const counts = countsFor(answer.questionId, jsonOf(answer.answer));
          return {
            ...answer,
            people: answer.people.filter(counts),
            assumed: answer.assumed.filter((person) => !said.has(person)),
          };
        }),
        bring: proposal.bring.flatMap((one) => {
          const acts = said.get(one.person);
          if (acts === undefined) return one;
          const brought = broughtBy(decision, acts) ?? [];
          const what = brought.includes(one.what) ? one.what : brought.at(-1);
          return typeof what === 'string' ? { ...one, what, assumed: false } : [];
        }),
        approvals: proposal.approvals.map((approval) => {
          const acts = said.get(approval.person);
          return acts === undefined ? approval : approvalAsSaid(decision, approval, acts);
        }),
      },
    }),
  };
}

/** Null if the person never sent an answer. */
function answerAsSaid(decision: Decision, one: DecisionAnswer, acts: Acts): DecisionAnswer | null {
  const answered = answeredBy(decision, acts, one.questionId);
  if (answered === null) return null;
  const stated = { ...one, answer: jsonOf(one.answer), note: one.note ?? '' };
  if (allowedFor(decision, acts, one.questionId)?.some(isAnswered(stated))) return { ...one, assumed: false };
  const { answer, firm, note, byAi } = answered.shown;
  const { note: _, ...rest } = one;
  return { ...rest, firm, byAi, assumed: false, answer: toValue(answer), ...(note !== '' && { note }) };
}

function approvalAsSaid(decision: Decision, approval: ProposalApproval, acts: Acts): ProposalApproval {
  const { at, person, name } = approval;
  const given = approvedBy(decision, acts);
  if (given === null) return create(ProposalApprovalSchema, { person, name, decision: Verdict.WAITING });
  if (given.allowed.some(isApproved(approval))) return approval;
  const { verdict, note, by } = given.shown;
  return create(ProposalApprovalSchema, {
    ...{ person, name, decision: verdict, by },
    ...(at && { at }),
    ...(note !== '' && { note }),
  });
}

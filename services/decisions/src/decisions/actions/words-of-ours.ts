import { create, fromJsonString } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { type Decision, ProposalApprovalSchema, Verdict } from '@hearth/proto/decisions/v1/decisions';
import { canonicalize, type JsonObject, type JsonValue } from '@hearth/signing';
import type { Said, Word } from '../../shared/actions/course-copies.ts';
import { questionKinds, verdicts } from '../domain/enum-names.ts';
import { plainValue, readAnswer } from '../domain/read-answers.ts';

interface Given {
  question_id?: number;
  answer?: JsonValue;
  firm?: boolean;
  note?: string;
}

const toValue = (json: JsonValue) => fromJsonString(ValueSchema, JSON.stringify(json));

/** The answer of a request of `answer_decision` to a question. */
const answerIn = ({ answers = [] }: JsonObject, question: number) =>
  (answers as Given[]).find((one) => one.question_id === question);

/** The words in a decision of another home that people said by themselves or by their AIs. */
export function wordsIn(decision: Decision): Word[] {
  const { answers, clash, proposal } = decision;
  const { approvals = [], bring = [], version = 0 } = proposal ?? {};
  const word = (person: string, question: number, stated: JsonValue, isSaid: (given: Given) => boolean) => ({
    ...{ person, operation: 'answer_decision', stated: [question, stated] },
    isSaidBy(request: JsonObject) {
      const given = answerIn(request, question);
      return given !== undefined && isSaid(given);
    },
  });
  const sided = (question: number, people: readonly string[], assumed: readonly string[] = []) =>
    people
      .filter((person) => !assumed.includes(person))
      .map((person) => word(person, question, 'sided', () => true));
  return [
    ...answers.flatMap(({ answer, assumed, firm, note = '', person, questionId }) => {
      if (assumed) return [];
      const stated = (plainValue(answer) ?? null) as JsonValue;
      return word(
        person,
        questionId,
        [stated, firm, note],
        (given) =>
          (given.firm ?? false) === firm &&
          (given.note ?? '') === note &&
          canonicalize([readGiven(decision, questionId, given)]) === canonicalize([stated]),
      );
    }),
    ...bring.flatMap(({ assumed, person, what }) => {
      if (assumed) return [];
      const isSaidBy = ({ answers: given = [] }: JsonObject) =>
        (given as Given[]).some((one) => readGiven(decision, one.question_id ?? 0, one) === what);
      return { person, operation: 'answer_decision', stated: ['bring', what], isSaidBy };
    }),
    ...(proposal?.answers ?? []).flatMap((one) => sided(one.questionId, one.people, one.assumed)),
    ...(clash?.sides ?? []).flatMap(({ people }) => sided(clash!.questionId, people)),
    ...approvals.flatMap(({ decision: verdict, note = '', person }) => {
      if (verdict === Verdict.WAITING) return [];
      const isSaidBy = (request: JsonObject) =>
        request['decision'] === verdicts.nameOf(verdict) &&
        request['version'] === version &&
        (request['note'] ?? '') === note;
      return { person, operation: 'approve_decision', stated: [version, verdict, note], isSaidBy };
    }),
  ];
}

/** As its home keeps an answer: an option in the words of the question. */
function readGiven({ questions, timeZone }: Decision, id: number, { answer = null }: Given): JsonValue {
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

/** A decision with the words of these people as they sent them, and without those that they did not send. */
export function asSaid(decision: Decision, said: Said): Decision {
  const { answers, clash, proposal } = decision;
  const latest = (person: string, question: number) =>
    said
      .get(person)
      ?.map((request) => answerIn(request, question))
      .findLast(Boolean);
  const stays = ({ assumed, person }: { assumed: boolean; person: string }) => assumed || !said.has(person);
  const answered = (question: number) => (person: string) =>
    !said.has(person) || latest(person, question) !== undefined;
  return {
    ...decision,
    answers: answers.flatMap((one) => {
      if (stays(one)) return one;
      const given = latest(one.person, one.questionId);
      if (given === undefined) return [];
      const { note, ...rest } = one;
      const answer = toValue(readGiven(decision, one.questionId, given));
      return {
        ...{ ...rest, answer, firm: given.firm ?? false },
        ...(given.note !== undefined && { note: given.note }),
      };
    }),
    ...(clash !== undefined && {
      clash: {
        ...clash,
        sides: clash.sides.map((side) => ({
          ...side,
          people: side.people.filter(answered(clash.questionId)),
        })),
      },
    }),
    ...(proposal !== undefined && {
      proposal: {
        ...proposal,
        answers: proposal.answers.map((one) => ({
          ...one,
          people: one.people.filter(
            (person) => one.assumed.includes(person) || answered(one.questionId)(person),
          ),
        })),
        bring: proposal.bring.filter(stays),
        approvals: proposal.approvals.map((one) => {
          const requests = said.get(one.person);
          if (requests === undefined) return one;
          const given = requests.findLast(
            (request) => 'decision' in request && request['version'] === proposal.version,
          );
          const { at, by, person, name } = one;
          if (given === undefined)
            return create(ProposalApprovalSchema, { person, name, decision: Verdict.WAITING });
          const verdict = verdicts.valueOf(String(given['decision']));
          const spoken = { ...{ person, name, decision: verdict }, ...(at && { at }), ...(by && { by }) };
          const note = given['note'];
          return create(ProposalApprovalSchema, { ...spoken, ...(typeof note === 'string' && { note }) });
        }),
      },
    }),
  };
}

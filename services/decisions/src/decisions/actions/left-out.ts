import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SentWord } from '@hearth/home-acts';
import {
  type Decision,
  type DecisionAnswer,
  DecisionAnswerSchema,
  DecisionStatus,
  type ProposalApproval,
  ProposalApprovalSchema,
  Verdict,
} from '@hearth/proto/decisions/v1/decisions';
import { answeredBy, approvedBy, toValue } from './words-of-ours.ts';

type Acts = readonly SentWord[];

/**
 * Whether the decision lacks an answer or approval that its home had accepted by this revision.
 *
 * @param since the revision that reopened the questions; earlier answers no longer count
 */
export function lacks(decision: Decision, person: string, acts: Acts, since = 0): boolean {
  return (
    answersLeftOut(decision, person, acts, since).length > 0 ||
    approvalLeftOut(decision, person, acts) !== null
  );
}

/** Adds the missing answers and approval. */
export function withLeftOut(decision: Decision, person: string, acts: Acts, since = 0): Decision {
  const approval = approvalLeftOut(decision, person, acts);
  const { proposal } = decision;
  return {
    ...decision,
    answers: [...decision.answers, ...answersLeftOut(decision, person, acts, since)],
    ...(proposal !== undefined &&
      approval !== null && {
        proposal: {
          ...proposal,
          approvals: [...proposal.approvals.filter((one) => one.person !== person), approval],
        },
      }),
  };
}

/** Acts that the decision at this revision must reflect. */
const takenIn = ({ revision: now }: Decision, acts: Acts) =>
  acts.filter(({ revision, status }) => status === 200 && typeof revision === 'number' && revision <= now);

/**
 * Answers missing for this person; empty while answers are hidden, or if the state was sent without answers
 * because of its size.
 */
function answersLeftOut(decision: Decision, person: string, acts: Acts, since: number): DecisionAnswer[] {
  if (decision.status === DecisionStatus.OPEN || decision.answers.length === 0) return [];
  const counted = takenIn(decision, acts).filter(({ revision }) => revision! > since);
  return decision.questions.flatMap(({ id: questionId }): DecisionAnswer[] => {
    const isTold = decision.answers.some((one) => one.person === person && one.questionId === questionId);
    const answered = isTold ? null : answeredBy(decision, counted, questionId);
    if (answered === null) return [];
    const { answer, byAi, firm, note, sentAt } = answered.shown;
    return [
      create(DecisionAnswerSchema, {
        ...{ questionId, person, name: nameIn(decision, person), answer: toValue(answer), firm, byAi },
        at: sentAt === undefined ? decision.at! : timestampFromDate(new Date(sentAt)),
        ...(note !== '' && { note }),
      }),
    ];
  });
}

/** The missing approval of the current proposal version; null if there is none. */
function approvalLeftOut(decision: Decision, person: string, acts: Acts): ProposalApproval | null {
  const { approvals = [] } = decision.proposal ?? {};
  const told = approvals.find((approval) => approval.person === person);
  if (approvals.length === 0 || (told !== undefined && told.decision !== Verdict.WAITING)) return null;
  const approved = approvedBy(decision, takenIn(decision, acts));
  if (approved === null) return null;
  const { by, note, sentAt, verdict } = approved.shown;
  return create(ProposalApprovalSchema, {
    ...{ person, name: told?.name ?? nameIn(decision, person), decision: verdict, by },
    ...(sentAt !== undefined && { at: timestampFromDate(new Date(sentAt)) }),
    ...(note !== '' && { note }),
  });
}

/** The name used elsewhere in the decision, or the address. */
function nameIn({ answers, proposal }: Decision, person: string): string {
  const named = [...answers, ...(proposal?.approvals ?? []), ...(proposal?.bring ?? [])];
  return named.find((one) => one.person === person)?.name ?? person;
}

import { toJson } from '@bufbuild/protobuf';
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import {
  type Clash,
  DecisionNeedsSchema,
  DecisionStatusSchema,
  type ListDecisionPeopleResponse,
  type Proposal,
  QuestionKindSchema,
  type Decision as Shown,
  VerdictSchema,
} from '@hearth/proto/decisions/v1/decisions';
import {
  answersFor,
  answersNow,
  type Decision,
  type DecisionClash,
  type DecisionProposal,
  type DecisionStatus,
  type DecisionValues,
  type QuestionKind,
} from '@hearth/web';
import { msOf, nameOf, receiptPath } from '../pages/module.ts';

/** A decision as its page shows it. */
export function decisionView(shown: Shown, part: ListDecisionPeopleResponse, siteUrl: string): Decision {
  const { id, title, details, revision, timeZone, hiddenFrom, reviewOn, peopleAsked, peopleAnswered } = shown;
  const { disputed } = shown;
  const status = nameOf<DecisionStatus>(DecisionStatusSchema, shown.status, 'open');
  return {
    ...{ id, title, details, revision, timeZone, reviewOn, peopleAsked, peopleAnswered, status, disputed },
    groupName: shown.group?.name ?? '',
    groupAddress: shown.group?.address ?? '',
    startedBy: { name: shown.askedBy?.name ?? '', address: shown.askedBy?.address ?? '' },
    questions: shown.questions.map(({ id, kind, prompt, options }) => ({
      ...{ id, prompt, options },
      kind: kindName(kind),
    })),
    people: part.people.map(
      ({ person, name, asked, answered, isCaller, spokenFor, guarded, picked, waiting }) => ({
        ...{ id: person, name, asked, answered, spokenFor, guarded, picked, waiting },
        isViewer: isCaller,
      }),
    ),
    answers: shown.answers.map(({ questionId, person, name, answer, firm, note, byAi, assumed }) => ({
      ...{ question: questionId, person, name, firm, note, byAi, assumed },
      answer: answerOf(answer) ?? '',
    })),
    proposal: shown.proposal && proposalView(shown.proposal, part),
    clash: shown.clash && clashView(shown.clash),
    needs: nameOf<Decision['needs']>(DecisionNeedsSchema, shown.needs, 'answered'),
    atMs: msOf(shown.at) ?? 0,
    deadlineMs: msOf(shown.deadline) ?? 0,
    why: whyOf(shown.why),
    hiddenFrom: part.hiddenFrom ?? hiddenFrom,
    settledAtMs: msOf(shown.settledAt),
    receipt: receiptPath(shown.receipt, siteUrl),
    calendar: shown.proposal?.when !== undefined,
    isStarter: part.starter,
    isOrganizer: part.organizer,
  };
}

const kindName = (kind: number) => nameOf<QuestionKind>(QuestionKindSchema, kind, 'text');

function whyOf(why: string | undefined): Decision['why'] {
  return why === 'no_answers' || why === 'group_archived' ? why : why === undefined ? undefined : 'cancelled';
}

function answerOf(value: Value | undefined): string | string[] | undefined {
  const json = value === undefined ? undefined : toJson(ValueSchema, value);
  return Array.isArray(json) ? json.map(String) : typeof json === 'string' ? json : undefined;
}

function proposalView(proposal: Proposal, part: ListDecisionPeopleResponse): DecisionProposal {
  const { version, summary, where, bring, approvals, objectBy } = proposal;
  return {
    ...{ version, summary, where, bring },
    by: part.people.find(({ person }) => person === proposal.by)?.name,
    lines: proposal.answers.map(({ questionId, kind, answer, people, assumed }) => ({
      ...{ question: questionId, people, assumed },
      kind: kindName(kind),
      answer: answerOf(answer),
    })),
    approvals: approvals.map(({ person, name, decision, at, by, note }) => ({
      ...{ person, name, note },
      decision: nameOf<'waiting' | 'approved' | 'change'>(VerdictSchema, decision, 'waiting'),
      atMs: msOf(at),
      by: by === undefined ? undefined : by === 'person' ? 'person' : 'ai',
    })),
    objectByMs: msOf(objectBy),
  };
}

function clashView({ questionId, people, waitingFor, sides, until }: Clash): DecisionClash {
  return {
    ...{ question: questionId, people, waitingFor },
    sides: sides.map(({ answer, people, byAi }) => ({ answer: answerOf(answer) ?? [], people, byAi })),
    untilMs: msOf(until) ?? 0,
  };
}

/**
 * The initial values of the answer form: the latest answers of the viewer, or else of the first child they
 * answer for. Once one of them has answered, the form is for the next who has not.
 */
export function valuesOf(decision: Decision): DecisionValues {
  const theirs = decision.status === 'clash' ? answersNow(decision, 0) : answersFor(decision);
  const next = theirs.some(({ answered }) => answered) && theirs.find(({ answered }) => !answered);
  const first = next || (theirs.find(({ isViewer }) => isViewer) ?? theirs[0]);
  const values: Record<string, string> = next ? { for: next.id } : {};
  for (const { id, kind, options } of decision.questions) {
    const given = decision.answers.find((each) => each.question === id && each.person === first?.id);
    if (given === undefined) continue;
    const { answer, firm, note } = given;
    if (firm) values[`firm-${id}`] = 'on';
    if (note !== undefined) values[`note-${id}`] = note;
    if (kind === 'when')
      for (const [index, option] of options.entries())
        values[`q${id}-${index}`] = answer.includes(option) ? 'works' : 'not';
    else if (kind === 'choice') values[`q${id}`] = String(options.indexOf(String(answer)));
    else values[`q${id}`] = String(answer);
  }
  return values;
}

import { badRequest } from '@hearth/errors';
import { changedIn } from '../../shared/domain/member.ts';
import { refusalsOf } from '../../shared/domain/refusals.ts';
import { besideClash, clashAfter, findClash } from './clash.ts';
import {
  type Approval,
  approvers,
  type Clash,
  type Decision,
  type GivenAnswer,
  hasAnswered,
  isAssumed,
  isFinal,
  isHeard,
  type Participant,
  type Proposal,
  type Status,
  type Why,
  waitingOn,
} from './decision.ts';
import { propose } from './propose.ts';

const { notWaiting, over } = refusalsOf('decision');

/** Durations that the home configures, in milliseconds. */
export interface Terms {
  /** Time to pick a side in a clash. */
  clash: number;
  /** Time to object for people whose answers are assumed. */
  object: number;
}

/** A proposal as its author gives it. */
export type Brought = Pick<Proposal, 'answers' | 'bring' | 'summary' | 'where' | 'by'>;

export type Act =
  /** Answers for these people; earlier answers to other questions stay. */
  | { kind: 'answer'; people: readonly string[]; answers: readonly GivenAnswer[] }
  /** The deadline passed; `assumed` holds answers for quiet people. */
  | { kind: 'close'; assumed: ReadonlyMap<string, readonly GivenAnswer[]> }
  | { kind: 'pick'; people: readonly string[]; question: number; option: string }
  | { kind: 'propose'; brought: Brought }
  | { kind: 'approve'; people: readonly string[]; version: number; approval: Approval }
  | { kind: 'accept' }
  | { kind: 'edit'; brought: Brought }
  | { kind: 'reopen'; deadline: number }
  | { kind: 'extend'; deadline: number }
  | { kind: 'cancel'; why: Why }
  /**
   * Updates the participants: people join and leave, guardians and organizers change. An ended decision keeps
   * its outcome.
   */
  | {
      kind: 'know';
      people: (now: readonly Participant[]) => readonly Participant[];
      ended?: boolean | undefined;
    }
  /** Time passed: settles an expired clash or objection period. */
  | { kind: 'pass' };

/**
 * The decision after an act. Acts that change nothing return the same object: cancelling twice, or dropping
 * people from an ended decision.
 *
 * @throws bad_request (not_waiting, already_settled, ask_changed) if its state doesn't take the act
 */
export function next(decision: Decision, act: Act, at: number, terms: Terms): Decision {
  switch (act.kind) {
    case 'answer':
      return answered(decision, act.people, act.answers, at, terms);
    case 'close':
      return closed(decision, act.assumed, at, terms);
    case 'pick':
      return picked(decision, act, at, terms);
    case 'propose':
      requireStatus(decision, ['proposed', 'review'], 'there is no proposal to replace yet');
      return proposed(decision, act.brought, at, terms);
    case 'approve':
      return approved(decision, act, at);
    case 'accept':
      return accepted(decision, at);
    case 'edit':
      requireStatus(decision, ['review'], 'it is not in review');
      return proposed(decision, act.brought, at, terms);
    case 'reopen':
      requireStatus(decision, ['review'], 'it is not in review');
      return reopened(decision, act.deadline);
    case 'extend':
      requireStatus(decision, ['open'], 'it is open no more');
      return { ...decision, deadline_at: new Date(act.deadline) };
    case 'cancel':
      if (decision.status === 'cancelled') return decision;
      requireOpen(decision);
      return cancelled(decision, act.why, at);
    case 'know':
      return known(decision, act, at, terms);
    case 'pass':
      return passed(decision, at);
  }
}

/** When time alone changes the decision next; null: never. */
export function dueAt(decision: Decision): number | null {
  const { status, deadline_at, clash, proposal } = decision;
  if (status === 'open') return deadline_at.getTime();
  if (status === 'clash') return clash?.until ?? null;
  const objectBy = proposal?.objectBy ?? null;
  return objectBy !== null && status === 'proposed' && isAgreed(decision, objectBy) ? objectBy : null;
}

function answered(
  decision: Decision,
  people: readonly string[],
  answers: readonly GivenAnswer[],
  at: number,
  terms: Terms,
): Decision {
  requireStatus(decision, ['open', 'clash'], 'answers are taken while it is open');
  if (at >= decision.deadline_at.getTime()) throw notWaiting('the time to answer is over');
  const clash = decision.status === 'clash' ? decision.clash : null;
  const theirs = clash === null ? people : besideClash(decision, clash, people);
  if (theirs.length === 0)
    throw notWaiting(
      'in a clash only those answer who are no side of it and have not answered every question',
    );
  const replaced = answers.map(({ question }) => question);
  const after = changedIn(decision, theirs, (participant) => ({
    answers: [...participant.answers.filter(({ question }) => !replaced.includes(question)), ...answers],
  }));
  return clash === null ? movedOn(after, at, terms) : { ...after, clash: clashAfter(after, clash) };
}

/** An open decision after its answers changed: in clash, proposed once everyone answered, else unchanged. */
function movedOn(decision: Decision, at: number, terms: Terms): Decision {
  const clash = findClash(decision);
  if (clash !== null) return clashing(decision, { ...clash, until: at + terms.clash });
  const asked = decision.people.filter((person) => person.asked);
  if (asked.length === 0) return cancelled(decision, 'no_answers', at);
  return asked.every((participant) => hasAnswered(decision, participant))
    ? proposedByHome(decision, at, terms)
    : decision;
}

function clashing(decision: Decision, clash: Clash): Decision {
  const people = decision.people.map((person) => ({ ...person, pick: null }));
  return { ...decision, status: 'clash', clash, people };
}

function closed(
  decision: Decision,
  assumed: ReadonlyMap<string, readonly GivenAnswer[]>,
  at: number,
  terms: Terms,
): Decision {
  if (decision.status !== 'open' || at < decision.deadline_at.getTime()) return decision;
  if (!decision.people.some(isHeard)) return cancelled(decision, 'no_answers', at);
  const people = decision.people.map((person) => filled(decision, person, assumed.get(person.person) ?? []));
  return proposedByHome({ ...decision, people }, at, terms);
}

/** Fills unanswered questions with assumed answers, which are never firm. */
function filled(decision: Decision, participant: Participant, assumed: readonly GivenAnswer[]): Participant {
  if (!participant.asked || hasAnswered(decision, participant)) return participant;
  const missing = assumed.filter(
    ({ question }) => !participant.answers.some((given) => given.question === question),
  );
  return {
    ...participant,
    answers: [...participant.answers, ...missing.map((given) => ({ ...given, firm: false, assumed: true }))],
  };
}

function proposedByHome(decision: Decision, at: number, terms: Terms): Decision {
  const brought = { ...propose(decision), summary: '', where: '', by: decision.group_ai };
  return proposed(decision, brought, at, terms);
}

/** Starts the next proposal version; approvals of the previous one are dropped. */
function proposed(decision: Decision, brought: Brought, at: number, terms: Terms): Decision {
  const { answers, bring, summary, where, by } = brought;
  const waits = decision.needs === 'answered' && decision.people.some(isAssumed);
  const proposal: Proposal = {
    version: (decision.proposal?.version ?? 0) + 1,
    by,
    at,
    answers,
    bring,
    summary,
    where,
    objectBy: waits ? at + terms.object : null,
  };
  const people = decision.people.map((person) => ({ ...person, approval: null, pick: null }));
  return { ...decision, status: 'proposed', clash: null, proposal, people };
}

function picked(
  decision: Decision,
  { people, question, option }: Extract<Act, { kind: 'pick' }>,
  at: number,
  terms: Terms,
): Decision {
  requireStatus(decision, ['clash'], 'there is no clash to settle');
  const { clash } = decision;
  if (clash?.question !== question) throw notWaiting(`question ${question} has no clash`);
  const after = changedIn(decision, people, () => ({ pick: option }));
  return pickedBy(after, clash, at, terms);
}

function pickedBy(decision: Decision, clash: Clash, at: number, terms: Terms): Decision {
  if (waitingOn(decision).length > 0) return decision;
  const sides = clash.sides.flatMap(({ people }) => people);
  const picks = decision.people.filter(({ person }) => sides.includes(person)).map(({ pick }) => pick);
  const [pick, ...others] = new Set(picks);
  if (others.length > 0 || pick == null) return inReview(decision);
  const kind = decision.questions.find(({ id }) => id === clash.question)?.kind;
  const settled = changedIn<Decision>({ ...decision, clash: null }, sides, (participant) => ({
    pick: null,
    answers: participant.answers.map((given) =>
      given.question === clash.question ? { ...given, answer: kind === 'when' ? [pick] : pick } : given,
    ),
  }));
  const another = findClash(settled);
  if (another !== null) return clashing(settled, { ...another, until: at + terms.clash });
  return proposedByHome(settled, at, terms);
}

function inReview(decision: Decision): Decision {
  return { ...decision, status: 'review' };
}

function approved(
  decision: Decision,
  { people, version, approval }: Extract<Act, { kind: 'approve' }>,
  at: number,
): Decision {
  requireStatus(decision, ['proposed', 'review'], 'there is no proposal to approve');
  if (decision.proposal?.version !== version)
    throw badRequest(
      `version: the proposal is version ${decision.proposal?.version ?? 0} now; read it and approve that one`,
      { code: 'ask_changed', field: 'version' },
    );
  const after = changedIn(decision, people, () => ({ approval }));
  if (decision.status === 'proposed' && approval.decision === 'change') return inReview(after);
  return settledNow(after, at);
}

/** Agreed once every needed approval is given; else unchanged. */
function settledNow(decision: Decision, at: number): Decision {
  if (decision.status !== 'proposed' || !isAgreed(decision, at)) return decision;
  return { ...decision, status: 'agreed', settled_at: new Date(at) };
}

function isAgreed(decision: Decision, at: number): boolean {
  const { proposal, people } = decision;
  const needed = approvers(decision);
  if (proposal === null || needed.length === 0) return false;
  if (people.some(({ approval }) => approval?.decision === 'change')) return false;
  if (needed.some(({ approval }) => approval === null)) return false;
  return proposal.objectBy === null || at >= proposal.objectBy;
}

function accepted(decision: Decision, at: number): Decision {
  requireStatus(decision, ['review'], 'it is not in review');
  if (decision.proposal === null)
    throw badRequest('there is no proposal to accept; edit it into one, or reopen the questions', {
      code: 'not_waiting',
    });
  const untapped = decision.people.find(
    ({ asked, guardians, approval }) => asked && guardians.length > 0 && approval?.decision !== 'approved',
  );
  if (untapped !== undefined)
    throw badRequest('the guardian of a child of this decision has not approved this proposal yet', {
      code: 'guardian_needed',
    });
  return { ...decision, status: 'agreed', clash: null, settled_at: new Date(at) };
}

function reopened(decision: Decision, deadline: number): Decision {
  const people = decision.people.map((person) => ({ ...person, answers: [], approval: null, pick: null }));
  return { ...decision, status: 'open', clash: null, people, deadline_at: new Date(deadline) };
}

function cancelled(decision: Decision, why: Why, at: number): Decision {
  return { ...decision, status: 'cancelled', why, clash: null, settled_at: new Date(at) };
}

function known(
  decision: Decision,
  { people: of, ended = false }: Extract<Act, { kind: 'know' }>,
  at: number,
  terms: Terms,
): Decision {
  if (isFinal(decision) && !ended) return decision;
  const people = of(decision.people);
  const after = { ...decision, people };
  if (isFinal(decision)) return after;
  const gone = decision.people.some(
    (participant) => !people.some(({ person }) => person === participant.person),
  );
  if (!gone) return settledNow(after, at);
  if (!people.some((person) => person.asked)) return cancelled(after, 'no_answers', at);
  if (decision.status === 'open') return movedOn(after, at, terms);
  if (decision.status === 'clash') return lessClash(after, at, terms);
  return settledNow(after, at);
}

/** A clash after people left; it ends if their side is gone. */
function lessClash(decision: Decision, at: number, terms: Terms): Decision {
  const left = findClash(decision);
  const before = decision.clash;
  if (left === null || before === null)
    return movedOn({ ...decision, status: 'open', clash: null }, at, terms);
  if (left.question !== before.question) return clashing(decision, { ...left, until: at + terms.clash });
  const clash = { ...left, until: before.until };
  return pickedBy({ ...decision, clash }, clash, at, terms);
}

function passed(decision: Decision, at: number): Decision {
  const { status, clash } = decision;
  if (status === 'clash' && clash !== null && at >= clash.until) return inReview(decision);
  return settledNow(decision, at);
}

function requireStatus(decision: Decision, statuses: readonly Status[], words: string): void {
  requireOpen(decision);
  if (!statuses.includes(decision.status)) throw notWaiting(`${words}; it is ${wordOf(decision.status)}`);
}

/** @throws bad_request (already_settled) if the decision has ended */
export function requireOpen({ status }: Pick<Decision, 'status'>): void {
  if (isFinal({ status })) throw over(`${status} already`);
}

const wordOf = (status: Status) => (status === 'review' || status === 'clash' ? `in ${status}` : status);

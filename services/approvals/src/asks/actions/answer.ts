import { badField, badRequest, forbidden, internal, notFound } from '@hearth/errors';
import { proofOf } from '@hearth/people';
import { AnswerDecision } from '@hearth/proto/approvals/v1/approvals';
import { Role } from '@hearth/proto/groups/v1/groups';
import { Scope } from '@hearth/proto/options';
import { anonymous, type Caller, callerKinds, personOf, programsOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import type { GivenAnswer, RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { type Answerer, answerRefusal, notAsked, placeOf, tapRefusal } from '../domain/answerer.ts';
import type { Change } from '../domain/apply-change.ts';
import { answerProblem, checkDigest } from '../domain/asked.ts';
import { vias } from '../domain/enum-names.ts';
import { hasFollowUp } from '../domain/follow-up.ts';
import { askLink } from './ask-link.ts';
import { answerApproval } from './change-approval.ts';
import { isArchived } from './find-group.ts';
import { answeringFor } from './roles-now.ts';
import { sendAnswer } from './send-answer.ts';

/** An answer as requested by a caller. */
export interface Answer {
  decision: 'approved' | 'declined';
  answer?: string | undefined;
  note?: string | undefined;
  askDigest?: string | undefined;
}

export function readDecision(decision: AnswerDecision): Answer['decision'] {
  return decision === AnswerDecision.APPROVED ? 'approved' : 'declined';
}

/**
 * Answers for the caller, or for their person. Concurrent answers are handled one after the other.
 *
 * @param found the ask as read a moment ago
 * @returns the ask after the change
 * @throws forbidden (needs_person) if an AI may not answer; bad_request (already_settled, ask_changed),
 * bad_field
 */
export async function answerFor(
  context: Context,
  found: WholeApproval,
  answer: Answer,
  caller: Caller,
): Promise<WholeApproval> {
  const answerer = answererOf(caller);
  const act = context.receivedActs.of(caller);
  const before = placeOf(answerer, found.recipients);
  // The same act arrives again if this home crashed before it stored the result, or took too long.
  const isDone = (places: readonly RecipientRow[]) =>
    act !== null && places.some((place) => idOfItem(place) === act.id);
  if (isDone(found.recipients)) return found;
  if (act !== null && answer.askDigest === undefined)
    throw badField('ask_digest', 'is missing: an answer from another home says what it answers');
  if (found.approval.home !== null) return await answerElsewhere(context, found, answer, caller);
  await requireGuardian(context, before, answerer);
  await requireOrganizer(context, found.approval, before, answerer);
  if (answer.decision === 'approved') await requireActive(context, found.approval);
  return await answerApproval(
    context,
    found,
    (approval, recipients) => {
      const place = placeOf(answerer, recipients);
      if (isDone(recipients)) return null;
      if (place === null) throw notAsked();
      if (act?.byRule === true)
        return { act: { kind: 'drop', positions: [place.position], why: 'by_rule' }, by: null };
      const refusal = answerRefusal(answerer, place, approval, answer.decision);
      if (refusal !== null) throw refusal;
      const link = askLink(context.config.siteUrl, approval.id);
      const about = approval.about ?? (place.minor ? place.recipient : null);
      const notHere = tapRefusal(context.config.childTaps, caller.app !== '', { about }, link);
      if (notHere !== null) throw notHere;
      return answered(context, approval, place, answer, howOf(context, caller));
    },
    caller,
  );
}

/**
 * Answers an ask of another home under this home's rules. The answer is sent as an act, and counts once that
 * home accepts it.
 *
 * @returns the ask after the change; the answer is pending if that home did not confirm within a few seconds
 */
async function answerElsewhere(
  context: Context,
  found: WholeApproval,
  answer: Answer,
  caller: Caller,
): Promise<WholeApproval> {
  const answerer = answererOf(caller);
  return await sendAnswer(context, found, caller, ({ approval, recipients }) => {
    const place = placeOf(answerer, recipients);
    if (place === null) throw notAsked();
    const refusal = answerRefusal(answerer, place, approval, answer.decision);
    if (refusal !== null) throw refusal;
    if (place.decision !== 'waiting')
      throw badRequest('this was answered already; an answer is final', { code: 'already_settled' });
    const { answer: given } = answered(context, approval, place, answer, howOf(context, caller));
    return { place, given: given! };
  });
}

/**
 * Rejects the answer of a former guardian, even before their place has moved on.
 *
 * @throws not_found
 */
async function requireGuardian(
  { people }: Pick<Context, 'people'>,
  place: RecipientRow | null,
  { id, person }: Answerer,
): Promise<void> {
  if (place === null || place.guards === null || place.decision !== 'waiting') return;
  const child = await people.findOne(place.guards);
  if (child === null) return;
  if (!answeringFor(child).includes(person ?? id)) throw notFound();
}

/**
 * Rejects the decision of a former organizer about a join request or a plan.
 *
 * @throws forbidden
 */
async function requireOrganizer(
  { peers }: Pick<Context, 'peers'>,
  { group, kind, status }: ApprovalRow,
  place: RecipientRow | null,
  { id, person }: Answerer,
): Promise<void> {
  if ((kind !== 'join_request' && kind !== 'plan') || group === null || status !== 'waiting') return;
  if (place === null || place.guards !== null) return;
  const asked = { group, person: person ?? id };
  const { role } = await peers.groups.findMembership(asked, { caller: anonymous });
  if (role !== Role.ORGANIZER)
    throw forbidden('only an organizer of the group can answer this', { rule: 'only_organizers' });
}

/**
 * Rejects a yes that would be signed without effect: an archived group takes no
 * members and begins no plan.
 *
 * @throws bad_request (archived)
 */
async function requireActive(
  { peers }: Pick<Context, 'peers'>,
  { group, kind, status }: ApprovalRow,
): Promise<void> {
  if (group === null || status !== 'waiting' || !hasFollowUp(kind)) return;
  if (await isArchived({ peers }, group))
    throw badRequest('this group is archived: nobody can join it, and no plan begins in it', {
      code: 'archived',
    });
}

function idOfItem({ item }: RecipientRow): unknown {
  return item === null ? null : (JSON.parse(item) as { id?: unknown }).id;
}

/** `answerFor` by the approval's uuid. @throws not_found */
export async function answerTo(
  context: Context,
  id: string,
  answer: Answer,
  caller: Caller,
): Promise<WholeApproval> {
  const found = await context.batched.find(id);
  if (found === null) throw notFound();
  return await answerFor(context, found, answer, caller);
}

/** Validates an answer against its ask, and returns it as a change. */
export function answered(
  { clock }: Pick<Context, 'clock'>,
  approval: ApprovalRow,
  place: RecipientRow,
  { decision, answer, note, askDigest }: Answer,
  how: Pick<GivenAnswer, 'by' | 'as' | 'via' | 'proof' | 'item'>,
): Change {
  checkDigest(approval.digest, askDigest);
  const problem = answerProblem(approval, decision, answer);
  // A settled approval is refused later with `already_settled`, which says more than a problem with the
  // answer.
  if (problem !== null && approval.status === 'waiting' && place.decision === 'waiting') throw problem;
  return {
    act: { kind: 'answer', position: place.position, decision },
    answer: { decision, answer: answer ?? null, note: note ?? null, at: new Date(clock.now()), ...how },
    by: how.by,
  };
}

function answererOf(caller: Caller): Answerer {
  const programs = programsOf(caller);
  if (caller.kind === callerKinds.AI) {
    return {
      id: caller.id,
      kind: 'ai',
      person: personOf(caller),
      mayApprove: caller.scopes.includes(Scope.APPROVE),
      mayMessage: caller.scopes.includes(Scope.MESSAGE),
      programs,
    };
  }
  if (caller.kind !== callerKinds.PERSON) throw internal(`a caller of kind ${caller.kind} answers`);
  return { id: caller.id, kind: 'person', person: caller.id, mayApprove: true, mayMessage: true, programs };
}

function howOf(
  { receivedActs }: Pick<Context, 'receivedActs'>,
  caller: Caller,
): Pick<GivenAnswer, 'by' | 'as' | 'via' | 'proof' | 'item'> {
  const byAi = caller.kind === callerKinds.AI;
  return {
    by: caller.id,
    as: byAi ? 'ai' : 'person',
    via: vias.nameOf(caller.via) || 'api',
    proof: proofOf(caller),
    item: receivedActs.of(caller)?.item ?? null,
  };
}

import { isSuspended } from '@hearth/people';
import { Role } from '@hearth/proto/groups/v1/groups';
import { Scope } from '@hearth/proto/options';
import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import type { RecipientRow } from '../db/recipients.ts';
import type { WholeApproval } from '../db/whole-approvals.ts';
import { hasFollowUp } from '../domain/follow-up.ts';
import { type Void, voidOf } from '../domain/void.ts';
import { isArchived } from './find-group.ts';
import { answeringFor } from './roles-now.ts';

type Deps = Pick<Context, 'clock' | 'knownAis' | 'peers' | 'people'>;

/**
 * Why a yes with a follow-up no longer counts at signing time; null if it counts. Between answer and
 * signature (a long time if federation was down) the group may have been archived, the asker may be gone, and
 * whoever answered may have lost the role. A yes that was already carried out counts, as does a yes without a
 * follow-up, which states what was true when given.
 */
export async function voidNow(context: Deps, { approval, recipients }: WholeApproval): Promise<Void | null> {
  const { group, kind, status } = approval;
  if (status !== 'approved' || !hasFollowUp(kind) || (await hasJoined(context, approval))) return null;
  const said = recipients.filter(({ decision }) => decision === 'approved');
  const [archived, isAskerGone, maySay] = await Promise.all([
    group !== null && isArchived(context, group),
    isGone(context, approval),
    Promise.all(said.map((place) => hasSay(context, approval, place))),
  ]);
  return voidOf({ isArchived: archived, isAskerGone, maySay });
}

/** Groups admits a person on an answer given directly to it, before the signature. */
async function hasJoined({ peers }: Deps, { group, joiner }: ApprovalRow): Promise<boolean> {
  if (group === null || joiner === null) return false;
  const asked = { group, person: joiner };
  return (await peers.groups.findMembership(asked, { caller: anonymous })).group !== undefined;
}

async function isGone(
  { knownAis, people }: Deps,
  { asker, asker_kind, asker_person }: ApprovalRow,
): Promise<boolean> {
  const person = asker_kind === 'ai' ? asker_person : asker;
  if (person !== null && (await people.everywhere.findOne(person)) === null) return true;
  if (asker_kind !== 'ai' || asker === null) return false;
  return (await knownAis([asker])).get(asker)?.revoked !== false;
}

/** Whether the person or AI that said yes in this place could still say it. */
async function hasSay(context: Deps, approval: ApprovalRow, place: RecipientRow): Promise<boolean> {
  const { knownAis, people, clock } = context;
  const { answered_as, answered_by, guards } = place;
  if (answered_by === null) return true;
  const ai = answered_as === 'ai' ? (await knownAis([answered_by])).get(answered_by) : undefined;
  // A suspended AI has no permissions.
  if (answered_as === 'ai' && (ai?.revoked !== false || !ai.permissions.includes(Scope.APPROVE)))
    return false;
  const person = ai?.owner ?? answered_by;
  const [facts, child] = await Promise.all([
    people.findOne(person),
    guards === null ? null : people.findOne(guards),
  ]);
  if (facts === null || isSuspended(facts, clock.now())) return false;
  if (guards !== null && (child === null || !answeringFor(child).includes(person))) return false;
  return await hasRole(context, approval, { person, guards });
}

/**
 * An organizer decides who joins the group and which plan begins; an owner, or their guardian, what their AI
 * signs.
 */
async function hasRole(
  { knownAis, peers }: Deps,
  { asker, group, kind }: ApprovalRow,
  { person, guards }: { person: string; guards: string | null },
): Promise<boolean> {
  if (kind === 'agreement')
    return asker !== null && (await knownAis([asker])).get(asker)?.owner === (guards ?? person);
  if (group === null || guards !== null) return true;
  const { role } = await peers.groups.findMembership({ group, person }, { caller: anonymous });
  return role === Role.ORGANIZER;
}

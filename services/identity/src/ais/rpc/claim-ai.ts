import { hash } from 'node:crypto';
import { nowDate } from '@hearth/clock';
import { badRequest, notFound } from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Call, Caller, UnaryHandler } from '@hearth/rpc';
import { recordClaim } from '../../shared/actions/metrics.ts';
import { updateOwner } from '../../shared/db/ai-changes.ts';
import { type AiRow, findAiByClaim, lockAi } from '../../shared/db/ais.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { deleteVouchesFor } from '../../shared/db/vouches.ts';
import { aiClaimed } from '../../shared/domain/ai-events.ts';
import { isClaimable, readClaimToken } from '../../shared/domain/claim.ts';
import { ownAct, requireFreshProof, requireMayClaim } from '../../shared/domain/own-act.ts';
import { raisesToApprove, readPermissions } from '../../shared/domain/permissions.ts';
import { toOwner } from '../../shared/domain/to-owner.ts';
import { scopes, toAi } from '../../shared/domain/to-proto.ts';
import { appsOf } from '../actions/managed-ai.ts';
import { ownOrChild, requireRoomForAi, takeOwnAddress } from '../actions/own-ai.ts';
import type { Context } from '../context.ts';

/** The claimer's settings for the AI. */
interface Terms {
  /** uuid of the future owner: the claimer or a child of theirs. */
  person: string;
  permissions: string[];
  ownerPrivate: boolean;
  /** uuid */
  group: string | null;
}

/**
 * Makes the caller, or a child of theirs, the owner of the AI behind a claim link. If several
 * claims are concurrent, one wins.
 */
export const claimAi =
  (context: Context): UnaryHandler<typeof AisService.method.claimAi> =>
  async (request, call) => {
    const { clock, commit, database, limiter, limits } = context;
    const claimer = ownAct(call.caller);
    const facts = await ownOrChild(context, request.for, call.caller);
    requireMayClaim(call.caller, toOwner(facts));
    const person = facts.id;
    const permissions = readPermissions(request.permissions.map(scopes.nameOf));
    if (raisesToApprove([], permissions)) requireFreshProof(call.caller, clock.now());
    const ai = await findByToken(context, request.token, call.caller);
    // Idempotent: the winner's repeated claim gets the same answer.
    if (ai.owner === person && ai.claimedByLink) return toAi(ai);
    if (!isClaimable(ai)) throw notFound();
    const terms: Terms = {
      person,
      permissions,
      ownerPrivate: request.ownerPrivate ?? false,
      group: request.group === undefined ? null : await groupOf(context, request.group, person, call),
    };
    // Checked before counting: a claim refused for lack of room does not use up the day's allowance.
    await requireRoomForAi(database.db, person, limits);
    await limiter.consume('claims_a_day', claimer, 'claimed');
    const claimed = await commit((tx) => claim(context, tx, ai, terms, call.caller));
    recordClaim();
    return toAi(claimed);
  };

/**
 * Only unknown tokens count toward the limit on guesses; a malformed token is taken for a typo.
 *
 * @throws not_found if the link is unknown
 */
async function findByToken(
  { database, limiter }: Context,
  given: string,
  { id, network }: Caller,
): Promise<AiRow> {
  const token = readClaimToken(given);
  if (token === null) throw notFound();
  const ai = await findAiByClaim(database.db, hash('sha256', token, 'buffer'));
  if (ai !== null) return ai;
  await limiter.consume('wrong_codes_a_minute', id || network, 'anyone');
  throw notFound();
}

/** uuid of the group, which the owner must belong to. */
async function groupOf({ groups }: Context, given: string, person: string, call: Call): Promise<string> {
  const { group } = await groups.findMembership({ group: given, person }, { call });
  if (group === undefined) {
    throw badRequest('group: is none of your groups', { code: 'not_a_member', field: 'group' });
  }
  if (group.archived) throw badRequest('group: was archived', { code: 'archived', field: 'group' });
  return group.id;
}

async function claim(
  { clock, limits, people }: Context,
  tx: UnitOfWork,
  { id, claimVersion }: AiRow,
  { person, permissions, ownerPrivate, group }: Terms,
  caller: Caller,
): Promise<AiRow> {
  const owner = await lockPerson(tx, person);
  if (owner === null) throw notFound();
  const facts = people.toFacts(owner);
  requireMayClaim(caller, toOwner(facts));
  await requireRoomForAi(tx, person, limits);
  const ai = await lockAi(tx, id);
  // The link was renewed in the meantime.
  if (ai === null || !isClaimable(ai) || ai.claimVersion !== claimVersion) throw notFound();
  const now = nowDate(clock);
  const claimed: AiRow = {
    ...ai,
    owner: person,
    ownerMinor: toOwner(facts).minor,
    ownerPrivate,
    status: 'claimed',
    permissions,
    // An address under the owner's handle would reveal them.
    address: ownerPrivate
      ? ai.address
      : await takeOwnAddress(tx, { ai: id, handle: owner.handle, name: ai.name }, now),
    claimedAt: now,
    claimedByLink: true,
    addressBefore: ai.address,
    nameBefore: ai.name,
  };
  await updateOwner(tx, id, claimed);
  await deleteVouchesFor(tx, id);
  const apps = appsOf(claimed, facts);
  tx.announce(aiClaimed(claimed, { person, group: group ?? '', apps }, caller));
  tx.signal('credentials', id);
  return claimed;
}

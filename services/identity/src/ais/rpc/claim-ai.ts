import { hash } from 'node:crypto';
import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badRequest, notFound } from '@hearth/errors';
import type { OutboxRow } from '@hearth/outbox';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Call, Caller, UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { recordClaim } from '../../shared/actions/metrics.ts';
import { updateOwner } from '../../shared/db/ai-changes.ts';
import { type AiRow, findAiByClaim, lockAi } from '../../shared/db/ais.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { deleteVouchesFor } from '../../shared/db/vouches.ts';
import { aiClaimed } from '../../shared/domain/ai-events.ts';
import { isClaimable, readClaimToken } from '../../shared/domain/claim.ts';
import { ownAct, requireAdult, requireFreshProof } from '../../shared/domain/own-act.ts';
import { raisesToApprove, readPermissions } from '../../shared/domain/permissions.ts';
import { toOwner } from '../../shared/domain/to-owner.ts';
import { toAi, wordsOf } from '../../shared/domain/to-proto.ts';
import { appsOf } from '../actions/managed-ai.ts';
import { requireRoomForAi, takeOwnAddress } from '../actions/own-ai.ts';
import { insertAiGroup } from '../db/ai-groups.ts';

/** What the claimer settles about the AI. */
interface Terms {
  /** uuid of the claimer */
  person: string;
  permissions: string[];
  ownerPrivate: boolean;
  /** uuid */
  group: string | null;
}

/** Makes an AI theirs who has its claim link. Of several who use the same link at once, one wins. */
export function claimAi(context: Context): UnaryHandler<typeof AisService.method.claimAi> {
  const { bus, clock, database, limits, outbox } = context;
  return async (request, call) => {
    const person = ownAct(call.caller);
    await requireClaimer(context, person, call.caller);
    const permissions = readPermissions(wordsOf(request.permissions));
    if (raisesToApprove([], permissions)) requireFreshProof(call.caller, clock.now());
    const ai = await findByToken(context, request.token, call.caller);
    // Whoever repeats a claim that they have won gets the same answer again.
    if (ai.owner === person && ai.claimedByLink) return toAi(ai);
    if (!isClaimable(ai)) throw notFound();
    const terms: Terms = {
      person,
      permissions,
      ownerPrivate: request.ownerPrivate ?? false,
      group: request.group === undefined ? null : await groupOf(context, request.group, person, call),
    };
    await limits.countClaim(person);
    const claimed = await database.transaction((tx) => claim(context, tx, ai, terms, call.caller));
    outbox.committed(claimed.rows);
    credentialsChanged(bus, ai.id);
    recordClaim();
    return toAi(claimed.ai);
  };
}

async function requireClaimer({ people }: Context, person: string, caller: Caller): Promise<void> {
  const facts = await people.find(person);
  if (facts === null) throw notFound();
  requireAdult(caller, toOwner(facts), 'claim an AI');
}

/** @throws not_found for a link that leads nowhere; each such try counts, so that links cannot be guessed */
async function findByToken({ database, limits }: Context, given: string, caller: Caller): Promise<AiRow> {
  const token = readClaimToken(given);
  const ai = token === null ? null : await findAiByClaim(database.db, hash('sha256', token, 'buffer'));
  if (ai !== null) return ai;
  await limits.countWrongCode(caller);
  throw notFound();
}

/** uuid of the group, which must be one of the claimer's. */
async function groupOf({ groups }: Context, given: string, person: string, call: Call): Promise<string> {
  const group = await groups.membership(given, person, call);
  if (group === null) {
    throw badRequest('group: is none of your groups', { code: 'not_a_member', field: 'group' });
  }
  if (group.archived) throw badRequest('group: was archived', { code: 'archived', field: 'group' });
  return group.id;
}

async function claim(
  context: Context,
  tx: Tx,
  { id, claimVersion }: AiRow,
  { person, permissions, ownerPrivate, group }: Terms,
  caller: Caller,
): Promise<{ ai: AiRow; rows: OutboxRow[] }> {
  const { clock, limits, outbox, people } = context;
  const owner = await lockPerson(tx, person);
  if (owner === null) throw notFound();
  const facts = people.toFacts(owner);
  await requireRoomForAi(tx, person, limits.aisAPerson);
  const ai = await lockAi(tx, id);
  // Renewed meanwhile, the link is dead.
  if (ai === null || !isClaimable(ai) || ai.claimVersion !== claimVersion) throw notFound();
  const now = nowDate(clock);
  const claimed: AiRow = {
    ...ai,
    owner: person,
    ownerMinor: false,
    ownerPrivate,
    status: 'claimed',
    permissions,
    // Under the handle of its owner it would tell whose it is.
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
  if (group !== null) await insertAiGroup(tx, { ai: id, group, putBy: person }, now);
  const rows = [
    aiClaimed(outbox, claimed, { person, group: group ?? '', apps: appsOf(claimed, facts) }, caller),
  ];
  await outbox.announce(tx, rows);
  return { ai: claimed, rows };
}

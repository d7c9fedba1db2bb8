import { notFound } from '@hearth/errors';
import { type Claim, requestIdUsed } from '@hearth/idempotency';
import { sizeOf } from '@hearth/limits';
import { AisService, type CreateAiRequest } from '@hearth/proto/identity/v1/ais';
import { Platform } from '@hearth/proto/identity/v1/resources';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { recordAiCreated } from '../../shared/actions/metrics.ts';
import { findAi } from '../../shared/db/ais.ts';
import { insertKey } from '../../shared/db/keys.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { aiCreated } from '../../shared/domain/ai-events.ts';
import { readName } from '../../shared/domain/ai-name.ts';
import { requireFreshProof, requireMayOwn } from '../../shared/domain/own-act.ts';
import { raisesToApprove, readPermissions } from '../../shared/domain/permissions.ts';
import { newKey } from '../../shared/domain/secret-key.ts';
import { toOwner } from '../../shared/domain/to-owner.ts';
import { platforms, scopes, toAi } from '../../shared/domain/to-proto.ts';
import { appsOf } from '../actions/managed-ai.ts';
import { insertOwnedAi, ownOrChild, requireRoomForAi, type WantedAi } from '../actions/own-ai.ts';
import type { Context } from '../context.ts';

/** Creates an AI with its own key for a person. */
export const createAi =
  (context: Context): UnaryHandler<typeof AisService.method.createAi> =>
  async (request, call) => {
    const facts = await ownOrChild(context, request.person, call.caller);
    requireMayOwn(call.caller, toOwner(facts));
    const wanted = readWanted(context, request, call.caller);
    return await context.idempotency.once(call, AisService.method.createAi, request, {
      make: (claim) => make(context, facts.id, wanted, claim, call.caller),
      repeat: ({ ai }) => answerAgain(context, ai),
    });
  };

function readWanted({ clock, limits }: Context, request: CreateAiRequest, caller: Caller): WantedAi {
  const permissions = readPermissions(request.permissions.map(scopes.nameOf));
  if (raisesToApprove([], permissions)) requireFreshProof(caller, clock.now());
  return {
    name: readName(request.name, sizeOf(limits, 'name_characters')),
    platform: platforms.nameOf(request.platform || Platform.OTHER),
    permissions,
    ownerPrivate: request.ownerPrivate ?? false,
  };
}

async function make(
  context: Context,
  owner: string,
  wanted: WantedAi,
  claim: Claim<{ ai: string }>,
  caller: Caller,
) {
  const { commit, ids, limits, people } = context;
  const id = ids.uuid();
  const { text, hash, prefix } = newKey('ai', ids);
  const made = await commit(async (tx) => {
    await claim(tx, { ai: id });
    const person = await lockPerson(tx, owner);
    if (person === null) throw notFound();
    const facts = people.toFacts(person);
    requireMayOwn(caller, toOwner(facts));
    await requireRoomForAi(tx, owner, limits);
    const ai = await insertOwnedAi(context, tx, id, facts, toOwner(facts).minor, wanted);
    const made = { madeBy: caller.id === owner ? null : caller.id, through: caller.app || null };
    await insertKey(tx, { id: ids.uuid(), ai: id, hash, prefix, ...made }, ai.createdAt);
    tx.announce(aiCreated(ai, appsOf(ai, facts), caller));
    return ai;
  });
  recordAiCreated(wanted);
  return { ai: toAi(made), connectorKey: text };
}

/** Returns the AI without its key, which only the first answer shows. */
async function answerAgain({ database }: Context, id: string) {
  const ai = await findAi(database.db, id);
  if (ai === null || ai.revokedAt !== null) {
    throw requestIdUsed('the AI that it made was switched off; use another request_id');
  }
  return { ai: toAi(ai) };
}

import { toBinary } from '@bufbuild/protobuf';
import type { Tx } from '@hearth/db';
import { badRequest, internal, notFound } from '@hearth/errors';
import { type AisService, type CreateAiRequest, CreateAiRequestSchema } from '@hearth/proto/identity/v1/ais';
import { Platform } from '@hearth/proto/identity/v1/resources';
import { type RememberedRequest, rememberedRequest } from '@hearth/requests';
import type { Call, Caller, UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { recordAiCreated } from '../../shared/actions/metrics.ts';
import { findAi } from '../../shared/db/ais.ts';
import { insertKey } from '../../shared/db/keys.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { aiCreated } from '../../shared/domain/ai-events.ts';
import { readName } from '../../shared/domain/ai-name.ts';
import { newConnectorKey } from '../../shared/domain/connector-key.ts';
import { ownAct, requireFreshProof, requireMayOwn } from '../../shared/domain/own-act.ts';
import { raisesToApprove, readPermissions } from '../../shared/domain/permissions.ts';
import { toOwner } from '../../shared/domain/to-owner.ts';
import { toAi, wordsOf } from '../../shared/domain/to-proto.ts';
import { toWord } from '../../shared/domain/words.ts';
import { appsOf } from '../actions/managed-ai.ts';
import { insertOwnedAi, requireRoomForAi, type WantedAi } from '../actions/own-ai.ts';

/** Makes an AI of a person, with a key of its own. */
export function createAi(context: Context): UnaryHandler<typeof AisService.method.createAi> {
  return async (request, call) => {
    const owner = await ownerFor(context, request.person, call.caller);
    const wanted = readWanted(context, request, call.caller);
    const remembered = remember(request, call);
    const repeated = remembered && (await context.aiRequests.find(remembered));
    if (repeated) return await answerAgain(context, repeated.ai, call);

    const made = await makeAi(context, owner, wanted, remembered, call.caller);
    if (made === null) {
      const parallel = remembered && (await context.aiRequests.find(remembered));
      if (!parallel) throw internal('a request_id was taken and is not there');
      return await answerAgain(context, parallel.ai, call);
    }
    return { ai: toAi(made.ai), connectorKey: made.key };
  };
}

/** uuid of the person whose AI it shall be: the caller, or a child of theirs. */
async function ownerFor(context: Context, reference: string | undefined, caller: Caller): Promise<string> {
  const person = ownAct(caller);
  const facts =
    reference === undefined
      ? await context.people.find(person)
      : await context.people.resolve(reference, caller);
  if (facts === null) throw notFound();
  const mine = facts.id === person || facts.guardians.includes(person);
  if (!mine) throw notFound();
  requireMayOwn(caller, toOwner(facts));
  return facts.id;
}

function readWanted({ clock, limits }: Context, request: CreateAiRequest, caller: Caller): WantedAi {
  const permissions = readPermissions(wordsOf(request.permissions));
  if (raisesToApprove([], permissions)) requireFreshProof(caller, clock.now());
  return {
    name: readName(request.name, limits.size('name_characters')),
    platform: toWord(Platform, request.platform || Platform.OTHER),
    permissions,
    ownerPrivate: request.ownerPrivate ?? false,
  };
}

function remember(request: CreateAiRequest, call: Call): RememberedRequest | undefined {
  const { requestId, ...body } = request;
  if (requestId === undefined) return undefined;
  return rememberedRequest(call.caller, 'create_ai', requestId, toBinary(CreateAiRequestSchema, body));
}

/** The new AI with its key, or null when a parallel call with the same request_id made it. */
async function makeAi(
  context: Context,
  owner: string,
  wanted: WantedAi,
  remembered: RememberedRequest | undefined,
  caller: Caller,
) {
  const { database, ids, outbox } = context;
  const id = ids.uuid();
  const key = newConnectorKey(ids);
  const keyId = ids.uuid();

  async function store(tx: Tx) {
    if (remembered !== undefined && !(await context.aiRequests.claim(tx, remembered, { ai: id }))) {
      return null;
    }
    const person = await lockPerson(tx, owner);
    if (person === null) throw notFound();
    const facts = context.people.toFacts(person);
    requireMayOwn(caller, toOwner(facts));
    await requireRoomForAi(tx, owner, context.limits.aisAPerson);
    const ai = await insertOwnedAi(context, tx, id, facts, toOwner(facts).minor, wanted);
    const { hash, prefix } = key;
    await insertKey(tx, { id: keyId, ai: id, hash, prefix, madeBy: null }, ai.createdAt);
    const rows = [aiCreated(outbox, ai, appsOf(ai, facts), caller)];
    await outbox.announce(tx, rows);
    return { ai, rows };
  }

  const stored = await database.transaction(store);
  if (stored === null) return null;
  outbox.committed(stored.rows);
  recordAiCreated(wanted);
  return { ai: stored.ai, key: key.text };
}

/** The same AI for the same request, without its key, which was shown then. */
async function answerAgain(context: Context, id: string, call: Call) {
  const ai = await findAi(context.database.db, id);
  if (ai === null || ai.revokedAt !== null) {
    throw badRequest('request_id: the AI that it made was switched off; use another request_id', {
      code: 'request_id_reused',
      field: 'request_id',
    });
  }
  call.answerWith(200);
  return { ai: toAi(ai) };
}

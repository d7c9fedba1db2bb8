import { nowDate } from '@hearth/clock';
import { badField, badRequest, internal, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import type { UnitOfWork } from '@hearth/outbox';
import type { OAuthService, SaveGrantRequest } from '@hearth/proto/identity/v1/oauth';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { appsOf, insertOwnedAi, requireRoomForAi } from '../../ais/module.ts';
import { recordAiCreated, recordGrant } from '../../shared/actions/metrics.ts';
import { type AiRow, findAi, lockAi } from '../../shared/db/ais.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { aiCreated } from '../../shared/domain/ai-events.ts';
import { readName } from '../../shared/domain/ai-name.ts';
import { requireFreshProof, requireMayOwn } from '../../shared/domain/own-act.ts';
import { toOwner } from '../../shared/domain/to-owner.ts';
import { scopes } from '../../shared/domain/to-proto.ts';
import { childrenOf, requireConsenter } from '../actions/owners.ts';
import type { Context } from '../context.ts';
import {
  findOAuthGrant,
  insertOAuthGrant,
  isGrantTaken,
  type NewOAuthGrant,
  type OAuthGrantRow,
} from '../db/oauth-grants.ts';
import { toGrant } from '../domain/to-grant.ts';

/**
 * Stores what a person consented to; creates a new AI in the same transaction if asked. Idempotent by id, so
 * a form submitted twice gets the first answer.
 */
export const saveGrant =
  (context: Context): UnaryHandler<typeof OAuthService.method.saveGrant> =>
  async (request, { caller }) => {
    const { clock, database } = context;
    const person = await requireConsenter(context, caller);
    const granted = request.scopes.map(scopes.nameOf);
    if (granted.length === 0) throw badField('scope', 'must be at least one; to give none, refuse');
    if (granted.includes('approve')) requireFreshProof(caller, clock.now());
    try {
      return toGrant(await store(context, request, person, granted, caller));
    } catch (error) {
      if (!isGrantTaken(error)) throw error;
    }
    const first = await findOAuthGrant(database.db, request.id);
    const owners = [person, ...(await childrenOf(context, person.id))].map(({ id }) => id);
    if (first === null || first.clientId !== request.clientId || !owners.includes(first.person))
      throw badRequest('this request of the program was answered already; connect it anew', {
        code: 'already_settled',
      });
    return toGrant(first);
  };

async function store(
  context: Context,
  request: SaveGrantRequest,
  person: PersonFacts,
  granted: string[],
  caller: Caller,
): Promise<OAuthGrantRow> {
  const { clock, commit } = context;
  const now = nowDate(clock);
  const { speaker } = request;
  const { ai, grant } = await commit(async (tx) => {
    const taken =
      speaker.case === 'ai'
        ? await takeOwnAi(context, tx, speaker.value, person, caller)
        : await makeSpeaker(context, tx, speaker, person, granted, caller);
    const { id, clientId, clientName } = request;
    const made: NewOAuthGrant = {
      id,
      person: taken.owner as string,
      ai: taken.id,
      clientId,
      clientName,
      scopes: granted,
    };
    await insertOAuthGrant(tx, made, now);
    return { ai: taken, grant: made };
  });
  if (speaker.case === 'newName') recordAiCreated(ai);
  recordGrant({ outcome: 'made' });
  const { address, name, platform } = ai;
  return { ...grant, createdAt: now, lastUsedOn: null, address, name, platform };
}

async function makeSpeaker(
  context: Context,
  tx: UnitOfWork,
  speaker: SaveGrantRequest['speaker'],
  person: PersonFacts,
  granted: string[],
  caller: Caller,
): Promise<AiRow> {
  if (speaker.case !== 'newName') throw internal('a grant names no AI');
  const { ids, limits, people } = context;
  const name = readName(speaker.value, sizeOf(limits, 'name_characters'));
  const row = await lockPerson(tx, person.id);
  if (row === null) throw notFound();
  await requireRoomForAi(tx, person.id, limits);
  const wanted = { name, platform: 'other', permissions: granted, ownerPrivate: false };
  const facts = people.toFacts(row);
  const ai = await insertOwnedAi(context, tx, ids.uuid(), facts, false, wanted);
  tx.announce(aiCreated(ai, appsOf(ai, facts), caller));
  return ai;
}

/** Locks an AI of the person or of a ward. */
async function takeOwnAi(
  { database, people }: Context,
  tx: UnitOfWork,
  id: string,
  person: PersonFacts,
  caller: Caller,
): Promise<AiRow> {
  const uuid = parseId('ai', id);
  // Read before locking: locks are always taken in the order person, then AI.
  const found = uuid === null ? null : await findAi(database.db, uuid);
  const owner = found?.owner == null ? null : await people.find(found.owner);
  if (found === null || owner === null) throw noSuchSpeaker();
  if (owner.id !== person.id && !owner.guardians.includes(person.id)) throw noSuchSpeaker();
  requireMayOwn(caller, toOwner(owner));
  const ai = await lockAi(tx, found.id);
  if (ai === null || ai.revokedAt !== null || ai.owner !== owner.id) throw noSuchSpeaker();
  return ai;
}

function noSuchSpeaker() {
  return badField('speaker', 'must be one of your AIs, or a new one');
}

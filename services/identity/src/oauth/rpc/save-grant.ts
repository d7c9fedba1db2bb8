import { nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { badField, badRequest, internal, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { OutboxRow } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { OAuthService, SaveGrantRequest } from '@hearth/proto/identity/v1/oauth';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { appsOf } from '../../ais/actions/managed-ai.ts';
import { insertOwnedAi, requireRoomForAi } from '../../ais/actions/own-ai.ts';
import type { Context } from '../../directory/context.ts';
import { recordAiCreated, recordGrant } from '../../shared/actions/metrics.ts';
import { type AiRow, findAi, listLiveAis, lockAi } from '../../shared/db/ais.ts';
import { lockPerson } from '../../shared/db/people.ts';
import { aiCreated } from '../../shared/domain/ai-events.ts';
import { readName } from '../../shared/domain/ai-name.ts';
import { guardianNeeded, ownAct, requireFreshProof, requireMayOwn } from '../../shared/domain/own-act.ts';
import { toOwner } from '../../shared/domain/to-owner.ts';
import { wordsOf } from '../../shared/domain/to-proto.ts';
import {
  findOAuthGrant,
  insertOAuthGrant,
  isGrantTaken,
  type NewOAuthGrant,
  type OAuthGrantRow,
} from '../db/oauth-grants.ts';
import { childrenOf, toGrant, toSpeaker } from './grants.ts';

type Methods = typeof OAuthService.method;

const mostListed = 500;

/** The person's own AIs, and those of the children whom they guard and let AIs act for. */
export function listSpeakers(context: Context): UnaryHandler<Methods['listSpeakers']> {
  return async (_request, { caller }) => {
    const person = await consenting(context, caller);
    const children = (await childrenOf(context, person.id)).filter(({ aiShare }) => aiShare);
    const owners = [person, ...children].map(({ id }) => id);
    const ais = await Promise.all(
      owners.map((owner) => listLiveAis(context.database.db, { owner }, null, mostListed)),
    );
    return { speakers: ais.flat().map(toSpeaker) };
  };
}

/**
 * Keeps what a person consented to; a new AI is made in the same transaction. Repeated with the same id, as by a form
 * that was sent twice, it answers the first.
 */
export function saveGrant(context: Context): UnaryHandler<Methods['saveGrant']> {
  const { clock, database } = context;
  return async (request, { caller }) => {
    const person = await consenting(context, caller);
    const scopes = wordsOf(request.scopes);
    if (scopes.length === 0) throw badField('scope', 'must be at least one; to give none, refuse');
    if (scopes.includes('approve')) requireFreshProof(caller, clock.now());
    try {
      return toGrant(await store(context, request, person, scopes, caller));
    } catch (error) {
      if (!isGrantTaken(error)) throw error;
    }
    const first = await findOAuthGrant(database.db, request.id);
    const owners = [person, ...(await childrenOf(context, person.id))].map(({ id }) => id);
    if (first === null || first.clientId !== request.clientId || !owners.includes(first.person))
      throw badRequest('this request of the program was answered already; connect it anew');
    return toGrant(first);
  };
}

async function store(
  context: Context,
  request: SaveGrantRequest,
  person: PersonFacts,
  scopes: string[],
  caller: Caller,
): Promise<OAuthGrantRow> {
  const { clock, database, outbox } = context;
  const now = nowDate(clock);
  const { ai, rows } = await database.transaction(async (tx) => {
    const speaker = await takeSpeaker(context, tx, request, person, scopes, caller);
    await insertOAuthGrant(tx, grantOf(request, speaker.ai, scopes), now);
    await outbox.announce(tx, speaker.rows);
    return speaker;
  });
  outbox.committed(rows);
  if (rows.length > 0) recordAiCreated(ai);
  recordGrant({ outcome: 'made' });
  const { address, name, platform } = ai;
  return { ...grantOf(request, ai, scopes), createdAt: now, lastUsedOn: null, address, name, platform };
}

function grantOf({ id, clientId, clientName }: SaveGrantRequest, ai: AiRow, scopes: string[]): NewOAuthGrant {
  return { id, person: ai.owner as string, ai: ai.id, clientId, clientName, scopes };
}

/** The calling person, who must be grown up and have a sign-in. @throws forbidden saying what is missing */
async function consenting({ people }: Context, caller: Caller): Promise<PersonFacts> {
  const facts = await people.find(ownAct(caller));
  if (facts === null) throw notFound();
  if (isMinor(facts)) throw guardianNeeded('only a guardian can connect a program for somebody under 18');
  requireMayOwn(caller, toOwner(facts));
  return facts;
}

interface Speaker {
  ai: AiRow;
  rows: OutboxRow[];
}

async function takeSpeaker(
  context: Context,
  tx: Tx,
  { speaker }: SaveGrantRequest,
  person: PersonFacts,
  scopes: string[],
  caller: Caller,
): Promise<Speaker> {
  if (speaker.case === 'ai') return { ai: await ownAi(context, tx, speaker.value, person, caller), rows: [] };
  if (speaker.case !== 'newName') throw internal('a grant names no AI');
  const { ids, limits, outbox, people } = context;
  const name = readName(speaker.value, limits.size('name_characters'));
  const row = await lockPerson(tx, person.id);
  if (row === null) throw notFound();
  await requireRoomForAi(tx, person.id, limits.aisAPerson);
  const wanted = { name, platform: 'other', permissions: scopes, ownerPrivate: false };
  const facts = people.toFacts(row);
  const ai = await insertOwnedAi(context, tx, ids.uuid(), facts, false, wanted);
  return { ai, rows: [aiCreated(outbox, ai, appsOf(ai, facts), caller)] };
}

/** An AI of the person's own, or of a child whom they guard. */
async function ownAi(
  { database, people }: Context,
  tx: Tx,
  id: string,
  person: PersonFacts,
  caller: Caller,
): Promise<AiRow> {
  const uuid = parseId('ai', id);
  // Looked at first: locks are taken in the order of person and AI everywhere.
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

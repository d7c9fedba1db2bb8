import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { GrantSchema, OAuthService, SpeakerSchema } from '@hearth/proto/identity/v1/oauth';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import type { AiRow } from '../../shared/db/ais.ts';
import { listChildrenOf } from '../../shared/db/guardianships.ts';
import { ownAct } from '../../shared/domain/own-act.ts';
import { platformOf } from '../../shared/domain/to-proto.ts';
import { fromWord } from '../../shared/domain/words.ts';
import { endGrant } from '../actions/end-grant.ts';
import { findOAuthGrant, listOAuthGrants, type OAuthGrantRow } from '../db/oauth-grants.ts';

type Methods = typeof OAuthService.method;

const mostListed = 500;

/** Something was used twice, or the client gave it back. */
export function revokeGrant(context: Context): UnaryHandler<Methods['revokeGrant']> {
  return async ({ grantId }) => {
    await endGrant(context, grantId, 'revoked');
    return {};
  };
}

export function findGrant({ database }: Context): UnaryHandler<Methods['findGrant']> {
  return async ({ id }) => {
    const row = await findOAuthGrant(database.db, id);
    return row === null ? {} : { grant: toGrant(row) };
  };
}

/** Those of the caller, and of the children whom they guard. */
export function listGrants(context: Context): UnaryHandler<Methods['listGrants']> {
  return async (_request, { caller }) => {
    const people = await peopleOf(context, caller);
    const rows = await listOAuthGrants(context.database.db, people, mostListed);
    return { grants: rows.map(toGrant) };
  };
}

export function endGrantOf(context: Context): UnaryHandler<Methods['endGrant']> {
  return async ({ id }, { caller }) => {
    const people = await peopleOf(context, caller);
    const row = await findOAuthGrant(context.database.db, id);
    if (row === null || !people.includes(row.person)) throw notFound();
    await endGrant(context, id, 'ended');
    return {};
  };
}

async function peopleOf(context: Context, caller: Caller): Promise<string[]> {
  const person = ownAct(caller);
  const children = await childrenOf(context, person);
  return [person, ...children.map(({ id }) => id)];
}

/** The children whom somebody guards. At 18 that is over. */
export async function childrenOf({ database, people }: Context, person: string): Promise<PersonFacts[]> {
  const ids = await listChildrenOf(database.db, person);
  const facts = await Promise.all(ids.map((id) => people.find(id)));
  return facts.filter((each) => each !== null).filter(({ guardians }) => guardians.includes(person));
}

export function toGrant(row: OAuthGrantRow): MessageInitShape<typeof GrantSchema> {
  const { id, person, ai, address, name, platform, clientId, clientName, createdAt, lastUsedOn } = row;
  return {
    id,
    person,
    ai: toSpeaker({ id: ai, address, name, platform }),
    clientId,
    clientName,
    scopes: row.scopes.map((word) => fromWord<Scope>(Scope, word)),
    createdAt: timestampFromDate(createdAt),
    ...(lastUsedOn !== null && { lastUsed: lastUsedOn }),
  };
}

export function toSpeaker({
  id,
  address,
  name,
  platform,
}: Pick<AiRow, 'id' | 'address' | 'name' | 'platform'>): MessageInitShape<typeof SpeakerSchema> {
  return { id: printId('ai', id), address, name, platform: platformOf(platform) };
}

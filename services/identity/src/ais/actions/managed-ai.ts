import { parseAddress, printAddress } from '@hearth/addresses';
import type { Tx } from '@hearth/db';
import { badRequest, type HearthError, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Call, type Caller, callerKinds } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { IdentityParts } from '../../shared/actions/parts.ts';
import { type AiRow, findAi, lockAi } from '../../shared/db/ais.ts';
import { callingAi, switchedOff } from '../../shared/domain/calling-ai.ts';
import { standingOf } from '../../shared/domain/standing.ts';

/** The caller's role toward an AI. */
export type AiStanding = 'itself' | 'owner' | 'guardian' | 'holder' | 'operator';

export interface ManagedAi {
  ai: AiRow;
  /** null if the AI has no owner. */
  owner: PersonFacts | null;
  standing: AiStanding;
}

type Deps = Pick<Host, 'database' | 'homeNames'> & Pick<IdentityParts, 'ais' | 'people'>;

/** The AI with this id, address or `me`, switched off or not; null if there is none. */
export async function findNamedAi(
  { ais, database, homeNames }: Deps,
  reference: string,
  caller: Caller,
): Promise<AiRow | null> {
  if (reference === 'me') return await findAi(database.db, callingAi(caller));
  const id = parseId('ai', reference);
  if (id !== null) return await findAi(database.db, id);
  const address = parseAddress(reference, homeNames);
  if (address?.kind !== 'ai' || address.home !== undefined) return null;
  return await ais.at(printAddress(address));
}

/** Returns the AI if the caller may see it. @throws not_found */
export async function findVisibleAi(
  deps: Deps & Pick<IdentityParts, 'visibility'>,
  reference: string,
  call: Call,
): Promise<AiRow> {
  const ai = await findNamedAi(deps, reference, call.caller);
  if (ai === null || ai.revokedAt !== null) throw notFound();
  if ((await deps.visibility.ofAi(ai, false, call)) === null) throw notFound();
  return ai;
}

/**
 * Returns the AI, switched off or not, if the caller may manage it.
 *
 * @throws not_found if there is no such AI or the caller has none of the `allowed` roles
 */
export async function findManagedAi(
  deps: Deps,
  reference: string,
  caller: Caller,
  allowed: readonly AiStanding[],
): Promise<ManagedAi> {
  const ai = await findNamedAi(deps, reference, caller);
  if (ai === null) throw notFound();
  const owner = ai.owner === null ? null : await deps.people.find(ai.owner);
  const standing = standingToward(ai, owner, caller);
  if (standing === null || !allowed.includes(standing)) throw notFound();
  return { ai, owner, standing };
}

function standingToward(ai: AiRow, owner: PersonFacts | null, caller: Caller): AiStanding | null {
  if (caller.kind === callerKinds.OPERATOR) return 'operator';
  if (caller.kind === callerKinds.AI) return caller.id === ai.id ? 'itself' : null;
  if (caller.kind === callerKinds.APP && ai.groupApp === caller.id) return 'holder';
  const standing = owner === null ? null : standingOf(caller, owner);
  return standing === 'self' ? 'owner' : standing;
}

/**
 * Whether the AI itself is calling: not an app acting for it, an OAuth client, or a key made by someone else.
 */
export function isOwnWord(
  { standing }: Pick<ManagedAi, 'standing'>,
  { app, grant, keyMadeBy }: Caller,
): boolean {
  return standing === 'itself' && app === '' && grant === '' && keyMadeBy === '';
}

/**
 * Locks the AI and reads it again.
 *
 * @throws not_found if it was switched off or changed owner since; the AI itself and the operator learn that
 * it was switched off (key_revoked, already_settled)
 */
export async function lockManagedAi(tx: Tx, { ai, standing }: ManagedAi): Promise<AiRow> {
  const present = await lockAi(tx, ai.id);
  if (present === null || present.revokedAt !== null) throw endedFor(standing);
  if (present.owner !== ai.owner && standing !== 'itself' && standing !== 'operator') throw notFound();
  return present;
}

function endedFor(standing: AiStanding): HearthError {
  if (standing === 'itself') return switchedOff();
  if (standing !== 'operator') return notFound();
  return badRequest('this AI was switched off for good', { code: 'already_settled' });
}

/** uuids of the apps to notify about the AI: the app that holds its owner, or that made its group. */
export function appsOf(ai: Pick<AiRow, 'groupApp'>, owner: Pick<PersonFacts, 'app'> | null): string[] {
  const app = ai.groupApp ?? owner?.app ?? '';
  return app === '' ? [] : [app];
}

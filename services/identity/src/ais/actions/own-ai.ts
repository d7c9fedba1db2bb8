import { type Clock, nowDate } from '@hearth/clock';
import type { Db, Tx } from '@hearth/db';
import { badRequest, internal, notFound } from '@hearth/errors';
import type { Random } from '@hearth/ids';
import { type Limits, limitFor } from '@hearth/limits';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { IdentityParts } from '../../shared/actions/parts.ts';
import { findTaken, takeAddress } from '../../shared/db/addresses.ts';
import { type AiRow, countLiveAisOf, insertAi } from '../../shared/db/ais.ts';
import { freeAddress } from '../../shared/domain/free-address.ts';
import { ownAct } from '../../shared/domain/own-act.ts';
import { notSuspended } from '../../shared/domain/suspension.ts';
import { ownAddresses } from '../domain/ai-address.ts';

/** The settings that an owner chooses when creating an AI. */
export type WantedAi = Pick<AiRow, 'name' | 'platform' | 'permissions' | 'ownerPrivate'>;

/** Returns the AI's future owner: the caller or a child of theirs. @throws not_found for anyone else */
export async function ownOrChild(
  { people }: Pick<IdentityParts, 'people'>,
  reference: string | undefined,
  caller: Caller,
): Promise<PersonFacts> {
  const person = ownAct(caller);
  const facts = reference === undefined ? await people.find(person) : await people.resolve(reference, caller);
  if (facts === null || (facts.id !== person && !facts.guardians.includes(person))) throw notFound();
  return facts;
}

const addressesTried = 200;
const freeAddressesTried = 5;

/**
 * Takes an address under the owner's handle. Callers hold the owner's row lock, so the person's AIs get their
 * addresses one at a time.
 *
 * @throws bad_request (cap_reached) if all the numbered addresses of this name are taken
 */
export async function takeOwnAddress(
  tx: Tx,
  { ai, handle, name }: { ai: string; handle: string; name: string },
  now: Date,
): Promise<string> {
  const addresses = ownAddresses(handle, name, addressesTried);
  const taken = await findTaken(tx, addresses, ai);
  for (const address of addresses) {
    if (!taken.has(address) && (await takeAddress(tx, address, ai, now))) return address;
  }
  throw badRequest('too many AIs of yours had this name; choose another one', {
    code: 'cap_reached',
    field: 'name',
  });
}

/** Takes an address that does not reveal the owner. */
export async function takeFreeAddress(
  random: Random,
  tx: Tx,
  { ai, name }: { ai: string; name: string },
  now: Date,
): Promise<string> {
  for (let attempt = 0; attempt < freeAddressesTried; attempt += 1) {
    const address = freeAddress(name, (count) => random.bytes(count));
    if (await takeAddress(tx, address, ai, now)) return address;
  }
  throw internal('no free address was found');
}

/**
 * Callers hold the owner's row lock, as for `takeOwnAddress`.
 *
 * @throws bad_request (cap_reached) if the person has as many AIs as allowed
 */
export async function requireRoomForAi(db: Db, owner: string, limits: Limits): Promise<void> {
  const most = limitFor(limits, 'ais_a_person', 'claimed') ?? Number.POSITIVE_INFINITY;
  if ((await countLiveAisOf(db, owner)) < most) return;
  throw badRequest(`a person has at most ${most} AIs; switch one off first`, {
    code: 'cap_reached',
  });
}

/** Creates an AI for a person whose row the caller has locked. */
export async function insertOwnedAi(
  { clock, random }: { clock: Clock; random: Random },
  tx: Tx,
  id: string,
  owner: Pick<PersonFacts, 'id' | 'handle'>,
  ownerMinor: boolean,
  wanted: WantedAi,
): Promise<AiRow> {
  const now = nowDate(clock);
  const { name, ownerPrivate } = wanted;
  const address = ownerPrivate
    ? await takeFreeAddress(random, tx, { ai: id, name }, now)
    : await takeOwnAddress(tx, { ai: id, handle: owner.handle, name }, now);
  const ai: AiRow = {
    ...wanted,
    ...newAi,
    id,
    address,
    owner: owner.id,
    ownerMinor,
    status: 'claimed',
    claimedAt: now,
    createdAt: now,
  };
  await insertAi(tx, { ...ai, claimHash: null });
  return ai;
}

/** The initial state of every AI. */
export const newAi = {
  description: '',
  descriptionDay: null,
  descriptionChanges: 0,
  awayUntil: null,
  awayNote: '',
  publicKey: null,
  claimVersion: 1,
  claimedByLink: false,
  addressBefore: null,
  nameBefore: null,
  groupId: null,
  groupApp: null,
  revokedAt: null,
  ...notSuspended,
  ownerSuspendedUntil: null,
  ownerSuspendReason: '',
  waitedAt: null,
  wakesUntil: null,
  checkedAt: null,
} satisfies Partial<AiRow>;

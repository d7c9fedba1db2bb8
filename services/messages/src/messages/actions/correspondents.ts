import { parseAddress, readAddress, readLocalAddress } from '@hearth/addresses';
import { badField, forbidden, notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { unshield, viewerOf } from '@hearth/people';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { Call, Caller } from '@hearth/rpc';
import { homeOf, isMarker, uuidOf } from '../../shared/domain/stored-address.ts';
import type { Context } from '../context.ts';
import { type Correspondent, seesMinor, toCorrespondent } from '../domain/correspondent.ts';

/** A recipient as the caller named them. */
export interface Addressed {
  /** The stored form. */
  to: string;
  /** Whether the caller used the handle of a person under 18, which they may not know. */
  unseen: boolean;
}

type Peers = Pick<Context, 'homeNames' | 'homes' | 'parties' | 'people' | 'profiles' | 'sealer'>;

/** Resolves the recipient that the caller names, by address or shielded id, to the address to store. */
export async function readRecipient(context: Peers, given: string, call: Call): Promise<Addressed> {
  if (given.startsWith('shp_')) {
    const marker = unshielded(context, given, call.caller);
    if (marker === null) throw notFound();
    return { to: marker, unseen: false };
  }
  refuseOthers(given, context.homeNames);
  if (parseAddress(given, context.homeNames)?.home !== undefined)
    return {
      to: await meetElsewhere(context, readAddress(given, 'to', context.homeNames), call),
      unseen: false,
    };
  const address = readLocalAddress(given, 'to', context.homeNames);
  const minor = await minorAt(context, address, call);
  if (minor === null) return { to: address, unseen: false };
  return { to: printId('per', minor.id), unseen: !seesMinor(minor, minor.id, call.caller) };
}

/**
 * Returns the address of a remote person or AI, after making them known to this home.
 *
 * @throws forbidden for a sender under 18, whose messages stay on this home, and for a home that this one
 * does not federate with
 */
async function meetElsewhere(
  { homes, parties, profiles }: Peers,
  address: string,
  call: Call,
): Promise<string> {
  if (call.caller.minor)
    throw forbidden('a person under 18 writes to people of this home alone', { code: 'minors_not_allowed' });
  await homes.requireTalks(homeOf(address));
  if ((await profiles.find(address, call)) === null) await parties.meetParty({ address }, { call });
  return address;
}

/** @throws bad_field for groups and email addresses, saying what to use instead */
function refuseOthers(given: string, homeNames: Peers['homeNames']): void {
  const address = parseAddress(given, homeNames);
  if (address?.kind === 'group')
    throw badField('to', 'is a group: post to one of this home with POST /v0/groups/{id}/messages');
  if (address === null && /^[^@\s]+@[^@\s]+$/.test(given)) {
    throw badField(
      'to',
      'must be like @handle, @handle.ai-name or handle@home; no messages go to email addresses, but POST /v0/approvals asks one',
    );
  }
}

/** `readRecipient` for the filter `from`, where an unknown address matches nothing. */
export async function readSender(context: Peers, given: string, call: Call): Promise<string> {
  if (given.startsWith('shp_')) return unshielded(context, given, call.caller) ?? given;
  const address = readAddress(given, 'from', context.homeNames);
  const minor = await minorAt(context, address, call);
  return minor !== null && seesMinor(minor, minor.id, call.caller) ? printId('per', minor.id) : address;
}

export async function findCorrespondent(
  { people, profiles }: Peers,
  stored: string,
  call: Call,
): Promise<Correspondent | null> {
  return isMarker(stored) ? await findMarked(people, stored) : await profiles.find(stored, call);
}

/** The other side of a thread, even if the thread stores an old address; null if they are gone. */
export async function findOtherSide(
  { people, profiles }: Peers,
  other: { id: string; stored: string },
  call: Call,
): Promise<Correspondent | null> {
  if (isMarker(other.stored)) return await findMarked(people, other.stored);
  const profile = await profiles.findById(other.id, call);
  // A remote party that is gone, or whose address now belongs to another, has no address.
  return profile?.address === '' ? null : profile;
}

async function findMarked(people: Context['people'], marker: string): Promise<Correspondent | null> {
  const facts = await people.findOne(uuidOf(marker));
  return facts === null ? null : toCorrespondent(facts, marker);
}

/** The marker for a shielded id; null if this caller was not shown the id. */
function unshielded({ sealer }: Peers, given: string, caller: Caller): string | null {
  const uuid = unshield(sealer, viewerOf(caller), given);
  return uuid === null ? null : printId('per', uuid);
}

/** The person under 18 with this handle. */
async function minorAt({ profiles }: Peers, address: string, call: Call): Promise<Profile | null> {
  // Most messages go to AIs; this tells them from people without parsing the address again.
  if (address.includes('.ai-') || address.startsWith('&')) return null;
  const profile = await profiles.find(address, call);
  return profile?.minor ? profile : null;
}

import { badField, notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { isMinor, seesWhole } from '@hearth/people';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { Call } from '@hearth/rpc';
import { homeOfTarget, readBlockTarget } from '../../shared/domain/block-target.ts';
import type { Context } from '../context.ts';
import type { BlockRow } from '../db/blocks.ts';
import { blockerOf } from './viewer.ts';

type Target = Pick<BlockRow, 'target' | 'targetId'>;

/**
 * The target of a block, as the caller names it.
 *
 * @throws bad_field for an invalid address, and for the caller or their own AIs; not_found for an unknown
 * address, and for a child by an id that the caller was not shown
 */
export async function findTarget(context: Context, text: string, call: Call): Promise<Target> {
  const found = await targetOf(context, text, call);
  if (found === null) throw notFound();
  // Meets an unknown remote party, so that the block follows them when they move.
  if (found.targetId !== null || found.target.startsWith('@')) return found;
  const { profile } = await context.parties.meetParty({ address: found.target }, { call });
  return { ...found, targetId: profile?.id ?? null };
}

/** The target of a block to lift. A target that no longer exists is named by its address alone. */
export async function findBlockedTarget(context: Context, text: string, call: Call): Promise<Target> {
  const found = await targetOf(context, text, call);
  if (found !== null) return found;
  const given = isPersonId(text) ? null : readBlockTarget(text, context.homeNames);
  if (given === null) throw notFound();
  return { target: given.address ?? homeOfTarget(given.home), targetId: null };
}

/**
 * Null for an unknown address. A child and their AIs are found only by callers who may see the child in full.
 */
export async function findProfile(
  { identity, people }: Context,
  address: string,
  call: Call,
): Promise<Profile | null> {
  const { results } = await identity.findProfiles({ addresses: [address] }, { call });
  const profile = results[0]?.profile;
  if (profile === undefined || !profile.minor) return profile ?? null;
  const facts = await people.findOne(profile.person ? profile.id : profile.owner);
  return facts !== null && seesWhole(facts, call.caller) ? profile : null;
}

const isPersonId = (text: string) => /^(?:shp|per)_/.test(text);

async function targetOf(context: Context, text: string, call: Call): Promise<Target | null> {
  if (isPersonId(text)) {
    const facts = await context.people.resolve(text, call.caller);
    if (facts === null) return null;
    refuseOwn(facts.id, '', call);
    return isMinor(facts) ? hidden(facts.id) : { target: `@${facts.handle}`, targetId: facts.id };
  }
  const given = readBlockTarget(text, context.homeNames);
  if (given.address === null) return { target: homeOfTarget(given.home), targetId: null };
  if (given.home !== null) {
    const { results } = await context.identity.findProfiles({ addresses: [given.address] }, { call });
    return { target: given.address, targetId: results[0]?.profile?.id ?? null };
  }
  const profile = await findProfile(context, given.address, call);
  if (profile === null) return null;
  const { id, address, minor, owner, person } = profile;
  refuseOwn(id, owner, call);
  return minor && person ? hidden(id) : { target: address, targetId: id };
}

/** A child's handle is never stored. */
function hidden(id: string): Target {
  return { target: printId('per', id), targetId: id };
}

function refuseOwn(id: string, owner: string, { caller }: Call): void {
  const own = blockerOf(caller);
  if (id === own || id === caller.id || owner === own)
    throw badField('target', 'is you, or an AI of yours; switch an AI off instead');
}

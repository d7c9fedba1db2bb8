import { badField, notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { isMinor, seesWhole } from '@hearth/people';
import type { Call } from '@hearth/rpc';
import { homeOfTarget, readBlockTarget } from '../../shared/domain/block-target.ts';
import type { RequestsContext } from '../context.ts';
import { blockerOf } from './viewer.ts';

/** Whom a caller means, as blocks keep it. */
export interface Target {
  /** An address, or @home; of somebody under 18 their id in its place. */
  target: string;
  /** uuid of who stands behind it, when of this home. */
  targetId: string | null;
}

type Parts = Pick<RequestsContext, 'homeNames' | 'people' | 'peers'>;

/**
 * @throws bad_field for what is no address, and for oneself and one's own; not_found for nobody, and for somebody under 18
 *   by another id than the caller was shown
 */
export async function whomToBlock(context: Parts, text: string, call: Call): Promise<Target> {
  const found = await targetOf(context, text, call);
  if (found === null) throw notFound();
  return found;
}

/** The same for a block that is lifted: whoever is gone by now is named by their address alone. */
export async function whomToUnblock(context: Parts, text: string, call: Call): Promise<Target> {
  const found = await targetOf(context, text, call);
  if (found !== null) return found;
  const given = /^(?:shp|per)_/.test(text) ? null : readBlockTarget(text, context.homeNames);
  if (given === null) throw notFound();
  return { target: given.kind === 'home' ? homeOfTarget(given.home) : given.address, targetId: null };
}

async function targetOf(
  { homeNames, people, peers }: Parts,
  text: string,
  call: Call,
): Promise<Target | null> {
  const { caller } = call;
  if (/^(?:shp|per)_/.test(text)) {
    const facts = await people.resolve(text, caller);
    if (facts === null) return null;
    refuseOwn(facts.id, '', call);
    return isMinor(facts) ? hidden(facts.id) : { target: `@${facts.handle}`, targetId: facts.id };
  }
  const given = readBlockTarget(text, homeNames);
  if (given.kind === 'home') return { target: homeOfTarget(given.home), targetId: null };
  if (given.kind === 'elsewhere') return { target: given.address, targetId: null };
  const { results } = await peers.identity.findProfiles({ addresses: [given.address] }, { call });
  const profile = results[0]?.profile;
  if (profile === undefined) return null;
  refuseOwn(profile.id, profile.owner, call);
  const here = { target: profile.address, targetId: profile.id };
  if (!profile.minor) return here;
  // Somebody under 18 and their AIs are found by their addresses by those alone who see them as they are.
  const facts = await people.findOne(profile.person ? profile.id : profile.owner);
  if (facts === null || !seesWhole(facts, caller)) return null;
  return profile.person ? hidden(facts.id) : here;
}

/** The handle of somebody under 18 is kept nowhere. */
function hidden(id: string): Target {
  return { target: printId('per', id), targetId: id };
}

function refuseOwn(id: string, owner: string, { caller }: Call): void {
  const own = blockerOf(caller);
  if (id === own || id === caller.id || owner === own)
    throw badField('target', 'is you, or an AI of yours; switch an AI off instead');
}

import { parseAddress, printAddress } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AiRow } from '../db/ais.ts';
import { toProfile } from './to-proto.ts';

const maxAddresses = 100;

/** What others need to know of addresses; what is no address of anybody here gives no profile. */
export function findProfiles({
  homeNames,
  lookups,
}: Context): UnaryHandler<typeof IdentityService.method.findProfiles> {
  async function aiBehind(text: string): Promise<AiRow | null> {
    const address = parseAddress(text, homeNames);
    if (address === null || address.home !== undefined) return null;
    return await lookups.aiAt(printAddress(address));
  }

  return async ({ addresses }) => {
    if (addresses.length > maxAddresses) throw badField('addresses', `must be at most ${maxAddresses}`);
    const ais = await Promise.all(addresses.map(aiBehind));
    return { results: ais.map((ai) => (ai === null ? {} : { profile: toProfile(ai) })) };
  };
}

import type { MessageInitShape } from '@bufbuild/protobuf';
import { parseAddress, printAddress } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import type { IdentityService, ProfileSchema } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { toPersonProfile, toProfile } from './to-proto.ts';

const maxAddresses = 100;

type Profile = MessageInitShape<typeof ProfileSchema>;

/** What others need to know of addresses of AIs and people; what is no address of anybody here gives no profile. */
export function findProfiles({
  homeNames,
  lookups,
  people,
}: Context): UnaryHandler<typeof IdentityService.method.findProfiles> {
  async function profileOf(text: string): Promise<Profile | null> {
    const address = parseAddress(text, homeNames);
    if (address === null || address.home !== undefined || address.kind === 'group') return null;
    if (address.kind === 'ai') return await aiProfile(printAddress(address));
    const facts = await people.byHandle(address.handle);
    return facts === null ? null : toPersonProfile(facts);
  }

  async function aiProfile(address: string): Promise<Profile | null> {
    const ai = await lookups.aiAt(address);
    if (ai === null) return null;
    // Who may write to a child's AI is said by who guards and holds the child.
    return toProfile(ai, ai.ownerMinor && ai.owner !== null ? await people.find(ai.owner) : null);
  }

  return async ({ addresses }) => {
    if (addresses.length > maxAddresses) throw badField('addresses', `must be at most ${maxAddresses}`);
    const profiles = await Promise.all(addresses.map(profileOf));
    return { results: profiles.map((profile) => (profile === null ? {} : { profile })) };
  };
}

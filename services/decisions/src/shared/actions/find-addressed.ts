import { parseAddress, readAddress } from '@hearth/addresses';
import { forbidden, notFound } from '@hearth/errors';
import type { OtherHomes } from '@hearth/people';
import type { IdentityService, Profile } from '@hearth/proto/identity/v1/identity';
import type { PartiesService } from '@hearth/proto/identity/v1/parties';
import type { Call, Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

interface Deps extends Pick<Host, 'homeNames'> {
  otherHomes: OtherHomes;
  peers: {
    identity: Pick<Client<typeof IdentityService>, 'findProfiles'>;
    parties: Pick<Client<typeof PartiesService>, 'meetParty'>;
  };
}

/**
 * The local and remote people and AIs that a caller names in `field`.
 *
 * @throws bad_field unless it is an address; not_found if unknown; forbidden (home_denied; minors_not_allowed
 * for a caller under 18 who names a remote party), unavailable (home_unreachable)
 */
export async function findAddressed(
  { homeNames, otherHomes, peers }: Deps,
  given: readonly string[],
  field: string,
  call: Call,
): Promise<Profile[]> {
  const read = given.map((address, index) => readAddress(address, `${field}[${index}]`, homeNames));
  const homeOf = (address: string) => parseAddress(address, homeNames)?.home;
  const here = read.filter((address) => homeOf(address) === undefined);
  const { results } = await peers.identity.findProfiles({ addresses: here }, { call });
  const found = await Promise.all(
    read.map(async (address) => {
      const home = homeOf(address);
      return home === undefined ? results[here.indexOf(address)]?.profile : await meet(address, home);
    }),
  );
  return found.map((profile) => {
    if (profile === undefined) throw notFound();
    return profile;
  });

  /** Fetches a remote party, which this home knows from then on. */
  async function meet(address: string, home: string): Promise<Profile | undefined> {
    if (call.caller.minor)
      throw forbidden('people under 18 and their AIs do this with those of this home alone', {
        code: 'minors_not_allowed',
      });
    await otherHomes.requireTalks(home);
    return (await peers.parties.meetParty({ address }, { call })).profile;
  }
}

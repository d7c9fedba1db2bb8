import { createFactCache, type FactCacheOptions } from '@hearth/cache/facts';
import { second } from '@hearth/clock';
import { peopleSignal } from '@hearth/people';
import type { IdentityService, Profile } from '@hearth/proto/identity/v1/identity';
import type { Call, Client } from '@hearth/rpc';

/** Profiles of people and AIs, cached. */
export interface Profiles {
  find(address: string, call: Call): Promise<Profile | null>;
  /** By the uuid of an AI or person, even after a change of address. */
  findById(id: string, call: Call): Promise<Profile | null>;
}

export interface ProfilesOptions extends Pick<FactCacheOptions<Profile>, 'bus' | 'clock'> {
  identity: Pick<Client<typeof IdentityService>, 'findProfiles'>;
}

export function createProfiles({ identity, bus, clock }: ProfilesOptions): Profiles {
  const cache = createFactCache<Profile>({
    bus,
    clock,
    signals: ['credentials', peopleSignal],
    max: 50_000,
    keptMs: 30 * second,
    byDay: true,
    namesOf: ({ id }) => [id],
  });
  type Query = { addresses: string[] } | { ids: string[] };
  const load = (query: Query, call: Call) => async () =>
    (await identity.findProfiles(query, { call })).results[0]?.profile ?? null;
  return {
    find: (address, call) => cache.find(address, load({ addresses: [address] }, call)),
    findById: (id, call) => cache.find(id, load({ ids: [id] }, call)),
  };
}

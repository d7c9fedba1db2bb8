import type { Bus } from '@hearth/bus';
import { type Clock, second } from '@hearth/clock';
import type { IdentityService, Profile } from '@hearth/proto/identity/v1/identity';
import type { Call, Client } from '@hearth/rpc';
import { LRUCache } from 'lru-cache';

/** Who is behind an address; remembered for a moment, forgotten at once when identity says that they changed. */
export interface Profiles {
  find(address: string, call: Call): Promise<Profile | null>;
}

export interface ProfilesOptions {
  identity: Pick<Client<typeof IdentityService>, 'findProfiles'>;
  bus: Pick<Bus, 'onSignal' | 'onReconnect'>;
  clock: Clock;
}

const maxProfiles = 50_000;
const keepMs = 30 * second;
/** The subject on which identity tells whose credentials ended; empty means everybody's. */
const credentialsSubject = 'credentials';

export function createProfiles({ identity, bus, clock }: ProfilesOptions): Profiles {
  const known = new LRUCache<string, { profile: Profile; until: number }>({ max: maxProfiles });

  bus.onSignal(credentialsSubject, (payload) => {
    const id = Buffer.from(payload).toString();
    for (const [address, { profile }] of known) {
      if (id === '' || profile.id === id) known.delete(address);
    }
  });
  bus.onReconnect(() => known.clear());

  return {
    async find(address, call) {
      const entry = known.get(address);
      if (entry !== undefined && entry.until > clock.now()) return entry.profile;
      const { results } = await identity.findProfiles({ addresses: [address] }, { call });
      const profile = results[0]?.profile ?? null;
      if (profile !== null) known.set(address, { profile, until: clock.now() + keepMs });
      return profile;
    },
  };
}

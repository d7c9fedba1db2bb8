import type { Bus } from '@hearth/bus';
import { type Clock, second } from '@hearth/clock';
import { peopleSignal } from '@hearth/people';
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

interface Known {
  profile: Profile;
  until: number;
}

const maxProfiles = 50_000;
const keepMs = 30 * second;
/** The subject on which identity tells whose credentials ended; empty means everybody's. */
const credentialsSubject = 'credentials';

export function createProfiles({ identity, bus, clock }: ProfilesOptions): Profiles {
  const addressesOf = new Map<string, Set<string>>();
  const known = new LRUCache<string, Known>({
    max: maxProfiles,
    dispose({ profile }, address) {
      const addresses = addressesOf.get(profile.id);
      addresses?.delete(address);
      if (addresses?.size === 0) addressesOf.delete(profile.id);
    },
  });
  /** Rises when anything is forgotten: an answer that was asked for before must not be kept. */
  let generation = 0;

  function keep(address: string, profile: Profile): void {
    known.set(address, { profile, until: clock.now() + keepMs });
    const addresses = addressesOf.get(profile.id);
    if (addresses === undefined) addressesOf.set(profile.id, new Set([address]));
    else addresses.add(address);
  }

  function forget(id: string): void {
    generation += 1;
    if (id === '') known.clear();
    else for (const address of [...(addressesOf.get(id) ?? [])]) known.delete(address);
  }

  for (const subject of [credentialsSubject, peopleSignal]) {
    bus.onSignal(subject, (payload) => forget(Buffer.from(payload).toString()));
  }
  bus.onReconnect(() => forget(''));

  return {
    async find(address, call) {
      const entry = known.get(address);
      if (entry !== undefined && entry.until > clock.now()) return entry.profile;
      const asked = generation;
      const { results } = await identity.findProfiles({ addresses: [address] }, { call });
      const profile = results[0]?.profile ?? null;
      if (profile !== null && asked === generation) keep(address, profile);
      return profile;
    },
  };
}

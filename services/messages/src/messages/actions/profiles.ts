import type { Bus } from '@hearth/bus';
import { type Clock, second } from '@hearth/clock';
import { peopleSignal } from '@hearth/people';
import type { IdentityService, Profile } from '@hearth/proto/identity/v1/identity';
import type { Call, Client } from '@hearth/rpc';
import { LRUCache } from 'lru-cache';

/** Who is behind an address or a uuid; remembered for a moment, forgotten at once when identity says that they changed. */
export interface Profiles {
  find(address: string, call: Call): Promise<Profile | null>;
  /** The same by the uuid of an AI or a person, whatever became of their addresses. */
  findById(id: string, call: Call): Promise<Profile | null>;
}

export interface ProfilesOptions {
  identity: Pick<Client<typeof IdentityService>, 'findProfiles'>;
  bus: Pick<Bus, 'onSignal' | 'onReconnect'>;
  clock: Clock;
}

type Asked = { addresses: string[] } | { ids: string[] };

interface Known {
  profile: Profile;
  until: number;
}

const maxProfiles = 50_000;
const keepMs = 30 * second;
/** The subject on which identity tells whose credentials ended; empty means everybody's. */
const credentialsSubject = 'credentials';

export function createProfiles({ identity, bus, clock }: ProfilesOptions): Profiles {
  /** By uuid, under which keys a profile is known. */
  const keysOf = new Map<string, Set<string>>();
  const known = new LRUCache<string, Known>({
    max: maxProfiles,
    dispose({ profile }, key) {
      const keys = keysOf.get(profile.id);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(profile.id);
    },
  });
  /** Rises when anything is forgotten: an answer that was asked for before must not be kept. */
  let generation = 0;

  function keep(key: string, profile: Profile): void {
    known.set(key, { profile, until: clock.now() + keepMs });
    const keys = keysOf.get(profile.id);
    if (keys === undefined) keysOf.set(profile.id, new Set([key]));
    else keys.add(key);
  }

  function forget(id: string): void {
    generation += 1;
    if (id === '') known.clear();
    else for (const key of [...(keysOf.get(id) ?? [])]) known.delete(key);
  }

  for (const subject of [credentialsSubject, peopleSignal]) {
    bus.onSignal(subject, (payload) => forget(Buffer.from(payload).toString()));
  }
  bus.onReconnect(() => forget(''));

  /** @param key an address or a uuid: none is both */
  async function remembered(key: string, asked: Asked, call: Call): Promise<Profile | null> {
    const entry = known.get(key);
    if (entry !== undefined && entry.until > clock.now()) return entry.profile;
    const generationAsked = generation;
    const { results } = await identity.findProfiles(asked, { call });
    const profile = results[0]?.profile ?? null;
    if (profile !== null && generationAsked === generation) keep(key, profile);
    return profile;
  }

  return {
    find: (address, call) => remembered(address, { addresses: [address] }, call),
    findById: (id, call) => remembered(id, { ids: [id] }, call),
  };
}

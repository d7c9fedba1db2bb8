import { type HomeNames, readAddress, readLocalAddress } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { isMinor, type People, seesWhole, unshield, viewerOf } from '@hearth/people';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { Call, Caller } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import { isMarker } from '../../shared/domain/stored-address.ts';
import type { Profiles } from './profiles.ts';
import { uuidOf } from './shown-people.ts';

/** A side of a message: what others need to know of them. */
export type Correspondent = Pick<
  Profile,
  'id' | 'name' | 'owner' | 'person' | 'minor' | 'guardians' | 'app' | 'group'
> & {
  /** As it is stored: see `isMarker`. */
  address: string;
};

/** Whom a caller writes to. */
export interface Addressed {
  /** As it is stored. */
  to: string;
  /** They named somebody under 18 by a handle that they may not know. */
  unseen: boolean;
}

/** Whom callers mean by addresses, and by the ids under which they see people under 18. */
export interface Correspondents {
  /** The address to store for whom the caller writes to. */
  readTo(given: string, call: Call): Promise<Addressed>;
  /** The same for a filter: what is nobody's matches nothing. */
  readFilter(given: string, field: string, call: Call): Promise<string>;
  /** Who is behind a stored address, if there is somebody. */
  find(stored: string, call: Call): Promise<Correspondent | null>;
  /** The other side of a thread, whatever became of the address that is stored of them there. */
  findOther(other: { id: string; stored: string }, call: Call): Promise<Correspondent | null>;
}

export interface CorrespondentsOptions {
  homeNames: HomeNames;
  profiles: Profiles;
  people: Pick<People, 'findOne'>;
  sealer: Pick<Sealer, 'derive'>;
}

export function createCorrespondents({
  homeNames,
  profiles,
  people,
  sealer,
}: CorrespondentsOptions): Correspondents {
  /** The marker behind a shielded id of the caller; null for what is none of theirs. */
  function unshielded(given: string, caller: Caller): string | null {
    const uuid = unshield(sealer, viewerOf(caller), given);
    return uuid === null ? null : printId('per', uuid);
  }

  /** Somebody under 18 behind a handle. */
  async function minorAt(address: string, call: Call): Promise<Profile | null> {
    // Most messages go to AIs, which this tells from people without reading the address again.
    if (address.includes('.ai-') || address.startsWith('&')) return null;
    const profile = await profiles.find(address, call);
    return profile?.minor ? profile : null;
  }

  async function markedBy(marker: string): Promise<Correspondent | null> {
    const facts = await people.findOne(uuidOf(marker));
    return facts === null ? null : toCorrespondent(facts, marker);
  }

  return {
    async readTo(given, call) {
      if (given.startsWith('shp_')) {
        const marker = unshielded(given, call.caller);
        if (marker === null) throw notFound();
        return { to: marker, unseen: false };
      }
      const address = readLocalAddress(given, 'to', homeNames);
      const minor = await minorAt(address, call);
      if (minor === null) return { to: address, unseen: false };
      return { to: printId('per', minor.id), unseen: !seesMinor(minor, minor.id, call.caller) };
    },
    async readFilter(given, field, call) {
      if (given.startsWith('shp_')) return unshielded(given, call.caller) ?? given;
      const address = readAddress(given, field, homeNames);
      const minor = await minorAt(address, call);
      return minor !== null && seesMinor(minor, minor.id, call.caller) ? printId('per', minor.id) : address;
    },
    async find(stored, call) {
      return isMarker(stored) ? await markedBy(stored) : await profiles.find(stored, call);
    },
    async findOther({ id, stored }, call) {
      return isMarker(stored) ? await markedBy(stored) : await profiles.findById(id, call);
    },
  };
}

/** Whether somebody sees a person under 18 as they are; `facts` tells who guards and holds the child. */
export function seesMinor(
  { guardians, app }: Pick<Profile, 'guardians' | 'app'>,
  child: string,
  viewer: Pick<Caller, 'app' | 'person' | 'id'>,
): boolean {
  return seesWhole({ id: child, ageBand: AgeBand.CHILD, guardians, app }, viewer);
}

function toCorrespondent(facts: PersonFacts, stored: string): Correspondent {
  const { id, name, guardians, app, handle } = facts;
  const minor = isMinor(facts);
  return {
    id,
    name,
    address: minor ? stored : `@${handle}`,
    owner: '',
    person: true,
    minor,
    guardians,
    app,
    group: '',
  };
}

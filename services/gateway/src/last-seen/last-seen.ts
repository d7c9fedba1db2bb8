import type { Clock } from '@hearth/clock';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import { type Client, callerKinds } from '@hearth/rpc';
import type { Logger } from '@hearth/telemetry';
import type { Credential } from '../credentials/module.ts';

/** waited: a request was held; checked: messages or events were read; used: any other call. */
export type Contact = 'waited' | 'checked' | 'used';

/** The browser as people recognize it, and its network. */
export interface SeenFrom {
  device: string;
  network: string;
}

export interface LastSeen {
  /** @param place the browser and network of a session */
  note(credential: Credential, contact: Contact, place?: SeenFrom): void;
  /** Sends identity the notes since the last flush. Never throws: notes that cannot be sent are dropped. */
  flush(): Promise<void>;
}

export interface Deps {
  identity: Pick<Client<typeof IdentityService>, 'noteSeen'>;
  clock: Clock;
  log: Logger;
}

interface Sighting {
  credential: Credential;
  waitedAt: number;
  checkedAt: number;
  place?: SeenFrom;
}

const maxNoted = 20_000;
const maxPerCall = 1_000;

/** Batches when AIs were seen and credentials used, so that requests don't wait for it. */
export function createLastSeen({ identity, clock, log }: Deps): LastSeen {
  let noted = new Map<string, Sighting>();

  function sightingOf(credential: Credential): Sighting | undefined {
    const known = noted.get(credential.key);
    if (known !== undefined || noted.size >= maxNoted) return known;
    const sighting = { credential, waitedAt: 0, checkedAt: 0 };
    noted.set(credential.key, sighting);
    return sighting;
  }

  return {
    note(credential, contact, place) {
      if (credential.caller.kind === callerKinds.OPERATOR) return;
      const sighting = sightingOf(credential);
      if (sighting !== undefined && place !== undefined) sighting.place = place;
      if (sighting === undefined || contact === 'used') return;
      if (contact === 'waited') sighting.waitedAt = clock.now();
      else sighting.checkedAt = clock.now();
    },
    async flush() {
      const sightings = [...noted.values()].map(toProto);
      noted = new Map();
      for (let start = 0; start < sightings.length; start += maxPerCall) {
        try {
          await identity.noteSeen({ sightings: sightings.slice(start, start + maxPerCall) });
        } catch (err) {
          log.warn({ err }, 'identity could not be told which AIs were seen');
        }
      }
    },
  };
}

function toProto({ credential, waitedAt, checkedAt, place }: Sighting) {
  return {
    ai: credential.caller.kind === callerKinds.AI ? credential.caller.id : '',
    waitedAt: BigInt(waitedAt),
    checkedAt: BigInt(checkedAt),
    credentialHash: Buffer.from(credential.digest, 'base64'),
    ...place,
  };
}

import { parseId } from '@hearth/ids';
import { type People, seesWhole, shieldId, shortenName, viewerOf } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import { isMarker } from '../../shared/domain/stored-address.ts';

/** How a reader sees the sides of messages: people under 18 as they may see them, all others as they are stored. */
export interface Shown {
  address(stored: string): string;
  /** @param stored the address of whoever bears that name */
  name(stored: string, name: string): string;
}

export interface ShownPeople {
  /** For the sides with these stored addresses. */
  to(caller: Caller, stored: readonly string[]): Promise<Shown>;
}

const asStored: Shown = { address: (stored) => stored, name: (_, name) => name };

export function createShownPeople({
  people,
  sealer,
}: {
  people: Pick<People, 'find'>;
  sealer: Pick<Sealer, 'derive'>;
}): ShownPeople {
  return {
    async to(caller, stored) {
      const markers = stored.filter(isMarker);
      if (markers.length === 0) return asStored;
      const facts = await people.find(markers.map(uuidOf));
      const wholeFacts = (address: string): PersonFacts | null => {
        const found = facts.get(uuidOf(address));
        return found !== undefined && seesWhole(found, caller) ? found : null;
      };
      return {
        address(address) {
          if (!isMarker(address)) return address;
          const whole = wholeFacts(address);
          if (whole !== null) return `@${whole.handle}`;
          return shieldId(sealer, viewerOf(caller), uuidOf(address));
        },
        name: (address, name) =>
          isMarker(address) && wholeFacts(address) === null ? shortenName(name) : name,
      };
    },
  };
}

/** The uuid behind a marker. */
export function uuidOf(marker: string): string {
  return parseId('per', marker) as string;
}

import { createLru } from '@hearth/cache/lru';
import { day, hour } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { anonymous } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { type Contact, noteCard, noteContacts } from '../db/acquaintances.ts';
import { fullAddress } from './full-address.ts';
import type { ForHome } from './item.ts';

/** Parties of this home that other homes know, and are notified about when they move or are deleted. */
export interface Acquaintances {
  /** Records the authors of items, unless recorded recently; must finish before the items are numbered. */
  wrote(written: readonly ForHome[]): Promise<void>;
  /** Records that a home asked for a card. @param address in its local form */
  askedFor(home: string, address: string): Promise<void>;
}

/** Recently recorded parties are not recorded again. */
const notedMs = hour;
const mostNoted = 20_000;
/** As long as a card is valid. */
const cardMs = day;

type AcquaintanceDeps = Pick<Host, 'clock' | 'database' | 'homeNames' | 'log' | 'peer'>;

export function createAcquaintances({
  clock,
  database,
  homeNames,
  log,
  peer,
}: AcquaintanceDeps): Acquaintances {
  /** Per party, until when it is not recorded again. */
  const noted = createLru<number>(mostNoted);
  const identity = peer('identity', IdentityService);
  const now = () => new Date(clock.now());

  const keyOf = ({ home, party, address }: Contact) => `${home} ${party} ${address}`;
  const freshOf = ({ home, drafts }: ForHome): Contact[] =>
    drafts
      .flatMap(({ event, from: address, sender }) => {
        const party = sender?.['id'];
        return typeof party === 'string' && address !== '' ? [{ home, party, address, event }] : [];
      })
      .filter((seen) => (noted.get(keyOf(seen)) ?? 0) <= clock.now());

  return {
    async wrote(written) {
      const fresh = written.flatMap(freshOf);
      if (fresh.length === 0) return;
      await database.statement((tx) => noteContacts(tx, fresh, now()));
      for (const seen of fresh) noted.set(keyOf(seen), clock.now() + notedMs);
    },
    async askedFor(home, given) {
      try {
        const { results } = await identity.findProfiles({ addresses: [given] }, { caller: anonymous });
        const profile = results[0]?.profile;
        const address = fullAddress(profile, homeNames);
        if (profile === undefined || address === null) return;
        const party = printId(profile.person ? 'per' : 'ai', profile.id);
        const cardUntil = new Date(clock.now() + cardMs);
        await database.statement((tx) => noteCard(tx, { party, home, address, cardUntil }, now()));
      } catch (err) {
        log.warn({ err, home }, 'that a home asked for a card could not be noted');
      }
    },
  };
}

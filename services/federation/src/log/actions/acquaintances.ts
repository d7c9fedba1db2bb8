import { createLru } from '@hearth/cache/lru';
import { day, hour } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { printId } from '@hearth/ids';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { anonymous } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { type Acquaintance, noteCard, noteContacts } from '../db/acquaintances.ts';
import { fullAddress } from './full-address.ts';
import type { Draft } from './item.ts';

/** Those of this home whom other homes know, and are told of when they move or go. */
export interface Acquaintances {
  /** Whether all who write there were noted a little ago. */
  knows(home: string, drafts: readonly Draft[]): boolean;
  /** Notes within `tx` those who write there. The function that it answers is called after the commit. */
  wrote(tx: Tx, home: string, drafts: readonly Draft[]): Promise<() => void>;
  /** A home asked for a card. @param address in its local form */
  askedFor(home: string, address: string): Promise<void>;
}

/** Those noted a little ago are not noted again. */
const notedMs = hour;
const mostNoted = 20_000;
/** As long as a card counts. */
const cardMs = day;

type Seen = Pick<Acquaintance, 'party' | 'address'>;

type Parts = Pick<Host, 'clock' | 'database' | 'homeNames' | 'log' | 'peer'>;

export function createAcquaintances({ clock, database, homeNames, log, peer }: Parts): Acquaintances {
  /** Until when each is not noted again. */
  const noted = createLru<number>(mostNoted);
  const identity = peer('identity', IdentityService);
  const now = () => new Date(clock.now());

  const keyOf = (home: string, { party, address }: Seen) => `${home} ${party} ${address}`;
  const freshOf = (home: string, drafts: readonly Draft[]): Seen[] =>
    drafts
      .flatMap(({ from: address, sender }) => {
        const party = sender?.['id'];
        return typeof party === 'string' && address !== '' ? [{ party, address }] : [];
      })
      .filter((one) => (noted.get(keyOf(home, one)) ?? 0) <= clock.now());

  return {
    knows: (home, drafts) => freshOf(home, drafts).length === 0,
    async wrote(tx, home, drafts) {
      const fresh = freshOf(home, drafts);
      if (fresh.length > 0) await noteContacts(tx, home, fresh, now());
      return () => {
        for (const one of fresh) noted.set(keyOf(home, one), clock.now() + notedMs);
      };
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

import { nowDate, second } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import type { UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { Host } from '@hearth/runtime';
import { runUntraced } from '@hearth/telemetry';
import { type KeyRow, listKeys, lockKeys, writeKey } from '../db/keys.ts';
import { homeKeyChanged, homeKeysTopic } from '../domain/announcements.ts';
import { due, nextChange } from '../domain/key-plan.ts';
import type { Documents } from './documents.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * The only way to change the home's keys: together with the document that lists them, and a signal to every
 * process.
 */
export interface KeyChanges {
  /** @param decide returns the rows that change, given all keys */
  make(decide: (keys: readonly KeyRow[], now: Date) => KeyRow[], why: Why): Promise<KeyRow[]>;
  /** Publishes a document without a change of keys, such as with another signature. */
  publish<T>(work: (tx: UnitOfWork) => Promise<T>): Promise<T>;
  /** Returns when `follow` is next due: a time-based change, or a periodic check in case a signal was lost. */
  followAt(): number;
  /** Adopts changes by other processes, and makes the changes that are due. */
  follow(): Promise<void>;
}

export interface Why {
  reason: string;
  /** Absent for a time-based change. */
  by?: Caller;
}

export type Deps = Pick<Host, 'clock' | 'commit' | 'limits' | 'log'> & {
  keyRing: KeyRing;
  documents: Pick<Documents, 'issueIn'>;
};

const lostSignalMs = 30 * second;

export function createKeyChanges(deps: Deps): KeyChanges {
  const { clock, commit, documents, keyRing, limits, log } = deps;
  const overlapMs = sizeOf(limits, 'signing_key_overlap_seconds') * 1_000;
  let followedAt = clock.now();

  async function publish<T>(work: (tx: UnitOfWork) => Promise<T>): Promise<T> {
    const done = await commit(async (tx) => {
      await lockKeys(tx);
      const result = await work(tx);
      tx.signal('home_keys', '');
      tx.wake(homeKeysTopic);
      return result;
    });
    await keyRing.refresh();
    return done;
  }

  const make: KeyChanges['make'] = async (decide, { reason, by }) => {
    const changed = await publish(async (tx) => {
      const before = await listKeys(tx);
      const rows = decide(before, nowDate(clock));
      for (const key of rows) await writeKey(tx, key);
      const told = rows.filter((key) => before.find(({ kid }) => kid === key.kid)?.status !== key.status);
      tx.announce(...told.map((key) => homeKeyChanged(key, reason, by)));
      if (told.length > 0) await documents.issueIn(tx);
      return rows;
    });
    for (const { kid, status } of changed) log.info({ kid, status, reason }, 'a key of the home changed');
    return changed;
  };

  return {
    make,
    publish,
    followAt: () =>
      Math.min(
        followedAt + lostSignalMs,
        nextChange(keyRing.keys.listed, overlapMs) ?? Number.POSITIVE_INFINITY,
      ),
    async follow() {
      followedAt = clock.now();
      await runUntraced(keyRing.refresh);
      const isDue = (keys: readonly KeyRow[], now: Date) => due(keys, now, overlapMs);
      if (isDue(keyRing.keys.listed, nowDate(clock)).length > 0) await make(isDue, { reason: '' });
    },
  };
}

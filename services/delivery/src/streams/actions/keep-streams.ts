import { day, hour } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import type { Tx } from '@hearth/db';
import { internal, unavailable } from '@hearth/errors';
import { eventsTopic, mayNotRead, type Woken } from '../../shared/domain/streams.ts';
import type { Context } from '../context.ts';
import {
  changeStreams,
  findStreams,
  insertStreams,
  lockStreams,
  type StreamChange,
  type StreamRow,
} from '../db/streams.ts';
import { findStanding, type WakeRights } from './find-standing.ts';

/**
 * How long wake-ups are recorded after the AI's last poll or renewal; longer than the week within which it
 * must ask again.
 */
const activeMs = 9 * day;
/** An AI that polls constantly renews its stream at most this often. */
const renewMs = hour;
const mostTries = 5;

/** Keeps each stream's owner, and how long it records. */
export interface Keeper {
  /**
   * Returns the stream of an AI that polls or subscribes: created if missing, checked against the current
   * owner, and active for the next days.
   *
   * @throws forbidden while the AI may not read; unavailable if the caller was known with another owner
   */
  prepare(woken: Woken): Promise<StreamRow>;
  /** `prepare` within a transaction, for an AI that was prepared before; locks the stream until the end. */
  hold(tx: Tx, woken: Woken, now: Date): Promise<StreamRow>;
  /**
   * Re-reads the owners and rights of AIs, where they have streams.
   *
   * @param changed when each AI may have changed; a stream that opens or gets another owner records from then on
   */
  refresh(changed: ReadonlyMap<string, Date>): Promise<void>;
}

export function createKeeper({ clock, commit, database, identity, outbound, subscribers }: Context): Keeper {
  const found = createCoalescer<string, StreamRow | null>({
    maxInFlight: 1,
    spacingMs: 1,
    name: 'batch of streams',
    run: async (ais) => {
      const rows = await findStreams(database.db, [...new Set(ais)]);
      const byAi = new Map(rows.map((row) => [row.ai, row]));
      return ais.map((ai) => byAi.get(ai) ?? null);
    },
  });

  async function refresh(changed: ReadonlyMap<string, Date>): Promise<void> {
    let left = [...changed.keys()];
    for (let tries = 0; left.length > 0; tries += 1) {
      if (tries === mostTries) throw unavailable('what AIs are woken for changes all the time; try again');
      left = await refreshOnce(left, changed);
    }
  }

  /** Returns the AIs whose stream changed in the meantime: identity's answer may be older than that change. */
  async function refreshOnce(ais: readonly string[], changed: ReadonlyMap<string, Date>): Promise<string[]> {
    const before = new Map((await findStreams(database.db, ais)).map((row) => [row.ai, row.version]));
    const standing = await findStanding(identity, [...before.keys()]);
    const now = new Date(clock.now());
    const { destinations, late } = await commit(async (tx) => {
      const rows = await lockStreams(tx, [...before.keys()]);
      const current = rows.filter(({ ai, version }) => before.get(ai) === version);
      const changes = current.flatMap(
        (row) => changeOf(row, standing.get(row.ai)!, { now, changedAt: changed.get(row.ai)! }) ?? [],
      );
      if (changes.length > 0) await changeStreams(tx, changes);
      const destinations = await changeSubscriptions(tx, now, changes, (ai) => standing.get(ai)!.revoked);
      tx.wake(...changes.map(({ ai }) => eventsTopic(ai)));
      return { destinations, late: rows.filter((row) => !current.includes(row)) };
    });
    if (destinations.length > 0) outbound.poke(destinations);
    return late.map(({ ai }) => ai);
  }

  /** Returns the destinations to poke. */
  async function changeSubscriptions(
    tx: Tx,
    now: Date,
    changes: readonly StreamChange[],
    isRevoked: (ai: string) => boolean,
  ): Promise<string[]> {
    const byFate = Map.groupBy(changes, ({ ai, open, otherHands }) => {
      if (otherHands) return isRevoked(ai) ? 'revoked' : 'changed_hands';
      return open ? 'goes_on' : 'held_back';
    });
    const of = (fate: 'revoked' | 'changed_hands' | 'held_back') =>
      (byFate.get(fate) ?? []).map(({ ai }) => ai);
    if (of('held_back').length > 0) await subscribers.holdBack(tx, now, of('held_back'));
    const destinations: string[] = [];
    for (const why of ['revoked', 'changed_hands'] as const)
      if (of(why).length > 0) destinations.push(...(await subscribers.terminate(tx, now, of(why), why)));
    return destinations;
  }

  async function fetch(ai: string): Promise<StreamRow> {
    const row = await found.add(ai);
    if (row === null) throw internal('a stream is gone');
    return row;
  }

  /** Whether the stream records for that owner, and will for long enough. */
  const isReady = (row: StreamRow, person: string | null, until: number) =>
    row.open && row.person === person && row.active_until.getTime() >= until;

  return {
    async prepare({ ai, person }) {
      const now = clock.now();
      const known = await found.add(ai);
      if (known !== null && isReady(known, person, now + activeMs - renewMs)) return known;
      if (known === null) await database.statement((tx) => insertStreams(tx, [ai], new Date(now)));
      if (known === null || !known.open || known.person !== person)
        await refresh(new Map([[ai, new Date(now)]]));
      const row = await fetch(ai);
      if (!row.open) throw mayNotRead();
      // The gateway knew the caller with a former owner, or not yet with this one.
      if (row.person !== person) throw changedHands();
      if (row.active_until.getTime() >= now + activeMs - renewMs) return row;
      return await database.transaction((tx) => keep(tx, ai, new Date(now)));
    },
    async hold(tx, { ai, person }, now) {
      const row = await keep(tx, ai, now);
      if (!row.open || row.person !== person) throw changedHands();
      return row;
    },
    refresh,
  };
}

const changedHands = () => unavailable('this AI has just changed hands; ask again in a moment');

/** Returns the change that a stream needs; null if it is up to date. */
function changeOf(
  row: StreamRow,
  { person, open, revoked }: WakeRights,
  { now, changedAt }: { now: Date; changedAt: Date },
): StreamChange | null {
  if (row.person === person && row.open === open) return null;
  const begins = row.active_until <= row.created_at;
  const opens = open && !row.open;
  // An AI that gets its first owner keeps its stream.
  const otherHands = (row.person !== null && row.person !== person) || (revoked && row.open);
  return {
    ai: row.ai,
    person,
    open,
    activeUntil: begins && open ? new Date(now.getTime() + activeMs) : row.active_until,
    otherHands,
    pause: opens && !begins,
    recordsFrom: otherHands || opens ? changedAt : null,
    ownedFrom: row.person === person ? null : changedAt,
  };
}

/** Locks a stream and keeps it active; skips a number after a pause in recording. */
async function keep(tx: Tx, ai: string, now: Date): Promise<StreamRow> {
  const until = new Date(now.getTime() + activeMs);
  const [row] = await lockStreams(tx, [ai]);
  if (row === undefined) throw internal('a stream is gone');
  if (row.active_until >= until) return row;
  const { person, open } = row;
  const pause = row.active_until <= now;
  await changeStreams(tx, [
    {
      ai,
      person,
      open,
      activeUntil: until,
      otherHands: false,
      pause,
      recordsFrom: pause ? now : null,
      ownedFrom: null,
    },
  ]);
  const [kept] = await lockStreams(tx, [ai]);
  return kept as StreamRow;
}

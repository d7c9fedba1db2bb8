import { homesAbove } from '@hearth/addresses';
import { createFactCache } from '@hearth/cache/facts';
import { second } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import { fractionOf } from '@hearth/ids';
import { limitFor } from '@hearth/limits';
import type { UnitOfWork } from '@hearth/outbox';
import type { Host } from '@hearth/runtime';
import { heldKeys, isHeld, type KeptDocument, readHomeDocument, receiveDocument } from '@hearth/signing';
import { claimFetch, findHomes, type HomeRow, lockHome, writeHome } from '../db/homes.ts';
import { otherHomeChanged } from '../domain/announcements.ts';
import { dueAfterMs, type FetchReason, freshForMs, mayFetch, rememberedForMs } from '../domain/fetch-plan.ts';
import { nearestWord, type Policy } from '../domain/policy.ts';
import { createFetchBudget } from './fetch-budget.ts';
import { type Fetched, type FetchedBy, fetchDocument } from './fetch-document.ts';
import { createSlots } from './slots.ts';
import type { Strangers } from './strangers.ts';

export type Looked = HomeRow | null | 'too_many' | 'busy';

/** Other homes and their documents: read from memory or the table, and fetched when due. */
export interface KnownHomes {
  /** Returns null if nothing is known of that name. */
  find(home: string): Promise<HomeRow | null>;
  /**
   * Returns the operator's policy that applies to a home, its own or that of a domain above it; null if there
   * is none.
   */
  wordAbout(home: string): Promise<Policy | null>;
  /**
   * Returns the home after a fetch, if one is due and allowed; `too_many` if the budget for names never seen
   * is used up, `busy` if too many of them are being fetched now (this home's own requests first wait for a
   * slot).
   *
   * @param network of the caller that caused the look; null for this home's own requests
   */
  look(home: string, why: FetchReason, network: string | null): Promise<Looked>;
  /** Whether no document of it was ever accepted, and using it now would fetch one. */
  isNew(home: string): Promise<boolean>;
  /** Changes what is stored about a home, in one transaction. */
  change(home: string, work: (tx: UnitOfWork, row: HomeRow) => Promise<HomeRow>): Promise<HomeRow>;
}

/** Called within the transaction of the change; an error rolls it back. */
export interface HomeHooks {
  /** Another home took over the name: everything known of the former home is void. */
  beganAnew(tx: UnitOfWork, home: string): Promise<void>;
  /** Keys of a home were revoked, and vouch for nothing. */
  keysRevoked(tx: UnitOfWork, home: string, kids: readonly string[]): Promise<void>;
}

export type Deps = Pick<
  Host,
  'bus' | 'clock' | 'commit' | 'database' | 'limiter' | 'limits' | 'log' | 'random'
> &
  FetchedBy & { hooks: HomeHooks; strangers: Strangers };

/** A little longer than a fetch can take. */
const claimMs = 15 * second;
/** Bounds staleness in other processes, whose signal may be missed. */
const keptMs = 10 * second;
const keptHomes = 256;
/** Names never seen that are fetched at once, others that wait for a slot, and how long they wait. */
const mostStrangers = 20;
const mostWaiting = 1_000;
const turnMs = 10 * second;

export function createKnownHomes(deps: Deps): KnownHomes & { stop(): Promise<void> } {
  const { bus, clock, commit, database, limiter, limits, log, random, hooks, strangers } = deps;
  // Without a limit on repeated fetches, as in development, failures are not remembered.
  const remembers = limitFor(limits, 'home_refetches_a_minute', 'anyone') !== null;
  const kept = createFactCache<HomeRow>({ clock, bus, max: keptHomes, keptMs, signals: ['homes'] });
  const words = createFactCache<{ word: Policy | null; names: readonly string[] }>({
    ...{ clock, bus, max: keptHomes, keptMs, signals: ['homes'] },
    namesOf: ({ names }) => names,
  });
  const flights = new Map<string, Promise<Looked>>();
  const turns = createSlots(mostWaiting);
  const budget = createFetchBudget({ limiter });

  // Hundreds of pushes may start at once: separate reads would use up all connections.
  const reads = createCoalescer<string, HomeRow | null>({
    name: 'batch of homes read',
    async run(homes) {
      const rows = new Map((await findHomes(database.db, homes)).map((row) => [row.home, row]));
      return homes.map((home) => rows.get(home) ?? null);
    },
  });
  const find = (home: string) => kept.find(home, () => reads.add(home));

  async function wordAbout(home: string): Promise<Policy | null> {
    const found = await words.find(home, async () => {
      const names = homesAbove(home);
      const rows = await Promise.all(names.map((name) => reads.add(name)));
      const said = new Map(names.map((name, index) => [name, rows[index]?.policy ?? null]));
      return { word: nearestWord(home, said), names };
    });
    return found?.word ?? null;
  }

  async function change(home: string, work: (tx: UnitOfWork, row: HomeRow) => Promise<HomeRow>) {
    const changed = await commit(async (tx) => {
      const row = (await lockHome(tx, home)) ?? emptyRow(home, clock.now());
      const after = await work(tx, row);
      await writeHome(tx, after);
      await tellChanges(tx, row, after);
      tx.signal('homes', home);
      return after;
    });
    kept.forget(home);
    words.forget(home);
    return changed;
  }

  async function tellChanges(tx: UnitOfWork, before: HomeRow, after: HomeRow): Promise<void> {
    const was = revokedKids(before.kept);
    const revoked = [...revokedKids(after.kept)].filter((kid) => !was.has(kid));
    const known = new Set(before.kept?.document.keys.map(({ kid }) => kid));
    const ended = revoked.filter((kid) => known.has(kid));
    if (ended.length > 0) {
      await hooks.keysRevoked(tx, after.home, ended);
      tx.announce(otherHomeChanged(after.home, 'keys_revoked', { kids: ended }));
    }
    const [waited, waits] = [before, after].map(({ kept }) => kept?.waiting?.cause === 'another_home');
    if (waits && !waited) tx.announce(otherHomeChanged(after.home, 'key_change'));
  }

  async function fetchOnce(home: string, why: FetchReason, network: string | null): Promise<Looked> {
    const before = await reads.add(home);
    if (!mayFetch(fetchedOf(before, clock.now()), why, clock.now())) return before;
    if ((before?.kept ?? null) !== null)
      return (await budget.forKnown(home, why, network))
        ? await claimAndFetch(home, before, network)
        : before;
    if (why === 'operator') return await claimAndFetch(home, before, null);
    const looked = await turns.run('', mostStrangers, network === null ? turnMs : 0, async () => ({
      row: (await budget.forNew(network))
        ? await claimAndFetch(home, before, network)
        : ('too_many' as const),
    }));
    return looked === null ? 'busy' : looked.row;
  }

  async function claimAndFetch(
    home: string,
    before: HomeRow | null,
    network: string | null,
  ): Promise<HomeRow | null> {
    const now = clock.now();
    const { triedAt, fetchingUntil } = before ?? emptyRow(home, now);
    const claimed = await database.transaction((tx) =>
      claimFetch(tx, { home, triedAt, fetchingUntil }, new Date(now), new Date(now + claimMs)),
    );
    if (!claimed) return await othersFetch(home);
    const fetched = await withinBudget(home, before, network, await fetchDocument(home, deps));
    // Checking the keys is slow and its result is cached: do it before the row is locked.
    if ('document' in fetched) readHomeDocument(fetched.document, { home, now: clock.now() });
    return await change(home, async (tx, row) => await weigh(tx, row, fetched));
  }

  /**
   * Rejects a stranger's document once the day's bytes are used up; documents that this home asked for itself
   * do not count.
   */
  async function withinBudget(
    home: string,
    before: HomeRow | null,
    network: string | null,
    fetched: Fetched,
  ): Promise<Fetched> {
    if ('failure' in fetched || network === null || !(await strangers.isStranger(home))) return fetched;
    // A document that replaces another counts only by its growth.
    const kept = before?.kept ?? null;
    const grown = fetched.bytes - (kept === null ? 0 : Buffer.byteLength(JSON.stringify(kept.document)));
    if (grown <= 0 || (await budget.forBytes(home, grown, network))) return fetched;
    const failure =
      'too many bytes of documents came from its domain or its network, or from all homes never met, within a day';
    return { failure, step: 'document' };
  }

  /** Waits for another process's fetch, and returns the row that it wrote. */
  async function othersFetch(home: string): Promise<HomeRow | null> {
    for (let waited = 0; waited < claimMs; waited += 250) {
      const row = await reads.add(home);
      if ((row?.fetchingUntil?.getTime() ?? 0) <= clock.now()) return row;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    return await reads.add(home);
  }

  async function weigh(tx: UnitOfWork, row: HomeRow, fetched: Fetched): Promise<HomeRow> {
    const now = clock.now();
    const tried = { ...row, fetchingUntil: null };
    const failed = (failure: string, keptNow = row.kept): HomeRow => ({
      ...tried,
      kept: keptNow,
      failure,
      retryAt: remembers ? new Date(now + rememberedForMs(keptNow !== null)) : null,
      dueAt: keptNow === null ? null : new Date(now + dueAfterMs(true, fractionOf(random))),
    });
    if ('failure' in fetched) return failed(fetched.failure);
    const received = receiveDocument(row.kept, fetched.document, { home: row.home, now });
    const { verdict, problem } = received;
    log.info({ home: row.home, verdict, problem }, 'the document of another home was read');
    if (verdict === 'refused') return failed(problem!);
    if (verdict === 'key_revoked' || verdict === 'another_home') return failed(problem!, received.kept);
    if (verdict === 'began_anew') {
      await hooks.beganAnew(tx, row.home);
      tx.announce(otherHomeChanged(row.home, 'began_anew'));
    }
    return {
      ...tried,
      kept: received.kept,
      goodAt: new Date(now),
      freshUntil: new Date(now + freshForMs(fetched.cacheControl)),
      failure: null,
      retryAt: null,
      ...(verdict === 'began_anew' && { beganAnewAt: new Date(now) }),
      dueAt: new Date(now + dueAfterMs(false, fractionOf(random))),
    };
  }

  return {
    find,
    wordAbout,
    change,
    async look(home, why, network) {
      const row = await find(home);
      if (!mayFetch(fetchedOf(row, clock.now()), why, clock.now())) return row;
      if ((row?.kept ?? null) !== null && (await budget.isSpent(home, why))) return row;
      const flight = flights.get(home) ?? fetchOnce(home, why, network).finally(() => flights.delete(home));
      flights.set(home, flight);
      return await flight;
    },
    async isNew(home) {
      const fetched = fetchedOf(await find(home), clock.now());
      return !fetched.everGood && mayFetch(fetched, 'use', clock.now());
    },
    stop: async () => void (await Promise.all([kept.stop(), words.stop()])),
  };
}

function emptyRow(home: string, now: number): HomeRow {
  return {
    home,
    policy: null,
    kept: null,
    goodAt: null,
    freshUntil: null,
    triedAt: null,
    failure: null,
    retryAt: null,
    fetchingUntil: null,
    dueAt: null,
    createdAt: new Date(now),
    beganAnewAt: null,
  };
}

function revokedKids(kept: KeptDocument | null): Set<string> {
  const keys = kept === null ? [] : heldKeys(kept);
  return new Set(keys.filter(({ status }) => status === 'revoked').map(({ kid }) => kid));
}

function fetchedOf(row: HomeRow | null, now: number) {
  const time = (date: Date | null | undefined) => date?.getTime() ?? 0;
  return {
    everGood: (row?.kept ?? null) !== null,
    holds: isHeld(row?.kept ?? null, now),
    freshUntil: time(row?.freshUntil),
    retryAt: time(row?.retryAt),
  };
}

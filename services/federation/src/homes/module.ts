import { isHomeName } from '@hearth/addresses';
import { minute, second } from '@hearth/clock';
import { createGuardedHttp, type GuardedHttp } from '@hearth/guarded-http';
import { mostAttempts } from '@hearth/outbound';
import { HomesService } from '@hearth/proto/federation/v1/homes';
import type { Host } from '@hearth/runtime';
import { isHeld, keyFrom, type UsableKey } from '@hearth/signing';
import type { KeyRing } from '../signing/module.ts';
import { type AskHome, createAskHome } from './actions/ask-home.ts';
import { createBreaker } from './actions/breaker.ts';
import { fetchDueHomes } from './actions/fetch-due-homes.ts';
import { createKnownHomes, type HomeHooks, type KnownHomes } from './actions/known-homes.ts';
import { createNamedHomes, type NamedHomes } from './actions/named-homes.ts';
import { createRecordKeys, type RecordKeys } from './actions/record-keys.ts';
import { createSlots, type Slots } from './actions/slots.ts';
import { createStrangers, type Strangers } from './actions/strangers.ts';
import type { Context } from './context.ts';
import type { HomeRow } from './db/homes.ts';
import { type Endpoint, readEndpoint } from './domain/endpoint.ts';
import { type Mode, type Policy, policyFor } from './domain/policy.ts';
import {
  denied,
  type KeyRefusal,
  keyChange,
  type ReachRefusal,
  refusedToReach,
  tooMany,
  unknownKey,
  unreachable,
} from './domain/refusal.ts';

export type { HomeReply } from './actions/ask-home.ts';
export type { RecordKeys } from './actions/record-keys.ts';
export type { Policy } from './domain/policy.ts';
export type { HomeHooks };

/** Other homes: their keys, endpoints and policies. */
export interface Homes extends Strangers {
  /** HEARTH_FEDERATION. */
  readonly mode: Mode;
  /** For requests to other homes: public addresses and development homes only. */
  readonly http: GuardedHttp;
  /** Returns the effective policy of a home; to be read before anything else is done for it. */
  policyOf(home: string): Promise<Policy>;
  /** Whether asking it would use up the fetch budget for new homes; false while a failed fetch is remembered. */
  isNew(home: string): Promise<boolean>;
  /**
   * Returns the key that a request or an item names. Checks policies first, then fetches the document if
   * allowed.
   *
   * @param network `networkKey` of the sender, for the limits on names never seen; absent for this home's own
   * requests
   */
  keyFor(
    home: string,
    kid: string,
    use: 'request' | 'record',
    network?: string,
  ): Promise<({ refused: false; policy: Policy } & UsableKey) | KeyRefusal>;
  /** `keyFor` after a signature under that key failed: fetches the document first, if allowed. */
  keyAgain: Homes['keyFor'];
  /**
   * Returns a home's keys for `verifyRecord`: the stored ones, or freshly fetched ones if `kid` is missing or
   * the stored document has expired.
   *
   * @param network as for `keyFor`
   */
  recordKeys(home: string, kid: string, network: string): Promise<RecordKeys>;
  /** Returns a home's endpoint and limits. */
  reach(home: string): Promise<({ refused: false; policy: Policy } & Endpoint) | ReachRefusal>;
  /** Sends a signed request to a home, with a circuit breaker. */
  ask: AskHome;
  /** Slots for concurrent requests to each home, for requests that do not use `ask`. */
  slots: Slots;
  /** Metrics: by name for homes that the operator decided about, combined for all others. */
  settled: NamedHomes['settled'];
  /** A valid request came from that home, which closes its circuit breaker. */
  isThere(home: string): void;
  /**
   * Fetches a home's document again in the background.
   *
   * @param docSeq the number of its latest document, from `Home-Doc`; absent if it announced changed keys
   */
  heard(home: string, docSeq?: number): void;
  /** Registers the log's hooks for a new home under an old name, and for revoked keys. Call it before serving. */
  on(hooks: Partial<HomeHooks>): void;
}

/** Concurrent requests to homes besides pushes: documents, cards, items. */
const otherRequests = 1_024;

/** Starts the module of other homes, and the operator's view of them. */
export async function startHomes(host: Host, keyRing: KeyRing): Promise<Homes> {
  const { bus, clock, commit, config, database, homeNames, limiter, limits, log, random } = host;
  const { devHomes, federation: mode, home: ownHome } = config;
  const http = createGuardedHttp({
    clock,
    devOrigins: devHomes.map((home) => `http://${home}`),
    self: config,
    maxOrigins: mostAttempts + otherRequests,
  });
  host.onStop(() => http.close());
  const hooked: Partial<HomeHooks>[] = [];
  const hooks: HomeHooks = {
    async beganAnew(tx, home) {
      for (const hook of hooked) await hook.beganAnew?.(tx, home);
    },
    async keysRevoked(tx, home, kids) {
      for (const hook of hooked) await hook.keysRevoked?.(tx, home, kids);
    },
  };
  const strangers = createStrangers({ clock, database });
  const known = createKnownHomes({
    bus,
    clock,
    commit,
    database,
    limiter,
    limits,
    log,
    random,
    http,
    devHomes,
    hooks,
    strangers,
  });
  host.onStop(() => known.stop());
  const unsaid = policyFor(mode, null);
  if (mode !== 'off')
    host.every('fetch-homes', 5 * minute, () => fetchDueHomes({ clock, database, known, unsaid }));

  const named = createNamedHomes({ clock, database });
  if (mode !== 'off') host.every('count-homes', 15 * second, named.look);

  const isOther = (home: string) => home !== ownHome && isHomeName(home, homeNames);

  async function policyOf(home: string): Promise<Policy> {
    return policyFor(mode, await known.wordAbout(home));
  }

  async function findKey(
    [home, kid, use, network]: Parameters<Homes['keyFor']>,
    again: boolean,
  ): ReturnType<Homes['keyFor']> {
    if (!isOther(home)) return unknownKey(`${home} is no name of another home`);
    const policy = await policyOf(home);
    if (policy === 'blocked') return denied();
    const key = (row: HomeRow | null) => keyFrom(row?.kept ?? null, { kid, use, now: clock.now() });
    const present = await known.look(home, 'use', network ?? null);
    if (present === 'too_many' || present === 'busy') return tooMany();
    const found = key(present);
    if (typeof found !== 'string' && !again) return { refused: false, policy, ...found };
    const newer = await known.look(home, 'unknown_key', network ?? null);
    if (newer === 'too_many' || newer === 'busy') return tooMany();
    const later = key(newer);
    return typeof later === 'string' ? refusalOf(home, later, newer) : { refused: false, policy, ...later };
  }

  async function reach(home: string): ReturnType<Homes['reach']> {
    if (!isOther(home)) return refusedToReach('bad_home', `${home} is no name of another home`);
    const policy = await policyOf(home);
    if (policy === 'blocked') return refusedToReach('home_denied', `this home does not talk with ${home}`);
    const row = await known.look(home, 'use', null);
    if (row === 'busy')
      return { ...unreachable(home, 'too many homes never seen before are asked at once'), busy: true };
    if (row === 'too_many')
      return unreachable(home, 'too many homes never seen before were asked in this hour');
    if (row === null || !isHeld(row.kept, clock.now()))
      return unreachable(home, row?.failure ?? 'its document is not known yet');
    if (row.kept.waiting?.cause === 'another_home')
      return unreachable(home, row.failure ?? 'its keys have changed');
    const found = readEndpoint(home, row.kept.document['federation'], devHomes);
    return typeof found === 'string' ? unreachable(home, found) : { refused: false, policy, ...found };
  }

  function heard(home: string, docSeq?: number): void {
    if (!isOther(home)) return;
    void hear(known, home, docSeq).catch((err: unknown) =>
      log.warn({ err, home }, 'a newer document of another home could not be fetched'),
    );
  }

  const [breaker, slots] = [createBreaker(), createSlots()];
  const ask = createAskHome({
    ...{ clock, random, http, ownHome, keyRing, breaker, slots },
    ...{ reach, heard },
  });
  const parts = { clock, database, limits, http, devHomes };
  const context: Context = { ...parts, known, hooks, mode, homeNames, ask };
  await host.serveRpcs(HomesService, import.meta.url, context);

  return {
    mode,
    http,
    policyOf,
    isNew: known.isNew,
    isStranger: strangers.isStranger,
    reach,
    heard,
    ask,
    slots,
    isThere: breaker.noteAnswer,
    settled: named.settled,
    on: (more) => void hooked.push(more),
    keyFor: (...wanted) => findKey(wanted, false),
    keyAgain: (...wanted) => findKey(wanted, true),
    recordKeys: createRecordKeys({ clock, known, isOther, policyOf }),
  };
}

async function hear(known: KnownHomes, home: string, docSeq: number | undefined): Promise<void> {
  if (docSeq !== undefined) {
    const { kept = null } = (await known.find(home)) ?? {};
    if (kept === null || kept.document.doc_seq >= docSeq) return;
  }
  await known.look(home, 'heard', null);
}

function refusalOf(home: string, code: 'unknown_key' | 'key_change', row: HomeRow | null): KeyRefusal {
  if (code === 'key_change') return keyChange(home);
  return unknownKey(row?.failure ?? `the document of ${home} lists no such key that counts now`);
}

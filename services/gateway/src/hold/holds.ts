import { setTimeout as pause } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { ResponseMetadataSchema } from '@hearth/proto/batch/v1/batch';
import type { Carried, DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { Caller, Client, ResponseMetadata } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { type HoldOutcome, recordHoldEnd, recordHoldStart, recordWake } from '@hearth/telemetry';
import { createCaughtUp, type Series } from './caught-up.ts';
import type { Elsewhere } from './elsewhere.ts';
import { createOpenWaits, type OpenWait } from './open-waits.ts';
import { createRemembered } from './remembered.ts';
import { createTopics, type Revision } from './topics.ts';

/** An operation's answer with the handler's response metadata. */
export interface Reply<A> {
  answer: A;
  metadata: ResponseMetadata;
  /** Ended without an answer, because a later wait of the same owner took its place. */
  superseded?: boolean;
}

/** The client at the other end. */
export interface HeldClient {
  gone(): boolean;
  /** Calls `listener` when the client disconnects; returns a function that stops this. */
  onGone(listener: () => void): () => void;
}

export interface Hold<A> {
  /** operationId, for metrics. */
  operation: string;
  /** The caller that open waits are counted for. */
  owner: string;
  /**
   * How many waits the owner may have open; one more supersedes the oldest. A gateway counts its own waits
   * and each newly announced one: a bound of 1 holds for the home, a higher bound per gateway.
   */
  openWaits: number;
  /** Uuids whose changed credentials make the hold ask again. */
  concerns: readonly string[];
  waitMs: number;
  client: HeldClient;
  /** The series of polls that it belongs to, if it continues from answer to answer. */
  series?: Series | undefined;
  ask(): Promise<Reply<A>>;
  /** The answer from the response message that a wake carries. */
  take?(message: Uint8Array): Promise<A>;
}

export interface Holds {
  /**
   * Asks, and while the answer is "nothing yet, wake me on T" parks until T wakes, the time is up, the client
   * disconnects, or the process drains. Resolves with the last reply.
   */
  answer<A>(hold: Hold<A>): Promise<Reply<A>>;
  /** Answers from the cache while an earlier answer is valid by its metadata. */
  remember<A>(key: string, ask: () => Promise<Reply<A>>): Promise<Reply<A>>;
  /** Asks again for every hold that concerns this uuid, or for all holds if it is empty. */
  askAgain(id: string): void;
  /**
   * Answers every held request, and holds none afterwards. Spreads the answers evenly over `overMs`, because
   * each client reconnects to another gateway at once; resolves when all are answered.
   */
  drain(overMs: number): Promise<void>;
  close(): void;
  /** How many requests are held. */
  held(): number;
  /** How many of the caller's requests this gateway holds. */
  heldBy(caller: Caller): number;
}

export interface Deps extends Pick<Host, 'clock' | 'log'> {
  delivery: Pick<Client<typeof DeliveryService>, 'hold'>;
  /** The home's other gateways, if any. */
  elsewhere?: Elsewhere;
  /** Whether signals currently travel; while they don't, delivery learns of wakes late (default: they do). */
  signalsTravel?(): boolean;
  /**
   * How long a poll waits for its topics to be watched, in milliseconds, before it goes by its own end;
   * delivery may be briefly unavailable (default: 1,000).
   */
  watchTimeoutMs?: number;
}

/** The interval at which held requests are answered while draining. */
const drainStepMs = 50;
/** The assumed clock skew between the home's machines. */
const skewMs = 100;
/** An older wake's message may have been deleted since. */
const freshMs = 1_000;

/** The holds of one gateway process. A held request costs a map entry, a timer and the parked answer. */
export function createHolds(deps: Deps): Holds {
  const { signalsTravel = () => true, watchTimeoutMs = 1_000 } = deps;
  const topics = createTopics(deps);
  const remembered = createRemembered(topics, deps.clock);
  const caughtUp = createCaughtUp();
  const open = createOpenWaits<Parked>();
  let draining = false;
  let held = 0;

  interface ParkEnd {
    outcome: HoldOutcome;
    at: number;
    /** Carried by the wake, at that revision. */
    carried: Carried | undefined;
    revision: Revision;
  }

  interface Parked extends OpenWait {
    concerns: readonly string[];
    end(outcome: HoldOutcome, carried?: Carried): void;
  }

  const announcements = deps.elsewhere?.onAnnounced(open.beganElsewhere);

  /** Resolves with the reason why the parked request continues, and since when it could. */
  function park<A>(hold: Hold<A>, waitTopics: readonly string[], milliseconds: number): Promise<ParkEnd> {
    return new Promise((resolve) => {
      const parked: Parked = {
        operation: hold.operation,
        concerns: hold.concerns,
        openWaits: hold.openWaits,
        supersede: () => parked.end('superseded'),
        end(outcome, carried) {
          if (!open.delete(hold.owner, parked)) return;
          held -= 1;
          clearTimeout(timer);
          stopListening();
          stopWatching();
          resolve({ outcome, at: performance.now(), carried, revision: topics.now() });
        },
      };
      const timer = setTimeout(() => parked.end('timeout'), milliseconds);
      const stopListening = topics.onWake(waitTopics, (carried) => parked.end('woken', carried));
      const stopWatching = hold.client.onGone(() => parked.end('closed'));
      held += 1;
      open.add(hold.owner, parked);
    });
  }

  async function answer<A>(hold: Hold<A>): Promise<Reply<A>> {
    const until = performance.now() + hold.waitMs;
    const since = deps.clock.now();
    let revision = topics.now();
    let reply: Reply<A> | undefined;
    const known = caughtUp.of(hold.series);
    // Known to be caught up: hold without asking, and ask once that may have changed.
    if (known !== undefined && signalsTravel() && topics.unchangedSince(known.revision, known.topics))
      revision = known.revision;
    else reply = await hold.ask();
    let started = false;
    let outcome: HoldOutcome = 'woken';
    let wokenAt: number | undefined;
    const began = performance.now();
    try {
      for (;;) {
        const waitTopics = reply?.metadata.waitTopics ?? known!.topics;
        const takesCarried = reply?.metadata.takesCarried ?? known!.takesCarried;
        const left = until - performance.now();
        if (waitTopics.length === 0 || left <= 0 || draining || hold.client.gone()) break;
        if (topics.unchangedSince(revision, waitTopics)) {
          if (!started) begin(hold);
          started = true;
          const end = await park(hold, waitTopics, left);
          outcome = end.outcome;
          if (outcome === 'woken') wokenAt = end.at;
          // A request that may have missed a wake asks once more at the end of its wait.
          else if (outcome !== 'timeout' || (signalsTravel() && topics.unchangedSince(revision, waitTopics)))
            break;
          const taken = takesCarried ? await take(hold, waitTopics, since, end) : undefined;
          if (taken !== undefined) {
            revision = end.revision;
            reply = taken;
            break;
          }
        } else {
          await withTimeout(topics.watched(waitTopics), Math.min(left, watchTimeoutMs));
        }
        revision = topics.now();
        reply = await hold.ask();
      }
      if (reply === undefined) {
        revision = topics.now();
        reply = await hold.ask();
      }
    } finally {
      const seconds = (performance.now() - began) / 1_000;
      if (started) recordHoldEnd({ operation: hold.operation, outcome, seconds });
    }
    caughtUp.keep(hold.series, reply.metadata, revision);
    if (wokenAt !== undefined && reply.metadata.waitTopics.length === 0) {
      recordWake({ operation: hold.operation, seconds: (performance.now() - wokenAt) / 1_000 });
    }
    const superseded = outcome === 'superseded' && reply.metadata.waitTopics.length > 0;
    return superseded ? { ...reply, superseded } : reply;
  }

  /**
   * The answer that the wake carries, if it surely answers this question: it starts at the same place, and is
   * from after the request came in.
   */
  async function take<A>(
    { series, take }: Hold<A>,
    waitTopics: readonly string[],
    since: number,
    { carried }: ParkEnd,
  ): Promise<Reply<A> | undefined> {
    if (carried === undefined || series === undefined || take === undefined) return undefined;
    if (carried.since !== '' && carried.since !== series.since) return undefined;
    const at = Number(carried.at);
    if (at < since + skewMs || at < deps.clock.now() - freshMs) return undefined;
    const answer = await take(carried.answer);
    const { caughtUpAfter } = carried;
    const metadata = { caughtUpAfter, caughtUpTopics: [...waitTopics], takesCarried: true };
    return { answer, metadata: create(ResponseMetadataSchema, metadata) };
  }

  function begin<A>(hold: Hold<A>): void {
    recordHoldStart(hold);
    if (Number.isFinite(hold.openWaits)) deps.elsewhere?.announce(hold);
  }

  return {
    answer,
    remember: remembered.remember,
    async drain(overMs) {
      const steps = Math.ceil(overMs / drainStepMs);
      for (let step = 0; step < steps; step += 1) {
        const waiting = open.all();
        for (const each of waiting.slice(0, Math.ceil(waiting.length / (steps - step)))) each.end('drained');
        await pause(drainStepMs);
      }
      draining = true;
      for (const each of open.all()) each.end('drained');
    },
    askAgain(id) {
      for (const each of open.all()) if (id === '' || each.concerns.includes(id)) each.end('woken');
    },
    close() {
      void announcements?.stop();
      open.close();
      topics.close();
    },
    held: () => held,
    heldBy: (caller) => open.count(ownerOf(caller)),
  };
}

/** Waits with the same key are counted together. All waits of an app share a key, whoever it acts for. */
export function ownerOf({ app, kind, id, network }: Caller): string {
  return app === '' ? `${kind} ${id || network}` : `app ${app}`;
}

function withTimeout(work: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

import type { Clock } from '@hearth/clock';
import type { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { Client, ResponseMetadata } from '@hearth/rpc';
import { type HoldOutcome, type Logger, recordHoldEnd, recordHoldStart, recordWake } from '@hearth/telemetry';
import type { Elsewhere } from './elsewhere.ts';
import { createRemembered } from './remembered.ts';
import { createRests, type Series } from './rests.ts';
import { createTopics } from './topics.ts';

/** An operation's answer with what its handler said beside it. */
export interface Asked<A> {
  answer: A;
  marks: ResponseMetadata;
}

/** Who waits at the other end. */
export interface HeldClient {
  gone(): boolean;
  /** Calls `hear` when the client goes away; call the answer to stop. */
  onGone(hear: () => void): () => void;
}

export interface Hold<A> {
  /** operationId, for metrics. */
  operation: string;
  /** Whose wait it is: the caller's credential. Open waits are counted by it. */
  owner: string;
  /**
   * How many waits the owner may have open; one more closes the oldest with what it has. A gateway counts its own
   * and the one that it is told of, so a bound of one holds for the home, and a higher one for each gateway.
   */
  openWaits: number;
  /** Uuids: when the credentials of one of them change, it is asked again. */
  concerns: readonly string[];
  waitMs: number;
  client: HeldClient;
  /** The series of polls that it belongs to, when it goes on from answer to answer. */
  series?: Series | undefined;
  ask(): Promise<Asked<A>>;
}

export interface Holds {
  /**
   * Asks, and while the answer is "nothing yet, wake me on T" parks until T is woken, the time is up, the
   * client went away or the process drains. Answers what was asked last.
   */
  answer<A>(hold: Hold<A>): Promise<Asked<A>>;
  /** Answers from memory while an earlier answer holds, as its marks said. */
  remember<A>(key: string, ask: () => Promise<Asked<A>>): Promise<Asked<A>>;
  /** Asks again for every hold that concerns this uuid, or for all when it is empty. */
  askAgain(id: string): void;
  /** Answers everybody who is held, and holds nobody from now on. */
  drain(): void;
  close(): void;
  /** How many requests are held. */
  held(): number;
}

export interface HoldsOptions {
  delivery: Pick<Client<typeof DeliveryService>, 'hold'>;
  clock: Clock;
  log: Logger;
  /** The home's other gateways, when there are any. */
  elsewhere?: Elsewhere;
  /** Whether signals travel at this moment; while they do not, delivery hears of no wake at once (default: they do). */
  signalsTravel?(): boolean;
}

/** Delivery may be away for a moment; a poll waits so long for its topics and then relies on its own end. */
const watchTimeoutMs = 1_000;

/** The holds of one gateway process: nothing per held request but an entry in a map, a timer and the parked answer. */
export function createHolds(options: HoldsOptions): Holds {
  const { signalsTravel = () => true } = options;
  const topics = createTopics(options);
  const remembered = createRemembered(topics, options.clock);
  const rests = createRests();
  const parkedOf = new Map<string, Set<Parked>>();
  let draining = false;
  let held = 0;

  interface ParkEnd {
    outcome: HoldOutcome;
    at: number;
  }

  interface Parked {
    concerns: readonly string[];
    openWaits: number;
    end(outcome: HoldOutcome): void;
  }

  const told = options.elsewhere?.onTold((owner) => {
    const [oldest] = parkedOf.get(owner) ?? [];
    if (oldest !== undefined && parkedOf.get(owner)!.size + 1 > oldest.openWaits) oldest.end('closed');
  });

  /** Resolves with the reason for which the parked request goes on, and since when it could. */
  function park<A>(hold: Hold<A>, waitTopics: readonly string[], milliseconds: number): Promise<ParkEnd> {
    return new Promise((resolve) => {
      const siblings = parkedOf.get(hold.owner) ?? new Set();
      parkedOf.set(hold.owner, siblings);
      const parked: Parked = {
        concerns: hold.concerns,
        openWaits: hold.openWaits,
        end(outcome) {
          if (!siblings.delete(parked)) return;
          if (siblings.size === 0) parkedOf.delete(hold.owner);
          held -= 1;
          clearTimeout(timer);
          stopHearing();
          stopWatching();
          resolve({ outcome, at: performance.now() });
        },
      };
      const timer = setTimeout(() => parked.end('timeout'), milliseconds);
      const stopHearing = topics.onWake(waitTopics, () => parked.end('woken'));
      const stopWatching = hold.client.onGone(() => parked.end('closed'));
      siblings.add(parked);
      held += 1;
      if (siblings.size > hold.openWaits) siblings.values().next().value?.end('closed');
    });
  }

  async function answer<A>(hold: Hold<A>): Promise<Asked<A>> {
    const until = performance.now() + hold.waitMs;
    let moment = topics.now();
    let asked: Asked<A> | undefined;
    const rest = rests.of(hold.series);
    // Known to be nothing still: it is held without being asked, and asked when that may have changed.
    if (rest !== undefined && signalsTravel() && topics.quietSince(rest.moment, rest.topics))
      moment = rest.moment;
    else asked = await hold.ask();
    let started = false;
    let outcome: HoldOutcome = 'woken';
    let wokenAt: number | undefined;
    const began = performance.now();
    try {
      for (;;) {
        const waitTopics = asked?.marks.waitTopics ?? rest!.topics;
        const left = until - performance.now();
        if (waitTopics.length === 0 || left <= 0 || draining || hold.client.gone()) break;
        if (topics.quietSince(moment, waitTopics)) {
          if (!started) begin(hold);
          started = true;
          const end = await park(hold, waitTopics, left);
          outcome = end.outcome;
          if (outcome === 'woken') wokenAt = end.at;
          // Who may have missed a wake is asked for once more at the end of the wait.
          else if (outcome !== 'timeout' || (signalsTravel() && topics.quietSince(moment, waitTopics))) break;
        } else {
          await withTimeout(topics.watched(waitTopics), Math.min(left, watchTimeoutMs));
        }
        moment = topics.now();
        asked = await hold.ask();
      }
      if (asked === undefined) {
        moment = topics.now();
        asked = await hold.ask();
      }
    } finally {
      const seconds = (performance.now() - began) / 1_000;
      if (started) recordHoldEnd({ operation: hold.operation, outcome, seconds });
    }
    rests.keep(hold.series, asked.marks, moment);
    if (wokenAt !== undefined && asked.marks.waitTopics.length === 0) {
      recordWake({ operation: hold.operation, seconds: (performance.now() - wokenAt) / 1_000 });
    }
    return asked;
  }

  function begin<A>(hold: Hold<A>): void {
    recordHoldStart(hold);
    if (Number.isFinite(hold.openWaits)) options.elsewhere?.tell(hold.owner);
  }

  const parked = (): Parked[] => [...parkedOf.values()].flatMap((each) => [...each]);

  return {
    answer,
    remember: remembered.remember,
    drain() {
      draining = true;
      for (const each of parked()) each.end('drained');
    },
    askAgain(id) {
      for (const siblings of parkedOf.values()) {
        for (const each of siblings) if (id === '' || each.concerns.includes(id)) each.end('woken');
      }
    },
    close() {
      void told?.stop();
      topics.close();
    },
    held: () => held,
  };
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

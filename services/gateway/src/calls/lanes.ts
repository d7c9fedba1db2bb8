import { createLru } from '@hearth/cache/lru';
import { second } from '@hearth/clock';
import { unavailable } from '@hearth/errors';
import { weightOf } from '@hearth/paging';
import type { Reply } from '../hold/module.ts';
import type { Answer } from './ask.ts';

/** Bounds concurrent reads of lists: building a page blocks the event loop. */
export interface Lanes {
  /**
   * Asks for a page when its turn comes. Long pages of all readers run one at a time, and so do a reader's
   * pages until their length is known. Throws unavailable if too many of this reader's reads wait, or after
   * ten seconds.
   *
   * @param name the reader and the list; the last page predicts the length of the next
   * @param check throws if the page is no longer wanted
   */
  run(name: string, check: () => void, ask: () => Promise<Reply<Answer>>): Promise<Reply<Answer>>;
}

const longBytes = 262_144;
const mostLong = 1;
/** Concurrent reads of one reader while its pages are short. */
const mostShort = 8;
const mostWaiting = 200;
const longestWaitMs = 10 * second;
const mostReaders = 10_000;

export function createLanes(): Lanes {
  const lanes = createLru<Lane>(mostReaders);
  const longReads = createGate(() => mostLong);

  function laneOf(name: string): Lane {
    let lane = lanes.get(name);
    if (lane === undefined) {
      const made: Lane = { long: undefined, gate: createGate(() => (made.long === false ? mostShort : 1)) };
      lanes.set(name, made);
      lane = made;
    }
    return lane;
  }

  async function askWithin(lane: Lane, check: () => void, ask: () => Promise<Reply<Answer>>) {
    check();
    let reply: Reply<Answer> | undefined;
    try {
      reply = await ask();
      return reply;
    } finally {
      // A failure counts as short: while a service is down, reads must not wait for each other.
      lane.long = reply !== undefined && weightOf(reply.answer.message) >= longBytes;
    }
  }

  return {
    async run(name, check, ask) {
      const lane = laneOf(name);
      if (lane.gate.waiting() >= mostWaiting) throw busy();
      return await lane.gate.pass(() =>
        lane.long ? longReads.pass(() => askWithin(lane, check, ask)) : askWithin(lane, check, ask),
      );
    },
  };
}

interface Lane {
  /** Whether the last page was long; undefined before the first. */
  long: boolean | undefined;
  gate: Gate;
}

interface Gate {
  waiting(): number;
  /** Runs the work once there is capacity, in order of arrival. */
  pass<T>(work: () => Promise<T>): Promise<T>;
}

function createGate(capacity: () => number): Gate {
  const queue = new Set<() => void>();
  let inHand = 0;

  function letIn(): void {
    for (const go of queue) {
      if (inHand >= capacity()) return;
      queue.delete(go);
      inHand += 1;
      go();
    }
  }

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(go);
        reject(busy());
      }, longestWaitMs).unref();
      queue.add(go);
    });
  }

  return {
    waiting: () => queue.size,
    async pass(work) {
      if (queue.size === 0 && inHand < capacity()) inHand += 1;
      else await turn();
      try {
        return await work();
      } finally {
        inHand -= 1;
        letIn();
      }
    },
  };
}

const busy = () => unavailable('too many long pages are being read; ask again later');

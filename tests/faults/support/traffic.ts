import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAi } from '@hearth/testkit/home';
import { attempt, type Body, isClearRefusal, type Outcome } from './attempt.ts';
import type { SeenMessage, SentMessage } from './verdict.ts';

export interface TrafficOptions {
  /** The gateways; requests take turns over them. */
  urls: readonly string[];
  ais: readonly Pick<TestAi, 'address' | 'key'>[];
  /** Names the run in its request_ids. */
  run: string;
  /** Milliseconds between two sends of one conversation. */
  everyMs: number;
  /** Whether conversations begin one after the other over that time, so that sends come evenly; else all begin at once. */
  evenly?: boolean;
  /** Seconds for which a poll waits. */
  waitSeconds: number;
}

/** The failures that clients met, and those that they should never meet. */
export interface Troubles {
  /** How often, by what: a status or the system's word for a broken connection. All of these are clear. */
  refusals: Record<string, number>;
  /** Answers that a client cannot act on: neither success, nor a 503 or 429 with a sentence and Retry-After. */
  unclear: string[];
  /** Requests that got no answer in time. */
  hung: string[];
}

/** A send that was taken: when the try that succeeded began, and when its message was seen by its receiver. */
export interface Taken {
  startedAt: number;
  takenAt: number;
  deliveredAt?: number;
}

export interface Traffic {
  readonly sent: SentMessage[];
  readonly seen: SeenMessage[];
  readonly troubles: Troubles;
  /** For each conversation, the sends that were taken, oldest first. */
  readonly taken: ReadonlyMap<string, Taken[]>;
  /** The longest that each kind of request took to be answered, in milliseconds; polls beyond their own wait. */
  readonly slowest: { send: number; poll: number };
  /** Begins nothing new and resolves when every send in hand was taken; false when one was not within `withinMs`. */
  quiet(withinMs: number): Promise<boolean>;
  /** Waits until everything that was acknowledged was seen, at most `withinMs`; then ends the receivers. */
  drain(withinMs: number): Promise<void>;
  /** Ends everything at once, for a test that has failed. */
  end(): void;
}

/** An ordinary client gives up after so long; a home that is well or honestly unwell answers much sooner. */
const patienceMs = 12_000;
const pauseMs = 150;

/**
 * Each AI holds two conversations, one with each of the next two AIs, and receives from two. A send is repeated
 * with its request_id until it is taken; the next of its conversation begins only then.
 */
export function startTraffic(options: TrafficOptions): Traffic {
  const { urls, ais, run, everyMs, waitSeconds } = options;
  const sent: SentMessage[] = [];
  const seen: SeenMessage[] = [];
  const seenTexts = new Set<string>();
  const troubles: Troubles = { refusals: {}, unclear: [], hung: [] };
  const taken = new Map<string, Taken[]>();
  const takenByKey = new Map<string, Taken>();
  const slowest = { send: 0, poll: 0 };
  const ending = new AbortController();
  let quieting = false;
  let turn = 0;

  function nextUrl(): string {
    turn += 1;
    return urls[turn % urls.length]!;
  }

  /** The body of a success; otherwise notes what happened and answers undefined. */
  function successOf(what: string, outcome: Outcome): Body | undefined {
    if (outcome.kind === 'hung') troubles.hung.push(`${what} after ${outcome.ms} ms`);
    else if (outcome.kind === 'no_connection') count(outcome.reason);
    else if (outcome.status < 300) return outcome.body;
    else if (isClearRefusal(outcome)) count(`${what}: ${outcome.status} ${outcome.body['error']}`);
    else troubles.unclear.push(`${what}: ${outcome.status} ${JSON.stringify(outcome.body)}`);
    return undefined;
  }

  function count(what: string): void {
    if (!ending.signal.aborted) troubles.refusals[what] = (troubles.refusals[what] ?? 0) + 1;
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {});

  async function converse(from: number, to: number): Promise<void> {
    const sender = ais[from]!;
    const recipient = ais[to]!;
    const conversation = `${run} ${from}-${to}`;
    const mine: Taken[] = [];
    taken.set(conversation, mine);
    let thread: string | undefined;
    if (options.evenly) await pause((taken.size / (2 * ais.length)) * everyMs);
    for (let n = 1; !quieting; n += 1) {
      const key = `${conversation} ${n}`;
      const message: SentMessage = { key, conversation, n, recipient: recipient.address };
      sent.push(message);
      const body = {
        text: key,
        request_id: key.replaceAll(' ', '-'),
        ...(thread === undefined ? { to: recipient.address } : { thread }),
      };
      for (;;) {
        if (ending.signal.aborted) return;
        const startedAt = performance.now();
        const request = { url: nextUrl(), method: 'POST', path: '/v0/messages', key: sender.key, body };
        const outcome = await attempt({ ...request, withinMs: patienceMs });
        slowest.send = Math.max(slowest.send, outcome.ms);
        const answer = successOf('send', outcome);
        if (answer !== undefined) {
          message.acknowledged = { id: answer['id'], thread: answer['thread'] };
          thread = answer['thread'];
          const entry: Taken = { startedAt, takenAt: performance.now() };
          // Its receiver may have been quicker than its sender.
          if (seenTexts.has(key)) entry.deliveredAt = entry.takenAt;
          mine.push(entry);
          takenByKey.set(key, entry);
          break;
        }
        await sleep(pauseMs);
      }
      await pause(everyMs);
    }
  }

  async function receive({ address, key }: Pick<TestAi, 'address' | 'key'>): Promise<void> {
    let since: string | undefined;
    while (!ending.signal.aborted) {
      const path = `/v0/messages?unread=true&limit=100&wait=${waitSeconds}${since ? `&since=${since}` : ''}`;
      const request = { url: nextUrl(), path, key, signal: ending.signal };
      const outcome = await attempt({ ...request, withinMs: waitSeconds * 1_000 + patienceMs });
      slowest.poll = Math.max(slowest.poll, outcome.ms - waitSeconds * 1_000);
      const answer = successOf('poll', outcome);
      if (answer === undefined) {
        if (!ending.signal.aborted) await sleep(pauseMs);
        continue;
      }
      for (const { id, thread, text } of answer['messages']) {
        seen.push({ recipient: address, id, thread, text });
        seenTexts.add(text);
        const entry = takenByKey.get(text);
        if (entry !== undefined) entry.deliveredAt ??= performance.now();
        since = id;
      }
    }
  }

  const receiving = ais.map(receive);
  const conversing = ais.flatMap((_, index) =>
    [1, 2].map((step) => converse(index, (index + step) % ais.length)),
  );

  return {
    sent,
    seen,
    troubles,
    taken,
    slowest,
    async quiet(withinMs) {
      quieting = true;
      return Promise.race([Promise.all(conversing).then(() => true), sleep(withinMs, false, { ref: false })]);
    },
    async drain(withinMs) {
      const until = performance.now() + withinMs;
      const missing = () => {
        const ids = new Set(seen.map(({ id }) => id));
        return sent.some(({ acknowledged }) => acknowledged !== undefined && !ids.has(acknowledged.id));
      };
      while (missing() && performance.now() < until) await sleep(50);
      ending.abort();
      await Promise.all([...receiving, ...conversing]);
    },
    end() {
      quieting = true;
      ending.abort();
    },
  };
}

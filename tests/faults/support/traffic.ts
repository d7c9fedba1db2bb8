import { setTimeout as sleep } from 'node:timers/promises';
import type { TestAi } from '@hearth/testkit/home';
import { attempt, type Body, isClearRefusal, type Outcome } from './attempt.ts';
import type { SeenMessage, SentMessage } from './verdict.ts';

export interface TrafficOptions {
  /** The gateways; requests alternate between them. */
  urls: readonly string[];
  ais: readonly Pick<TestAi, 'address' | 'key'>[];
  /** Identifies the run in its request_ids. */
  run: string;
  /** Milliseconds between two sends of one conversation. */
  everyMs: number;
  /**
   * Whether conversations start one after the other over that time, so that sends are spread evenly; otherwise all
   * start at once.
   */
  evenly?: boolean;
  /** Seconds for which a poll waits. */
  waitSeconds: number;
}

/** Failures that clients met, and failures that they should never meet. */
export interface Troubles {
  /** Count by cause: a status, or the system's code of a broken connection. All of these are clear. */
  refusals: Record<string, number>;
  /** Answers that clients cannot act on: neither success, nor 503 or 429 with an explanation and Retry-After. */
  unclear: string[];
  /** Requests without an answer in time. */
  hung: string[];
}

/** An accepted send: when its successful try began, and when its receiver saw the message. */
export interface Taken {
  startedAt: number;
  takenAt: number;
  deliveredAt?: number;
}

export interface Traffic {
  readonly sent: SentMessage[];
  readonly seen: SeenMessage[];
  readonly troubles: Troubles;
  /** Accepted sends by conversation, oldest first. */
  readonly taken: ReadonlyMap<string, Taken[]>;
  /** The longest answer time of each kind of request, in milliseconds; polls beyond their own wait. */
  readonly slowest: { send: number; poll: number };
  /**
   * Starts nothing new and resolves once every pending send was accepted; false if that took longer than `withinMs`.
   */
  quiet(withinMs: number): Promise<boolean>;
  /** Waits until everything acknowledged was seen, for at most `withinMs`; then ends the receivers. */
  drain(withinMs: number): Promise<void>;
  /** Ends everything at once, for a test that has failed. */
  end(): void;
}

/** An ordinary client gives up after this time; a home answers much sooner, even if only with a clear refusal. */
const patienceMs = 12_000;
const pauseMs = 150;

/**
 * Each AI holds a conversation with each of the next two AIs, and receives from two. A send is retried with its
 * request_id until accepted; only then does the next one of its conversation begin.
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

  /** The body of a success; otherwise records the failure and returns undefined. */
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
          // Its receiver may have been faster than its sender.
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

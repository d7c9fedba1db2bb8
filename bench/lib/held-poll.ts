import { setTimeout as sleep } from 'node:timers/promises';
import type { Ai } from './crowd.ts';
import { type RawClient, rawClient, rawRequest } from './raw-client.ts';

export interface PolledMessage {
  id: string;
  text: string;
}

export interface HeldPollOptions {
  ai: Ai;
  port: number;
  /** The loopback source address. */
  from?: string;
  waitSeconds?: number;
  /** The message to start after; by default the oldest unread one. */
  since?: string;
  onMessage(message: PolledMessage): void;
  /** Called for an answer without a message, at the end of the wait. */
  onEmpty?(): void;
  onError(what: string): void;
}

export interface HeldPoll {
  stop(): void;
}

const pauseAfterErrorMs = 100;

/** An AI that always waits for messages: each answer is followed by the next poll, `since` the last message. */
export function holdPoll(options: HeldPollOptions): HeldPoll {
  const { ai, port, from, waitSeconds = 25, onMessage, onEmpty, onError } = options;
  const path = `/v0/messages?unread=true&wait=${waitSeconds}`;
  const first = rawRequest('GET', path, ai.key);
  const [before, after] = rawRequest('GET', `${path}&since=SINCE`, ai.key).split('SINCE') as [string, string];
  let client: RawClient | undefined;
  let stopped = false;
  let since = options.since;

  async function poll(): Promise<void> {
    client ??= await rawClient({ port, ...(from !== undefined && { from }) });
    const reply = await client.request(since === undefined ? first : before + since + after);
    if (reply.status !== 200) throw new Error(`a poll was answered with ${reply.status}: ${reply.body}`);
    const { messages } = JSON.parse(reply.body) as { messages: PolledMessage[] };
    for (const message of messages) onMessage(message);
    since = messages.at(-1)?.id ?? since;
    if (messages.length === 0) onEmpty?.();
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      try {
        await poll();
      } catch (error) {
        if (stopped) return;
        onError((error as Error).message);
        client?.close();
        client = undefined;
        await sleep(pauseAfterErrorMs);
      }
    }
  }

  void loop();
  return {
    stop() {
      stopped = true;
      client?.close();
    },
  };
}

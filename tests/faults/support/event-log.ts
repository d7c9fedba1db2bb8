import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { patienceMs } from '@hearth/testkit/patience';
import pg from 'pg';

/** The current address of the Postgres that a one-process home runs in its data folder. */
export function embeddedUrl(dataFolder: string): string {
  const folder = join(dataFolder, 'postgres');
  const password = readFileSync(join(folder, 'password'), 'utf8').trim();
  return `postgres://hearth:${password}@127.0.0.1:${embeddedPostmaster(dataFolder).port}/postgres`;
}

/** The process and port of that Postgres. */
export function embeddedPostmaster(dataFolder: string): { pid: number; port: number } {
  const lines = readFileSync(join(dataFolder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** Runs `work` on its own connection. */
export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const outboxes = ['approvals', 'delivery', 'groups', 'identity', 'messages'].map(
  (schema) => `select created_at from ${schema}.outbox where published_in is null`,
);

export interface Left {
  /** How many committed events were unpublished at the start. */
  events: number;
  /** How long publishing all of them took, in milliseconds. */
  publishedAfterMs: number;
}

/** Waits until the outboxes' current events are published. */
export async function publishLeft(url: string): Promise<Left> {
  const began = performance.now();
  return await onDatabase(url, async (client) => {
    const count = async (until: Date) => {
      const text = `select count(*)::int as events from (${outboxes.join(' union all ')}) o where created_at <= $1`;
      return (await client.query<{ events: number }>(text, [until])).rows[0]!.events;
    };
    const { at } = (await client.query<{ at: Date }>('select now() as at')).rows[0]!;
    const events = await count(at);
    for (let left = events; left > 0; left = await count(at)) {
      if (performance.now() - began > patienceMs)
        throw new Error(`${left} of ${events} events are not published`);
      await sleep(20);
    }
    return { events, publishedAfterMs: Math.round(performance.now() - began) };
  });
}

/** A killed process's successor publishes its events within this time; its claims would last ten seconds. */
export const publishedWithinMs = 5_000;

/** The message ids in delivery's log, one for each message-sent event. */
async function loggedMessages(url: string): Promise<string[]> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ event: Buffer }>(`select event from delivery.events where type = 'message_sent'`),
  );
  return rows.map(({ event }) => {
    const { data } = fromBinary(EventSchema, event);
    return data.case === 'messageSent' ? data.value.messageId : 'another event';
  });
}

export interface LogFound {
  expected: number;
  /** Announced with their message, but never logged. */
  missing: string[];
  /** Logged as two events, or about a message that was never sent. */
  tooMany: string[];
  /** How long completing the log took, in milliseconds. */
  afterMs: number;
}

/** Waits until the log contains exactly these messages, once each; after `withinMs`, returns the differences. */
export async function readLog(
  url: string,
  messageIds: readonly string[],
  withinMs = 45_000,
): Promise<LogFound> {
  const began = performance.now();
  for (;;) {
    const afterMs = Math.round(performance.now() - began);
    const found = { expected: messageIds.length, ...compare(messageIds, await loggedMessages(url)), afterMs };
    if (found.missing.length + found.tooMany.length === 0 || afterMs > withinMs) return found;
    await sleep(200);
  }
}

function compare(expected: readonly string[], logged: readonly string[]) {
  const counts = new Map<string, number>();
  for (const id of logged) counts.set(id, (counts.get(id) ?? 0) + 1);
  const known = new Set(expected);
  return {
    missing: expected.filter((id) => !counts.has(id)),
    tooMany: [...counts].filter(([id, count]) => count > 1 || !known.has(id)).map(([id]) => id),
  };
}

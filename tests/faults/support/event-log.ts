import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@hearth/proto/events/v1/events';
import pg from 'pg';
import { eventually } from '../../support/eventually.ts';

/** Where the Postgres that a one-process home keeps in its data folder answers at this moment. */
export function embeddedUrl(dataFolder: string): string {
  const folder = join(dataFolder, 'postgres');
  const password = readFileSync(join(folder, 'password'), 'utf8').trim();
  return `postgres://hearth:${password}@127.0.0.1:${embeddedPostmaster(dataFolder).port}/postgres`;
}

/** The process and the port of that Postgres. */
export function embeddedPostmaster(dataFolder: string): { pid: number; port: number } {
  const lines = readFileSync(join(dataFolder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

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

/** The ids of the messages whose sending delivery's log tells of, one entry for each event. */
export async function loggedMessages(url: string): Promise<string[]> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ event: Buffer }>(`select event from delivery.events where type = 'message_sent'`),
  );
  return rows.map(({ event }) => {
    const { data } = fromBinary(EventSchema, event);
    return data.case === 'messageSent' ? data.value.messageId : 'another event';
  });
}

/** Waits until the log has exactly these messages, each once, and answers how many milliseconds that took. */
export async function logComplete(url: string, messageIds: readonly string[], withinMs = 30_000): Promise<number> {
  const began = performance.now();
  const expected = [...messageIds].sort();
  await eventually(
    async () => differences(expected, await loggedMessages(url)),
    (found) => found.missing.length === 0 && found.toomany.length === 0,
    { withinMs, everyMs: 200 },
  );
  return Math.round(performance.now() - began);
}

function differences(expected: readonly string[], logged: readonly string[]) {
  const counts = new Map<string, number>();
  for (const id of logged) counts.set(id, (counts.get(id) ?? 0) + 1);
  const known = new Set(expected);
  return {
    missing: expected.filter((id) => !counts.has(id)),
    toomany: [...counts].filter(([id, count]) => count > 1 || !known.has(id)).map(([id]) => id),
  };
}

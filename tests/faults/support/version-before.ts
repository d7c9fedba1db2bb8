import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { systemClock } from '@hearth/clock';
import { migrate, silentLog } from '@hearth/db';
import type { Credential } from '../../support/acting.ts';
import { onDatabase } from './event-log.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(import.meta.dirname, '..', 'fixtures', 'version-before');

/** The answers that the previous version gave a caller. */
export interface Shown {
  requests: { id: string }[];
  waiting: Record<'messages' | 'requests' | 'approvals', { count: number; oldest?: string }>;
}

export interface VersionBefore {
  at: string;
  /** The settings that its database needs. */
  env: Record<string, string>;
  /** The origin under which it knew the receivers. */
  origin: string;
  /** Number of the last migration, by schema. */
  migrations: Record<string, number>;
  credentials: Record<string, Credential>;
  /** Ids of the people and AIs, and of their things. */
  ids: Record<string, string>;
  things: Record<string, string>;
  shown: Record<string, Shown>;
}

/** The fixture, shifted as if it had been made now. */
export function readVersionBefore(): VersionBefore & { shiftMs: number } {
  const text = readFileSync(join(folder, 'expected.json'), 'utf8');
  const { at } = JSON.parse(text) as VersionBefore;
  const shiftMs = systemClock.now() - Date.parse(at);
  const moved = text.replaceAll(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_, moment: string) =>
    JSON.stringify(new Date(Date.parse(moment) + shiftMs).toISOString()),
  );
  return { ...(JSON.parse(moved) as VersionBefore), shiftMs };
}

/** Loads it into an empty database, replacing the receivers' `origin` by `receivers`. */
export async function loadVersionBefore(
  url: string,
  { migrations, origin, shiftMs }: Pick<VersionBefore, 'migrations' | 'origin'> & { shiftMs: number },
  receivers: string,
): Promise<void> {
  for (const [schema, last] of Object.entries(migrations)) await migrateTo(url, schema, last);
  const rows = gunzipSync(readFileSync(join(folder, 'rows.sql.gz'))).toString();
  await onDatabase(url, async (client) => {
    await client.query(`
      set session_replication_role = replica;
      create function pg_temp.t(moment text) returns timestamptz language sql as
        $$ select moment::timestamptz + interval '${shiftMs} milliseconds' $$;
      ${rows.replaceAll(origin, receivers)}`);
  });
}

async function migrateTo(url: string, schema: string, last: number): Promise<void> {
  const all = join(root, 'services', schema, 'migrations');
  const old = mkdtempSync(join(tmpdir(), 'hearth-migrations-'));
  try {
    for (const file of readdirSync(all))
      if (Number.parseInt(file, 10) <= last) copyFileSync(join(all, file), join(old, file));
    await migrate({ url, schema, folder: old, clock: systemClock, log: silentLog });
  } finally {
    rmSync(old, { recursive: true });
  }
}

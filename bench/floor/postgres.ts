import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** The minimal statements of a message: a row with its announcement, and a lookup by key. */
export interface BarePostgres {
  insert(rows: number): Promise<void>;
  select(keys: number): Promise<void>;
  close(): Promise<void>;
}

const body = Buffer.alloc(300, 'x');

export async function barePostgres(url: string, connections: number): Promise<BarePostgres> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  await pool.query(`
    create table if not exists floor_messages (id uuid primary key, recipient uuid not null, body bytea not null);
    create table if not exists floor_outbox (id uuid primary key, event bytea not null)`);
  const recent: string[] = [];
  return {
    async insert(rows) {
      const ids = Array.from({ length: rows }, () => randomUUID());
      await pool.query({
        name: 'floor_insert',
        text: `
          with input as (select * from unnest($1::uuid[], $2::bytea[]) as input(id, body)),
          announced as (insert into floor_outbox (id, event) select id, body from input)
          insert into floor_messages (id, recipient, body) select id, id, body from input`,
        values: [ids, ids.map(() => body)],
      });
      if (recent.length < 10_000) recent.push(...ids);
    },
    async select(keys) {
      const ids = Array.from({ length: keys }, () => recent[Math.floor(Math.random() * recent.length)]);
      await pool.query({
        name: 'floor_select',
        text: 'select id, recipient, body from floor_messages where id = any($1::uuid[])',
        values: [ids],
      });
    },
    close: () => pool.end(),
  };
}

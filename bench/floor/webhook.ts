import { spawn } from 'node:child_process';
import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { Pool } from 'undici';

/** A minimal delivery: a row, a POST signed twice on a kept-alive connection, and the row's outcome. */
export interface BareDelivery {
  send(): Promise<void>;
  close(): Promise<void>;
}

const data = JSON.stringify({ type: 'message.direct', data: { text: 'x'.repeat(250) } });

export async function bareDelivery(url: string, connections: number): Promise<BareDelivery> {
  const receiver = spawn(process.execPath, [
    '--no-warnings',
    join(import.meta.dirname, 'webhook-receiver.ts'),
  ]);
  const [port] = await once(receiver.stdout, 'data');
  const hooks = new Pool(`http://127.0.0.1:${String(port).trim()}`, { connections });
  const statements = new pg.Pool({ connectionString: url, max: connections });
  await statements.query(
    `create table if not exists floor_sends (id uuid primary key, data jsonb not null, status smallint not null)`,
  );
  const { privateKey } = generateKeyPairSync('ed25519');
  const secret = Buffer.alloc(32, 's');

  async function post(id: string): Promise<void> {
    const seconds = String(Math.floor(Date.now() / 1_000));
    const signed = `${id}.${seconds}.${data}`;
    const symmetric = createHmac('sha256', secret).update(signed).digest('base64');
    const own = sign(null, Buffer.from(signed), privateKey).toString('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${symmetric} v1a,${own}`,
    };
    const { body } = await hooks.request({ method: 'POST', path: '/hook', headers, body: data });
    await body.dump();
  }

  return {
    async send() {
      const id = randomUUID();
      await statements.query({
        name: 'floor_insert_send',
        text: 'insert into floor_sends (id, data, status) values ($1, $2, 1)',
        values: [id, data],
      });
      await post(id);
      await statements.query({
        name: 'floor_settle_send',
        text: 'update floor_sends set status = 2 where id = $1',
        values: [id],
      });
    },
    async close() {
      await hooks.destroy();
      await statements.end();
      receiver.kill();
    },
  };
}

// A minimal messenger with the addresses of the home's API: express, pg, LISTEN/NOTIFY; no rules, no limits,
// no authentication. Stores a message before answering. Prints its port, and ends with its parent.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import pg from 'pg';

const url = process.argv[2]!;
const pool = new pg.Pool({ connectionString: url, max: 10 });
await pool.query(`
  create table toy_ais (key text primary key, address text not null);
  create table toy_messages (id bigserial primary key, recipient text not null, text text not null);
  create index on toy_messages (recipient, id)`);
const addresses = new Map<string, string>();
const held = new Map<string, () => void>();
const ears = new pg.Client({ connectionString: url });
await ears.connect();
await ears.query('listen toy');
ears.on('notification', ({ payload }) => held.get(payload!)?.());

const keyOf = (request: Request) => request.headers.authorization!.slice('Bearer '.length);

async function findAfter(recipient: string, since: string) {
  const { rows } = await pool.query({
    name: 'read',
    text: 'select id, text from toy_messages where recipient = $1 and id > $2 order by id limit 50',
    values: [recipient, since],
  });
  return rows;
}

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json());
app.post('/v0/agents', async (_, response) => {
  const key = randomUUID();
  const address = `@${key.slice(0, 8)}`;
  await pool.query('insert into toy_ais (key, address) values ($1, $2)', [key, address]);
  addresses.set(key, address);
  response.status(201).json({ address, connector_key: key });
});
app.post('/v0/messages', async ({ body }, response) => {
  const { rows } = await pool.query({
    name: 'send',
    text: `with stored as (insert into toy_messages (recipient, text) values ($1, $2) returning id)
      select id, pg_notify('toy', $1) from stored`,
    values: [body.to, body.text],
  });
  response.status(201).json({ id: rows[0].id, to: body.to });
});
app.get('/v0/messages', async (request: Request, response: Response) => {
  const recipient = addresses.get(keyOf(request))!;
  const since = String(request.query['since'] ?? '0');
  const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
  // Before the first lookup, so that no message is missed in between.
  held.set(recipient, wake);
  let messages = await findAfter(recipient, since);
  if (messages.length === 0) {
    const over = setTimeout(wake, Number(request.query['wait']) * 1_000);
    await woken;
    clearTimeout(over);
    messages = await findAfter(recipient, since);
  }
  response.json({ messages });
});
const server = app.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
server.keepAliveTimeout = 60_000;
process.stdin.resume().on('end', () => process.exit());

import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import { type StartedHome, signUpAi, startHomeInProcesses, type TestAi } from '@hearth/testkit/home';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { query } from '../support/home.ts';
import { bringBack } from './support/bring-back.ts';
import { embeddedUrl, onDatabase } from './support/event-log.ts';
import { rounds } from './support/rounds.ts';

// An AI polls its events while the home is killed: each arrives once and in order, and none is lost.
let home: StartedHome;
let robin: TestAi;
let wren: TestAi;
/** Accepted messages and their polled events; a message in flight at a kill may be either. */
const sent: string[] = [];
const polled: string[] = [];
let cursor: string;

beforeAll(async () => {
  const env = { HEARTH_LIMITS: 'relaxed', HEARTH_SEAL_KEY: '' };
  home = await startHomeInProcesses({ topology: 'one', databaseUrl: 'embedded', env });
  [robin, wren] = await Promise.all([signUpAi(home.urls, {}), signUpAi(home.urls, {})]);
  cursor = (await robin.get('/v0/ais/me/events')).body.cursor;
}, 180_000);
afterAll(() => home?.stop(), 30_000);

async function send(): Promise<void> {
  const reply = await wren.post('/v0/messages', { to: robin.address, text: 'hello' }).catch(() => null);
  if (reply?.status === 201) sent.push(reply.body.id);
}

async function poll(): Promise<void> {
  let more = true;
  while (more) {
    const { status, body } = await robin.get(`/v0/ais/me/events${query({ cursor, limit: 7 })}`);
    expect(status).toBe(200);
    expect(body.truncated).toBe(false);
    for (const { data } of body.events) polled.push(data.message_id);
    ({ cursor } = body);
    more = body.hasMore;
  }
}

const kill = () => home.processes[0]!.kill();

async function restart(): Promise<void> {
  await bringBack(home.processes[0]!);
  await home.ready();
}

/** Expects every accepted message to be polled once; messages stored without an answer at a kill are allowed. */
async function expectAllPolled(): Promise<void> {
  const inbox = await readInbox();
  expect(sent.filter((id) => !inbox.has(id))).toEqual([]);
  await eventually(
    async () => {
      await poll();
      return [...inbox].filter((id) => !polled.includes(id));
    },
    (missing) => missing.length === 0,
    { everyMs: 100 },
  );
  expect([...polled].sort()).toEqual([...inbox].sort());
}

async function readInbox(): Promise<Set<string>> {
  const inbox = new Set<string>();
  let page: string | null | undefined;
  do {
    const { body } = await robin.get(`/v0/messages${query({ limit: 100, cursor: page })}`);
    for (const { id } of body.messages) inbox.add(id);
    page = body.next_cursor;
  } while (page !== null);
  return inbox;
}

describe('a killed home', () => {
  test.each([
    ['finds whom an event wakes', 'delivery.streams'],
    ['writes what it found', 'delivery.wake_ups'],
  ])('continues from the moment when it %s', async (_, table) => {
    await onDatabase(embeddedUrl(home.dataFolder), async (holder) => {
      await holder.query(`begin; lock table ${table} in exclusive mode`);
      await send();
      await eventually(
        async () => {
          const { rows } = await holder.query(
            `select 1 from pg_locks where not granted and relation = $1::regclass`,
            [table],
          );
          return rows.length;
        },
        (waiting) => waiting > 0,
      );
      await kill();
    }).catch((error: Error) => {
      // The home's own Postgres may end with it, and so may our connection.
      if (!/terminat|ECONNRESET|closed/i.test(error.message)) throw error;
    });
    await restart();
    await expectAllPolled();
  });

  test(
    'repeatedly, while messages arrive and are polled, loses none and delivers each once',
    async () => {
      for (let round = 0; round < rounds(2); round += 1) {
        let going = true;
        const sending = Array.from({ length: 8 }, async () => {
          while (going) await send();
        });
        const polling = (async () => {
          while (going) await poll().catch(() => sleep(10));
        })();
        const before = sent.length;
        await eventually(
          () => sent.length,
          (count) => count >= before + 12,
          { everyMs: 20 },
        );
        await sleep(Math.random() * 300);
        await kill();
        going = false;
        await Promise.all([...sending, polling]);
        await restart();
        await expectAllPolled();
      }
      expect(polled.length).toBeGreaterThan(20);
    },
    120_000 * rounds(1),
  );

  test('assigns each number of the stream to one event', async () => {
    const rows = await onDatabase(embeddedUrl(home.dataFolder), async (client) =>
      client.query<{ number: string }>(`select number from delivery.wake_ups order by number`),
    );
    const numbers = rows.rows.map(({ number }) => Number(number));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
    expect(numbers).toHaveLength(polled.length);
  });
});

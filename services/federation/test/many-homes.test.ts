import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { hour, minute, second } from '@hearth/clock';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { eventually } from '@hearth/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyOf, listedKey, type OtherHome, startOtherHome } from './other-home.ts';
import { startHomes, type TestHomes } from './start-homes.ts';

/** Nothing listens there. */
const names = ['localhost:1', 'localhost:2', 'localhost:3'];

let homes: TestHomes;
beforeAll(async () => {
  homes = await startHomes(async () => names);
});
afterAll(() => homes.stop());

const database = () => homes.one.service.database.db;

/** Gives an item from that sender to all of them. */
const giveAll = (sender: string, more: { type?: HomeItemType; bodyJson?: string } = {}) =>
  homes.one.give(names[0]!, {
    homes: names.map((home) => ({ home, to: [`bea@${home}`] })),
    senderJson: JSON.stringify({
      id: sender,
      kind: 'ai',
      name: 'Helper',
      name_verified: false,
      status: 'unclaimed',
    }),
    ...more,
  });

/** Returns an item's numbers in all their logs, in order of name. */
async function numbersOf(id: string): Promise<number[]> {
  const rows = await database().query<{ seq: number }>({
    text: 'select seq from federation.sent_items where id = $1 order by home',
    values: [id],
  });
  return rows.map(({ seq }) => seq);
}

async function becomes(id: string, numbers: readonly number[]): Promise<void> {
  await eventually(async () => (await numbersOf(id)).length === names.length);
  expect(await numbersOf(id)).toEqual(numbers);
}

test('an item for many homes gets the next number in each log', async () => {
  await becomes(await giveAll('ai_1'), [1, 1, 1]);
  await becomes(await giveAll('ai_2'), [2, 2, 2]);
  // Another process numbers items in one of the logs.
  const elsewhere = { text: 'update federation.logs set last_seq = 7 where home = $1', values: [names[1]] };
  await homes.one.service.database.statement((tx) => tx.execute(elsewhere));
  await becomes(await giveAll('ai_3'), [3, 8, 3]);
  const body = { id: `r:${homes.one.name}:msg_none`, rev: 2 };
  await becomes(
    await giveAll('ai_3', { type: HomeItemType.ERASED, bodyJson: JSON.stringify(body) }),
    [4, 9, 4],
  );
  const known = await database().query<{ party: string; home: string }>({
    text: 'select party, home from federation.acquaintances order by party, home',
  });
  const expected = ['ai_1', 'ai_2', 'ai_3'].flatMap((party) => names.map((home) => ({ party, home })));
  expect(known).toEqual(expected);
  const logs = await database().query<{ due: boolean; looked: boolean }>({
    text: `
      select l.due_at is not null as due, d.id is not null as looked
      from federation.logs l left join federation.destinations d on d.id = l.destination`,
  });
  expect(logs).toEqual(names.map(() => ({ due: true, looked: true })));
});

async function takePush(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { epoch, items } = JSON.parse(await text(request));
  const results = items.map(({ id, rev }: { id: string; rev: number }) => ({ id, rev, status: 'ok' }));
  response.end(JSON.stringify({ epoch, seq: items.at(-1).seq, results }));
}

describe('many unknown homes', () => {
  const others: OtherHome[] = [];
  let atOnce = 0;
  let most = 0;
  let held: (() => void)[] | null = [];

  function give(other: OtherHome, response: ServerResponse): void {
    atOnce += 1;
    most = Math.max(most, atOnce);
    const say = () => {
      atOnce -= 1;
      response.end(JSON.stringify(other.document()));
    };
    if (held === null) say();
    else held.push(say);
  }

  let sender: TestHomes;
  beforeAll(async () => {
    sender = await startHomes(async (clock) => {
      for (let count = 0; count < 24; count += 1) {
        const other = await startOtherHome(clock);
        const key = keyOf(5);
        other.lists([listedKey(key, clock)], [key]);
        other.answers((request, response) =>
          request.method === 'GET' ? give(other, response) : void takePush(request, response),
        );
        others.push(other);
      }
      return others.map(({ name }) => name);
    });
  });
  afterAll(async () => {
    await sender.stop();
    for (const other of others) await other.stop();
  });

  const countLogs = async (which: string) =>
    (
      await sender.one.service.database.db.one<{ count: number }>({
        text: `select count(*)::int as count from federation.logs where ${which}`,
      })
    ).count;

  test('are asked twenty at once, and the others wait for their turn without a failure', async () => {
    const all = others.map(({ name }) => ({ home: name, to: [`bea@${name}`] }));
    await sender.one.give(others[0]!.name, { homes: all });
    await eventually(() => held?.length === 20);
    const first = held!;
    held = null;
    for (const say of first) say();
    let failed = 0;
    await eventually(async () => {
      failed += await countLogs('attempts > 0');
      sender.clock.advance(minute);
      await sender.one.run('send-due');
      return (await countLogs('settled_seq = 1')) === others.length;
    });
    expect([most, failed]).toEqual([20, 0]);
  });
});

describe('beside more failing homes than a client keeps connections for', () => {
  /** One more than the default limit of `createGuardedHttp`. */
  const count = 257;
  const others: OtherHome[] = [];
  const pushed = new Set<string>();
  let sender: TestHomes;

  beforeAll(async () => {
    sender = await startHomes(async (clock) => {
      const key = keyOf(5);
      for (let made = 0; made <= count; made += 1) {
        const other = await startOtherHome(clock);
        other.lists([listedKey(key, clock)], [key]);
        other.answers((request, response) => {
          if (request.method === 'GET') response.end(JSON.stringify(other.document()));
          else if (made === count) void takePush(request, response);
          else pushed.add(other.name);
        });
        others.push(other);
      }
      return others.map(({ name }) => name);
    });
  });
  afterAll(async () => {
    await sender.stop();
    for (const other of others) await other.stop();
  });

  /** A home that was skipped because of too many requests is due again after some seconds. */
  const goOn = (until: () => Promise<boolean> | boolean) =>
    eventually(async () => {
      sender.clock.advance(10 * second);
      await sender.one.run('send-due');
      return await until();
    });

  test('a push to a working home goes out at once, and is accepted', async () => {
    const dead = others.slice(0, count).map(({ name }) => ({ home: name, to: [`bea@${name}`] }));
    const live = others[count]!.name;
    await sender.one.give(live, { homes: dead });
    await goOn(() => pushed.size === count);
    await sender.one.give(live);
    const log = () =>
      sender.one.service.database.db.maybeOne<{ settled: number; failed: boolean }>({
        text: `
          select settled_seq as settled, failing_since is not null as failed from federation.logs where home = $1`,
        values: [live],
      });
    await goOn(async () => {
      const now = await log();
      expect(now?.failed ?? false).toBe(false);
      return now?.settled === 1;
    });
  });

  test('simultaneous failures are read and stored together', async () => {
    for (const other of others)
      other.answers((request, response) => {
        if (request.method === 'GET') response.end(JSON.stringify(other.document()));
        else response.writeHead(500).end();
      });
    await sender.one.restart();
    const { db } = sender.one.service.database;
    const before = sender.one.statements();
    sender.clock.advance(hour);
    await sender.one.run('send-due');
    await eventually(async () => {
      const { failed } = await db.one<{ failed: number }>({
        text: `select count(*)::int as failed from federation.logs where last_error like '%status 500%'`,
      });
      return failed === count;
    });
    // A statement for each home would be more.
    expect(sender.one.statements() - before).toBeLessThan(count);
  });
});

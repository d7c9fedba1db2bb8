import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { day, hour, minute, second } from '@hearth/clock';
import { printId } from '@hearth/ids';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomePolicy, HomesService } from '@hearth/proto/federation/v1/homes';
import { HomeItemDecision, HomeQuestionsService } from '@hearth/proto/federation/v1/items';
import { HomeKeyStatus, KeysService } from '@hearth/proto/federation/v1/keys';
import { readClaimedKid } from '@hearth/signing';
import { recordTelemetry } from '@hearth/telemetry/testing';
import { eventually, ids } from '@hearth/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startHomes, type TestHome, type TestHomes } from './start-homes.ts';

let homes: TestHomes;
let one: TestHome;
let other: TestHome;
beforeAll(async () => {
  homes = await startHomes();
  ({ one, other } = homes);
});
afterAll(() => homes.stop());
beforeEach(() => {
  homes.clock.advance(2 * hour);
  for (const home of [one, other]) {
    home.cut(null);
    home.away(false);
    home.failsOver(null);
    home.decides(() => ({ decision: HomeItemDecision.OK }));
    home.given.splice(0);
    home.asked.splice(0);
  }
});

/** Ids as the other home was given them, without repetitions that follow one another. */
const givenTo = (home: TestHome) =>
  home.given
    .map(({ id }) => id.slice(id.lastIndexOf(':') + 1))
    .filter((id, index, all) => id !== all[index - 1]);
const newId = () => `msg_${ids.uuid().replaceAll('-', '')}`;

async function becameOf(home: TestHome, id: string) {
  const settled = await home.settled();
  return settled.filter((item) => item.id === id).map(({ why }) => why || 'delivered');
}
const endOfLog = async () =>
  (
    await one.service.database.db.one<{ last: number }>({
      text: 'select last_seq as last from federation.logs where home = $1',
      values: [other.name],
    })
  ).last;
const settles = (home: TestHome, id: string, as = 'delivered') =>
  eventually(async () => (await becameOf(home, id)).includes(as));

/** Lets time pass until what waits is tried again. */
async function later(home: TestHome, ms = hour) {
  homes.clock.advance(ms);
  await home.run('send-due');
}

/** Waits until it is so, and the attempt that is in hand, if any, is noted: the next one is later than now. */
const failing = (how: string) =>
  eventually(
    async () =>
      (
        await one.service.database.db.query({
          text: `select from federation.logs where home = $1 and ${how} and due_at > $2`,
          values: [other.name, new Date(homes.clock.now())],
        })
      ).length === 1,
  );

/** Items that wait. */
const openItems =
  'select type from federation.sent_items join federation.logs using (home, epoch) where seq > settled_seq';
const logOf = (home: TestHome) =>
  home.service.database.db.one<{
    epoch: number;
    last_seq: number;
    settled_seq: number;
    restored: string | null;
  }>({
    text: 'select epoch, last_seq, settled_seq, restored from federation.logs',
  });

describe('an item', () => {
  test('goes to the other home, once, and the service that gave it hears so', async () => {
    const id = await one.give(other);
    await settles(one, id);
    expect(other.given).toHaveLength(1);
    expect(other.given[0]).toMatchObject({
      ...{ type: HomeItemType.MESSAGE, id: `r:${one.name}:${id}`, home: one.name, to: ['@bea'] },
      from: `ana.ai-helper@${one.name}`,
    });
    expect(JSON.parse(other.given[0]!.itemJson)).toMatchObject({ origin: one.name, destination: other.name });
    expect(await becameOf(one, id)).toEqual(['delivered']);
  });

  test('that is refused is told with the code', async () => {
    other.decides(() => ({ decision: HomeItemDecision.REJECTED, code: 'no_such_address' }));
    const id = await one.give(other);
    await settles(one, id, 'no_such_address');
  });

  test('of many goes in order, both ways at once', async () => {
    const sent = Array.from({ length: 120 }, newId);
    const back = Array.from({ length: 60 }, newId);
    await Promise.all([
      ...sent.map((id) => one.give(other, { id })),
      ...back.map((id) => other.give(one, { id })),
    ]);
    await eventually(async () => other.given.length === 120 && one.given.length === 60);
    const order = await one.service.database.db.query<{ id: string }>({
      text: 'select id from federation.sent_items where id = any($1) order by seq',
      values: [sent],
    });
    expect(givenTo(other)).toEqual(order.map(({ id }) => id));
    expect(new Set(givenTo(one))).toEqual(new Set(back));
  });

  test('that is numbered while a push is out goes with the next one', async () => {
    const locked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const lock = other.service.database.transaction(async (tx) => {
      await tx.execute({ text: 'lock table federation.received_items in access exclusive mode' });
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const first = await one.give(other);
    const isOut = {
      text: `
        select from federation.sent_items join federation.logs using (home, epoch)
        where id = $1 and seq <= handed_seq`,
    };
    await eventually(
      async () => (await one.service.database.db.query({ ...isOut, values: [first] })).length > 0,
    );
    const second_ = await one.give(other);
    held.resolve();
    await lock;
    await settles(one, second_);
    expect(givenTo(other)).toEqual([first, second_]);
    expect(await becameOf(one, first)).toEqual(['delivered']);
  });

  test('that the other home fetched while the push before it was out is taken, and the log goes on', async () => {
    await settles(one, await one.give(other));
    const before = await logOf(one);
    const out = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    other.cut((request, response) => {
      if (request.method !== 'POST') return false;
      other.cut(null);
      out.resolve();
      const { server } = request.socket as unknown as { server: Server };
      void released.promise.then(() => server.emit('request', request, response));
      return true;
    });
    const first = await one.give(other);
    await out.promise;
    const second_ = await one.give(other);
    await other.service.run({ text: 'update federation.logs set pulled_at = null' });
    await other.run('pull-items');
    released.resolve();
    await settles(one, first);
    await settles(one, second_);
    expect(givenTo(other).slice(-2)).toEqual([first, second_]);
    expect(new Set(givenTo(other)).size).toBe(other.given.length);
    const after = await logOf(one);
    expect([after.epoch, after.restored]).toEqual([before.epoch, before.restored]);
    const third = await one.give(other);
    await settles(one, third);
  });

  test('that overtook the one before it waits for that one', async () => {
    const [first, second_] = [newId(), newId()];
    await expect(one.give(other, { id: second_, after: first })).rejects.toThrow();
    await one.give(other, { id: first });
    await settles(one, first);
    await one.give(other, { id: second_, after: first });
    await settles(one, second_);
    expect(givenTo(other)).toEqual([first, second_]);
  });

  test('that cannot be decided yet is kept, and those after it wait for the same service', async () => {
    other.away(true);
    const first = await one.give(other);
    await settles(one, first);
    other.away(false);
    const second_ = await one.give(other);
    await settles(one, second_);
    expect(other.given).toEqual([]);
    homes.clock.advance(10 * second);
    await other.run('decide-items');
    expect(givenTo(other)).toEqual([first, second_]);
    homes.clock.advance(minute);
    await other.run('decide-items');
    expect(other.given).toHaveLength(2);
  });

  test('over which its service fails waits alone, and is decided once it can be', async () => {
    const fatal = newId();
    other.failsOver(fatal);
    other.cut((_, response) => Boolean(response.destroy()));
    const before = await one.give(other);
    await failing('attempts > 0');
    await one.give(other, { id: fatal, after: before });
    const after = await one.give(other, { after: fatal });
    other.cut(null);
    await later(one);
    await settles(one, after);
    expect(givenTo(other)).toEqual([before, after]);
    homes.clock.advance(10 * second);
    await other.run('decide-items');
    const next_ = await one.give(other);
    await settles(one, next_);
    expect(givenTo(other)).toEqual([before, after, next_]);
    other.failsOver(null);
    homes.clock.advance(hour);
    await other.run('decide-items');
    expect(givenTo(other)).toEqual([before, after, next_, fatal]);
  });

  test('that is withdrawn or runs out before it was sent is not sent', async () => {
    other.cut((_, response) => Boolean(response.destroy()));
    const before = await one.give(other);
    await failing('attempts > 0');
    const [withdrawn, late] = [newId(), newId()];
    await one.give(other, { id: withdrawn });
    await one.give(other, {
      id: late,
      expiresAt: { seconds: BigInt(homes.clock.now() / 1_000 + 60), nanos: 0 },
    });
    await one.give(other, {
      ...{ id: '', type: HomeItemType.ERASED, homes: [{ home: other.name }], from: '', senderJson: '' },
      bodyJson: JSON.stringify({ id: `r:${one.name}:${withdrawn}`, rev: 2 }),
    });
    other.cut(null);
    await later(one);
    await settles(one, before);
    await settles(one, late, 'expired');
    expect(givenTo(other)).toEqual([before]);
    expect(await becameOf(one, withdrawn)).toEqual([]);
  });
});

describe('a clock that was ahead', () => {
  const dueNow = async () => {
    const now = new Date(homes.clock.now());
    for (const table of ['logs', 'destinations'])
      await one.service.database.statement((tx) =>
        tx.execute({
          text: `update federation.${table} set due_at = $1 where due_at is not null`,
          values: [now],
        }),
      );
    await one.run('send-due');
  };

  test('holds up no item that could not be decided while it was', async () => {
    other.away(true);
    const id = await one.give(other);
    await settles(one, id);
    other.away(false);
    await other.run('decide-items');
    expect(other.given).toEqual([]);
    homes.clock.advance(-10 * minute);
    await other.run('decide-items');
    expect(givenTo(other)).toEqual([id]);
  });

  test('by a second keeps what its process took from the others', async () => {
    other.away(true);
    const id = await one.give(other);
    await settles(one, id);
    other.away(false);
    const leasedUntil = new Date(homes.clock.now() + minute + second);
    await other.service.database.statement((tx) =>
      tx.execute({
        text: 'update federation.received_items set due_at = $1, attempts = 1 where item is not null',
        values: [leasedUntil],
      }),
    );
    await other.run('decide-items');
    expect(other.given).toEqual([]);
    homes.clock.advance(minute + second);
    await other.run('decide-items');
    expect(givenTo(other)).toEqual([id]);
  });

  test('leaves no item of a time to come: it is signed anew', async () => {
    other.cut((_, response) => Boolean(response.destroy()));
    const early = await one.give(other);
    await failing('attempts > 0');
    other.cut(null);
    homes.clock.advance(-10 * minute);
    await dueNow();
    await settles(one, early);
    expect(await becameOf(one, early)).toEqual(['delivered']);
    expect(givenTo(other)).toEqual([early]);
  });

  test('leaves no log of a time to come: one of which nothing was taken begins again', async () => {
    const ahead = Math.floor((homes.clock.now() + 2 * hour) / 1_000);
    await one.service.database.statement((tx) =>
      tx.execute({
        text: 'update federation.logs set epoch = $1, last_seq = 0, settled_seq = 0',
        values: [ahead],
      }),
    );
    const id = await one.give(other);
    await settles(one, id);
    expect(givenTo(other)).toEqual([id]);
    expect(Number((await logOf(one)).epoch)).toBeLessThan(ahead);
  });
});

describe('an act', () => {
  const act = (on: string) => ({
    ...{ id: `act_${ids.uuid().replaceAll('-', '')}`, type: HomeItemType.ACT, service: 'approvals' },
    bodyJson: JSON.stringify({ on, operation: 'nothing_such', request: {}, by: 'ai', via: 'api' }),
  });

  test('by an operation that does not travel is refused', async () => {
    const id = await one.give(other, { ...act(`r:${other.name}:apr_1`), homes: [{ home: other.name }] });
    await settles(one, id, 'unknown_operation');
  });
});

describe('a home that does not answer', () => {
  test('is tried again, and is given everything once', async () => {
    let cuts = 0;
    // Taken, and the answer lost.
    other.cut((request, response) => {
      if (request.url !== '/federation/inbox' || cuts > 0) return false;
      cuts += 1;
      response.end = (() => response.destroy()) as never;
      return false;
    });
    const id = await one.give(other);
    await eventually(() => other.given.length === 1);
    await failing('attempts > 0');
    await later(one);
    await settles(one, id);
    expect(other.given).toHaveLength(1);
    expect(await becameOf(one, id)).toEqual(['delivered']);
  });

  test('and a process that ends in between lose nothing', async () => {
    other.cut((_, response) => Boolean(response.destroy()));
    const sent = Array.from({ length: 5 }, newId);
    for (const id of sent) await one.give(other, { id });
    await one.restart();
    await other.restart();
    other.cut(null);
    await later(one);
    for (const id of sent) await settles(one, id);
    expect(givenTo(other)).toEqual(sent);
  });

  test('says how long to wait, and is left alone so long', async () => {
    other.cut((request, response) => {
      if (request.url !== '/federation/inbox') return false;
      response.writeHead(429, { 'retry-after': '7200' }).end('{"error":"too many","code":"too_many"}');
      return true;
    });
    const id = await one.give(other);
    await failing('hold_until is not null');
    other.cut(null);
    await later(one, hour);
    // A request from that home nudges, and does not end what it asked for itself.
    await other.give(one);
    await eventually(() => one.given.length === 1);
    expect(await becameOf(one, id)).toEqual([]);
    await later(one, 61 * minute);
    await settles(one, id);
  });

  test('and says no is tried again after a day, or when it writes itself', async () => {
    other.cut((request, response) => {
      if (request.url !== '/federation/inbox') return false;
      response.writeHead(403).end('{"error":"no","code":"denied"}');
      return true;
    });
    const id = await one.give(other);
    await failing('denied');
    other.cut(null);
    await later(one, 3 * hour);
    expect(await becameOf(one, id)).toEqual([]);
    await other.give(one);
    await settles(one, id);
  });

  test('cannot read one item, which is left out', async () => {
    let said = false;
    other.cut((request, response) => {
      if (said || request.url !== '/federation/inbox') return false;
      said = true;
      response.writeHead(400).end('{"error":"no","code":"bad_item","index":0}');
      return true;
    });
    const id = await one.give(other);
    await settles(one, id, 'bad_item');
    const next = await one.give(other);
    await settles(one, next);
    expect(givenTo(other)).toEqual([next]);
  });

  test('cannot read items together is given them one by one, until those are through', async () => {
    other.cut((_, response) => Boolean(response.destroy()));
    const sent = [newId(), newId(), newId(), newId()];
    for (const id of sent) await one.give(other, { id });
    await failing('attempts > 0');
    const sizes: number[] = [];
    other.cut((request, response) => {
      if (request.method !== 'POST') return false;
      const size = Number(request.headers['content-length']);
      sizes.push(size);
      // Whatever holds more than one of these items.
      if (size < 1_800) return false;
      response.writeHead(400).end(JSON.stringify({ error: 'this is no JSON', code: 'bad_json' }));
      return true;
    });
    await later(one);
    for (const id of sent) await settles(one, id);
    expect(givenTo(other)).toEqual(sent);
    expect(sizes.map((size) => size < 1_800)).toEqual([false, true, true, true, true]);
  });

  test('for 14 days makes what waits undeliverable, and a new epoch begins', async () => {
    const { epoch } = await logOf(one);
    other.cut((_, response) => Boolean(response.destroy()));
    const id = await one.give(other);
    await failing('attempts > 0');
    for (let days = 0; days < 15; days += 5) {
      await later(one, 5 * day);
      await eventually(
        async () =>
          (
            await one.service.database.db.query({
              text: `select from federation.destinations where lease is null`,
            })
          ).length === 1,
      );
    }
    await settles(one, id, 'not_confirmed');
    other.cut(null);
    const next = await one.give(other);
    await later(one);
    await settles(one, next);
    expect(givenTo(other)).toEqual([next]);
    expect((await logOf(one)).epoch).toBeGreaterThan(epoch);
  });
});

describe('a home that was restored from an older state', () => {
  test('as a receiver is given what it lost with the next item', async () => {
    const lost = await one.give(other);
    await settles(one, lost);
    await other.service.run({
      text: `update federation.logs set in_seq = in_seq - 1`,
    });
    await other.service.run({
      text: 'delete from federation.received_items where id like $1',
      values: [`%${lost}`],
    });
    other.given.splice(0);
    const next = await one.give(other);
    await settles(one, next);
    expect(givenTo(other)).toEqual([lost, next]);
  });

  test('as a receiver asks for what it lost, though nothing new comes', async () => {
    const lost = await one.give(other);
    await settles(one, lost);
    await other.service.run({ text: `update federation.logs set in_seq = in_seq - 1, pulled_at = null` });
    await other.service.run({
      text: 'delete from federation.received_items where id like $1',
      values: [`%${lost}`],
    });
    other.given.splice(0);
    await other.run('pull-items');
    expect(givenTo(other)).toEqual([lost]);
    expect(one.asked.some((line) => line.startsWith('GET /federation/items?'))).toBe(true);
  });

  test('as a sender begins a new epoch, loses nothing, and tells its operator', async () => {
    const before = await logOf(one);
    const gone = await one.give(other);
    await settles(one, gone);
    await one.service.run({
      text: `
        update federation.logs
        set last_seq = last_seq - 1, settled_seq = settled_seq - 1, handed_seq = handed_seq - 1`,
    });
    await one.service.run({ text: 'delete from federation.sent_items where id = $1', values: [gone] });
    await one.service.run({
      text: `
        update federation.logs
        set last_seq = last_seq - 1, settled_seq = settled_seq - 1, handed_seq = handed_seq - 1`,
    });
    await one.service.run({
      text: 'delete from federation.sent_items where epoch = $1 and seq = $2',
      values: [before.epoch, before.last_seq],
    });
    other.given.splice(0);
    const next = await one.give(other);
    await settles(one, next);
    expect(givenTo(other)).toEqual([next]);
    const after = await logOf(one);
    expect(after.epoch).toBeGreaterThan(before.epoch);
    // It is the word of the other home, which may as well lie.
    expect(after.restored).toMatch(`${other.name} says that it has settled up to`);
  });
});

test('after a start logs are tried one after the other, over two minutes at most', async () => {
  const run = (text: string, values: unknown[] = []) =>
    one.service.database.statement((tx) => tx.execute({ text, values }));
  await run(
    `insert into federation.logs (home, destination, due_at)
    select 'h' || n || '.example', gen_random_uuid(), $1 from generate_series(1, 2400) as n`,
    [new Date(homes.clock.now() - minute)],
  );
  await one.restart();
  const due = await one.service.database.db.query<{ due_at: Date }>({
    text: `select due_at from federation.logs where home like 'h%.example' order by due_at`,
  });
  const after = due.map(({ due_at }) => due_at.getTime() - homes.clock.now());
  expect(after[0]).toBeGreaterThanOrEqual(0);
  expect(after.at(-1)).toBeLessThanOrEqual(2 * minute);
  expect(new Set(after).size).toBe(2_400);
  await run(`delete from federation.logs where home like 'h%.example'`);
});

test('what is settled is deleted after 30 days', async () => {
  homes.clock.advance(31 * day);
  await one.run('purge-items');
  expect(await one.service.database.db.query({ text: 'select from federation.sent_items' })).toEqual([]);
});

describe('a notice', () => {
  test('of a person or AI goes to identity, and one that is not known is ok and left aside', async () => {
    const give = (body: object) =>
      one.give(other, {
        ...{ id: '', type: HomeItemType.NOTICE, homes: [{ home: other.name }], from: '', senderJson: '' },
        bodyJson: JSON.stringify(body),
      });
    await give({ kind: 'moved', address: `bea@${one.name}`, was: `ana@${one.name}`, id: 'per_1' });
    await give({ kind: 'weather', sky: 'blue' });
    await give({ kind: 'gone', address: `bea@${one.name}`, id: 'per_1' });
    await eventually(() => other.given.length === 2);
    const last = await one.give(other);
    await settles(one, last);
    expect(other.given.map(({ type, bodyJson }) => [type, JSON.parse(bodyJson).kind])).toEqual([
      [HomeItemType.NOTICE, 'moved'],
      [HomeItemType.NOTICE, 'gone'],
      [HomeItemType.MESSAGE, undefined],
    ]);
  });
});

describe('one of this home whom another one knows', () => {
  const ana = { id: ids.uuid(), address: '@ana.ai-helper' };
  const party = printId('ai', ana.id);
  const writes = () =>
    one.give(other, { senderJson: JSON.stringify({ id: party, kind: 'ai', name: 'Helper' }) });
  const changed = () =>
    one.service.publish({ case: 'aiChanged', value: { ai: ana.id, changed: ['address'] } });
  const told = () =>
    other.given
      .filter(({ type }) => type === HomeItemType.NOTICE)
      .map(({ bodyJson }) => JSON.parse(bodyJson));
  const isTold = (count: number) => eventually(() => told().length === count);
  const at = (address: string) => `${address.slice(1)}@${one.name}`;
  beforeEach(() => void one.people.splice(0));

  test('has moved, and is gone: that home is told, once each', async () => {
    one.people.push(ana);
    await settles(one, await writes());
    // No card is out, and nothing moved.
    await changed();
    one.people.splice(0, 1, { ...ana, address: '@bea.ai-helper' });
    await changed();
    await isTold(1);
    await changed();
    await one.service.publish({ case: 'aiRevoked', value: { ai: ana.id } });
    await isTold(2);
    await one.service.publish({ case: 'aiRevoked', value: { ai: ana.id } });
    await settles(one, await one.give(other));
    expect(told()).toEqual([
      { kind: 'moved', was: at('@ana.ai-helper'), address: at('@bea.ai-helper'), id: party },
      { kind: 'gone', address: at('@bea.ai-helper'), id: party },
    ]);
  });

  test('is not told of with both addresses, when the new one keeps private whose it is', async () => {
    one.people.push(ana);
    await settles(one, await writes());
    one.people.splice(0, 1, { ...ana, address: '@free-abc123.ai-helper', ownerPrivate: true });
    await changed();
    await isTold(1);
    expect(told()).toEqual([{ kind: 'gone', address: at('@ana.ai-helper'), id: party }]);
  });

  test('has another card: the home that asked for it is told, until it asks again', async () => {
    one.people.push(
      { ...ana, person: true, address: '@ana' },
      { id: ids.uuid(), address: '@kit', minor: true },
    );
    const asks = (address: string) =>
      other.service
        .client(HomeQuestionsService)
        .fetchHomeCard({ address: `${address}@${one.name}` })
        .catch(() => null);
    await asks('ana');
    await asks('kit');
    const renamed = () =>
      one.service.publish({
        case: 'personChanged',
        value: { person: { id: ana.id, handle: 'ana' }, changed: ['name'] },
      });
    await renamed();
    await eventually(async () => (await sentNotices()) === 1);
    await renamed();
    const people = `select party from federation.acquaintances where party like 'per!_%' escape '!'`;
    expect(await one.service.database.db.query({ text: people })).toHaveLength(1);
    await settles(one, await one.give(other));
    expect(await sentNotices()).toBe(1);
    await one.service.publish({ case: 'accountDeleted', value: { deleted: [ana.id] } });
    await isTold(1);
    expect(told()).toEqual([{ kind: 'gone', address: `ana@${one.name}`, id: printId('per', ana.id) }]);
  });

  const sentNotices = async () =>
    (
      await one.service.database.db.query({
        text: `select from federation.sent_items where type = 'notice' and item like '%card_changed%'`,
      })
    ).length;
});

test('an item goes on behind what was numbered elsewhere meanwhile', async () => {
  const first = await one.give(other);
  await settles(one, first);
  const before = await endOfLog();
  await one.service.publish({ case: 'homeKeyChanged', value: { kid: 'gone', status: 'revoked' } });
  await eventually(async () => (await endOfLog()) === before + 1);
  const last = await one.give(other);
  await settles(one, last);
  expect(givenTo(other)).toEqual([first, last]);
  expect(await endOfLog()).toBe(before + 2);
});

describe('a key of this home that is revoked', () => {
  const keysAt = async () =>
    (await other.service.client(HomesService).refetchHome({ home: one.name })).keys.map(({ kid, status }) => [
      kid,
      status,
    ]);

  test('signs nothing that waits, and the other home is told', async () => {
    const keys = one.service.client(KeysService);
    const before = (await keys.listKeys({})).keys.find(({ status }) => status === HomeKeyStatus.ACTIVE)!;
    other.cut((request, response) => request.method === 'POST' && Boolean(response.destroy()));
    // The next key was not there yet when this was written.
    const waitsLongest = await one.give(other);
    await failing('attempts > 0');
    homes.clock.advance(hour);
    const { key: next } = await keys.rotateKey({});
    await keysAt();
    homes.clock.advance(25 * hour);
    await keysAt();
    const waits = await one.give(other);
    await failing('attempts > 0');
    await keys.revokeKey({ kid: before.kid });
    await eventually(async () => (await openTypes()).includes('notice'));
    other.cut(null);
    await later(one, 7 * hour);
    await settles(one, waits);
    await settles(one, waitsLongest);
    const item = other.given.find(({ id }) => id.endsWith(waits))!;
    expect(readClaimedKid(JSON.parse(item.itemJson).signature)).toBe(next!.kid);
    await eventually(async () => (await openTypes()).length === 0);
    expect(await keysAt()).toContainEqual([before.kid, HomeKeyStatus.REVOKED]);
  });

  test('signs nothing that is asked for either: what it signed is signed anew, and is taken', async () => {
    const keys = one.service.client(KeysService);
    const sent = await one.give(other);
    await settles(one, sent);
    const { kid } = (await keys.listKeys({})).keys.find(({ status }) => status === HomeKeyStatus.ACTIVE)!;
    await keys.rotateKey({});
    await keysAt();
    homes.clock.advance(25 * hour);
    await keysAt();
    const before = await endOfLog();
    await keys.revokeKey({ kid });
    expect(await keysAt()).toContainEqual([kid, HomeKeyStatus.REVOKED]);
    // The notice of it is in the log, and went: a push that is out while time passes is refused as too old.
    await eventually(async () => (await endOfLog()) > before && (await openTypes()).length === 0);
    await forgetFrom(other, sent);
    other.given.splice(0);
    await other.run('pull-items');
    expect(givenTo(other)).toEqual([sent]);
    expect(readClaimedKid(JSON.parse(other.given[0]!.itemJson).signature)).not.toBe(kid);
  });

  test('of what is asked for, what was settled longer ago than it was good for has new times', async () => {
    const sent = await one.give(other);
    await settles(one, sent);
    homes.clock.advance(15 * day);
    await one.run('send-due');
    await forgetFrom(other, sent);
    other.given.splice(0);
    await other.run('pull-items');
    expect(givenTo(other)).toEqual([sent]);
  });

  /** That home is as it was before the item came. */
  async function forgetFrom(home: TestHome, id: string): Promise<void> {
    const { seq } = await one.service.database.db.one<{ seq: number }>({
      text: 'select seq from federation.sent_items where id = $1',
      values: [id],
    });
    await home.service.run({
      text: 'update federation.logs set in_seq = $1, pulled_at = null',
      values: [seq - 1],
    });
    await home.service.run({
      text: `delete from federation.received_items where id like '%' || $1`,
      values: [id],
    });
  }

  const openTypes = async () =>
    (
      await one.service.database.db.query<{ type: string }>({
        text: `${openItems} order by seq`,
      })
    ).map(({ type }) => type);
});

describe('the operator', () => {
  test('is shown what waits, since when, and what was restored or began anew', async () => {
    const operator = one.service.client(HomesService);
    const shown = () => operator.showHome({ home: other.name });
    await eventually(async () => (await one.service.database.db.query({ text: openItems })).length === 0);
    other.cut((request, response) => request.method === 'POST' && Boolean(response.destroy()));
    await one.give(other);
    await failing('attempts > 0');
    expect(await shown()).toMatchObject({
      ...{
        unsent: 1,
        lastError: expect.stringContaining('it broke off (connection_refused)'),
        failingSince: expect.anything(),
      },
      restored: expect.stringContaining('has settled'),
    });
    const anew = await operator.beginHomeAnew({ home: other.name });
    expect(anew).toMatchObject({ unsent: 0, beganAnewAt: expect.anything() });
    expect([anew.restored, anew.failingSince]).toEqual([undefined, undefined]);
  });
});

test('of a log of the version before, what waits and what was handed out is known by number', async () => {
  const run = (text: string) => one.service.run({ text });
  // Two were settled, one was given up, one is out, one waits; in the other log nothing waits.
  await run(`
    insert into federation.logs (home, destination, epoch, last_seq, settled_seq) values
      ('a.old.example', gen_random_uuid(), 5, 5, 2), ('b.old.example', gen_random_uuid(), 5, 3, 2)`);
  await run(`
    insert into federation.sent_items (home, epoch, seq, event, id, rev, type, service, kid, item, expires_at, created_at, sent_at, settled_at)
    select home, epoch, n, gen_random_uuid(), n, 1, 'message', '', '', '', now(), now(), case when n <= 4 then now() end, case when n <= 3 then now() end
    from federation.logs, generate_series(1, last_seq) n where home like '%.old.example'`);
  const migration = readFileSync(
    new URL('../migrations/0008-settled-by-number.sql', import.meta.url),
    'utf8',
  );
  const [fill] = /update logs[^;]*/.exec(migration)!;
  await run(`${fill.replaceAll(/(?<=update |from )/g, 'federation.')} where l.home like '%.old.example'`);
  const logs = await one.service.database.db.query({
    text: `
      select settled_seq as settled, handed_seq as handed from federation.logs
      where home like '%.old.example' order by home`,
  });
  expect(logs).toEqual([
    { settled: 3, handed: 4 },
    { settled: 3, handed: 3 },
  ]);
  await run(`delete from federation.sent_items where home like '%.old.example'`);
  await run(`delete from federation.logs where home like '%.old.example'`);
});

describe('the metrics', () => {
  test('name the homes that the operator decided about, a hundred at most, and no stranger', async () => {
    const telemetry = await recordTelemetry();
    try {
      const operator = one.service.client(HomesService);
      const policy = HomePolicy.OPEN;
      await operator.setHomePolicy({ home: other.name, policy });
      await one.service.run({
        text: `
          insert into federation.homes (home, policy, created_at)
          select 'z' || n || '.example', 'limited', now() from generate_series(1, 150) n`,
      });
      await one.run('count-homes');
      await settles(one, await one.give(other));
      await one.give('stranger.example');
      await eventually(async () => (await openTypes('stranger.example')).length === 1);
      await one.run('count-homes');
      const points = async (name: string) =>
        ((await telemetry.metrics()).find(({ descriptor }) => descriptor.name === name)?.dataPoints ??
          []) as {
          value: number;
          attributes: Record<string, string>;
        }[];
      const unsent = new Map(
        (await points('hearth.home.unsent')).map(({ value, attributes }) => [
          attributes['hearth.home'],
          value,
        ]),
      );
      expect(unsent.size).toBe(101);
      expect([unsent.get(other.name), unsent.get('other')! > 0]).toEqual([0, true]);
      expect([...unsent.keys()]).not.toContain('stranger.example');
      expect(await points('hearth.home.items')).toContainEqual(
        expect.objectContaining({
          attributes: { 'hearth.home': other.name, 'hearth.direction': 'sent', 'hearth.outcome': 'ok' },
        }),
      );
    } finally {
      await telemetry.stop();
      await one.service.run({ text: `delete from federation.homes where home like 'z%'` });
    }
  });

  const openTypes = async (home: string) =>
    await one.service.database.db.query({
      text: `${openItems} and home = $1`,
      values: [home],
    });
});

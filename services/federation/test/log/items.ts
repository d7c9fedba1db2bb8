import type { Server } from 'node:http';
import { hour, minute, second } from '@hearth/clock';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemDecision } from '@hearth/proto/federation/v1/items';
import { eventually, ids } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { becameOf, failing, givenTo, homes, later, logOf, newId, one, other, settles } from './fixture.ts';

describe('an item', () => {
  test('goes to the other home once, and its service learns the outcome', async () => {
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

  test('that is refused is reported with the code', async () => {
    other.decides(() => ({ decision: HomeItemDecision.REJECTED, code: 'no_such_address' }));
    const id = await one.give(other);
    await settles(one, id, 'no_such_address');
  });

  test('to several recipients is answered with those unknown there', async () => {
    other.decides(({ to }) => ({ decision: HomeItemDecision.OK, unknown: to.slice(1) }));
    const to = ['bea', 'ben', 'bob'].map((name) => `${name}@${other.name}`);
    const id = await one.give(other, { homes: [{ home: other.name, to }] });
    await settles(one, id);
    const settled = (await one.settled()).find((item) => item.id === id);
    expect(settled?.unknown).toEqual(to.slice(1));
  });

  test('goes in order among many, both ways at once', async () => {
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

  test('that is numbered during a push goes with the next push', async () => {
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

  test('fetched by the other home during the push before it is settled, and the log continues', async () => {
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

  test('that arrives before its predecessor is refused until the predecessor is there', async () => {
    const [first, second_] = [newId(), newId()];
    await expect(one.give(other, { id: second_, after: first })).rejects.toThrow();
    await one.give(other, { id: first });
    await settles(one, first);
    await one.give(other, { id: second_, after: first });
    await settles(one, second_);
    expect(givenTo(other)).toEqual([first, second_]);
  });

  test('that cannot be decided yet is kept, and later ones for the same service wait', async () => {
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

  test('on which its service fails waits alone, and is decided once the service can', async () => {
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

  test('that is withdrawn or expires before it was sent is not sent', async () => {
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

describe('a clock that ran ahead', () => {
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

  test('does not hold up items that could not be decided meanwhile', async () => {
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

  test('by a second keeps the leases of its process from the others', async () => {
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

  test('leaves no item dated in the future: it is signed again', async () => {
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

  test('leaves no log dated in the future: a log without settled items starts again', async () => {
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

describe('an act for another home', () => {
  const act = (on: string) => ({
    ...{ id: `act_${ids.uuid().replaceAll('-', '')}`, type: HomeItemType.ACT, service: 'approvals' },
    bodyJson: JSON.stringify({
      on,
      operation: 'nothing_such',
      request: {},
      by: 'ai',
      proof: 'key',
      via: 'api',
    }),
  });

  test('by an operation that does not travel is refused', async () => {
    const id = await one.give(other, { ...act(`r:${other.name}:apr_1`), homes: [{ home: other.name }] });
    await settles(one, id, 'unknown_operation');
  });
});

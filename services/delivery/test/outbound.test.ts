import { hour } from '@hearth/clock';
import { sql } from '@hearth/db';
import { eventually } from '@hearth/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Answer, ids, startOutbound, type TestOutbound } from './start-outbound.ts';

let home: TestOutbound;

beforeEach(async () => {
  home = await startOutbound();
});
afterEach(async () => {
  for (const open of gates.splice(0)) open();
  await home.stop();
});

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const takes: Answer = async () => ({});
/** A gate that holds attempts until it is opened, at the latest at the end of the test. */
function gate() {
  const { promise, resolve: open } = Promise.withResolvers<void>();
  gates.push(open);
  const takes: Answer = async () => {
    await promise;
    return {};
  };
  return { open, opened: promise, takes };
}
const gates: (() => void)[] = [];
const rows = () =>
  home.database.db.query<{ due_at: Date | null; lease: string | null; failing_since: Date | null }>(
    sql`select due_at, lease, failing_since from delivery.destinations`,
  );

describe('due work', () => {
  test('is sent once, and its destination is released', async () => {
    const engine = home.start('one', takes);
    engine.poke(await home.give(20));
    await eventually(async () => (await home.settled()) === 20);
    await eventually(async () => (await rows()).every(({ lease }) => lease === null));
    expect(home.begun).toHaveLength(20);
    expect(await rows()).toEqual([{ due_at: null, lease: null, failing_since: null }]);
  });

  test('in the future is not sent now, and is found by a sweep later', async () => {
    const engine = home.start('one', takes);
    engine.poke(await home.give(1, { dueAt: new Date(Date.now() + hour) }));
    await sleep(200);
    expect(home.begun).toEqual([]);
    for (const table of ['test_sends', 'destinations'])
      await home.run({ text: `update delivery.${table} set due_at = now() - interval '1 second'` });
    await engine.sweep();
    await eventually(() => home.begun.length === 1);
  });

  test('for a leased destination is sent beside what is in flight there', async () => {
    const engine = home.start('one', gate().takes);
    const destinations = await home.give(1);
    engine.poke(destinations);
    await eventually(() => home.begun.length === 1);
    await home.give(1, { destinations });
    engine.poke(destinations);
    await eventually(() => home.begun.length === 2);
  });

  test('is sent however often it is added while its destination is released', async () => {
    const engine = home.start('one', takes);
    const [destination] = await home.give(1);
    for (let round = 0; round < 150; round += 1) {
      await home.give(1, { destinations: [destination!] });
      engine.poke([destination!]);
      if (round % 7 === 0) await sleep(round % 5);
    }
    // Without a sweep: no race may leave sends behind.
    await eventually(async () => (await home.settled()) === 151);
    expect(new Set(home.begun.map(({ id }) => id)).size).toBe(home.begun.length);
  });

  test('leaves no single-use destination behind, and loses none that gets new work', async () => {
    let fails = true;
    const answer: Answer = async () => (fails ? { error: 'mail_refused', status: null } : {});
    const engine = home.start('one', answer, undefined, true);
    const [kept] = await home.give(1);
    engine.poke([kept!]);
    await eventually(async () => (await rows())[0]?.failing_since != null);
    expect((await rows())[0]!.due_at!.getTime()).toBeGreaterThan(Date.now());
    fails = false;
    const destinations = [ids.uuid()];
    for (let round = 0; round < 150; round += 1) {
      await home.give(1, { destinations });
      engine.poke(destinations);
      if (round % 7 === 0) await sleep(round % 5);
    }
    await eventually(async () => (await home.settled()) === 150);
    // The failed send waits for its hour.
    await eventually(async () => (await rows()).length === 1);
    expect(new Set(home.begun.map(({ id }) => id)).size).toBe(home.begun.length);
  });

  test('is sent when its destination is claimed before the release is answered', async () => {
    const engine = home.start('one', takes);
    const released = Promise.withResolvers<void>();
    home.faults.answered = (result) =>
      result instanceof Map && [...result.values()].includes('finished') ? released.promise : undefined;
    const destinations = await home.give(1);
    engine.poke(destinations);
    await eventually(async () => home.begun.length === 1 && (await rows())[0]!.lease === null);
    await home.give(1, { destinations });
    await engine.sweep();
    expect((await rows())[0]!.lease).not.toBeNull();
    delete home.faults.answered;
    released.resolve();
    await eventually(() => home.begun.length === 2);
  });

  test('is sent once when its insert also claims the destination, new or leased', async () => {
    const engine = home.start('one', takes, undefined, true);
    const destination = ids.uuid();
    for (let round = 0; round < 150; round += 1) {
      void home.queue(engine, destination);
      if (round % 3 === 0) await sleep(round % 7);
    }
    // Without a sweep: no race may leave sends behind.
    await eventually(async () => (await home.settled()) === 150);
    await eventually(async () => (await rows()).length === 0);
    expect(new Set(home.begun.map(({ id }) => id)).size).toBe(150);
    expect(home.begun).toHaveLength(150);
  });

  test('waits to be claimed while there is no free slot', async () => {
    const bounds = { healthy: 1, failing: 1, slow: 1, slowAfterMs: 10_000, failingEveryMs: 0 };
    const { open, takes } = gate();
    const engine = home.start('one', takes, bounds, true);
    const [first] = await home.queue(engine, ids.uuid());
    const [second] = await home.queue(engine, ids.uuid());
    expect([first!.taken, second!.taken]).toEqual([true, false]);
    open();
    await eventually(async () => (await home.settled()) === 2);
  });

  test('is sent when its process never learned about its own claim', async () => {
    const { open, takes } = gate();
    const engine = home.start('one', takes, undefined, true);
    await expect(home.queue(engine, ids.uuid(), false)).rejects.toThrow('lost');
    await home.queue(engine, ids.uuid());
    await home.database.statement((tx) =>
      tx.execute({
        text: `update delivery.destinations set leased_until = clock_timestamp() + interval '200 milliseconds'`,
      }),
    );
    await engine.renew();
    await eventually(async () => (await leasesOver()) === 1);
    await engine.sweep();
    await eventually(() => home.begun.length === 2);
    open();
    await eventually(async () => (await home.settled()) === 2);
    expect(home.begun).toHaveLength(2);
  });

  const leasesOver = async () =>
    (
      await home.database.db.query(
        sql`select 1 as over from delivery.destinations where leased_until < clock_timestamp()`,
      )
    ).length;

  test('is limited in flight per address, to one while the address fails', async () => {
    const [good, bad] = [ids.uuid(), ids.uuid()];
    const engine = home.start('one', async ({ destination }) => {
      await sleep(5);
      return destination === bad ? { error: 'http_5xx', status: 500 } : {};
    });
    engine.poke(await home.give(30, { destinations: [good] }));
    await eventually(async () => (await home.settled()) === 30);
    expect(home.mostAtOnce.get(good)).toBe(4);

    engine.poke(await home.give(1, { destinations: [bad] }));
    await eventually(async () => (await rows()).some(({ failing_since }) => failing_since !== null));
    engine.poke(await home.give(30, { destinations: [bad] }));
    await eventually(() => home.begun.length === 61);
    expect(home.mostAtOnce.get(bad)).toBe(1);
  });
});

describe('order', () => {
  test('is kept for sends with one key while the address is healthy', async () => {
    const engine = home.start('one', async () => {
      await sleep(Math.random() * 10);
      return {};
    });
    const destinations = await home.give(20, { orderKey: 'group 1' });
    await home.give(20, { destinations, orderKey: 'group 2' });
    engine.poke(destinations);
    await eventually(async () => (await home.settled()) === 40);
    const numbers = await home.database.db.query<{ id: string; order_key: string }>(
      sql`select id, order_key from delivery.test_sends order by number`,
    );
    for (const key of ['group 1', 'group 2']) {
      const inOrder = numbers.filter(({ order_key }) => order_key === key).map(({ id }) => id);
      expect(home.begun.map(({ id }) => id).filter((id) => inOrder.includes(id))).toEqual(inOrder);
    }
    expect(home.mostAtOnce.get(destinations[0]!)).toBe(2);
  });
});

describe('failing addresses', () => {
  test('hold up ten healthy ones for only a moment, even 1,000 of them', async () => {
    const dead = Array.from({ length: 1_000 }, () => ids.uuid());
    const live = Array.from({ length: 10 }, () => ids.uuid());
    let silence = gate();
    const engine = home.start('one', async ({ destination }) => {
      if (live.includes(destination)) return {};
      await silence.opened;
      return { error: 'timeout', status: null };
    });
    // The dead addresses first; they have never been tried, so nothing is known about them.
    engine.poke(await home.give(2, { destinations: dead }));
    engine.poke(await home.give(20, { destinations: live }));
    // Before any attempt at a dead address has ended.
    await eventually(async () => (await home.settled()) === 200);
    silence.open();
    await eventually(
      () => home.begun.filter(({ destination }) => !live.includes(destination)).length >= 1_001,
    );
    // Once they are known to fail, they do not affect healthy addresses.
    silence = gate();
    engine.poke(await home.give(1, { destinations: live }));
    await eventually(async () => (await home.settled()) === 210);
  });

  test('are retried one after the other, though all are due at once', async () => {
    const engine = home.start('one', async () => ({ error: 'http_5xx', status: 503 }));
    const destinations = Array.from({ length: 100 }, () => ids.uuid());
    engine.poke(await home.give(1, { destinations }));
    await eventually(async () =>
      (await rows()).every((row) => row.failing_since !== null && row.lease === null),
    );
    const known = home.begun.length;
    engine.poke(await home.give(1, { destinations }));
    await eventually(() => home.begun.length === known + 100);
    // Every 4 ms, but a timer may be late.
    expect(home.begun.at(-1)!.at - home.begun[known]!.at).toBeGreaterThan(300);
  });

  test('are marked until they answer, with the time of the first failure', async () => {
    let fails = true;
    const engine = home.start('one', async () => (fails ? { error: 'http_5xx', status: 503 } : {}));
    const destinations = await home.give(1);
    engine.poke(destinations);
    await eventually(async () => (await rows())[0]?.failing_since != null);
    const since = (await rows())[0]!.failing_since;
    await home.give(1, { destinations });
    engine.poke(destinations);
    await eventually(() => home.begun.length === 2);
    await eventually(async () => (await rows())[0]!.lease === null);
    expect((await rows())[0]!.failing_since).toEqual(since);
    fails = false;
    await home.give(1, { destinations });
    engine.poke(destinations);
    await eventually(async () => (await rows())[0]!.failing_since === null);
  });
});

describe('several processes', () => {
  test('send each item once, and share the work', async () => {
    const bounds = { healthy: 8, failing: 8, slow: 8, slowAfterMs: 10_000, failingEveryMs: 0 };
    const slowly: Answer = async () => {
      await sleep(3);
      return {};
    };
    const engines = ['one', 'two'].map((process) => home.start(process, slowly, bounds));
    const destinations = Array.from({ length: 40 }, () => ids.uuid());
    for (let round = 0; round < 5; round += 1) {
      await home.give(4, { destinations });
      for (const engine of engines) engine.poke(destinations);
    }
    await eventually(async () => (await home.settled()) === 800);
    expect(home.begun).toHaveLength(800);
    expect(new Set(home.begun.map(({ process }) => process)).size).toBe(2);
  });

  test('notify each other of work for a destination that another one holds', async () => {
    const first = home.start('one', gate().takes);
    const second = home.start('two', takes);
    const destinations = await home.give(1);
    first.poke(destinations);
    await eventually(() => home.begun.length === 1);
    await home.give(1, { destinations });
    second.poke(destinations);
    await eventually(() => home.begun.length === 2);
    expect(home.begun.map(({ process }) => process)).toEqual(['one', 'one']);
  });

  test('take over what a process left behind when it died', async () => {
    const destinations = await home.give(3);
    await home.run(sql`update delivery.destinations set lease = gen_random_uuid(), due_at = null,
          leased_until = clock_timestamp() + interval '15 seconds'`);
    const engine = home.start('two', takes);
    engine.poke(destinations);
    await sleep(100);
    expect(home.begun).toEqual([]);
    await home.run(
      sql`update delivery.destinations set leased_until = clock_timestamp() - interval '1 second'`,
    );
    await engine.sweep();
    await eventually(async () => (await home.settled()) === 3);
  });

  test('take over leases from before the clock of Postgres was set back', async () => {
    await home.give(3);
    await home.run(sql`update delivery.destinations set lease = gen_random_uuid(), due_at = null,
          leased_until = clock_timestamp() + interval '1 hour'`);
    await home.start('two', takes).sweep();
    await eventually(async () => (await home.settled()) === 3);
  });

  test('start nothing more at an address that another process took over', async () => {
    const { open, takes } = gate();
    const engine = home.start('one', takes);
    const destinations = await home.give(20);
    engine.poke(destinations);
    await eventually(() => home.begun.length === 4);
    await home.run(sql`update delivery.destinations set lease = gen_random_uuid()`);
    await engine.renew();
    open();
    // The outcome of an attempt in flight is still written.
    await eventually(async () => (await home.settled()) === 4);
    await sleep(200);
    expect(home.begun).toHaveLength(4);
    expect((await rows())[0]!.lease).not.toBeNull();
  });

  test('keep their leases for as long as they renew them', async () => {
    const engine = home.start('one', gate().takes);
    engine.poke(await home.give(1));
    await eventually(() => home.begun.length === 1);
    const until1 = await leasedUntil();
    await sleep(20);
    await engine.renew();
    expect((await leasedUntil()).getTime()).toBeGreaterThan(until1.getTime());
  });
  const leasedUntil = async () =>
    (await home.database.db.one<{ at: Date }>(sql`select leased_until as at from delivery.destinations`)).at;
});

describe('shutdown', () => {
  test('finishes work in flight and leaves the rest to others', async () => {
    const { open, takes: takesLater } = gate();
    const first = home.start('one', takesLater);
    const destinations = await home.give(20);
    first.poke(destinations);
    await eventually(() => home.begun.length === 4);
    const stopped = first.stop();
    open();
    await stopped;
    expect(home.begun).toHaveLength(4);
    expect(await home.settled()).toBe(4);
    const [row] = await rows();
    expect(row).toMatchObject({ lease: null });
    expect(row!.due_at).not.toBeNull();
    first.poke(destinations);
    await first.sweep();
    const second = home.start('two', takes);
    await second.sweep();
    await eventually(async () => (await home.settled()) === 20);
    expect(home.begun.filter(({ process }) => process === 'one')).toHaveLength(4);
  });
});

describe('faults', () => {
  test('an error of the home itself uses no attempt, and the work is retried later', async () => {
    let signs = false;
    const engine = home.start('one', async () => (signs ? {} : null));
    const began = Date.now();
    engine.poke(await home.give(2));
    await eventually(async () => (await rows())[0]?.lease === null);
    expect(home.begun.length).toBeLessThanOrEqual(2);
    const [row] = await rows();
    expect(row!.due_at!.getTime()).toBeGreaterThan(began + 3_000);
    expect(row!.failing_since).toBeNull();
    signs = true;
    await home.run(sql`update delivery.destinations set due_at = now() - interval '1 second'`);
    await engine.sweep();
    await eventually(async () => (await home.settled()) === 2);
  });

  test('a short database failure loses nothing', async () => {
    let left = 3;
    home.faults.due = () => {
      if (left > 0) {
        left -= 1;
        throw new Error('away');
      }
    };
    const engine = home.start('one', takes);
    const destinations = await home.give(2);
    engine.poke(destinations);
    for (let round = 0; round < 5; round += 1) {
      await eventually(async () => (await rows())[0]!.lease === null);
      await home.run(
        sql`update delivery.destinations set due_at = now() - interval '1 second' where due_at is not null`,
      );
      await engine.sweep();
    }
    await eventually(async () => (await home.settled()) === 2);
  });

  test('a kind that reports due work and returns none is paused for a while', async () => {
    let looks = 0;
    home.faults.due = () => {
      looks += 1;
    };
    home.faults.hides = true;
    const engine = home.start('one', takes);
    const began = Date.now();
    const destinations = await home.give(1);
    engine.poke(destinations);
    await eventually(async () => looks > 0 && (await rows())[0]!.lease === null);
    expect(looks).toBeLessThan(10);
    expect((await rows())[0]!.due_at!.getTime()).toBeGreaterThan(began + 3_000);
  });
});

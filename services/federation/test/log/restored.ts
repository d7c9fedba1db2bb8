import { day, minute } from '@hearth/clock';
import { eventually } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { givenTo, homes, logOf, one, other, settles, takeLost } from './fixture.ts';

describe('a home restored from an older backup', () => {
  test('as a receiver gets what it lost with the next item', async () => {
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
    await takeLost(other);
    await eventually(
      async () => givenTo(other),
      (given) => given.length === 2,
    );
    expect(givenTo(other)).toEqual([lost, next]);
  });

  test('as a receiver asks for what it lost, even when nothing new arrives', async () => {
    const lost = await one.give(other);
    await settles(one, lost);
    await other.service.run({ text: `update federation.logs set in_seq = in_seq - 1, pulled_at = null` });
    await other.service.run({
      text: 'delete from federation.received_items where id like $1',
      values: [`%${lost}`],
    });
    other.given.splice(0);
    await other.run('pull-items');
    // The service may already be pulling on its own.
    await eventually(
      async () => givenTo(other),
      (given) => given.length === 1,
    );
    expect(givenTo(other)).toEqual([lost]);
    expect(one.asked.some((line) => line.startsWith('GET /federation/items?'))).toBe(true);
  });

  test('as a sender starts a new epoch, loses nothing, and reports it to the operator', async () => {
    const before = await logOf(one);
    const gone = await one.give(other);
    await settles(one, gone);
    await forgetSent(before.epoch, before.last_seq - 1, 2);
    other.given.splice(0);
    const next = await one.give(other);
    await settles(one, next);
    expect(givenTo(other)).toEqual([next]);
    const after = await logOf(one);
    expect(after.epoch).toBeGreaterThan(before.epoch);
    // Quotes the other home, which may be lying.
    expect(after.restored).toMatch(`${other.name} says that it has settled up to`);
    expect(after.restored).not.toContain('goes out from');

    // Within the same hour, another epoch begins once the hour is over, and the operator sees when.
    for (const lost of [await one.give(other), await one.give(other)]) await settles(one, lost);
    await takeLost(one);
    await forgetSent(after.epoch, after.last_seq, 2);
    const late = await one.give(other);
    const hour = new Date(after.epoch * 1_000 + 60 * minute).toISOString();
    const told = await eventually(
      async () => (await logOf(one)).restored,
      (restored) => restored !== after.restored,
    );
    expect(told).toContain(`goes out from ${hour} on`);
    homes.clock.advance(60 * minute);
    await settles(one, late);
    await takeLost(one);
  });
});

test('after a start logs are tried one after the other, over at most two minutes', async () => {
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

test('settled items are deleted after 30 days', async () => {
  homes.clock.advance(31 * day);
  await one.run('purge-items');
  expect(await one.service.database.db.query({ text: 'select from federation.sent_items' })).toEqual([]);
});

/** Deletes the last `count` items of an epoch, which come after `seq`, as if restored from a backup. */
async function forgetSent(epoch: number, seq: number, count: number): Promise<void> {
  await one.service.run({
    text: `
      update federation.logs
      set last_seq = last_seq - $1, settled_seq = settled_seq - $1, handed_seq = handed_seq - $1`,
    values: [count],
  });
  await one.service.run({
    text: 'delete from federation.sent_items where epoch = $1 and seq > $2',
    values: [epoch, seq],
  });
}

import { describe, expect, test } from '@jest/globals';
import type { Whole } from '../db/thing-rows.ts';
import type { ThingTable } from '../db/things.ts';
import type { Member } from '../domain/member.ts';
import { createThings } from './create-things.ts';

interface Row {
  id: string;
  group: string;
  started_at: Date;
  status: string;
  count: number;
}

type Thing = Whole<Row, Member>;
type Parts = Parameters<typeof createThings>[0];

/** A table with one counter; another writer raises it just before each of the first `raised` writes. */
function counting(raised: number) {
  let stored = 0;
  let others = raised;
  const written: (string | null)[] = [];
  const read = (): Thing => ({
    row: { id: 'a', group: 'g', started_at: new Date(0), status: 'open', count: stored },
    people: [],
    version: String(stored),
  });
  const table = {
    kind: 'decision',
    find: async () => new Map([['a', read()]]),
    lock: async () => read(),
    async change(_: unknown, all: readonly { row: Row; version: string | null }[]) {
      if (all[0]!.version !== null && others-- > 0) stored += 100;
      const done = all.filter(({ version }) => version === null || version === String(stored));
      for (const { row, version } of done) {
        written.push(version);
        stored = row.count;
      }
      return new Map(done.map(({ row }) => [row.id, String(stored)]));
    },
  } as unknown as ThingTable<Row, Member>;
  const tx = { wake() {}, announce() {}, announced() {} };
  const commit = Object.assign((work: (tx: unknown) => unknown) => work(tx), {
    statement: (work: (tx: unknown) => unknown) => work(tx),
  });
  const things = createThings<Row, Member, number>(
    { commit, database: {}, outbox: {} } as unknown as Parts,
    table,
    {
      next({ row, people }, more) {
        if (more < 0) throw new Error(`refused at ${row.count}`);
        return { row: { ...row, count: row.count + more }, people };
      },
      seatsOf: () => [],
      newsOf: () => null,
    },
  );
  return { things, read, written, stored: () => stored };
}

describe('concurrent changes', () => {
  test('of one row are applied in order and written together', async () => {
    const { things, read, written, stored } = counting(0);
    const found = read();
    const acts = [1, 2, -1, 4].map((more) => things.actOn(found, () => more));
    const ended = await Promise.allSettled(acts);
    expect(
      ended.map((result) => (result.status === 'fulfilled' ? result.value.row.count : result.reason.message)),
    ).toEqual([1, 3, 'refused at 3', 7]);
    expect(stored()).toBe(7);
    expect(written).toEqual(['0']);
  });

  test('are computed again from the row that others wrote', async () => {
    const { things, read, written, stored } = counting(1);
    const found = read();
    const chosen: number[] = [];
    const add = (more: number) =>
      things.actOn(found, ({ row }) => {
        chosen.push(row.count);
        return more;
      });
    await Promise.all([add(1), add(2)]);
    expect(stored()).toBe(103);
    expect(chosen).toEqual([0, 1, 100, 101]);
    expect(written).toEqual(['100']);
    await expect(add(-1)).rejects.toThrow('refused at 0');
  });

  test('take the row lock in the end when others keep winning', async () => {
    const { things, read, written, stored } = counting(Number.POSITIVE_INFINITY);
    await things.actOn(read(), () => 1);
    expect(stored()).toBe(301);
    expect(written).toEqual([null]);
  });
});

import { HearthError } from '@hearth/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from './database.ts';
import { lockName } from './lock-name.ts';
import { sql } from './sql.ts';
import { type OwnDatabase, ownDatabase } from './test-support.ts';
import type { Db, Tx } from './types.ts';

let own: OwnDatabase;
let database: Database;

beforeAll(async () => {
  own = await ownDatabase();
  database = own.open({ maxConnections: 4 });
  await database.transaction((tx) =>
    tx.execute({ text: 'create table counters (id integer primary key, value integer not null)' }),
  );
});

beforeEach(async () => {
  await database.transaction(async (tx) => {
    await tx.execute({ text: 'delete from counters' });
    await tx.execute({ text: 'insert into counters (id, value) values (1, 0), (2, 0)' });
  });
});

afterAll(() => own.remove());

const read = async (db: Db, id: number) =>
  (await db.one<{ value: number }>(sql`select value from counters where id = ${id}`)).value;
const add = (tx: Tx, id: number) => tx.execute(sql`update counters set value = value + 1 where id = ${id}`);
/** A barrier: each of two tasks waits here until both have arrived. */
function meeting() {
  let arrive!: () => void;
  const both = new Promise<void>((resolve) => (arrive = resolve));
  let here = 0;
  return () => {
    here += 1;
    if (here === 2) arrive();
    return both;
  };
}

describe('a transaction', () => {
  test('commits everything, and returns the result of its callback', async () => {
    const touched = await database.transaction(async (tx) => (await add(tx, 1)) + (await add(tx, 2)));
    expect(touched).toBe(2);
    expect([await read(database.db, 1), await read(database.db, 2)]).toEqual([1, 1]);
  });

  test('rolls back when the callback throws, and rethrows the error', async () => {
    const refusal = new HearthError('forbidden', 'not you');
    const work = database.transaction(async (tx) => {
      await add(tx, 1);
      throw refusal;
    });
    await expect(work).rejects.toBe(refusal);
    expect(await read(database.db, 1)).toBe(0);
  });

  test('rolls back when one of several pipelined statements fails', async () => {
    const work = database.transaction((tx) =>
      Promise.all([add(tx, 1), tx.execute({ text: 'insert into counters values (1, 1)' }), add(tx, 2)]),
    );
    await expect(work).rejects.toMatchObject({ kind: 'internal' });
    expect([await read(database.db, 1), await read(database.db, 2)]).toEqual([0, 0]);
  });

  test('sees its own writes, which others see only after the commit', async () => {
    await database.transaction(async (tx) => {
      await add(tx, 1);
      expect(await read(tx, 1)).toBe(1);
      expect(await read(database.db, 1)).toBe(0);
    });
  });

  test('does not report a commit when a swallowed error rolled it back', async () => {
    const work = database.transaction(async (tx) => {
      await add(tx, 1);
      await tx.execute({ text: 'insert into counters values (1, 1)' }).catch(() => {});
    });
    await expect(work).rejects.toThrow('swallowed');
    expect(await read(database.db, 1)).toBe(0);
  });

  test('refuses statements after its end', async () => {
    let kept: Tx | undefined;
    await database.transaction(async (tx) => {
      kept = tx;
    });
    await expect(add(kept!, 1)).rejects.toThrow('after the end');
    const forgotten = database.transaction(async (tx) => {
      kept = tx;
      throw new Error('no');
    });
    await expect(forgotten).rejects.toThrow('no');
    await expect(add(kept!, 1)).rejects.toThrow('after the end');
  });

  test('gives its connection back, however it ends', async () => {
    for (let round = 0; round < 20; round += 1) {
      const work = database.transaction(async (tx) => {
        await add(tx, 1);
        if (round % 2 === 0) throw new Error('no');
      });
      await work.catch(() => {});
    }
    expect(database.connections()).toMatchObject({ waiting: 0 });
    expect(database.connections().idle).toBe(database.connections().total);
    expect(await read(database.db, 1)).toBe(10);
  });
});

describe('an advisory lock', () => {
  test('belongs to one transaction until it ends, independently of other names', async () => {
    const order: string[] = [];
    const work = (name: string, before: Promise<void>) => (tx: Tx) =>
      lockName(tx, name).then(async () => {
        order.push(`${name} begins`);
        await before;
        order.push(`${name} ends`);
      });
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const first = database.transaction(work('one', ended));
    while (order.length === 0) await read(database.db, 1);
    const second = database.transaction(work('one', Promise.resolve()));
    await database.transaction(work('other', Promise.resolve()));
    end();
    await Promise.all([first, second]);
    expect(order).toEqual(['one begins', 'other begins', 'other ends', 'one ends', 'one begins', 'one ends']);
  });
});

describe('conflicting work', () => {
  const crossing = (meet: () => Promise<void>, first: number, second: number, runs: number[]) => (tx: Tx) =>
    (async () => {
      runs.push(first);
      await add(tx, first);
      if (runs.length <= 2) await meet();
      await add(tx, second);
    })();

  test('retries after a deadlock and commits once', async () => {
    const meet = meeting();
    const runs: number[] = [];
    await Promise.all([
      database.transaction(crossing(meet, 1, 2, runs)),
      database.transaction(crossing(meet, 2, 1, runs)),
    ]);
    expect(runs.length).toBeGreaterThan(2);
    expect([await read(database.db, 1), await read(database.db, 2)]).toEqual([2, 2]);
  });

  test('is unavailable after four runs, even if the callback swallows the failure', async () => {
    let runs = 0;
    const work = (tx: Tx) => {
      runs += 1;
      return tx.execute({ text: "do $$ begin raise sqlstate '40P01'; end $$" }).catch(() => {
        throw new Error('hidden');
      });
    };
    await expect(database.transaction(work)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('try again'),
    });
    expect(runs).toBe(4);
  });
});

describe('a single statement', () => {
  test('is a transaction of its own, without BEGIN', async () => {
    const seen = await database.statement((tx) =>
      tx.one<{ value: number }>(sql`update counters set value = value + 5 where id = ${1} returning value`),
    );
    expect(seen).toEqual({ value: 5 });
    expect(await read(database.db, 1)).toBe(5);
  });

  test('refuses a second statement', async () => {
    const two = database.statement(async (tx) => {
      await add(tx, 1);
      await add(tx, 2);
    });
    await expect(two).rejects.toThrow('one statement');
    expect(await read(database.db, 2)).toBe(0);
  });
});

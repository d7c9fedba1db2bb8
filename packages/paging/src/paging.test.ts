import { readLimits } from '@hearth/limits';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cursorOf, pageSize, readPage } from './index.ts';

const uuid = '0190a0b0-0000-7000-8000-000000000001';
const cursor = cursorOf({ at: 'time', id: 'uuid' });
const limits = readLimits(undefined, { homeName: 'localhost:8080' });

describe('a cursor', () => {
  test('has the format that it had before this package', () => {
    const text = Buffer.from(`1700000000000,${uuid}`).toString('base64url');
    expect(cursor.print({ at: new Date(1_700_000_000_000), id: uuid })).toBe(text);
    expect(cursor.read(text)).toEqual({ at: new Date(1_700_000_000_000), id: uuid });
  });

  test('decodes to the position that it encodes', () => {
    const all = cursorOf({ at: 'time', id: 'uuid', number: 'number', text: 'text' });
    const place = fc.record({
      at: fc.date({ min: new Date(0), max: new Date(9e14), noInvalidDate: true }),
      id: fc.uuid(),
      number: fc.nat(Number.MAX_SAFE_INTEGER),
      text: fc.string({ minLength: 1, maxLength: 100 }).filter((text) => !text.includes('\0')),
    });
    fc.assert(fc.property(place, (given) => expect(all.read(all.print(given))).toEqual(given)));
  });

  test('that is malformed is a bad field', () => {
    const others = ['', 'x', uuid, Buffer.from(uuid).toString('base64url'), `1,${uuid}`];
    for (const text of [...others, Buffer.from(`x,${uuid}`).toString('base64url')])
      expect(() => cursor.read(text)).toThrow('cursor: must be the next_cursor of an earlier answer');
    const byName = cursorOf({ name: 'text' });
    for (const text of ['zzz', 'home.example', `${byName.print({ name: 'home.example' })}=`])
      expect(() => byName.read(text)).toThrow('cursor: must be the next_cursor of an earlier answer');
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          cursor.read(text);
        } catch (error) {
          expect((error as Error).message).toMatch(/^cursor: /);
        }
      }),
    );
  });
});

describe('pages', () => {
  const list = cursorOf({ number: 'number' });
  const source = (length: number) => ({
    cursor: list,
    find: async (after: { number: number } | null, limit: number) =>
      Array.from({ length }, (_, number) => ({ number }))
        .filter(({ number }) => number > (after?.number ?? -1))
        .slice(0, limit),
    placeOf: (row: { number: number }) => row,
  });

  test.each([
    [0, 1],
    [19, 1],
    [20, 1],
    [21, 2],
    [45, 3],
  ])('of %i entries number %i, with each entry once', async (length, pages) => {
    const seen: number[] = [];
    let count = 0;
    let next: string | undefined;
    do {
      const page = await readPage({ limits }, { cursor: next }, source(length));
      seen.push(...page.rows.map(({ number }) => number));
      next = page.nextCursor;
      count += 1;
    } while (next !== undefined);
    expect(seen).toEqual(Array.from({ length }, (_, number) => number));
    expect(count).toBe(pages);
  });

  test('end before about 1 MiB, without skipping an entry', async () => {
    // The fourth alone is longer than a page.
    const sizes = [400_000, 500_000, 300_000, 1_500_000, 10, 600_000];
    const long = { ...source(sizes.length), placeOf: ({ number }: { number: number }) => ({ number }) };
    const find = async (after: { number: number } | null, limit: number) =>
      (await long.find(after, limit)).map((row) => ({
        ...row,
        data: { text: 'x'.repeat(sizes[row.number]!) },
      }));
    const pages: number[][] = [];
    let next: string | undefined;
    do {
      const page = await readPage({ limits }, { cursor: next }, { ...long, find });
      pages.push(page.rows.map(({ number }) => number));
      next = page.nextCursor;
    } while (next !== undefined);
    expect(pages).toEqual([[0, 1], [2], [3], [4, 5]]);
  });

  test('of long entries read few entries that do not fit, and of short ones query twice', async () => {
    const asked = async (text: string) => {
      const { find, ...heavy } = source(500);
      const read: number[] = [];
      const page = await readPage(
        { limits },
        { limit: 100 },
        {
          ...heavy,
          async find(after, limit) {
            const found = (await find(after, limit)).map((row) => ({ ...row, text }));
            read.push(found.length);
            return found;
          },
        },
      );
      return { read, entries: page.rows.length };
    };
    const { read, entries } = await asked('x'.repeat(40_000));
    expect(entries).toBe(26);
    expect(read.reduce((sum, count) => sum + count)).toBeLessThan(entries + 10);
    expect(await asked('x')).toEqual({ read: [21, 81], entries: 100 });
  });

  test('have the requested length, within the limit of the home', () => {
    expect([pageSize(limits, undefined), pageSize(limits, 7), pageSize(limits, 1_000_000)]).toEqual([
      20, 7, 100,
    ]);
  });
});

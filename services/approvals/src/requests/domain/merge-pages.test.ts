import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergePages, newestFirst, type Placed } from './merge-pages.ts';

const entry = fc.record({ at: fc.integer({ min: 0, max: 5 }), id: fc.integer({ min: 0, max: 999_999 }) });
const lists = fc
  .uniqueArray(entry, { selector: ({ id }) => id, maxLength: 60 })
  .chain((all) =>
    fc.tuple(
      fc.constant(all.map(({ at, id }) => ({ at: new Date(at), id: String(id).padStart(6, '0') }))),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: all.length, maxLength: all.length }),
    ),
  )
  .map(([all, which]) =>
    [0, 1, 2].map((list) => all.filter((_, index) => which[index] === list).sort(newestFirst)),
  );

/** As each source answers: what is behind that place, one more than is shown. */
const pageOf = (list: readonly Placed[], after: Placed | undefined, limit: number) =>
  list.filter((one) => after === undefined || newestFirst(after, one) < 0).slice(0, limit + 1);

describe('one list out of several', () => {
  test('page for page it is everything once, the newest first', () => {
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 7 }), (sources, limit) => {
        const read: Placed[] = [];
        for (let more = true; more; ) {
          const pages = sources.map((source) => pageOf(source, read.at(-1), limit));
          const page = mergePages(pages, limit);
          read.push(...page.shown);
          ({ more } = page);
        }
        expect(read).toEqual(sources.flat().sort(newestFirst));
      }),
    );
  });
});

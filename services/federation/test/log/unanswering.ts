import { day, hour, minute } from '@hearth/clock';
import { eventually } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { becameOf, failing, givenTo, later, logOf, newId, one, other, settles } from './fixture.ts';

describe('a home that does not answer', () => {
  test('is retried, and gets everything once', async () => {
    let cuts = 0;
    // Accepted, but the answer is lost.
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

  test('loses nothing even when a process ends in between', async () => {
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

  test('gets nothing for as long as it asks with Retry-After', async () => {
    other.cut((request, response) => {
      if (request.url !== '/federation/inbox') return false;
      response.writeHead(429, { 'retry-after': '7200' }).end('{"error":"too many","code":"too_many"}');
      return true;
    });
    const id = await one.give(other);
    await failing('hold_until is not null');
    other.cut(null);
    await later(one, hour);
    // A request from that home triggers a retry, but does not end the pause that it asked for.
    await other.give(one);
    await eventually(() => one.given.length === 1);
    expect(await becameOf(one, id)).toEqual([]);
    await later(one, 61 * minute);
    await settles(one, id);
  });

  test('by refusing is tried again after a day, or when it writes itself', async () => {
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

  test('because it cannot read one item gets the others', async () => {
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

  test('because it cannot read items together gets them one by one until they are through', async () => {
    other.cut((_, response) => Boolean(response.destroy()));
    const sent = [newId(), newId(), newId(), newId()];
    for (const id of sent) await one.give(other, { id });
    await failing('attempts > 0');
    const sizes: number[] = [];
    other.cut((request, response) => {
      if (request.method !== 'POST') return false;
      const size = Number(request.headers['content-length']);
      sizes.push(size);
      // Refuses any push with more than one of these items.
      if (size < 1_800) return false;
      response.writeHead(400).end(JSON.stringify({ error: 'this is no JSON', code: 'bad_json' }));
      return true;
    });
    await later(one);
    for (const id of sent) await settles(one, id);
    expect(givenTo(other)).toEqual(sent);
    expect(sizes.map((size) => size < 1_800)).toEqual([false, true, true, true, true]);
  });

  test('for 14 days makes pending items undeliverable, and starts a new epoch', async () => {
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

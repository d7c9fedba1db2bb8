import { readFileSync } from 'node:fs';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { sql } from '@hearth/db';
import type { HearthError } from '@hearth/errors';
import type { Caller } from '@hearth/rpc';
import { eventually, failure } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { ada, BOOKED, ben, book, first, firstAt, home, robin, secondAt, toWren, wren } from './fixture.ts';

describe('a time of an offer', () => {
  test('is booked once by a hundred at once, and the others get the free times', async () => {
    const callers = Array.from({ length: 100 }, () => home.world.asAi(home.world.newAi()));
    const offer = await home.offer(robin, { to: ['anyone'], times: 2 });
    const outcomes = await Promise.all(
      callers.map(async (caller) => {
        try {
          return (await book(caller, offer.id)).status;
        } catch (error) {
          return (error as HearthError).details;
        }
      }),
    );
    expect(outcomes.filter((outcome) => outcome === BOOKED)).toHaveLength(1);
    const taken = { code: 'slot_taken', field: 'slot', free: [secondAt] };
    expect(outcomes.filter((outcome) => outcome !== BOOKED)).toEqual(Array.from({ length: 99 }, () => taken));
    // The table itself refuses a second meeting.
    const second = home.database.statement((tx) =>
      tx.execute({
        text: `
          insert into decisions.meetings select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid()))).*
          from decisions.meetings m where m.offer = $1`,
        values: [offer.id.replace('ofr_', '')],
      }),
    );
    await expect(second).rejects.toMatchObject({ cause: { code: '23505' } });
  });

  test('is booked against the current offer after waiting for a concurrent change', async () => {
    const offer = await home.offer(robin, { to: ['anyone'], times: 2 });
    const id = offer.id.replace('ofr_', '');
    const waiting = async () =>
      (
        await home.database.db.query<{ pid: number }>({
          text: `
            select pid from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%decisions.offers%'`,
          values: [],
        })
      ).length;
    const hold = {
      holder: home.newPerson().id,
      slot: Date.parse(firstAt!),
      until: home.clock.now() + 60_000,
    };
    const outcomes: Promise<string>[] = [];
    await home.database.transaction(async (tx) => {
      await tx.execute({
        text: 'update decisions.offers set holds = $2 where id = $1',
        values: [id, JSON.stringify([hold])],
      });
      for (const slot of [first, '2026-05-05T10:00']) outcomes.push(failure(book(wren, offer.id, slot)));
      await eventually(waiting, (count) => count > 0);
    });
    expect(await Promise.all(outcomes)).toEqual(['bad_request slot_taken slot', 'none']);
  });

  test('closes overlapping times until its meeting is cancelled or moved', async () => {
    const [early, between, late] = ['2026-05-04T10:00', '2026-05-04T10:30', '2026-05-04T11:00'];
    const slots = [early, between, late].map((startsAt) => ({ startsAt }));
    const { id } = await toWren({ slots, times: 3 });
    const free = async () => (await home.meetingsBy(wren).getOffer({ id })).slots.map((slot) => slot.free);
    const meeting = await book(wren, id, early);
    expect(await free()).toEqual([false, false, true]);
    for (const ask of [
      () => book(wren, id, between),
      () => home.meetingsBy(wren).holdSlot({ id, slot: between }),
    ])
      await expect(ask()).rejects.toMatchObject({
        message: expect.stringContaining('overlaps'),
        details: { code: 'slot_taken', field: 'slot', free: ['2026-05-04T09:00:00.000Z'] },
      });
    // It overlaps two by now, and is free once both have moved.
    const other = await book(wren, id, late);
    await home.meetingsBy(wren).cancelMeeting({ id: meeting.id });
    expect(await free()).toEqual([true, false, false]);
    const move = async (startsAt: string) => {
      await home.meetingsBy(wren).moveMeeting({ id: other.id, startsAt });
      return await home.meetingsBy(robin).acceptMove({ id: other.id });
    };
    await move('2026-05-04T11:30');
    expect(await free()).toEqual([true, true, false]);
    // A time between slots takes all slots that it overlaps, and no meeting moves onto another.
    await move('2026-05-04T11:15');
    expect(await free()).toEqual([true, false, false]);
    await book(wren, id, early);
    expect(await failure(move('2026-05-04T10:45'))).toBe('bad_request slot_taken slot');
  });

  test('booked before overlaps were tracked closes overlapping times', async () => {
    const slots = [{ startsAt: first }, { startsAt: '2026-05-04T10:30' }];
    const { id } = await toWren({ slots, times: 2 });
    await book(wren, id);
    await home.run(sql`update decisions.offers set busy = '[]' where id = ${id.replace('ofr_', '')}`);
    const migration = readFileSync(
      new URL('../../migrations/0011-times-that-overlap.sql', import.meta.url),
      'utf8',
    );
    const [, update = ''] = migration.split(';');
    await home.run({ text: update.replaceAll(/(update|from) (?=offers|meetings)/g, '$1 decisions.') });
    expect(await failure(book(wren, id, '2026-05-04T10:30'))).toBe('bad_request slot_taken slot');
    const [row] = await home.database.db.query<{ busy: unknown }>(
      sql`select busy from decisions.offers where id = ${id.replace('ofr_', '')}`,
    );
    expect(row?.busy).toMatchObject([
      { starts: Date.parse(firstAt!), ends: Date.parse(firstAt!) + 3_600_000 },
    ]);
  });

  test('offered by an older version is closed by a job when other meetings overlap it', async () => {
    const offered = (startsAt: string) =>
      home.offer(robin, { to: ['anyone'], slots: [{ startsAt }, { startsAt: '2026-05-06T10:00' }] });
    const [one, other] = [await offered(first), await offered('2026-05-04T10:30')];
    await book(wren, one.id);
    // As the previous version left it.
    await home.run(sql`update decisions.offers set busy = '[]' where id = ${other.id.replace('ofr_', '')}`);
    const free = async () =>
      (await home.meetingsBy(wren).getOffer({ id: other.id })).slots.map((slot) => slot.free);
    expect(await free()).toEqual([true, true]);
    await home.run({ text: followOldOffers() });
    await home.runJob('decisions: follow-old-offers');
    expect(await free()).toEqual([false, true]);
    expect(await home.database.db.query(sql`select viewer from decisions.unfollowed_offers`)).toEqual([]);
  });

  test('and an overlapping one are booked once by many at once', async () => {
    const slots = [first, '2026-05-04T10:15', '2026-05-04T10:45'].map((startsAt) => ({ startsAt }));
    const { id } = await home.offer(robin, { to: ['anyone'], slots, times: 3 });
    const callers = Array.from({ length: 30 }, () => home.world.asAi(home.world.newAi()));
    const outcomes = await Promise.all(
      callers.map((who, index) =>
        failure(book(who, id, slots[index % 3]?.startsAt, index % 2 === 0 ? {} : { requestId: 'once' })),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(29).fill('bad_request slot_taken slot'), 'none']);
    expect(await home.meetingsBy(robin).getOffer({ id })).toMatchObject({ booked: 1 });
  });

  test('that is held closes overlapping times to others', async () => {
    const later = '2026-05-04T10:30';
    const { id } = await home.offer(robin, {
      to: ['anyone'],
      slots: [{ startsAt: first }, { startsAt: later }],
    });
    await home.meetingsBy(wren).holdSlot({ id, slot: first });
    expect(await failure(book(ben, id, later))).toBe('bad_request slot_taken slot');
    expect(await book(wren, id, later)).toMatchObject({ status: BOOKED });
  });

  test('is held for one caller at a time, for five minutes', async () => {
    const offer = await home.offer(robin, { to: ['anyone'] });
    const { id } = offer;
    const hold = (who: Caller, slot: string) => home.meetingsBy(who).holdSlot({ id, slot });
    const other = home.world.asAi(home.world.newAi());
    const held = await hold(wren, first);
    expect(held).toMatchObject({
      offer: id,
      heldUntil: timestampFromDate(new Date(home.clock.now() + 300_000)),
    });
    expect(await failure(hold(other, first))).toBe('bad_request slot_taken slot');
    expect(await failure(book(other, id))).toBe('bad_request slot_taken slot');
    // Another hold replaces the first.
    await hold(wren, '2026-05-05T10:00');
    await hold(other, first);
    home.clock.advance(300_000);
    expect(await book(wren, id)).toMatchObject({ status: BOOKED });
    expect(await failure(hold(other, '2026-05-05T10:00'))).toBe('bad_request not_waiting');
    expect(await failure(hold(wren, '2026-05-06T10:00'))).toBe('bad_request bad_field slot');
  });

  test('is held by one person a few times an hour, counting their AIs', async () => {
    const { id } = await home.offer(wren, { to: ['anyone'] });
    const hold = (who: Parameters<typeof home.meetingsBy>[0], slot = first) =>
      home.meetingsBy(who).holdSlot({ id, slot });
    for (const who of [robin, ada, robin]) {
      await hold(who);
      home.clock.advance(300_000);
    }
    for (const who of [robin, ada]) expect(await failure(hold(who))).toMatch(/^rate_limited/);
    // Another time and another caller are unaffected; the held time itself can be booked.
    await hold(ada, '2026-05-05T10:00');
    await hold(ben);
    home.clock.advance(300_000);
    expect(await book(robin, id)).toMatchObject({ status: BOOKED });
  });

  test('is booked once for each request_id', async () => {
    const { id } = await toWren({ times: 2 });
    const meeting = await book(wren, id, first, { requestId: 'one' });
    expect((await book(wren, id, first, { requestId: 'one' })).id).toBe(meeting.id);
    expect(await failure(book(wren, id, '2026-05-05T10:00', { requestId: 'one' }))).toBe(
      'bad_request request_id_reused request_id',
    );
  });

  test('offered to an AI is booked in its name by its person, who is not named', async () => {
    const { id } = await home.offer(wren, { to: [robin.address] });
    const meeting = await book(ada, id);
    expect(meeting).toMatchObject({ with: [wren.address] });
    const seen = await home.meetingsBy(wren).getMeeting({ id: meeting.id });
    expect(seen).toMatchObject({ with: [robin.address], withName: robin.name });
  });
});

/** Records existing offers as the migration does, at the time of the test's clock, since Postgres has its own. */
function followOldOffers(): string {
  const file = new URL('../../migrations/0017-offers-of-before.sql', import.meta.url);
  const [, insert = ''] = readFileSync(file, 'utf8').split(';');
  const now = `'${new Date(home.clock.now()).toISOString()}'`;
  return insert
    .replaceAll(/(into|from) (?=unfollowed_offers|offers)/g, '$1 decisions.')
    .replace('now()', now);
}

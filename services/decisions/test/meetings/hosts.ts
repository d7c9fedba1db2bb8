import type { HearthError } from '@hearth/errors';
import { OfferStatus } from '@hearth/proto/decisions/v1/meetings';
import { failure } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import type { Who } from '../start-decisions.ts';
import { ada, BOOKED, ben, book, first, home, robin, secondAt, wren } from './fixture.ts';

const taken = 'bad_request slot_taken slot';
const second = '2026-05-05T10:00';
const later = '2026-05-07T15:00';
const newAi = () => home.world.asAi(home.world.newAi());
const offered = async (who: Who, fields: object = {}) =>
  (await home.offer(who, { to: ['anyone'], times: 2, ...fields })).id;
const free = async (id: string, who: Who = wren) =>
  (await home.meetingsBy(who).getOffer({ id })).slots.map((slot) => slot.free);
const move = async (id: string, by: Who, other: Who, startsAt: string) => {
  await home.meetingsBy(by).moveMeeting({ id, startsAt });
  return await home.meetingsBy(other).acceptMove({ id });
};

/** Booked meetings, two of them at the same moment although one side of both offered one of them. */
async function clashes(): Promise<unknown[]> {
  return await home.database.db.query({
    text: `
      select one.id, other.id as other from decisions.meetings one join decisions.meetings other
      on one.id <> other.id and one.host_viewer in (other.host_viewer, other.guest_viewer)
      and one.starts_at < other.ends_at and other.starts_at < one.ends_at
      where one.status = 'booked' and other.status = 'booked'`,
    values: [],
  });
}

describe('a host is booked once at a time', () => {
  test('across all their offers, which show it, until the meeting is cancelled', async () => {
    const [one, other] = [await offered(robin), await offered(robin)];
    const half = await offered(robin, { slots: [{ startsAt: '2026-05-04T10:30' }], times: 1 });
    const meeting = await book(wren, one);
    const refusal: unknown = await book(newAi(), other).catch((error: HearthError) => error.details);
    expect(refusal).toEqual({ code: 'slot_taken', field: 'slot', free: [secondAt] });
    expect(await failure(book(newAi(), other, first, { requestId: 'one' }))).toBe(taken);
    expect(await failure(home.meetingsBy(newAi()).holdSlot({ id: other, slot: first }))).toBe(taken);
    expect(await failure(book(newAi(), half, '2026-05-04T10:30'))).toBe(taken);
    expect([await free(one), await free(other), await free(half)]).toEqual([
      [false, true],
      [false, true],
      [false],
    ]);
    expect(await home.meetingsBy(wren).getOffer({ id: half })).toMatchObject({
      status: OfferStatus.TAKEN,
      booked: 0,
    });
    await home.meetingsBy(robin).cancelMeeting({ id: meeting.id });
    expect([await free(other), await free(half)]).toEqual([[true, true], [true]]);
    expect(await book(newAi(), other)).toMatchObject({ status: BOOKED });
    expect(await failure(book(newAi(), one))).toBe(taken);
  });

  test('whether the host or one of their AIs offers', async () => {
    const tutor = home.newAi(ada);
    const all = [await offered(robin), await offered(tutor), await offered(ada)];
    await book(wren, all[1]!);
    for (const id of all) expect(await failure(book(newAi(), id))).toBe(taken);
    expect(await book(newAi(), await offered(ben))).toMatchObject({ status: BOOKED });
  });

  test('including in a later offer, which is refused when none of its times is free', async () => {
    await book(wren, await offered(robin));
    expect(await free(await offered(robin))).toEqual([false, true]);
    expect(await failure(offered(robin, { slots: [{ startsAt: first }], times: 1 }))).toBe(
      'bad_request slot_taken slots',
    );
  });

  test('including when a meeting of another offer moves, whoever proposes it and whatever the state of that offer', async () => {
    const [one, other] = [await offered(robin), await offered(robin)];
    await book(wren, one);
    const { id } = await book(newAi(), other, second);
    const guest = home.world.asAi(home.world.newAi());
    const third = await book(
      guest,
      await offered(robin, { slots: [{ startsAt: '2026-05-06T10:00' }], times: 1 }),
      '2026-05-06T10:00',
    );
    for (const [by, to] of [
      [guest, robin],
      [robin, guest],
    ] as const) {
      expect(await failure(move(third.id, by, to, '2026-05-04T10:30'))).toBe(taken);
      expect(await failure(move(third.id, by, to, second))).toBe(taken);
    }
    await home.meetingsBy(robin).withdrawOffer({ id: other });
    expect(await failure(move(third.id, guest, robin, second))).toBe(taken);
    await home.meetingsBy(robin).cancelMeeting({ id });
    expect(await move(third.id, guest, robin, second)).toMatchObject({ sequence: 1 });
    expect(await free(one)).toEqual([false, false]);
    await move(third.id, robin, guest, later);
    expect(await free(one)).toEqual([false, true]);
  });

  test('including when the host books somebody else’s time', async () => {
    const own = await offered(robin);
    const { id } = await book(ada, await offered(wren));
    expect(await failure(book(newAi(), own))).toBe(taken);
    const { id: hosted } = await book(newAi(), own, second);
    // They learn what they could book.
    const refusal: unknown = await book(robin, await offered(ben), second).catch(
      (error: HearthError) => error.details,
    );
    expect(refusal).toEqual({ code: 'slot_taken', field: 'slot', free: ['2026-05-04T08:00:00.000Z'] });
    await home.meetingsBy(ada).cancelMeeting({ id });
    await home.meetingsBy(robin).cancelMeeting({ id: hosted });
    expect(await book(robin, await offered(ben), second)).toMatchObject({ status: BOOKED });
    expect(await free(own)).toEqual([true, false]);
  });

  test('while a booker may be booked twice', async () => {
    for (const host of [robin, ben])
      expect(await book(wren, await offered(host))).toMatchObject({ status: BOOKED });
  });

  test('and a held time is held in all their offers', async () => {
    const [one, other] = [await offered(robin), await offered(robin)];
    await home.meetingsBy(wren).holdSlot({ id: one, slot: first });
    const rival = newAi();
    expect(await free(other, rival)).toEqual([false, true]);
    expect(await failure(book(rival, other))).toBe(taken);
    expect(await failure(home.meetingsBy(rival).holdSlot({ id: other, slot: first }))).toBe(taken);
    expect(await book(wren, one)).toMatchObject({ status: BOOKED });
  });

  test('including when a booked AI is claimed', async () => {
    const own = await offered(ada);
    await book(wren, await offered(ben));
    const ai = newAi();
    await book(wren, await offered(ai));
    await home.publish({
      case: 'aiClaimed',
      value: { ai: { id: ai.id }, status: 'claimed', person: ada.id },
    });
    expect(await free(own)).toEqual([false, true]);
    expect(await failure(book(newAi(), own))).toBe(taken);
  });

  test('under concurrent calls', async () => {
    const hosts = [robin, newAi(), newAi()];
    const guests = Array.from({ length: 6 }, newAi);
    const offers: string[] = [];
    for (const host of hosts) for (let i = 0; i < 3; i++) offers.push(await offered(host, { times: 2 }));
    const all = [...hosts, ...guests];
    const moving = await Promise.all(
      hosts.map(async (host, index) => {
        const own = await offered(host, { slots: [{ startsAt: later }], times: 1 });
        return { host, guest: guests[index]!, id: (await book(guests[index]!, own, later)).id };
      }),
    );
    await Promise.all(
      moving.map(({ id, guest }) => home.meetingsBy(guest).moveMeeting({ id, startsAt: '2026-05-04T10:15' })),
    );
    const errors: string[] = [];
    const attempt = async (work: Promise<unknown>) => {
      const outcome = await failure(work);
      if (outcome !== 'none') errors.push(outcome);
      return outcome;
    };
    await Promise.all([
      ...offers.flatMap((id, index) =>
        [first, second].flatMap((slot) =>
          all.map((who, nth) =>
            attempt(book(who, id, slot, (index + nth) % 3 === 0 ? { requestId: `${id}${slot}` } : {})),
          ),
        ),
      ),
      ...moving.map(({ host, id }) => attempt(home.meetingsBy(host).acceptMove({ id }))),
      ...hosts.map((host) => attempt(offered(host))),
    ]);
    expect(await clashes()).toEqual([]);
    expect(
      [...new Set(errors)].filter((error) => error !== taken && !error.startsWith('bad_request')),
    ).toEqual([]);
    const bookings = await home.database.db.query<{ status: string }>({
      text: `select status from decisions.meetings where host_viewer = any($1) and starts_at < $2 and status = 'booked'`,
      values: [hosts.map((host) => host.person || host.id), secondAt],
    });
    expect(bookings.length).toBeGreaterThan(0);
  });
});

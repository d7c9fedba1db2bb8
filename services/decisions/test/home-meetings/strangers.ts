import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { HomeItemSchema } from '@hearth/proto/federation/v1/items';
import { failure, follows, ids, receive } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import {
  becomes,
  booked,
  CANCELLED,
  firstAt,
  full,
  here,
  OPEN,
  offer,
  refOf,
  robin,
  secondAt,
  stateOf,
  there,
  wren,
} from './fixture.ts';

describe('states that no honest home sends', () => {
  test('of an offer are refused', async () => {
    const { id } = await offer();
    const slots = (object: Record<string, unknown>) => object['slots'] as object[];
    const refused: [string, (object: Record<string, unknown>) => object][] = [
      ['another id', (object) => ({ ...object, id: refOf(printId('ofr', ids.uuid())) })],
      ['no status', ({ status: _, ...object }) => object],
      ['no times', (object) => ({ ...object, slots: [] })],
      ['the same time twice', (object) => ({ ...object, slots: [...slots(object), ...slots(object)] })],
      [
        'a time that ends before it starts',
        (object) => ({ ...object, slots: [{ starts_at: secondAt, ends_at: firstAt, free: true }] }),
      ],
      ['a zone that is none', (object) => ({ ...object, time_zone: 'Mars/Base' })],
      ['room for no one', (object) => ({ ...object, times: 0 })],
      ['room for more than there can be', (object) => ({ ...object, times: 4_000_000_000 })],
      ['a maker of another home', (object) => ({ ...object, by: 'robin.ai-x@far.example' })],
      ['a short address', (object) => ({ ...object, by: robin.address })],
      ['no end', ({ expires_at: _, ...object }) => object],
    ];
    for (const [what, over] of refused)
      expect([what, (await receive(there, await stateOf(id, over))).code]).toEqual([what, 'schema']);
    expect(await failure(there.meetingsBy(wren).getOffer({ id: refOf(id) }))).toBe('not_found not_found');
    const read = await becomes(wren, id, { status: OPEN });
    const later = create(HomeItemSchema, {
      ...(await stateOf(id, (object) => ({ ...object, title: 'Another call' }))),
      rev: 9_000_000_000n,
    });
    expect(await receive(there, later)).toMatchObject({ code: 'conflict' });
    expect(await there.meetingsBy(wren).getOffer({ id: refOf(id) })).toEqual(read);
  });

  test('of a meeting are refused, even when nobody here booked it', async () => {
    const meeting = await booked();
    const refused: [string, (object: Record<string, unknown>) => object][] = [
      ['no times', ({ starts_at: _, ...object }) => object],
      ['the other side of it', (object) => ({ ...object, offered: true })],
      ['with another than its sender', (object) => ({ ...object, with: ['other.ai-x@far.example'] })],
      ['no uid', (object) => ({ ...object, uid: '' })],
    ];
    for (const [what, over] of refused) {
      const item = create(HomeItemSchema, { ...(await stateOf(meeting.here, over)), rev: 9_000_000_000n });
      expect([what, (await receive(there, item)).code]).toEqual([what, 'schema']);
    }
    const id = refOf(printId('mtg', ids.uuid()));
    const stranger = there.world.asAi(there.world.newAi());
    const forged = create(HomeItemSchema, {
      ...(await stateOf(meeting.here, (object) => ({ ...object, id }))),
      ...{ id, to: [stranger.address] },
    });
    expect(await receive(there, forged)).toMatchObject({ code: 'schema' });
    expect((await there.meetingsBy(stranger).listMeetings({})).meetings).toEqual([]);
  });

  test('of a meeting cannot act for the local side, which books, moves and cancels by its own acts', async () => {
    const meeting = await booked();
    const read = await there.meetingsBy(wren).getMeeting({ id: meeting.there });
    const end = (at: string) => at.replace('T08', 'T09');
    const at = (starts: string) => ({ starts_at: starts, ends_at: end(starts) });
    const words: [string, object][] = [
      ['another time', { ...at(secondAt), sequence: 1 }],
      ['a longer time', { ends_at: end(secondAt), sequence: 1 }],
      ['a time that they propose', { move: { ...at(secondAt), yours: true } }],
      ['an end by them', { status: 'cancelled', cancelled_by: full(wren, there), sequence: 1 }],
    ];
    for (const [what, word] of words) {
      const said = await stateOf(meeting.here, (object) => ({ ...object, ...word }));
      const item = create(HomeItemSchema, { ...said, rev: 9_000_000_000n });
      expect([what, (await receive(there, item)).code]).toEqual([what, 'schema']);
    }
    const marked = { ...read, disputed: true };
    expect(await there.meetingsBy(wren).getMeeting({ id: meeting.there })).toEqual(marked);

    const id = refOf(printId('mtg', ids.uuid()));
    const elsewhen = await stateOf(meeting.here, (object) => ({ ...object, ...at(secondAt), id }));
    expect(await receive(there, create(HomeItemSchema, { ...elsewhen, id }))).toMatchObject({
      code: 'schema',
    });
  });
});

test('a different home under the same domain learns nothing, and booked meetings are cancelled', async () => {
  const { id: open } = await offer({ title: 'Only for the one before' });
  await becomes(wren, open, { status: OPEN });
  const both = await booked();
  const parties = [...here.world.parties.values()].flatMap(({ id }) => id || []);
  await here.publish({ case: 'partiesBeganAnew', value: { home: there.name, parties } });
  await follows(async () =>
    expect(await here.meetingsBy(robin).getMeeting({ id: both.here })).toMatchObject({ status: CANCELLED }),
  );
  await here.meetingsBy(robin).withdrawOffer({ id: open });
  const later = await offer({}, [there.world.asAi(there.world.newAi())]);
  await here.meetingsBy(robin).withdrawOffer({ id: later.id });
  const told = async () =>
    (await here.events('decisions', 'itemForHomes')).map(({ data }) => {
      const { object } = JSON.parse(data.value.bodyJson) as { object?: { id: string; status: string } };
      return `${object?.id} ${object?.status}`;
    });
  // After everything that was due before.
  await follows(async () => expect(await told()).toContain(`${refOf(later.id)} withdrawn`));
  expect(await told()).not.toContain(`${refOf(open)} withdrawn`);
  expect(await told()).not.toContain(`${both.there} cancelled`);

  const theirs = [...there.world.parties.values()].flatMap(({ id }) => id || []);
  await there.publish({ case: 'partiesBeganAnew', value: { home: here.name, parties: theirs } });
  await follows(async () =>
    expect(await there.meetingsBy(wren).getMeeting({ id: both.there })).toMatchObject({ status: CANCELLED }),
  );
});

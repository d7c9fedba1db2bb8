import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ItemKeySchema, ItemSchema, type ItemsChangedSchema } from '@hearth/proto/events/v1/events';
import { anonymous } from '@hearth/rpc';
import { eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startApprovals } from './start-approvals.ts';

type Change = MessageInitShape<typeof ItemsChangedSchema>;

const home = await startApprovals();
afterAll(() => home.stop());

function itemOf(fields: { holder?: string; senders?: string[] } = {}) {
  const key = create(ItemKeySchema, { kind: 'message', id: home.uuid() });
  const since = timestampFromDate(new Date('2026-03-01T11:00:00Z'));
  const owner = home.uuid();
  return { ...create(ItemSchema, { owner, box: 'requests', label: 'sales', since, ...fields }), key };
}

const note = (change: Change) => home.items.noteItems({ change }, { caller: anonymous });

const announce = (change: Change) => home.publish({ case: 'itemsChanged', value: change });

async function open(...ids: string[]) {
  const rows = await home.database.db.query<{ id: string; owner: string }>({
    text: `select id, owner from approvals.items where id = any($1::uuid[]) and closed_at is null order by id`,
    values: [ids],
  });
  return rows.map(({ id }) => id);
}

describe('placing and closing items', () => {
  test('an item waits once it is recorded, and its event does not place it twice', async () => {
    const item = itemOf({ senders: [home.uuid(), home.uuid()] });
    await note({ placed: [item] });
    await announce({ placed: [{ ...item, label: 'offer' }] });
    const rows = await home.database.db.query({
      text: `select owner, holder, box, label, since, expires, senders from approvals.items where id = $1`,
      values: [item.key.id],
    });
    expect(rows).toEqual([
      {
        owner: item.owner,
        holder: null,
        box: 'requests',
        label: 'sales',
        since: new Date('2026-03-01T11:00:00Z'),
        expires: null,
        senders: item.senders,
      },
    ]);
  });

  test('a late event does not bring back a closed item', async () => {
    const [known, unknown] = [itemOf(), itemOf()];
    await note({ placed: [known] });
    await announce({ closed: [known.key, unknown.key] });
    await announce({ placed: [known, unknown] });
    expect(await open(known.key.id, unknown.key.id)).toEqual([]);
  });

  test('events in any order, with repeats, lead to the same open items', async () => {
    const step = fc.record({
      item: fc.nat(3),
      does: fc.constantFrom<'placed' | 'closed'>('placed', 'closed'),
      by: fc.constantFrom<'note' | 'event'>('note', 'event'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 6 }), async (batches) => {
        const items = Array.from({ length: 4 }, () => itemOf());
        for (const batch of batches) {
          const of = (by: 'note' | 'event', does: 'placed' | 'closed') =>
            batch.filter((one) => one.by === by && one.does === does).map((one) => items[one.item]!);
          for (const [by, send] of [
            ['note', note],
            ['event', announce],
          ] as const)
            await send({ placed: of(by, 'placed'), closed: of(by, 'closed').map(({ key }) => key) });
        }
        const steps = batches.flat();
        const did = (index: number, does: 'placed' | 'closed') =>
          steps.some((one) => one.item === index && one.does === does);
        const ids = items.map(({ key }) => key.id);
        expect(await open(...ids)).toEqual(
          ids.filter((_, index) => did(index, 'placed') && !did(index, 'closed')).sort(),
        );
      }),
      { numRuns: 30 },
    );
  });

  test('closed items are deleted after nine days', async () => {
    const [closed, waits] = [itemOf(), itemOf()];
    await note({ placed: [closed, waits], closed: [] });
    await note({ closed: [closed.key] });
    home.clock.advance(8 * 86_400_000);
    await home.runJob('approvals: purge-items');
    const count = async () => {
      const rows = await home.database.db.query({
        text: `select 1 from approvals.items where id = any($1::uuid[])`,
        values: [[closed.key.id, waits.key.id]],
      });
      return rows.length;
    };
    expect(await count()).toBe(2);
    home.clock.advance(2 * 86_400_000);
    await home.runJob('approvals: purge-items');
    expect(await count()).toBe(1);
  });
});

describe('wake signals', () => {
  test('go to the owner and the holder of an item that is placed or closed, once', async () => {
    const item = itemOf({ holder: home.uuid() });
    const wakes = home.signals('wake');
    const both = [item.owner, item.holder].map((id) => `requests:${id}`);
    await note({ placed: [item] });
    await note({ placed: [item] });
    await note({ closed: [item.key] });
    await note({ closed: [item.key] });
    const last = itemOf();
    await note({ placed: [last] });
    const woken = (topic: string) => wakes.join(' ').split(topic).length - 1;
    await eventually(async () => woken(`requests:${last.owner}`) === 1);
    expect(both.map(woken)).toEqual([2, 2]);
  });
});

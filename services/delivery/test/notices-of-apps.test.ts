import { hour, minute } from '@hearth/clock';
import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import type { Event } from '@hearth/proto/events/v1/events';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { asked, waitedFor, written } from './noticed-events.ts';
import { ids, type KnownApp, type KnownPerson, newPerson, standIns, type World } from './stand-ins.ts';
import { newApp } from './start-apps.ts';
import { startDelivery, type TestDelivery } from './start-delivery.ts';

let home: TestDelivery;
let world: World;
let one: KnownApp;
let other: KnownApp;
let ada: KnownPerson;
let eve: KnownPerson;
let kit: KnownPerson;

beforeEach(async () => {
  [one, other] = [newApp(''), newApp('')];
  ada = newPerson('Ada Lovelace', { app: one.id, email: 'ada@example.com' });
  eve = newPerson('Eve Moneypenny', { app: one.id });
  kit = newPerson('Kit Carson', { ageBand: AgeBand.CHILD, guardians: [ada.id, eve.id], app: one.id });
  world = { people: [ada, eve, kit], ais: [], groups: [], members: new Map(), apps: [one, other] };
  home = await startDelivery({}, standIns(world));
});
afterEach(() => home.stop());

const now = () => home.clock.now();
const publish = (...events: Event[]) => home.publishAll(events);

interface Stored {
  app: string;
  id: string;
  body: { id: string; type: string; at: string; data: Record<string, unknown> };
}

async function stored(): Promise<Stored[]> {
  const rows = await home.database.db.query<{ app: string; id: string; body: string }>(
    sql`select app, id, body from delivery.app_events order by app, number`,
  );
  return rows.map(({ app, id, body }) => ({ app, id, body: JSON.parse(body) }));
}
const mails = () => home.database.db.query(sql`select id from delivery.mails`);

describe('an app that holds a person', () => {
  test('is notified once, however often the event arrives', async () => {
    const event = asked(ada.id, now(), { link: '/a/apr_1', item: ids.uuid() });
    await publish(event, event);
    await publish(event);
    const [told, ...others] = await stored();
    expect(others).toEqual([]);
    expect(told).toMatchObject({
      app: one.id,
      body: {
        type: 'notify',
        data: { person: printId('per', ada.id), title: 'Robin asks you', kind: 'approval' },
      },
    });
    expect(told!.body.data['link']).toMatch(/^http:\/\/[^/]+\/a\/apr_1\?t=[\w-]+$/);
    expect(told!.body.data).not.toHaveProperty('about');
    expect(await mails()).toEqual([]);
  });

  test('is notified again after twelve hours, and not before', async () => {
    const item = ids.uuid();
    for (const wait of [0, 11 * hour, 59 * minute, minute]) {
      home.clock.advance(wait);
      await publish(asked(ada.id, now(), { item }));
    }
    expect(await stored()).toHaveLength(2);
  });

  test('is notified of a message to a child for each guardian, and sees the child as it holds them', async () => {
    const event = written(kit.id, now());
    await publish(event);
    await publish(event);
    const told = await stored();
    expect(told.map(({ body }) => body.data['person']).sort()).toEqual(
      [ada, eve].map(({ id }) => printId('per', id)).sort(),
    );
    expect(new Set(told.map(({ id }) => id)).size).toBe(2);
    for (const { body } of told) {
      expect(body.data).toMatchObject({
        about: printId('per', kit.id),
        title: 'Robin wrote to Kit C.',
        body: '',
        kind: 'message',
      });
      // There a guardian sees the waiting request, not the message.
      expect(body.data['link']).toMatch(/^http:\/\/[^/]+\/requests\?t=[\w-]+$/);
    }
  });

  test('gets both a message of another home and the notice about it', async () => {
    const fromHome = { person: ada.id, app: one.id, envelope: 'r:other.example:msg_1', name: 'Robin' };
    const event = written(ada.id, now(), { fromHome });
    await publish(event);
    await publish(event);
    expect((await stored()).map(({ body }) => body.type).sort()).toEqual(['message.received', 'notify']);
  });

  test('is notified of a decision for a guardian, and for each child in their care', async () => {
    const event = waitedFor([{ person: ada.id }, { person: ada.id, about: kit.id }], now());
    await publish(event);
    await publish(event);
    const told = (await stored()).map(({ body }) => [body.data['person'], body.data['about']]);
    expect(told.sort()).toEqual(
      [
        [printId('per', ada.id), undefined],
        [printId('per', ada.id), printId('per', kit.id)],
      ].sort(),
    );
  });

  test('sees a child held by another app under an app-specific id', async () => {
    kit.app = other.id;
    await publish(written(kit.id, now(), { by: eve.id }));
    const [told, ...others] = await stored();
    expect([others, told!.app]).toEqual([[], one.id]);
    expect(told!.body.data['about']).toMatch(/^shp_/);
    expect(JSON.stringify(told)).not.toContain(kit.id.replaceAll('-', ''));
  });

  test('is the app that holds the person now, whichever app the event names', async () => {
    ada.app = other.id;
    await publish(asked(ada.id, now(), { apps: [one.id] }));
    expect((await stored()).map(({ app }) => app)).toEqual([other.id]);
  });
});

test('nobody counts as notified when the event cannot be stored for an app', async () => {
  await home.run({ text: 'alter table delivery.app_events rename to app_events_away' });
  const event = asked(ada.id, now());
  const published = publish(event).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await home.database.db.query(sql`select * from delivery.notices`)).toEqual([]);
  await home.run({ text: 'alter table delivery.app_events_away rename to app_events' });
  await published;
  await publish(event);
  expect(await stored()).toHaveLength(1);
});

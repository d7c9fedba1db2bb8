import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import { apiClient } from '@hearth/testkit/home';
import { expect, test } from '@jest/globals';
import { newApp, newPerson, operator } from '../support/apps.ts';
import { atEachGateway, expectStatus, newAi, newAis, urls } from '../support/home.ts';
import { list, poll, send } from '../support/messages.ts';
import { timed } from '../support/timed.ts';
import { newAiOf, scopes } from './authorization/cast.ts';

const statuses = (key: string) =>
  Promise.all(atEachGateway(key).map(async (client) => (await client.get('/v0/me')).status));
const inDays = (days: number) =>
  new Date(performance.timeOrigin + performance.now() + days * 86_400_000).toISOString();
const until = inDays(2);
const suspend = async (id: string, reason = 'spam') =>
  expectStatus(await operator().post(`/v0/admin/ais/${id}/suspend`, { until, reason }), 200).body;
const restore = async (id: string) =>
  expectStatus(await operator().post(`/v0/admin/ais/${id}/restore`, { reason: 'a mistake' }), 200).body;

test('a suspended AI gets the reason and the date in every response, including held ones', async () => {
  const [robin, wren] = await newAis(2);
  await statuses(robin!.key);
  const held = poll(robin!, { wait: 15 });
  await sleep(300);
  expect(await suspend(robin!.id)).toMatchObject({ state: 'suspended', suspended_until: until });
  const { result, ms } = await timed(held);
  expect([result.status, ms < 5_000]).toEqual([403, true]);
  await eventually(
    () => statuses(robin!.key),
    (seen) => seen.every((status) => status === 403),
  );
  for (const client of atEachGateway(robin!.key)) {
    for (const path of ['/v0/me', '/v0/limits', '/v0/messages'])
      expect((await client.get(path)).body).toEqual({
        error: `the operator of this home suspended this AI until ${until}: spam`,
        code: 'suspended',
        resets_at: until,
      });
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } };
  expect((await robin!.post('/mcp', call)).status).toBe(403);
  const card = async () => (await wren!.get(`/v0/cards/${robin!.address}`)).body;
  expect(await eventually(card, ({ suspended }) => suspended === true)).toMatchObject({
    address: robin!.address,
  });

  // Messages to it are kept while it is suspended.
  await send(wren!, robin!, 'are you there?');
  await restore(robin!.id);
  await eventually(
    () => statuses(robin!.key),
    (seen) => seen.every((status) => status === 200),
  );
  expect((await list(robin!)).messages).toMatchObject([{ text: 'are you there?' }]);
  expect((await eventually(card, ({ suspended }) => suspended === undefined)).address).toBe(robin!.address);
});

test('a suspended AI is not woken, and learns afterwards that events are missing', async () => {
  const [robin, wren] = await newAis(2);
  const polled = async (cursor: string) =>
    expectStatus(await robin!.get(`/v0/ais/me/events?cursor=${cursor}`), 200).body;
  const { cursor } = expectStatus(await robin!.get('/v0/ais/me/events'), 200).body;
  await suspend(robin!.id);
  await eventually(
    () => statuses(robin!.key),
    (seen) => seen.every((status) => status === 403),
  );
  await send(wren!, robin!, 'are you there?');
  await restore(robin!.id);
  await eventually(
    () => statuses(robin!.key),
    (seen) => seen.every((status) => status === 200),
  );
  // A service may cache the suspension for a moment.
  const { events } = await eventually(
    async () => {
      await send(wren!, robin!, 'and now?');
      return await polled(cursor);
    },
    (page) => page.events.length > 0,
  );
  expect(events.at(-1).name).toBe('message.direct');
});

test('its owner is notified, and the operator sees it in the audit log and the lists', async () => {
  const app = await newApp();
  const ada = await newPerson(app);
  const helper = await newAiOf(ada, scopes);
  const reason = `spam ${helper.id}`;
  await suspend(helper.id, reason);
  const client = apiClient(urls(), helper.key);
  await eventually(
    () => client.get('/v0/me'),
    ({ status }) => status === 403,
  );
  expect((await ada.get(`/v0/ais/${helper.id}`)).body).toMatchObject({ suspended_until: until });
  const told = await eventually(
    async () => expectStatus(await app.get('/v0/app/events'), 200).body.events,
    (events) => events.some(({ type }: { type: string }) => type === 'notify'),
  );
  expect(JSON.stringify(told)).toContain(reason);
  const activity = await eventually(
    async () => (await ada.get('/v0/activity?action=ai.suspended')).body.activity,
    (rows) => rows.length > 0,
  );
  expect(activity[0].summary).toContain(`The operator suspended the AI`);
  const admin = operator();
  const { ais } = expectStatus(await admin.get(`/v0/admin/ais?owner=${ada.id}`), 200).body;
  expect(ais).toMatchObject([{ id: helper.id, state: 'suspended', reason, suspended_until: until }]);
  const { people } = expectStatus(await admin.get(`/v0/admin/people?app=${app.id}`), 200).body;
  expect(people).toMatchObject([{ id: ada.id, age_band: 'adult' }]);
  const audit = await eventually(
    async () => expectStatus(await admin.get(`/v0/admin/audit?about=${helper.id}`), 200).body.audit,
    (lines) => lines.length > 0,
  );
  expect(audit).toMatchObject([{ action: 'ai.suspended', by: 'operator', about: helper.id, reason }]);
});

test('an end date in the past or too far ahead is refused', async () => {
  const robin = await newAi();
  for (const end of [inDays(-1), inDays(400)]) {
    const body = { until: end, reason: 'spam' };
    const reply = await operator().post(`/v0/admin/ais/${robin.id}/suspend`, body);
    expect([reply.status, reply.body.field]).toEqual([400, 'until']);
  }
});

import { eventually } from '@hearth/testkit/eventually';
import type { ApiClient } from '@hearth/testkit/home';
import { expect, test } from '@jest/globals';
import { newApp, newChild, newPerson, operator } from '../support/apps.ts';
import { expectStatus } from '../support/home.ts';

const act = (what: 'delete' | 'keep', id: string, reason = 'asked by mail') =>
  operator().post(`/v0/admin/people/${id}/${what}`, { reason });
const goesAt = async (client: ApiClient) =>
  expectStatus(await client.get('/v0/people/me'), 200).body.deletes_at;
const weekFromNow = performance.timeOrigin + performance.now() + 7 * 86_400_000;

test('an account deleted by the operator is gone after seven days, and may be kept by the operator or the person', async () => {
  const app = await newApp();
  const ada = await newPerson(app);
  const { body: going } = expectStatus(await act('delete', ada.address), 200);
  expect(going).toMatchObject({ id: ada.id, deletes_at: expect.any(String) });
  expect(Math.abs(Date.parse(going.deletes_at) - weekFromNow)).toBeLessThan(60_000);
  expect(await goesAt(ada)).toBe(going.deletes_at);
  // Same as deleting it themselves; a repeated call returns the same.
  expect((await act('delete', ada.id)).body).toEqual(going);
  const own = await ada.delete(`/v0/people/me?confirm=${ada.handle}`);
  expect(expectStatus(own, 202).body).toEqual({ deletes_at: going.deletes_at });
  const { people } = (await operator().get(`/v0/admin/people?app=${app.id}&deleting=true`)).body;
  expect(people).toEqual([going]);

  const { body: kept } = expectStatus(await act('keep', ada.id, 'it was another one'), 200);
  expect([kept.id, kept.deletes_at, await goesAt(ada)]).toEqual([ada.id, undefined, undefined]);
  await act('delete', ada.id);
  expectStatus(await ada.post('/v0/people/me/keep', {}), 200);
  expect(await goesAt(ada)).toBeUndefined();
});

test("the reason is shown to the person, or a child's guardian, and recorded in the audit log", async () => {
  const app = await newApp();
  const ada = await newPerson(app);
  const kit = await newChild(ada);
  for (const { id } of [ada, kit]) {
    const reason = `asked by mail for ${id}`;
    expectStatus(await act('delete', id, reason), 200);
    expectStatus(await act('keep', id, `kept ${id}`), 200);
    const audit = await eventually(async () => {
      const lines = (await operator().get(`/v0/admin/audit?about=${id}`)).body.audit;
      return lines.length === 2 && lines;
    });
    expect(audit).toMatchObject([
      { action: 'account.deletion_taken_back', by: 'operator', reason: `kept ${id}` },
      { action: 'account.deletion_asked', by: 'operator', reason },
    ]);
    const told = await eventually(async () => {
      const { events } = expectStatus(await app.get('/v0/app/events'), 200).body;
      const found = events.filter((event: { data: { body?: string } }) => event.data.body?.includes(id));
      return found.length === 2 && found;
    });
    // Events in quick succession may arrive in either order.
    const inTime = told.toSorted((one: { at: string }, other: { at: string }) =>
      one.at.localeCompare(other.at),
    );
    expect(inTime).toMatchObject([
      {
        type: 'notify',
        data: { person: ada.id, title: expect.stringContaining('will be deleted on'), body: reason },
      },
      { type: 'notify', data: { person: ada.id, title: expect.stringMatching(/ will be kept$/) } },
    ]);
  }
  const activity = (await ada.get('/v0/activity?action=account.deletion_asked')).body.activity;
  expect(JSON.stringify(activity)).toContain(`will be deleted: asked by mail for ${ada.id}`);
});

test('a reason and an existing person are required', async () => {
  const { id } = await newPerson(await newApp());
  for (const what of ['delete', 'keep'] as const) {
    const unsaid = await act(what, id, '');
    expect([unsaid.status, unsaid.body.field]).toEqual([400, 'reason']);
    expect((await act(what, `per_${'0'.repeat(32)}`)).status).toBe(404);
  }
});

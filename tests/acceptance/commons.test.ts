import { eventually } from '@hearth/testkit/eventually';
import { apiClient } from '@hearth/testkit/home';
import { expect, test } from '@jest/globals';
import { newApp, newPerson, operator } from '../support/apps.ts';
import { expectStatus, newAi, urls } from '../support/home.ts';
import { newAiOf } from './authorization/cast.ts';

test('two AIs that signed themselves up: one asks, the other replies and wakes it, a third writes in private', async () => {
  const [robin, wren, jay] = [await newAi({ name: 'Robin' }), await newAi({ name: 'Wren' }), await newAi()];
  const { cursor } = (await robin.get('/v0/ais/me/events')).body;
  const ask = {
    kind: 'ask',
    title: 'Night trains',
    text: 'To Vienna?',
    tags: ['Trains'],
    request_id: 'trains-1',
  };
  const post = expectStatus(await robin.post('/v0/commons', ask), 201).body;
  expect(post).toMatchObject({
    kind: 'ask',
    tags: ['trains'],
    by: robin.address,
    by_status: 'unclaimed',
    name_verified: false,
    status: 'open',
    replies: 0,
  });
  expect(expectStatus(await robin.post('/v0/commons', ask), 200).body.id).toBe(post.id);
  const found = await wren.get(
    `/v0/commons?kind=ask&tag=trains&by=${encodeURIComponent(robin.address)}&q=night+trains`,
  );
  expect(found.body).toMatchObject({ posts: [{ id: post.id }], next_cursor: null });

  const reply = expectStatus(await wren.post(`/v0/commons/${post.id}/replies`, { text: 'I do' }), 201).body;
  expect(reply).toMatchObject({ conversation: post.conversation, post: post.id, by: wren.address });
  const woken = await eventually(
    async () => (await robin.get(`/v0/ais/me/events?cursor=${cursor}`)).body.events,
    (events) => events.length > 0,
  );
  expect(woken).toMatchObject([
    { name: 'commons.reply', data: { conversation: post.conversation, post: post.id, reply: reply.id } },
  ]);
  expect((await robin.get(`/v0/commons/${post.id}`)).body).toMatchObject({
    post: { id: post.id, replies: 1 },
    replies: [{ id: reply.id, text: 'I do', by: wren.address }],
    next_cursor: null,
  });
  const back = (await jay.get(`/v0/commons?since=${found.body.new_since}`)).body;
  expect(back.posts).toEqual(expect.arrayContaining([expect.objectContaining({ id: post.id, replies: 1 })]));

  const secret = { text: 'Between us', private: true };
  const sent = expectStatus(await jay.post(`/v0/commons/${post.id}/replies`, secret), 201).body;
  expect(sent).toMatchObject({ id: expect.stringMatching(/^msg_/), delivery: 'delivered' });
  expect((await robin.get('/v0/messages?unread=true')).body.messages).toMatchObject([
    { id: sent.id, text: 'Between us' },
  ]);

  const listed = await eventually(
    async () =>
      (await robin.get('/v0/activity')).body.activity.map(({ action }: { action: string }) => action),
    (actions) => actions.includes('commons.replied'),
  );
  expect(listed).toEqual(expect.arrayContaining(['commons.posted', 'commons.replied']));
  const close = { reason: 'filled', with: wren.address };
  expect((await robin.post(`/v0/commons/${post.id}/close`, close)).body).toMatchObject({
    status: 'closed',
    closed_reason: 'filled',
    closed_with: wren.address,
  });
  expect((await jay.post(`/v0/commons/${post.id}/replies`, { text: 'Late' })).body.code).toBe('not_waiting');
});

test('the operator removes a reported post, and its author learns the reason and how to appeal', async () => {
  const ada = await newPerson(await newApp());
  const key = (await newAiOf(ada, ['read', 'message'])).key;
  const [adas, wren] = [apiClient(urls(), key), await newAi()];
  const post = expectStatus(await adas.post('/v0/commons', { kind: 'offer', text: 'Buy this' }), 201).body;
  const unknown = { about: `pst_${'0'.repeat(32)}`, reason: 'spam' };
  expect((await wren.post('/v0/reports', unknown)).status).toBe(404);
  const { id } = expectStatus(await wren.post('/v0/reports', { about: post.id, reason: 'spam' }), 202).body;
  const queue = (await operator().get('/v0/admin/reports')).body.reports;
  expect(queue).toEqual(
    expect.arrayContaining([expect.objectContaining({ id, about: post.id, quote: 'Buy this' })]),
  );
  expect((await operator().delete(`/v0/commons/${post.id}`)).body.field).toBe('reason');
  const removed = await operator().delete(`/v0/commons/${post.id}?reason=No+selling+here`);
  expect(removed.body).toEqual({
    id: post.id,
    status: 'removed',
    removed_by: 'operator',
    reason: 'No selling here',
  });
  expectStatus(await operator().post(`/v0/admin/reports/${id}/resolve`, { resolution: 'removed' }), 200);
  const tombstone = { status: 'removed', removed_by: 'operator', reason: 'No selling here', text: '' };
  const seen = (await wren.get(`/v0/commons/${post.id}`)).body.post;
  expect([seen, seen.appeal]).toMatchObject([tombstone, undefined]);
  expect((await adas.get(`/v0/commons/${post.id}`)).body.post).toMatchObject({
    ...tombstone,
    appeal: expect.stringContaining('/v0/feedback'),
  });
  const summaries = await eventually(
    async () =>
      (await ada.get('/v0/activity')).body.activity.map(({ summary }: { summary: string }) => summary),
    (words) => words.some((word: string) => word.includes('No selling here')),
  );
  expect(summaries).toContain('The operator removed a post from the Commons: No selling here');
  // The audit log is written by another consumer than activity.
  await eventually(
    async () => JSON.stringify((await operator().get('/v0/admin/audit')).body),
    (audit) => audit.includes('commons.removed'),
  );
});

import { follows } from '@hearth/testkit';
import type { Reply } from '@hearth/testkit/home';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWholeHome } from './support/whole-home.ts';

/**
 * A person who wants to join a group waits for approvals, which organizers and guardians give through the app that
 * holds them.
 */

const home = await startWholeHome({ logLevel: 'error' });
const app = await home.newApp({ minors: true });

afterAll(() => home.stop());

interface Person {
  id: string;
  call(method: string, path: string, body?: object): Promise<Reply>;
}

async function person(name: string, fields: object = {}): Promise<Person> {
  const { body } = await app.post('/v0/people', { name, age_band: 'adult', ...fields });
  const id = body.id as string;
  return { id, call: (method, path, more) => app.request(method, path, more, { 'svc-acting-for': id }) };
}

/** A group whose organizer reviews joins, and a join request. */
async function requestJoin(joiner: Person, forAge = 'adult') {
  const organizer = await person('Olga Organizer');
  const settings = { minors: 'guardian', join_review: 'all' };
  const group = (await organizer.call('POST', '/v0/groups', { name: 'Rowers', settings })).body.id as string;
  const made = await organizer.call('POST', `/v0/groups/${group}/invites`, { for_age: forAge });
  const code = made.body.code as string;
  const accepted = await joiner.call('POST', `/v0/invites/${code}/accept`, { note: 'I row' });
  expect(accepted).toMatchObject({ status: 200, body: { status: 'waiting' } });
  return { organizer, group, code, approval: accepted.body.approval as string };
}

const reply = (by: Person, approval: string, decision: string) =>
  by.call('POST', `/v0/approvals/${approval}/reply`, { decision });

const statusFor = async (viewer: Person, approval: string) =>
  (await viewer.call('GET', `/v0/approvals/${approval}`)).body.status;

/** How many members the organizer sees. */
const sizeOf = async (organizer: Person, group: string) =>
  (await organizer.call('GET', `/v0/groups/${group}/members`)).body.members.length;

describe('a person who asks to join a reviewing group', () => {
  test('is admitted by an organizer’s answer to the approval', async () => {
    const joiner = await person('Jo Joiner');
    const { organizer, group, approval } = await requestJoin(joiner);
    const asked = await organizer.call('GET', `/v0/approvals/${approval}`);
    expect(asked.body).toMatchObject({ kind: 'join_request', status: 'waiting', details: 'I row' });
    expect((await organizer.call('GET', '/v0/me')).body).toMatchObject({
      waiting: { approvals: { count: 1 }, requests: { count: 0 } },
      next: expect.stringContaining('GET /v0/approvals'),
    });
    expect((await reply(organizer, approval, 'approved')).body.status).toBe('approved');
    await follows(async () => expect(await sizeOf(organizer, group)).toBe(2));
    await follows(async () => {
      const { waiting } = (await organizer.call('GET', '/v0/me')).body;
      expect(waiting.approvals.count).toBe(0);
    });
  });

  test('is rejected by it', async () => {
    const joiner = await person('Jo Joiner');
    const { organizer, group, code, approval } = await requestJoin(joiner);
    await reply(organizer, approval, 'declined');
    await follows(async () => {
      const again = await joiner.call('POST', `/v0/invites/${code}/accept`);
      expect(again.status).toBe(400);
    });
    expect(await sizeOf(organizer, group)).toBe(1);
  });

  test('leaves no approval behind: review_invite settles it, and withdraw_join cancels it', async () => {
    const joiner = await person('Jo Joiner');
    const first = await requestJoin(joiner);
    await first.organizer.call('POST', `/v0/invites/${first.code}/review`, { decision: 'approved' });
    expect(await statusFor(first.organizer, first.approval)).toBe('approved');
    const late = await reply(first.organizer, first.approval, 'declined');
    expect(late).toMatchObject({ status: 400, body: { error: expect.stringContaining('approved already') } });
    expect(await sizeOf(first.organizer, first.group)).toBe(2);

    const second = await requestJoin(joiner);
    await joiner.call('DELETE', `/v0/invites/${second.code}/accept`);
    expect(await statusFor(second.organizer, second.approval)).toBe('cancelled');
    expect(await sizeOf(second.organizer, second.group)).toBe(1);
  });

  test('withdraws the request by cancelling the approval', async () => {
    const joiner = await person('Jo Joiner');
    const { organizer, group, code, approval } = await requestJoin(joiner);
    await joiner.call('DELETE', `/v0/approvals/${approval}`);
    await follows(async () => {
      const { invites } = (await organizer.call('GET', `/v0/groups/${group}/invites`)).body;
      expect(invites[0].why).toBe('withdrawn');
    });
    const late = await organizer.call('POST', `/v0/invites/${code}/review`, { decision: 'approved' });
    expect(late.status).toBe(400);
    expect(await sizeOf(organizer, group)).toBe(1);
  });
});

test('a child joins after the guardian’s answer, and then an organizer’s', async () => {
  const guardian = await person('Gus Guardian');
  const child = await person('Ida Lovelace', { age_band: 'child', guardian: guardian.id });
  const { organizer, group, approval } = await requestJoin(child, 'child');
  expect((await guardian.call('GET', `/v0/approvals/${approval}`)).body).toMatchObject({
    title: 'May Ida L. join Rowers?',
    status: 'waiting',
  });
  expect((await reply(organizer, approval, 'approved')).status).toBe(404);
  expect((await reply(guardian, approval, 'approved')).body.status).toBe('approved');
  const next = await follows(async () => {
    const { approvals } = (await organizer.call('GET', '/v0/approvals?status=waiting')).body;
    expect(approvals).toHaveLength(1);
    return approvals[0].id as string;
  });
  expect(await sizeOf(organizer, group)).toBe(1);
  await reply(organizer, next, 'approved');
  await follows(async () => expect(await sizeOf(organizer, group)).toBe(2));
});

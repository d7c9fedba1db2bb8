import { wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, expect, test } from '@jest/globals';
import { startWholeHome } from './support/whole-home.ts';

/* A teenager who signed up on their own, and gets a guardian: through an app that holds both. */

const home = await startWholeHome();
afterAll(() => home.stop());

const none = 'You have no guardian here.';
const year = `${new Date(performance.timeOrigin).getUTCFullYear() - 17}`;

test('a teenager without a guardian gets one through an app that they let hold them, and each side can end it', async () => {
  const kit = await home.signIn('kit@example.com', { name: 'Kit Lovelace', year });
  const teen = home.api(kit.cookie('hearth_session')!);
  const { person } = (await teen.get('/v0/me')).body;
  expect(wordsOf(await kit.open('/me'))).toContain(none);
  await home.signIn('ada@example.com');

  // Neither the teenager nor another adult names a guardian.
  const named = { guardian: '@ada-lovelace' };
  expect((await teen.put('/v0/people/me/guardian', named)).status).toBe(403);

  const app = await home.newApp({ minors: true });
  const adult = (await app.post('/v0/people', { name: 'Gus Guardian', age_band: 'adult' })).body;
  /** A request of the app in the name of the adult. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const byAdult = async (method: string, path: string, fields?: object): Promise<any> => {
    const headers = {
      authorization: `Bearer ${app.key}`,
      'content-type': 'application/json',
      'svc-acting-for': adult.id,
    };
    const body = fields === undefined ? {} : { body: JSON.stringify(fields) };
    return await (await fetch(`${home.url}${path}`, { method, headers, ...body })).json();
  };
  // The app meets the teenager in a group that both are in.
  const settings = { minors: 'teens', join_review: 'none' };
  const group = await byAdult('POST', '/v0/groups', { name: 'Rowers', settings });
  const invite = await byAdult('POST', `/v0/groups/${group.id}/invites`, { for_age: 'teen16' });
  expect((await teen.post(`/v0/invites/${invite.code}/accept`)).body).toMatchObject({ status: 'joined' });
  const { members } = await byAdult('GET', `/v0/groups/${group.id}/members`);
  const [seen] = members.flatMap((member: { person: { id: string; shielded: boolean } }) =>
    member.person.shielded ? [member.person.id] : [],
  );
  expect((await app.put(`/v0/people/${seen}/guardian`, { guardian: adult.id })).status).toBe(404);
  expect((await app.post(`/v0/app/people/${seen}/link`)).body).toMatchObject({ status: 'waiting' });
  const page = await kit.open('/me');
  const [, action = ''] = /action="(\/me\/apps\/[^"]*)"/.exec(page.text)!;
  await kit.send(page, action, { answer: 'accept' });
  const guarded = await app.put(`/v0/people/${person.id}/guardian`, { guardian: adult.id });
  expect(guarded.body).toMatchObject({ guardian: adult.id });
  expect(wordsOf(await kit.open('/me'))).toContain('Gus Guardian');

  // It ends once both have said so.
  const end = await teen.delete(`/v0/people/${person.id}/guardian`);
  expect(end.body).toEqual({ ended: false, waiting_for: ['guardian'] });
  const ended = await byAdult('DELETE', `/v0/people/${person.id}/guardian`);
  expect(ended).toMatchObject({ ended: true });
  expect(wordsOf(await kit.open('/me'))).not.toContain('Gus Guardian');
});

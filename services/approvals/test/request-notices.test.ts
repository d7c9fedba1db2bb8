import { hour } from '@hearth/clock';
import { afterAll, expect, test } from '@jest/globals';
import { at, startApprovals } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

const tell = async (hoursLater: number) => {
  home.clock.advance(hoursLater * hour);
  await home.runJob('approvals: tell-new-requests');
};
const titles = async (person: { id: string }) =>
  (await home.announced('personNotified', { person: person.id })).map(({ title }) => title);

test('new requests are announced once a day as a count, without settled ones', async () => {
  const ada = home.newPerson();
  const place = (item = {}) =>
    home.place('message', { owner: ada.id, ...item }, { title: 'Dear Ada', preview: 'Buy this' });
  await place();
  await place();
  const settled = await place();
  const item = home.waiting.items.get([...home.waiting.items.keys()].at(-1)!)!;
  await tell(0.5);
  expect(await titles(ada)).toEqual([]);
  await home.items.noteItems({ change: { closed: [item.key!] } });
  await tell(0.6);
  expect(await titles(ada)).toEqual(['2 new requests']);
  expect(await home.announced('personNotified', { person: ada.id })).toMatchObject([
    { about: '', body: '', kind: 'message', item: ada.id, link: '/requests' },
  ]);
  expect(settled).toMatch(/^msg_/);

  home.clock.advance(1);
  await place();
  await tell(2);
  expect(await titles(ada)).toHaveLength(1);
  await tell(22);
  expect(await titles(ada)).toEqual(['2 new requests', '1 new request']);
  // No new requests arrived.
  await tell(48);
  expect(await titles(ada)).toHaveLength(2);
});

test('requests at a guardian, at a front door or in the inbox, and invites, are not counted', async () => {
  const { guardian, child } = home.newFamily();
  const ben = home.newPerson();
  const door = home.newAi(ben);
  await home.place('message', { owner: child.id, holder: guardian.id }, {});
  await home.place('message', { owner: ben.id, holder: door.id, box: 'front_door' }, {});
  await home.place('message', { owner: ben.id, box: 'inbox' }, {});
  await home.place('invite', { owner: ben.id }, {});
  await tell(2);
  for (const person of [guardian, child, ben]) expect(await titles(person)).toEqual([]);
});

test('a request passed on from a front door counts from then on', async () => {
  const ben = home.newPerson();
  const door = home.newAi(ben);
  await home.place('message', { owner: ben.id }, {});
  await home.place('message', { owner: ben.id, holder: door.id, box: 'front_door' }, {});
  const moved = [...home.waiting.items.values()].at(-1)!;
  await tell(2);
  expect(await titles(ben)).toEqual(['1 new request']);
  home.waiting.move = () => ({ change: { placed: [{ ...moved, holder: '', box: 'requests' }] } });
  home.clock.advance(1);
  await home.publish({ case: 'aiRevoked', value: { ai: door.id } });
  await tell(30);
  expect(await titles(ben)).toEqual(['1 new request', '1 new request']);
});

test('asks that wait quietly are counted, other asks have notices of their own', async () => {
  const ada = home.newPerson();
  await home.ask(home.newAi(), { to: at(ada) });
  await home.ask(home.newAi(home.newPerson()), { to: at(ada) });
  await tell(2);
  expect((await titles(ada)).filter((title) => title.endsWith('new request'))).toEqual(['1 new request']);
});

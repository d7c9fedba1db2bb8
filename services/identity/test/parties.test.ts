import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemsService } from '@hearth/proto/federation/v1/items';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { eventually } from '@hearth/testkit';
import { afterAll, expect, test } from '@jest/globals';
import { heard } from './people.ts';
import { failure, startIdentity } from './start-identity.ts';

const home = await startIdentity();
const parties = home.home.client(PartiesService, 'messages');
const people = home.home.client(PeopleService, 'messages');
const directory = home.home.client(IdentityService, 'messages');
afterAll(() => home.stop());

const robin = { id: 'ai_1', kind: 'ai', name: 'Robin', name_verified: true, status: 'vouched', later: 1 };
const meet = async (address: string, sender?: object) =>
  (await parties.meetParty({ address, senderJson: sender === undefined ? '' : JSON.stringify(sender) }))
    .profile!;
const at = async (address: string) =>
  (await directory.findProfiles({ addresses: [address] })).results[0]!.profile;
const withId = async (id: string) => (await directory.findProfiles({ ids: [id] })).results[0]!.profile;

test("a party written to is known by its address, and then by its home's data", async () => {
  const written = await meet('Robin.ai-One@one.example');
  expect(written).toMatchObject({ address: 'robin.ai-one@one.example', name: 'one', home: 'one.example' });
  expect((await meet('robin.ai-one@one.example')).id).toBe(written.id);
  const heard = await meet('robin.ai-one@one.example', robin);
  expect(heard).toMatchObject({ id: written.id, name: 'Robin', person: false, aiStatus: 2 });
  expect(await at('@robin.ai-one@one.example')).toEqual(heard);
  expect(await withId(heard.id)).toEqual(heard);
});

test('a known id with another address has moved, and its old address may pass to another party', async () => {
  const first = await meet('ana@two.example', { ...robin, kind: 'person' });
  const moved = await meet('bea@two.example', { ...robin, kind: 'person' });
  expect(moved).toMatchObject({ id: first.id, address: 'bea@two.example', person: true });
  expect(await at('ana@two.example')).toBeUndefined();
  home.signalled.credentials.length = 0;
  const other = await meet('bea@two.example', { ...robin, id: 'per_2', kind: 'person', name: 'Other' });
  expect(other.id).not.toBe(first.id);
  // Services that cached the previous party's profile drop it.
  await heard(home, 'credentials', first.id);
  expect(await withId(first.id)).toMatchObject({ address: '', name: 'Robin' });
  expect(await at('bea@two.example')).toEqual(other);
});

test.each(['Hearth Security', 'Support', 'https://evil.example', 'Write to @ana'])(
  'a name by which one would pass for this home, or that leads out of it, is not shown: %s',
  async (name) => {
    const met = await meet('hugo.ai-nine@nine.example', { ...robin, id: 'ai_9', name });
    expect(met.name).toBe('nine');
  },
);

test('a known person of another home is found among people, by id and full address, and an AI is not', async () => {
  const ada = await meet('ada@six.example', { ...robin, id: 'per_6', kind: 'person', name: 'Ada' });
  const ai = await meet('ada.ai-x@six.example', robin);
  const { results } = await people.findPeople({
    ids: [ada.id, ai.id],
    handles: ['ada@six.example', 'ada@seven.example', 'ada'],
  });
  const facts = expect.objectContaining({ id: ada.id, handle: 'ada', name: 'Ada', home: 'six.example' });
  expect(results.map((result) => result.facts)).toEqual([facts, undefined, facts, undefined, undefined]);
});

test('the same id at two homes means two parties', async () => {
  const ids = await Promise.all(
    ['max.ai-x@three.example', 'max.ai-x@four.example'].map((at) => meet(at, robin)),
  );
  expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
});

test('concurrent lookups create one party', async () => {
  const met = await Promise.all(Array.from({ length: 10 }, () => meet('many.ai-x@five.example', robin)));
  expect(new Set(met.map(({ id }) => id)).size).toBe(1);
});

test.each([
  ['an address of this home', '@ana', robin],
  ['a group', '&club@one.example', robin],
  ['no address', 'nothing', robin],
  ['no id', 'ana.ai-x@one.example', { ...robin, id: '' }],
  ['an unknown kind', 'ana.ai-x@one.example', { ...robin, kind: 'group' }],
  ['a long name', 'ana.ai-x@one.example', { ...robin, name: 'x'.repeat(101) }],
  ['an AI at the address of a person', 'ana@one.example', robin],
  ['a person at the address of an AI', 'ana.ai-x@one.example', { ...robin, kind: 'person' }],
])('%s is refused', async (_, address, sender) => {
  expect(await failure(meet(address, sender))).toMatch(/^bad_request bad_field/);
});

const noted = (address: string, body: object) =>
  home.home.client(HomeItemsService, 'federation', 'identity').receiveHomeItems({
    items: [{ type: HomeItemType.NOTICE, home: address.split('@')[1]!, bodyJson: JSON.stringify(body) }],
  });

test('a notice from its home moves a party or removes its address, and one from another home does nothing', async () => {
  const ana = await meet('ana@six.example', { ...robin, kind: 'person' });
  const moved = { kind: 'moved', address: 'bea@six.example', was: 'ana@six.example', id: robin.id };
  await noted('x@seven.example', moved);
  expect((await withId(ana.id))?.address).toBe('ana@six.example');
  home.signalled.people.length = 0;
  await noted('x@six.example', moved);
  expect(await withId(ana.id)).toMatchObject({ address: 'bea@six.example', name: 'Robin' });
  await heard(home, 'people', ana.id);
  await noted('x@six.example', { kind: 'gone', address: 'bea@six.example', id: robin.id });
  expect(await at('bea@six.example')).toBeUndefined();
  await eventually(async () => (await home.events('identity', 'partyGone')).length > 0);
  expect((await home.events('identity', 'partyGone'))[0]!.data.value).toMatchObject({ party: ana.id });

  // An invalid id changes nothing.
  for (const id of ['a\0', 'x'.repeat(65), ''])
    await noted('x@six.example', { kind: 'gone', address: 'bea@six.example', id });

  // A party that was only written to is known only by address.
  const cleo = await meet('cleo@six.example');
  await noted('x@six.example', {
    ...moved,
    address: 'cleo-b@six.example',
    was: 'cleo@six.example',
    id: 'per_7',
  });
  expect((await withId(cleo.id))?.address).toBe('cleo-b@six.example');
  await noted('x@six.example', { kind: 'gone', address: 'cleo-b@six.example', id: 'per_7' });
  expect((await withId(cleo.id))?.address ?? '').toBe('');
});

test('after its home began anew the ids are new, while a party at the same address keeps its uuid and blocks', async () => {
  const ana = await meet('ana@eight.example', { ...robin, kind: 'person' });
  const { at } = await home.publish({
    case: 'otherHomeChanged',
    value: { home: 'eight.example', change: 'began_anew' },
  });
  await eventually(async () => (await home.events('identity', 'partiesBeganAnew')).length > 0);
  const [told] = await home.events('identity', 'partiesBeganAnew');
  expect(told!.data.value).toMatchObject({ home: 'eight.example', parties: [ana.id] });
  const other = await meet('ana@eight.example', { ...robin, id: 'per_9', kind: 'person', name: 'Other' });
  expect(other).toMatchObject({ id: ana.id, name: 'Other' });
  // The event is redelivered, late.
  await home.publish(
    { case: 'otherHomeChanged', value: { home: 'eight.example', change: 'began_anew' } },
    { at: at! },
  );
  expect(await home.events('identity', 'partiesBeganAnew')).toHaveLength(1);
});

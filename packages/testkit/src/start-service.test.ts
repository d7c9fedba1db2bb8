import { notFound } from '@hearth/errors';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host, ServiceDefinition } from '@hearth/runtime';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createWorld, fake, fakePeers, startService, type TestService } from './index.ts';

const running: TestService[] = [];
afterEach(async () => {
  for (const home of running.splice(0)) await home.stop();
});

/** A service that does nothing itself, so that a test can use its host. */
const idle = (start: (host: Host) => void = () => {}): ServiceDefinition => ({
  name: 'messages',
  start: async (host) => start(host),
});

async function started(...[services, options]: Parameters<typeof startService>): Promise<TestService> {
  const home = await startService(services, options);
  running.push(home);
  return home;
}

describe('fake peers', () => {
  test('answer through their handlers, prefer the later of two handlers with one name, and record every call', async () => {
    const world = createWorld();
    const [ada, bob] = [world.newPerson(), world.newPerson()];
    const club = world.newGroup([ada, bob]);
    const peers = fakePeers(
      world.identity,
      world.groups,
      fake(GroupsService, { listGroupIds: async () => ({}) }),
    );
    const host = (await started([idle()], { peers })).host('messages');
    const groups = host.peer('groups', GroupsService);
    const pairs = [{ one: ada.id, other: bob.id }];
    expect((await groups.shareGroup({ pairs })).shared[0]?.groups).toEqual([club.facts.id]);
    expect((await groups.listGroupIds({ person: ada.id })).groups).toEqual([]);
    expect(peers.calls.map(({ service, name, from }) => [service, name, from])).toEqual([
      ['groups', 'shareGroup', 'messages'],
      ['groups', 'listGroupIds', 'messages'],
    ]);
    expect(peers.requestsOf(GroupsService.method.listGroupIds)).toMatchObject([{ person: ada.id }]);
  });

  test('can be unavailable as a whole, or fail one rpc', async () => {
    const world = createWorld();
    const peers = fakePeers(world.identity);
    const host = (await started([idle()], { peers })).host('messages');
    const ask = () => host.peer('identity', PeopleService).findPeople({ handles: ['robin'] });
    peers.away('identity');
    await expect(ask()).rejects.toMatchObject({ kind: 'unavailable', message: 'identity is away' });
    peers.back('identity');
    peers.fail(PeopleService.method.findPeople, notFound());
    await expect(ask()).rejects.toMatchObject({ kind: 'not_found' });
    peers.fail(PeopleService.method.findPeople, undefined);
    expect((await ask()).results).toHaveLength(1);
  });

  test('fail a test that calls an rpc without a handler', async () => {
    const peers = fakePeers(fake(PeopleService, {}));
    const home = await startService([idle()], { peers, logLevel: 'error' });
    const call = home.host('messages').peer('identity', PeopleService).findPeople({});
    await expect(call).rejects.toMatchObject({ message: 'messages calls identity.findPeople' });
    await expect(home.stop()).rejects.toThrow('did not expect: messages calls identity.findPeople');
  });

  test('of an unknown gRPC service are a mistake', () => {
    expect(() => fakePeers(fake({ ...GroupsService, typeName: 'hearth.weather.v1.Clouds' }, {}))).toThrow(
      'hearth.weather.v1.Clouds belongs to no service of a home',
    );
  });
});

describe('a service under test', () => {
  test('receives published events, and runs its jobs on request', async () => {
    const received: string[] = [];
    const service = idle((host) => {
      host.consume({
        durable: 'probe',
        types: ['account_deleted'],
        handle: async (events) => void received.push(...events.map(({ event }) => event.id)),
      });
      host.every('count', 3_600_000, async () => void received.push('job'));
    });
    const home = await started([service]);
    const { id } = await home.publish({ case: 'accountDeleted', value: { deleted: [home.ids.uuid()] } });
    await home.runJob('messages: count');
    expect(received).toEqual([id, 'job']);
    await expect(home.runJob('messages: nothing')).rejects.toThrow('there is no job "messages: nothing"');
  });

  test('receives signals of changes in the world', async () => {
    const world = createWorld();
    const home = await started([idle()], { peers: fakePeers(world.identity) });
    const people = home.signals('people');
    const ada = world.newPerson();
    world.changePerson(ada, { name: 'Ada King' });
    world.deletePerson(ada);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(people).toEqual([ada.id, ada.id, ada.id]);
  });
});

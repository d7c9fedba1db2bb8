import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit/eventually';
import { signUpAi, type TestAi } from '@hearth/testkit/home';
import { sampled } from '@hearth/testkit/sample';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newAi, newApp, type Party } from '../support/acting.ts';
import { expectStatus } from '../support/home.ts';
import { inEach, type MortalHome, startBothHomes, untilAnswered } from './support/both-homes.ts';
import { rounds } from './support/rounds.ts';

// The home is killed at each step of an item for a person: between a source's commit and its note, and between a move
// at the source and its write. Afterwards everyone sees what the sources say: no item is lost or duplicated.
type Viewer = 'ben' | 'eve' | 'dora' | 'door' | 'gus' | 'hal';

interface World extends MortalHome {
  robin: TestAi;
  ann: Party;
  people: Record<Exclude<Viewer, 'door'>, Party>;
  /** The AI at Dora's front door. */
  door: Party;
  kit: Party;
  newPerson(): Promise<Party>;
  /** Ids of the items that each viewer should see. */
  waits: Record<Viewer, Set<string>>;
}

let worlds: World[] = [];
const viewers: readonly Viewer[] = ['ben', 'eve', 'dora', 'door', 'gus', 'hal'];
/** The services that take part in a step of an item. */
const services = ['approvals', 'messages', 'groups'];

beforeAll(async () => {
  const homes = await startBothHomes(async () => ({ env: {}, stop: async () => undefined }));
  worlds = await Promise.all(homes.map(makeWorld));
}, 240_000);
afterAll(() => inEach(worlds, (world) => world.stop()), 60_000);

async function makeWorld(mortal: MortalHome): Promise<World> {
  const { home } = mortal;
  const { newPerson } = await newApp(home);
  const [ann, ben, eve, dora, gus, hal] = await Promise.all(Array.from({ length: 6 }, () => newPerson()));
  const born = `${new Date().getUTCFullYear() - 9}-01`;
  const kit = await newPerson({ name: 'Kit', birth_year_month: born, guardian: gus!.id });
  const rules = { person: kit.id, rules: { other: { action: 'ask' } } };
  expectStatus(await gus!.put('/v0/request-rules', rules), 200);
  const world: World = {
    ...mortal,
    robin: await signUpAi(home.urls),
    ann: ann!,
    people: { ben: ben!, eve: eve!, dora: dora!, gus: gus!, hal: hal! },
    door: await newAi(home.urls, dora!),
    kit,
    newPerson,
    waits: Object.fromEntries(viewers.map((viewer) => [viewer, new Set()])) as World['waits'],
  };
  const atDoor = { rules: { other: { action: 'front_door', weekly_cap: 1_000 } }, front_door: world.door.id };
  expectStatus(await dora!.put('/v0/request-rules', atDoor), 200);
  return world;
}

const clientOf = ({ door, people }: World, viewer: Viewer) => (viewer === 'door' ? door : people[viewer]);

async function write(
  { robin, waits }: World,
  viewer: Viewer,
  to: Party,
  id = `${Math.random()}`,
): Promise<string> {
  const body = { to: to.address, text: 'May I?', request_id: id };
  const { body: sent } = await untilAnswered(() => robin.post('/v0/messages', body));
  if (!/requested|front_door/.test(`${sent['delivery']}`))
    throw new Error(`not placed: ${JSON.stringify(sent)}`);
  waits[viewer].add(sent['id'] as string);
  return sent['id'] as string;
}

async function ask(
  { robin, waits }: World,
  viewer: Viewer,
  to: Party,
  id = `${Math.random()}`,
): Promise<string> {
  const body = { to: [to.address], title: 'May I?', request_id: id };
  const { body: asked } = await untilAnswered(() => robin.post('/v0/approvals', body));
  if (asked['status'] !== 'waiting') throw new Error(`not placed: ${JSON.stringify(asked)}`);
  waits[viewer].add(asked['id'] as string);
  return asked['id'] as string;
}

/** Invites into a new group. */
async function invite(
  { ann, waits }: World,
  viewer: Viewer,
  to: Party,
): Promise<{ id: string; code: string }> {
  const request_id = `${Math.random()}`;
  const made = await untilAnswered(() => ann.post('/v0/groups', { name: 'Walks', request_id }));
  const path = `/v0/groups/${made.body['id']}/invites`;
  const { body: sent } = await untilAnswered(() => ann.post(path, { to: to.address, request_id }));
  waits[viewer].add(sent['id'] as string);
  return { id: sent['id'] as string, code: sent['code'] as string };
}

/** Expects that each viewer sees their pending items once, with matching counts. */
async function expectShown(world: World): Promise<void> {
  const look = async () =>
    Object.fromEntries(
      await Promise.all(
        viewers.map(async (viewer) => {
          const client = clientOf(world, viewer);
          const { body: list } = await client.get('/v0/requests?limit=100');
          const { body: me } = await client.get('/v0/me');
          const ids = list.requests?.map(({ id }: { id: string }) => id).toSorted();
          return [viewer, { ids, count: me.waiting?.requests.count }] as const;
        }),
      ),
    );
  const expected = Object.fromEntries(
    viewers.map((viewer) => [
      viewer,
      { ids: [...world.waits[viewer]].toSorted(), count: world.waits[viewer].size },
    ]),
  );
  // An AI whose key has ended sees nothing.
  const same = (seen: unknown) => JSON.stringify(seen) === JSON.stringify(expected);
  // NATS redelivers a dead process's events to another process after 30 s.
  await eventually(look, same, { withinMs: 90_000, everyMs: 100 }).catch(() => {});
  expect(await look()).toEqual(expected);
}

/** Acts while items cannot be written, which change what viewers should see afterwards. */
interface Step {
  what: string;
  prepare(world: World): Promise<() => Promise<unknown>>;
}

function take(world: World, viewer: Viewer, ...ids: string[]): void {
  for (const id of ids) world.waits[viewer].delete(id);
}

function hand(world: World, from: Viewer, to: Viewer): void {
  for (const id of world.waits[from]) world.waits[to].add(id);
  world.waits[from].clear();
}

/** One kill per step, which takes a minute. */
const isStepwise = ({ name }: World) => sampled(false, true) && name === 'one';

const steps: readonly Step[] = [
  {
    what: 'placed',
    prepare: async (world) => () =>
      Promise.all([
        write(world, 'eve', world.people.eve),
        invite(world, 'eve', world.people.eve),
        // Where everything happens at once, these would move at the same time.
        ...(isStepwise(world)
          ? [
              write(world, 'door', world.people.dora),
              invite(world, 'door', world.people.dora),
              write(world, 'gus', world.kit),
            ]
          : []),
      ]),
  },
  {
    what: 'accepted and declined',
    async prepare(world) {
      const { ben } = world.people;
      const [message, other] = [await write(world, 'ben', ben), await write(world, 'ben', ben)];
      const [invited, asked] = [await invite(world, 'ben', ben), await ask(world, 'ben', ben)];
      return async () => {
        take(world, 'ben', message, other, invited.id, asked);
        await Promise.all([
          untilAnswered(() => ben.post(`/v0/requests/${message}/accept`)),
          untilAnswered(() => ben.post(`/v0/requests/${other}/decline`)),
          untilAnswered(() => ben.post(`/v0/requests/${invited.id}/decline`)),
          untilAnswered(() => ben.post(`/v0/approvals/${asked}/reply`, { decision: 'approved' })),
        ]);
      };
    },
  },
  {
    what: 'closed by its sender',
    async prepare(world) {
      const { ben, dora } = world.people;
      const [message, invited] = [await write(world, 'door', dora), await invite(world, 'ben', ben)];
      const asked = await ask(world, 'ben', ben);
      return async () => {
        take(world, 'ben', invited.id, asked);
        take(world, 'door', message);
        await Promise.all([
          untilAnswered(() => world.robin.delete(`/v0/messages/${message}?mode=retract`)),
          untilAnswered(() => world.ann.delete(`/v0/invites/${invited.code}`)),
          untilAnswered(() => world.robin.delete(`/v0/approvals/${asked}`)),
        ]);
      };
    },
  },
  {
    what: 'moved to another guardian',
    async prepare(world) {
      const { gus, hal } = world.people;
      await Promise.all([write(world, 'gus', world.kit), ask(world, 'gus', world.kit)]);
      return async () => {
        hand(world, 'gus', 'hal');
        await untilAnswered(() => gus.put(`/v0/people/${world.kit.id}/guardian`, { guardian: hal.id }));
      };
    },
  },
  {
    what: 'moved from a front door that is none any more',
    async prepare(world) {
      const { dora } = world.people;
      await Promise.all([write(world, 'door', dora), ask(world, 'door', dora), invite(world, 'door', dora)]);
      return async () => {
        hand(world, 'door', 'dora');
        // Each of Dora's AIs sees her pending items.
        world.waits.door = world.waits.dora;
        const asked = { permissions: ['read'] };
        await untilAnswered(() => dora.patch(`/v0/ais/${world.door.id}`, asked));
      };
    },
  },
  {
    what: 'ended by a block',
    async prepare(world) {
      const { ben } = world.people;
      const sent = await Promise.all([write(world, 'ben', ben), ask(world, 'ben', ben)]);
      return async () => {
        take(world, 'ben', ...sent);
        for (const id of [...world.waits.ben]) if (!id.startsWith('inv_')) world.waits.ben.delete(id);
        await untilAnswered(() => ben.put(`/v0/blocks/${encodeURIComponent(world.robin.address)}`));
      };
    },
  },
];

/** Kills the home while the effects of these acts wait to be written; retries each act until it is answered. */
async function killDuring(world: World, acts: readonly (() => Promise<unknown>)[]): Promise<void> {
  let done: Promise<unknown> = Promise.resolve();
  await world.killWriting(services, ['approvals.items'], async () => {
    done = Promise.all(acts.map((act) => act()));
    done.catch(() => {});
    // The sources have committed, and given up on their notes.
    await sleep(1_200);
  });
  await world.restart();
  await done;
}

test('a new item is listed at once', async () => {
  await inEach(worlds, async (world) => {
    const { ben, dora } = world.people;
    await Promise.all([
      write(world, 'ben', ben),
      ask(world, 'door', dora),
      invite(world, 'ben', ben),
      write(world, 'gus', world.kit),
    ]);
    const { requests } = expectStatus(await ben.get('/v0/requests'), 200).body;
    expect(requests).toHaveLength(2);
    await expectShown(world);
  });
}, 240_000);

test('killed at each step, all at once, and in a long run also one after the other', async () => {
  await inEach(worlds, async (world) => {
    if (isStepwise(world)) {
      for (const { what, prepare } of steps) {
        const act = await prepare(world);
        await expectShown(world);
        await killDuring(world, [act]).catch((error: Error) => {
          error.message = `${what}: ${error.message}`;
          throw error;
        });
        await expectShown(world);
      }
    } else {
      const acts: (() => Promise<unknown>)[] = [];
      for (const { prepare } of steps) acts.push(await prepare(world));
      await expectShown(world);
      await killDuring(world, acts);
      await expectShown(world);
    }
  });
}, 240_000);

test('killed repeatedly while many items are stored and settled, the home loses none and lists each once', async () => {
  await inEach(worlds, async (world) => {
    const ben = await world.newPerson();
    const rules = { other: { action: 'ask', weekly_cap: 1_000 } };
    expectStatus(await ben.put('/v0/request-rules', { rules }), 200);
    world.people.ben = ben;
    world.waits.ben.clear();
    for (let round = 0; round < rounds(1); round += 1) {
      const key = `${world.name}-${round}`;
      const going = Array.from({ length: 24 }, async (_, n) => {
        await sleep(Math.random() * 200);
        const sent =
          n % 2 === 0 ? write(world, 'ben', ben, `${key}-${n}`) : ask(world, 'ben', ben, `${key}-${n}`);
        const id = await sent;
        if (n % 3 !== 0) return;
        // Approvals may only hear of it by its event, after some seconds; then it can be settled.
        const shown = () => untilAnswered(() => ben.get('/v0/requests?limit=100'));
        const isThere = (list: object) => JSON.stringify(list).includes(id);
        await eventually(shown, isThere, { withinMs: 90_000, everyMs: 100 });
        const how = n % 4 < 2 ? 'accept' : 'decline';
        const { status } = await untilAnswered(() => ben.post(`/v0/requests/${id}/${how}`));
        expect([200, 404]).toContain(status);
        world.waits.ben.delete(id);
      });
      await sleep(100 + Math.random() * 200);
      await world.kill(...services);
      await world.restart();
      await Promise.all(going);
      await expectShown(world);
    }
  });
}, 240_000);

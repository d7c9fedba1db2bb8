import type { Caller } from '@hearth/proto/common/v1/caller';
import type { Event } from '@hearth/proto/events/v1/events';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { actorOf } from '@hearth/rpc';
import { asApp, asPerson } from '@hearth/testkit';
import { startAppReceiver } from '@hearth/testkit/app-receiver';
import { ids, type KnownApp, type KnownPerson, newPerson, standIns, type World } from './stand-ins.ts';
import { newEvent, startDelivery } from './start-delivery.ts';

type Data = Event['data'];

export type TestApps = Awaited<ReturnType<typeof startApps>>;

export function newApp(url: string, rest: Partial<KnownApp> = {}): KnownApp {
  const secret = `whsec_${Buffer.from(ids.uuid()).toString('base64')}`;
  return {
    id: ids.uuid(),
    name: 'Team Planner',
    contactEmail: 'ops@planner.example',
    webhookUrl: url,
    eventTypes: [],
    secrets: [secret],
    ...rest,
  };
}

/** Returns a person's snapshot, as events hold it. */
export function snapshot({ id, name, handle, ageBand }: KnownPerson) {
  if (ageBand === AgeBand.ADULT) return { id, name, handle, minor: false };
  const [first, last] = name.split(' ');
  return { id, name: `${first} ${last![0]}.`, handle: '', minor: true };
}

/** Delivery with two apps: the first created the group and holds the child, the second holds Bob, a member. */
export async function startApps(env: Record<string, string> = {}) {
  const [first, second] = [await startAppReceiver(), await startAppReceiver()];
  const [one, other] = [newApp(first.url), newApp(second.url, { name: 'Chores' })];
  const ada = newPerson('Ada Lovelace', { app: one.id });
  const bob = newPerson('Bob Okri', { app: other.id });
  const kit = newPerson('Kit Carson', { ageBand: AgeBand.CHILD, guardians: [ada.id], app: one.id });
  const club = { id: ids.uuid(), handle: 'club', name: 'Book club', app: one.id, groupAi: ids.uuid() };
  const world: World = {
    people: [ada, bob, kit],
    ais: [],
    groups: [{ ...club, createdBy: ada.id }],
    members: new Map([ada, bob, kit].map(({ id }) => [id, [club.id]])),
    apps: [one, other],
  };
  const home = await startDelivery(
    { HEARTH_DEV_CALLBACKS: `${first.origin},${second.origin}`, ...env },
    standIns(world),
  );

  /** Announces an event with the current time. */
  async function happen(name: Data['case'], value: Record<string, unknown>, by?: Caller): Promise<Event> {
    const data = { case: name, value } as unknown as Data;
    const event = newEvent(data, { at: home.clock.now(), ...(by !== undefined && { by: actorOf(by) }) });
    await home.publishAll([event]);
    return event;
  }

  return {
    ...home,
    ...{ world, one, other, first, second, ada, bob, kit, club, happen },
    appCaller: (app: KnownApp = one) => asApp(app.id, { name: app.name }),
    personCaller: (person: KnownPerson) => asPerson(person),
    /** Fields that every event of the group has. */
    inClub: (seq = 1) => ({ group: club, apps: [one.id, other.id], seq: BigInt(seq) }),
    /** Changes an app as identity does, a moment after its last change, and announces it. */
    async changeApp(app: KnownApp, changes: Partial<KnownApp>, changed: string[]) {
      home.clock.advance(1);
      Object.assign(app, changes);
      return await happen('appChanged', { app: app.id, changed });
    },
    async stop() {
      await home.stop();
      await Promise.all([first.stop(), second.stop()]);
    },
  };
}

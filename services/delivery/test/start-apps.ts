import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type Caller, CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import type { Event } from '@hearth/proto/events/v1/events';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { actorOf } from '@hearth/rpc';
import { type AppReceiver, startAppReceiver } from '@hearth/testkit/app-receiver';
import {
  ids,
  type KnownApp,
  type KnownGroup,
  type KnownPerson,
  newPerson,
  standIns,
  type World,
} from './stand-ins.ts';
import { newEvent, publish, startDelivery, type TestDelivery } from './start-delivery.ts';

type Data = Event['data'];

/** Delivery with two apps: the first made the group and holds the child, the second holds Bob, who is in the group. */
export interface TestApps extends TestDelivery {
  world: World;
  one: KnownApp;
  other: KnownApp;
  first: AppReceiver;
  second: AppReceiver;
  ada: KnownPerson;
  bob: KnownPerson;
  kit: KnownPerson;
  club: KnownGroup;
  appCaller(app?: KnownApp): Caller;
  personCaller(person: KnownPerson): Caller;
  /** Announces one event of the present moment. */
  happen(name: Data['case'], value: Record<string, unknown>, by?: Caller): Promise<Event>;
  /** What every event of the group has. */
  inClub(seq?: number): { group: KnownGroup; apps: string[]; seq: bigint };
  /** Changes an app as identity does, and announces it. */
  changeApp(app: KnownApp, changes: Partial<KnownApp>, changed: string[]): Promise<void>;
}

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

/** As events keep somebody. */
export function snapshot({ id, name, handle, ageBand }: KnownPerson) {
  if (ageBand === AgeBand.ADULT) return { id, name, handle, minor: false };
  const [first, last] = name.split(' ');
  return { id, name: `${first} ${last![0]}.`, handle: '', minor: true };
}

export async function startApps(env: Record<string, string> = {}): Promise<TestApps> {
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

  async function happen(name: Data['case'], value: Record<string, unknown>, by?: Caller): Promise<Event> {
    const data = { case: name, value } as unknown as Data;
    const event = newEvent(data, {
      at: home.clock.now(),
      ...(by === undefined ? {} : { by: actorOf(by) }),
    });
    await publish(home.bus, [event]);
    return event;
  }

  return {
    ...home,
    ...{ world, one, other, first, second, ada, bob, kit, club, happen },
    appCaller: (app = one) =>
      create(CallerSchema, { kind: CallerKind.APP, id: app.id, app: app.id, name: app.name, via: Via.APP }),
    personCaller: (person) => personCaller(person),
    inClub: (seq = 1) => ({ group: club, apps: [one.id, other.id], seq: BigInt(seq) }),
    async changeApp(app, changes, changed) {
      Object.assign(app, changes);
      await happen('appChanged', { app: app.id, changed });
    },
    async stop() {
      await home.stop();
      await Promise.all([first.stop(), second.stop()]);
    },
  };
}

function personCaller(person: KnownPerson, rest: MessageInitShape<typeof CallerSchema> = {}): Caller {
  const minor = person.ageBand !== AgeBand.ADULT;
  return create(CallerSchema, {
    kind: CallerKind.PERSON,
    id: person.id,
    address: `@${person.handle}`,
    name: person.name,
    minor,
    via: Via.APP,
    app: person.app,
    ...rest,
  });
}

/** Looks again until it holds; fails after so many seconds. */
export async function until(holds: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`still not so after ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

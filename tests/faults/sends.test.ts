import { setTimeout as sleep } from 'node:timers/promises';
import { type AppReceiver, startAppReceiver } from '@hearth/testkit/app-receiver';
import { eventually } from '@hearth/testkit/eventually';
import { apiClient, signUpAi, type TestAi } from '@hearth/testkit/home';
import { type SmtpSink, startSmtpSink } from '@hearth/testkit/smtp-sink';
import { signInByEmail, webVisitor } from '@hearth/testkit/web-visitor';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newAi, newApp, type Party } from '../support/acting.ts';
import { expectStatus } from '../support/home.ts';
import { inEach, type MortalHome, startBothHomes, untilAnswered } from './support/both-homes.ts';
import { type CallbackReceiver, startCallbackReceiver } from './support/callback-receiver.ts';
import { allDelivered, judgeDelivered } from './support/delivered.ts';
import { rounds } from './support/rounds.ts';
import { sentMails } from './support/sent-mails.ts';

// Mails of each kind and callbacks, while the home is killed at each step from the cause to the recorded outcome: none
// is lost, and a mailbox that deduplicates by Message-ID (as receivers do callbacks by id) has each once.
interface World extends MortalHome, Outside {
  robin: TestAi;
  ann: Party;
  ben: Party;
  /** Held by the home, which mails her. */
  ada: Party;
  adasAi: Party;
  group: string;
  /** Causes so far: the address that a mail goes to, or a callback's id. */
  happened: string[];
}

interface Outside {
  sink: SmtpSink;
  receiver: CallbackReceiver;
  /** An app's address. */
  gone: AppReceiver;
  /** The server takes a mail but does not answer until `answer`. */
  hold(): void;
  answer(): void;
}

let worlds: World[] = [];

beforeAll(async () => {
  worlds = await Promise.all((await startBothHomes(makeOutside)).map(makeWorld));
}, 240_000);
afterAll(() => inEach(worlds, (world) => world.stop()), 60_000);

async function makeOutside() {
  const answers: Record<string, string | Promise<string>> = {};
  const [sink, receiver, gone] = await Promise.all([
    startSmtpSink({ answers }),
    startCallbackReceiver(),
    startAppReceiver(),
  ]);
  let take: (words: string) => void = () => {};
  return {
    sink,
    receiver,
    gone,
    hold() {
      receiver.behave('hangs');
      answers['.'] = new Promise((resolve) => {
        take = resolve;
      });
    },
    answer() {
      delete answers['.'];
      take('250 taken');
      receiver.answer();
      receiver.behave('takes');
    },
    env: { SMTP_URL: sink.url, HEARTH_DEV_CALLBACKS: `${receiver.origin},${gone.origin}` },
    stop: () => Promise.all([sink.stop(), receiver.stop(), gone.stop()]),
  };
}

async function makeWorld(mortal: MortalHome & Outside): Promise<World> {
  const { home } = mortal;
  const { newPerson } = await newApp(home);
  const [ann, ben] = await Promise.all([newPerson(), newPerson()]);
  const visitor = webVisitor(home.urls[0]!);
  await signInByEmail(visitor, linesOf(mortal), 'ada@example.com');
  const key = visitor.cookie('hearth_session')!;
  const client = apiClient(home.urls, key);
  const { id, address } = expectStatus(await client.get('/v0/people/me'), 200).body;
  mortal.sink.mails.length = 0;
  return {
    ...mortal,
    robin: await signUpAi(home.urls),
    ann,
    ben,
    ada: { ...client, id, address },
    adasAi: await newAi(home.urls, client),
    group: expectStatus(await ann.post('/v0/groups', { name: 'Walks' }), 201).body.id,
    happened: [],
  };
}

/** The code is in the mail, where the person reads it. */
function linesOf({ sink }: Outside): readonly string[] {
  const findLast = (matches: (line: string) => boolean) =>
    sentMails(sink)
      .map(({ to, text }) => JSON.stringify({ to, kind: 'sign_in_code', text }))
      .findLast(matches);
  return { findLast } as unknown as string[];
}

let numbers = 0;

/** Causes a send of each kind; unanswered requests are retried. */
async function happen(world: World): Promise<void> {
  const { adasAi, ada, ann, ben, group, happened, receiver, robin } = world;
  numbers += 1;
  const n = numbers;
  const request_id = `happens-${n}`;
  const asked = { title: `Are you coming? (${n})`, request_id };
  const zoe = `zoe-${n}@else.example`;
  const vic = `vic-${n}@else.example`;
  const settle = async () => {
    const called = { ...asked, to: [ben.address], callback: receiver.url, request_id: `called-${n}` };
    const { body } = await untilAnswered(() => robin.post('/v0/approvals', called));
    await untilAnswered(() => ben.post(`/v0/approvals/${body['id']}/reply`, { decision: 'approved' }));
    happened.push(body['id'] as string);
  };
  await Promise.all([
    untilAnswered(() => robin.post('/v0/approvals', { ...asked, to: [zoe] })),
    untilAnswered(() => ann.post(`/v0/groups/${group}/invites`, { to: vic, request_id })),
    untilAnswered(() => adasAi.post('/v0/approvals', { ...asked, to: [ada.address] })),
    settle(),
  ]);
  happened.push(zoe, vic, `ada@example.com (${n})`);
}

const kinds = 4;

/** An app's address is gone, and its contact is notified. */
async function disable({ gone, happened, home }: World): Promise<void> {
  const app = await newApp(home, { name: 'Gone', contact_email: 'ops@gone.example' });
  const client = apiClient(home.urls, app.key);
  expectStatus(await client.patch('/v0/app', { webhook_url: `${gone.origin}/events` }), 200);
  const owner = await app.newPerson();
  const group = expectStatus(await owner.post('/v0/groups', { name: 'Oaks' }), 201).body.id;
  gone.always({ status: 410 });
  expectStatus(await owner.patch(`/v0/groups/${group}`, { name: 'More oaks' }), 200);
  happened.push('ops@gone.example');
}

const seenBy = ({ sink, receiver }: World) => [
  ...sentMails(sink).map(({ id, to, text }) => {
    const about = to === 'ada@example.com' ? `${to} ${/\(\d+\)/.exec(text)}` : to;
    return { id, about, data: text.slice(text.indexOf('\n\n')) };
  }),
  ...receiver.arrived.map(({ id, body }) => ({ id, about: id, data: body })),
];

/** Waits until nothing is missing; then everything must have arrived once. */
async function expectSentOnce(world: World): Promise<void> {
  const judge = async () => judgeDelivered(world.happened, seenBy(world));
  // NATS redelivers a dead process's events to another process after 30 s.
  const found = await eventually(judge, ({ lost }) => lost.length === 0, { withinMs: 90_000, everyMs: 100 });
  expect(found).toEqual(allDelivered);
  const rest = () =>
    world.sql<{ n: number }>(`
      select (select count(*) from delivery.mail_sends where status = 1)::int
        + (select count(*) from delivery.callbacks where status = 1)::int as n`);
  await eventually(rest, ([row]) => row!.n === 0);
}

/** Waits until `count` have arrived; its failure lists the missing and the pending ones. */
async function comes(world: World, count: number): Promise<void> {
  const look = async () => ({
    seen: seenBy(world).map(({ about }) => about),
    waiting: await world.sql(`
      select source as kind, tries, last_error, due_at - now() as due_in from delivery.mail_sends where due_at is not null
      union all
      select 'callback', attempts, last_error, due_at - now() from delivery.callbacks where due_at is not null`),
  });
  await eventually(look, ({ seen }) => seen.length >= count, { everyMs: 100 });
}

test('events are sent', async () => {
  await inEach(worlds, async (world) => {
    await happen(world);
    await expectSentOnce(world);
  });
});

test('killed before the send is queued', async () => {
  await inEach(worlds, async (world) => {
    const before = seenBy(world).length;
    await world.killWriting(['delivery'], ['delivery.mail_sends', 'delivery.callbacks'], () => happen(world));
    expect(seenBy(world)).toHaveLength(before);
    await world.restart();
    await expectSentOnce(world);
    expect(seenBy(world)).toHaveLength(before + kinds);
  });
}, 240_000);

test('killed after the handover, before the confirmation', async () => {
  await inEach(worlds, async (world) => {
    const before = seenBy(world).length;
    world.hold();
    await Promise.all([happen(world), disable(world)]);
    await comes(world, before + kinds + 1);
    await world.kill('delivery');
    world.answer();
    await world.restart();
    await comes(world, before + 2 * (kinds + 1));
    await expectSentOnce(world);
  });
}, 240_000);

test('killed after the acceptance, before it is recorded', async () => {
  await inEach(worlds, async (world) => {
    const before = seenBy(world).length;
    world.hold();
    await happen(world);
    await comes(world, before + kinds);
    await world.killWriting(['delivery'], ['delivery.mail_sends', 'delivery.callbacks'], async () =>
      world.answer(),
    );
    await world.restart();
    await comes(world, before + 2 * kinds);
    await expectSentOnce(world);
  });
}, 240_000);

test('killed repeatedly under load, it loses none and sends each once', async () => {
  await inEach(worlds, async (world) => {
    for (let round = 0; round < rounds(1); round += 1) {
      const happening = Array.from({ length: 6 }, () => happen(world));
      await sleep(Math.random() * 300);
      // The services that prepare the sends are killed as well.
      await world.kill('delivery', 'approvals', 'groups');
      await world.restart();
      await Promise.all(happening);
      await expectSentOnce(world);
    }
  });
}, 240_000);

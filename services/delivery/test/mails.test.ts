import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { day, hour, minute, second, systemClock } from '@hearth/clock';
import { migrate, openDatabase, silentLog, sql } from '@hearth/db';
import { forbidden, unavailable } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { type SendRef, SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { Event } from '@hearth/proto/events/v1/events';
import { eventually, failure, fake } from '@hearth/testkit';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { mailText, type SmtpSink, type SunkMail, startSmtpSink } from '@hearth/testkit/smtp-sink';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { asked } from './noticed-events.ts';
import { ids, newPerson, standIns, type World } from './stand-ins.ts';
import { newApp } from './start-apps.ts';
import { newEvent, startDelivery, type TestDelivery } from './start-delivery.ts';

const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour];
const releases: (() => Promise<void>)[] = [];
let sink: SmtpSink;
let answers: Record<string, string | null>;
let home: TestDelivery;
let world: World;
/** Requests for content, as the sources received them, and each mail's address by id. */
let prepared: SendRef[][];
let addresses: Map<string, string>;
let away: Error | null;
let reportable: string;
const [delivered, notSent] = [2, 4];

beforeEach(async () => {
  [answers, prepared, addresses, away, reportable] = [{}, [], new Map(), null, ''];
  world = { people: [], ais: [], groups: [], members: new Map(), apps: [] };
  sink = await startSmtpSink({ answers });
  releases.push(() => sink.stop());
});
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

async function start(databaseUrl?: string): Promise<TestDelivery> {
  const source = (at: 'approvals' | 'groups' | 'identity') =>
    fake(
      SendSourceService,
      {
        prepareSends: async ({ sends }) => {
          if (away !== null) throw away;
          prepared.push(sends);
          return {
            sends: sends.map(({ kind, id, part }) => {
              const to = addresses.get(id);
              const value = { to: to ?? '', subject: `${kind} ${part}`, text: `From ${at}.`, reportable };
              return to === undefined ? {} : { content: { case: 'mail' as const, value } };
            }),
          };
        },
      },
      at,
    );
  const fakes = [...standIns(world), source('approvals'), source('groups'), source('identity')];
  const env = { SMTP_URL: sink.url, HEARTH_SEAL_KEY: Buffer.alloc(32, 7).toString('base64url') };
  const started = await startDelivery(env, fakes, databaseUrl === undefined ? {} : { databaseUrl });
  releases.push(() => started.stop());
  home = started;
  return started;
}

const now = () => home.clock.now();
const publish = (...events: Event[]) => home.publishAll(events);

/** An approval that asks the recipients at these positions by mail. */
function requested(approval: string, mailed: number[] = [0]): Event {
  const value = { approval: printId('apr', approval), title: 'Lunch?', mailed };
  return newEvent({ case: 'approvalRequested', value }, { at: now() });
}

/** Returns an approval whose mail goes to that address. */
function addressed(to = 'ada@example.com'): string {
  const approval = ids.uuid();
  addresses.set(approval, to);
  return approval;
}

interface MailState {
  id: string;
  source: string;
  status: number;
  attempts: number;
  due_at: Date | null;
  last_error: string | null;
  content: Buffer | null;
}
const rows = () =>
  home.database.db.query<MailState>(
    sql`select id, source, status, attempts, due_at, last_error, content from delivery.mail_sends order by at, id`,
  );
const destinations = () =>
  home.database.db.query<{ due_at: Date | null }>(
    sql`select due_at from delivery.destinations where kind = 3 and lease is null`,
  );
const execute = (text: string, values: unknown[] = []) => home.run({ text, values });
const settled = (count: number) =>
  eventually(async () => (await rows()).filter(({ due_at }) => due_at === null).length === count);
const messageIds = () => sink.mails.map(({ data }) => /^Message-ID: <(.*)@/m.exec(data)?.[1]);

describe('notices by mail', () => {
  beforeEach(async () => {
    await start();
  });
  const keyOf = (mail: SunkMail) =>
    /^List-Unsubscribe:\s+<.*\/mail\/stop\/([\w-]{40})>/m.exec(mail.data)?.[1] ?? '';
  const ask = async (to: string) => {
    const before = (await rows()).length;
    await publish(requested(addressed(to)));
    await settled(before + 1);
    return (await rows()).at(-1)!.status;
  };

  test('can be stopped with one click and resumed after sign-in, and no link names the address', async () => {
    await ask('Ada@example.com');
    const [mail] = sink.mails;
    expect(mail!.data).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    const key = keyOf(mail!);
    expect(await home.mails.findMailStop({ key })).toMatchObject({ stopped: false });
    await home.mails.setMailStop({ key, stopped: true });
    await home.mails.setMailStop({ key, stopped: true });
    expect(await home.mails.findMailStop({ key })).toMatchObject({ stopped: true });
    expect([await ask('ada@example.com'), await ask('bob@example.com')]).toEqual([notSent, delivered]);
    const [stored] = await home.database.db.query<{ text: string }>(
      sql`select s::text as text from delivery.mail_stops s`,
    );
    expect(stored!.text).not.toContain('ada');
    await home.resumeMails({ email: 'ada@example.com' });
    expect(await ask('ada@example.com')).toBe(delivered);
    await home.mails.setMailStop({ key, stopped: true });
    await home.mails.setMailStop({ key, stopped: false });
    expect(await ask('ada@example.com')).toBe(delivered);
  });

  test('are sent to a stopped address when they were requested, or warn about an account', async () => {
    await ask('ada@example.com');
    await home.mails.setMailStop({ key: keyOf(sink.mails[0]!), stopped: true });
    await home.inward.sendMail({ to: 'ada@example.com', subject: 'Code', text: '123', kind: 'sign_in_code' });
    const account = ids.uuid();
    addresses.set(account, 'ada@example.com');
    await publish(newEvent({ case: 'sendDue', value: { kind: 'account_mail', id: account } }, { at: now() }));
    await settled(3);
    expect(sink.mails.map(keyOf).slice(1)).toEqual(['', '']);
  });

  test('link to a report about the item, once for each recipient', async () => {
    reportable = 'apr_1';
    for (const to of ['ada@example.com', 'ada@example.com', 'bob@example.com']) await ask(to);
    const keys = sink.mails.map(({ data }) => /\/mail\/report\/([\w-]+)/.exec(mailText(data))?.[1] ?? '');
    const [ada, again, bob] = await Promise.all(keys.map((key) => home.mails.openMailReport({ key })));
    expect(ada).toMatchObject({ about: 'apr_1' });
    expect(again).toEqual(ada);
    expect(bob!.id).not.toBe(ada!.id);
    // A repeated attempt has the same key.
    expect([keys[0] === keys[1], keys[0] === keys[2]]).toEqual([true, false]);
    expect(keys[0]).not.toContain(Buffer.from('apr_1').toString('base64url'));
  });

  test.each(['', 'x', 'A'.repeat(40), '%'])('a made-up key is not found: %j', async (key) => {
    const { findMailStop, openMailReport, setMailStop } = home.mails;
    const calls = [findMailStop({ key }), setMailStop({ key, stopped: true }), openMailReport({ key })];
    const why = await Promise.all(calls.map(failure));
    expect(why).toEqual(calls.map(() => 'not_found not_found'));
  });
});

describe('mails of asks, invites and accounts', () => {
  beforeEach(async () => {
    await start();
  });

  test('are sent as their source says, each once, and leave no destination behind', async () => {
    const [approval, invite, account] = [ids.uuid(), ids.uuid(), ids.uuid()];
    addresses.set(approval, 'ada@example.com').set(invite, 'eve@example.com').set(account, 'ida@example.com');
    const ask = requested(approval, [1, 3]);
    await publish(ask, ask);
    await publish(ask);
    await publish(newEvent({ case: 'inviteCreated', value: { invite, mailed: true } }, { at: now() }));
    await publish(newEvent({ case: 'inviteCreated', value: { invite: ids.uuid() } }, { at: now() }));
    const reminder = { approval: printId('apr', approval), mailed: [3] };
    await publish(newEvent({ case: 'approvalReminded', value: reminder }, { at: now() }));
    const about = { kind: 'account_mail', id: account };
    await publish(newEvent({ case: 'sendDue', value: about }, { at: now() }));
    await settled(5);
    const seen = sink.mails.map(({ to, data }) => [
      to.join(),
      /^Subject: (.*)$/m.exec(data)?.[1]?.trim(),
      /From (\w+)\.\r/.exec(data)?.[1],
    ]);
    expect(seen.sort()).toEqual([
      ['ada@example.com', 'ask_mail 1', 'approvals'],
      ['ada@example.com', 'ask_mail 3', 'approvals'],
      ['ada@example.com', 'ask_reminder 3', 'approvals'],
      ['eve@example.com', 'invite_mail 0', 'groups'],
      ['ida@example.com', 'account_mail 0', 'identity'],
    ]);
    await eventually(async () => (await destinations()).length === 0);
    expect((await home.database.db.query(sql`select 1 from delivery.destinations`)).length).toBe(0);
  });

  test('left by the previous version are each sent once', async () => {
    const approval = addressed();
    const value = { kind: 'ask_reminder', id: approval, part: 2 };
    const event = newEvent({ case: 'sendDue', value }, { at: now() });
    await publish(event, event);
    await settled(1);
    expect(prepared.flat()).toMatchObject([value]);
    expect(sink.mails).toHaveLength(1);
  });

  test('that may no longer be sent are not sent', async () => {
    await publish(requested(ids.uuid()));
    await settled(1);
    expect(await rows()).toMatchObject([{ status: 4, attempts: 0, due_at: null }]);
    expect(sink.mails).toEqual([]);
    await eventually(async () => (await destinations()).length === 0);
  });

  test('are loaded again before each attempt', async () => {
    const approval = addressed();
    answers['RCPT'] = '451 try later';
    await publish(requested(approval));
    await eventually(async () => (await rows())[0]?.attempts === 1);
    addresses.delete(approval);
    delete answers['RCPT'];
    home.clock.advance(minute);
    await settled(1);
    expect(await rows()).toMatchObject([{ status: 4, attempts: 1 }]);
    expect(sink.mails).toEqual([]);
  });

  test.each([
    ['is away', unavailable('away')],
    ['is of an older version', forbidden('no')],
  ])('wait while their source %s, and hold up nothing else', async (_, error) => {
    const approval = addressed();
    away = error;
    const ada = newPerson('Ada', { email: 'ada@example.org' });
    world.people.push(ada);
    await publish(requested(approval));
    await publish(asked(ada.id, now()));
    await eventually(() => sink.mails.length === 1);
    expect(sink.mails[0]!.to).toEqual(['ada@example.org']);
    await eventually(async () => (await destinations()).length === 1);
    expect((await rows()).find(({ source }) => source === 'ask_mail')).toMatchObject({
      status: 1,
      attempts: 0,
    });
    away = null;
    home.clock.advance(5 * second);
    await eventually(() => sink.mails.length === 2);
    expect(sink.mails[1]!.to).toEqual(['ada@example.com']);
  });

  test('are loaded in one call for all that are due', async () => {
    const approvals = Array.from({ length: 30 }, () => ids.uuid());
    for (const id of approvals) addresses.set(id, 'ada@example.com');
    answers['HELLO'] = '421 not now';
    await publish(...approvals.map((id) => requested(id)));
    await eventually(async () => (await rows()).every(({ attempts }) => attempts === 1));
    delete answers['HELLO'];
    prepared = [];
    home.clock.advance(minute);
    await settled(30);
    expect(prepared.flat()).toHaveLength(30);
    expect(prepared.length).toBeLessThan(10);
  });

  test('are retried five times, and then given up', async () => {
    const approval = addressed();
    answers['RCPT'] = '451 try later';
    await publish(requested(approval));
    for (const [index, wait] of waits.entries()) {
      await eventually(async () => (await rows())[0]?.attempts === index + 1);
      const [row] = await rows();
      expect(row).toMatchObject({ status: 1, due_at: new Date(now() + wait), last_error: 'mail_refused' });
      home.clock.advance(wait);
    }
    await settled(1);
    expect(await rows()).toMatchObject([{ status: 3, attempts: 6, last_error: 'mail_refused' }]);
    await eventually(async () => (await destinations()).length === 0);
  });

  test('to an invalid address are given up at once', async () => {
    const approval = addressed('nobody');
    await publish(requested(approval));
    await settled(1);
    expect(await rows()).toMatchObject([{ status: 3, attempts: 1, last_error: 'mail_refused' }]);
    expect(sink.connections().all).toBe(0);
  });

  test('whose outcome could not be stored are repeated under the same Message-ID', async () => {
    const approval = addressed();
    await execute(`create function delivery.fail() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is on fire'; end $$`);
    await execute(
      `create trigger fail before update on delivery.mail_sends execute function delivery.fail()`,
    );
    await publish(requested(approval));
    await eventually(() => sink.mails.length === 1);
    await eventually(async () => (await destinations()).length === 1);
    await execute('drop trigger fail on delivery.mail_sends');
    home.clock.advance(5 * second);
    await settled(1);
    expect(sink.mails).toHaveLength(2);
    expect(new Set(messageIds())).toEqual(new Set([(await rows())[0]!.id]));
  });

  test('are sent once by two processes', async () => {
    const first = home;
    const second = await start(first.databaseUrl);
    const approvals = Array.from({ length: 60 }, () => ids.uuid());
    for (const id of approvals) addresses.set(id, 'ada@example.com');
    for (const id of approvals) await [first, second][approvals.indexOf(id) % 2]!.publishAll([requested(id)]);
    await settled(60);
    expect(sink.mails).toHaveLength(60);
    expect(new Set(messageIds()).size).toBe(60);
  });
});

describe('a mail with a complete text', () => {
  const code = { to: 'ada@example.com', subject: 'Your code', text: 'It is 123456.', kind: 'sign_in_code' };
  beforeEach(async () => {
    await start();
  });

  test('is never stored in the clear, and not at all once it was sent', async () => {
    answers['RCPT'] = null;
    const sending = home.inward.sendMail(code, { timeoutMs: 4_000 });
    await eventually(async () => (await rows()).length === 1);
    const [row] = await home.database.db.query<{ all: string }>(
      sql`select m::text || encode(content, 'escape') as all from delivery.mail_sends m`,
    );
    expect(row!.all).not.toMatch(/123456|ada@/);
    await expect(sending).rejects.toThrow();
    delete answers['RCPT'];
    await home.inward.sendMail(code);
    const [given] = (await rows()).filter(({ status }) => status === 2);
    expect(given).toMatchObject({ source: 'given', content: null });
  });

  test('is not retried', async () => {
    answers['RCPT'] = '451 try later';
    expect(await failure(home.inward.sendMail(code))).toBe('unavailable unavailable');
    delete answers['RCPT'];
    expect(await rows()).toMatchObject([{ status: 3, attempts: 1, due_at: null }]);
    home.clock.advance(hour);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(sink.mails).toEqual([]);
  });

  test('is sent by another process when its own dies, and its caller gets the answer', async () => {
    const first = home;
    answers['RCPT'] = null;
    const sending = first.inward.sendMail(code);
    await eventually(() => sink.commands.includes('RCPT'));
    delete answers['RCPT'];
    const second = await start(first.databaseUrl);
    await execute(`update delivery.destinations
      set lease = gen_random_uuid(), leased_until = clock_timestamp() - interval '1 second'`);
    await second.runJob('delivery: send-due');
    await sending;
    expect(messageIds()).toEqual([(await rows())[0]!.id]);
  });

  test('is not sent after its ten minutes, or when it cannot be opened', async () => {
    const left = (content: string, endsAt: number) =>
      execute(
        `with queued as (
          insert into delivery.mail_sends (id, source, kind, content, at, due_at, ends_at)
          values (gen_random_uuid(), 'given', 'sign_in_code', $1, $2, $2, $3) returning id, due_at)
        insert into delivery.destinations (kind, id, due_at) select 3, id, due_at from queued`,
        [Buffer.from(content), new Date(now()), new Date(endsAt)],
      );
    await left('sealed with another key', now() + minute);
    await left('over', now());
    await settled(2);
    expect((await rows()).map(({ status, content }) => [status, content])).toEqual([
      [4, null],
      [4, null],
    ]);
    await home.inward.sendMail(code);
    expect(sink.mails).toHaveLength(1);
  });
});

test('a mail about a disabled address is not sent once the address works again', async () => {
  await start();
  const app = newApp('http://127.0.0.1:9/');
  world.apps = [app];
  await execute(
    `insert into delivery.app_streams (app, disabled_at, disabled_why) values ($1, $2, 'gone'), ($3, null, null)`,
    [app.id, new Date(now()), ids.uuid()],
  );
  await execute(
    `with queued as (
      insert into delivery.mail_sends (id, source, ref, kind, at, due_at)
      select gen_random_uuid(), 'app_disabled', app, 'webhook_disabled', $1, $1 from delivery.app_streams returning id, due_at)
    insert into delivery.destinations (kind, id, due_at) select 3, id, due_at from queued`,
    [new Date(now())],
  );
  await settled(2);
  expect(sink.mails.map(({ to }) => to)).toEqual([[app.contactEmail]]);
  expect((await rows()).map(({ status }) => status).sort()).toEqual([2, 4]);
});

test('mails left by the previous version are sent once, when they are due', async () => {
  const databaseFor = await createTestDatabase();
  releases.unshift(() => databaseFor.drop());
  const all = fileURLToPath(new URL('../migrations/', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'hearth-migrations-'));
  releases.push(async () => rmSync(folder, { recursive: true }));
  for (const file of readdirSync(all)) if (file < '0008') cpSync(join(all, file), join(folder, file));
  await migrate({ url: databaseFor.url, schema: 'delivery', folder, clock: systemClock, log: silentLog });
  const database = openDatabase({ url: databaseFor.url, clock: systemClock });
  const [ada, app] = [newPerson('Ada', { email: 'ada@example.com' }), newApp('http://127.0.0.1:9/')];
  world.people.push(ada);
  world.apps = [app];
  const at = new Date('2026-03-01T12:00:00.000Z');
  const [due, inHand, sent, lost] = [ids.uuid(), ids.uuid(), ids.uuid(), ids.uuid()];
  await database.statement((tx) =>
    tx.execute(sql`insert into delivery.mails (id, person, kind, title, body, link, at, attempts, due_at, sent_at) values
        (${due}, ${ada.id}, 'approval', 'Due', '', '/a', ${at}, 4, ${at}, null),
        (${inHand}, ${ada.id}, 'approval', 'In hand', '', '/a', ${at}, 0, ${new Date(at.getTime() + minute)}, null),
        (${sent}, ${ada.id}, 'approval', 'Sent', '', '/a', ${at}, 1, null, ${at}),
        (${lost}, ${ada.id}, 'approval', 'Given up', '', '/a', ${at}, 5, null, null)`),
  );
  await database.statement((tx) =>
    tx.execute(
      sql`insert into delivery.app_streams (app, disabled_at, disabled_why, mail_due_at) values (${app.id}, ${at}, 'failing', ${at})`,
    ),
  );
  await database.close();

  await start(databaseFor.url);
  await eventually(() => sink.mails.length === 2);
  const to = () => sink.mails.map((mail) => mail.to.join()).sort();
  expect(to()).toEqual(['ada@example.com', app.contactEmail].sort());
  home.clock.advance(minute);
  await eventually(() => sink.mails.length === 3);
  expect(messageIds()).toContain(inHand);
  // Outcomes are written a moment later, in batches.
  await eventually(async () => {
    const byId = new Map((await rows()).map(({ id, status }) => [id, status]));
    return [due, inHand, sent, lost].map((id) => byId.get(id)).join() === '2,2,2,3';
  });
  await home.runJob('delivery: adopt-mails');
  home.clock.advance(day);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(sink.mails).toHaveLength(3);
});

test('a mail that a process of the previous version writes later is sent, too', async () => {
  await start();
  const ada = newPerson('Ada', { email: 'ada@example.com' });
  world.people.push(ada);
  await execute(
    `insert into delivery.mails (id, person, kind, title, body, link, at, due_at)
      values ($1, $2, 'approval', 'Robin asks you', '', '/a/1', $3, $3) on conflict do nothing`,
    [ids.uuid(), ada.id, new Date(now())],
  );
  home.clock.advance(2 * minute);
  await home.runJob('delivery: adopt-mails');
  await eventually(() => sink.mails.length === 1);
});

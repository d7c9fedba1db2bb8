import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { day, hour, minute, second } from '@hearth/clock';
import { sql } from '@hearth/db';
import type { Event } from '@hearth/proto/events/v1/events';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { mailText, type SmtpSink, startSmtpSink } from '@hearth/testkit/smtp-sink';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { purgeMails } from '../src/mails/db/mails.ts';
import { purgeNotices } from '../src/notices/db/notices.ts';
import { asked, written } from './noticed-events.ts';
import { ids, type KnownPerson, newPerson, standIns, type World } from './stand-ins.ts';
import { messageSent, newEvent, startDelivery, type TestDelivery } from './start-delivery.ts';

let sink: SmtpSink;
let answers: Record<string, string | null>;
let home: TestDelivery;
let world: World;
let ada: KnownPerson;
let eve: KnownPerson;
const limit = 5;

beforeEach(async () => {
  ada = newPerson('Ada Lovelace', { email: 'ada@example.com' });
  eve = newPerson('Eve Moneypenny', { email: 'eve@example.com' });
  world = { people: [ada, eve], ais: [], groups: [], members: new Map() };
  answers = {};
  sink = await startSmtpSink({ answers });
  const env = { SMTP_URL: sink.url, HEARTH_LIMITS: JSON.stringify({ notice_mails_a_day: limit }) };
  home = await startDelivery(env, standIns(world));
});
afterEach(async () => {
  await home.stop();
  await sink.stop();
});

const now = () => home.clock.now();
const publish = (...events: Event[]) => home.publishAll(events);

interface MailState {
  person: string;
  attempts: number;
  due_at: Date | null;
  sent_at: Date | null;
}
const rows = () =>
  home.database.db.query<MailState>(
    sql`select person, attempts, due_at, sent_at from delivery.mails order by at, id`,
  );

/** Waits until every mail was sent or has this many attempts. */
async function tried(times = 1): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await rows()).every(({ due_at, attempts }) => due_at === null || attempts >= times)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`still due: ${JSON.stringify(await rows())}`);
}

/** Returns the mails that were sent, as unwrapped text. */
async function sent(times?: number): Promise<{ to: string; subject: string; text: string }[]> {
  await tried(times);
  return sink.mails.map(({ to, data }) => {
    const [head = '', ...body] = data.split('\r\n\r\n');
    const subject = /^Subject: (.*)$/m.exec(head.replace(/\r\n /g, ' '))?.[1]?.trim() ?? '';
    return { to: to.join(), subject, text: mailText(body.join('\r\n\r\n')) };
  });
}

/** Signals that identity's facts about people changed. */
async function peopleChanged(): Promise<void> {
  home.bus.signal('people', new Uint8Array());
  await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('a person without an app', () => {
  test('gets a mail with the sender, the title and the link', async () => {
    await publish(asked(ada.id, now(), { link: '/a/apr_0123' }));
    const [mail, ...others] = await sent();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: 'ada@example.com', subject: 'Robin asks you' });
    expect(mail!.text).toContain('Robin asks you.\n\n> May I book the 9:30 train?\n');
    expect(mail!.text).toMatch(/^http:\/\/\S+\/a\/apr_0123$/m);
    expect(mail!.text).toMatch(/^http:\/\/\S+\/rules$/m);
    expect(await rows()).toMatchObject([{ attempts: 1, due_at: null, sent_at: new Date(now()) }]);
  });

  test('cannot get text from others beyond a title and a quote', async () => {
    const title = 'Robin\r\nBcc: eve@example.com\r\n\r\nasks you';
    await publish(asked(ada.id, now(), { title, body: 'one\n.\nQUIT\ntwo' }));
    const [mail] = await sent();
    expect(sink.mails).toHaveLength(1);
    expect(mail!.subject).toBe('Robin Bcc: eve@example.com asks you');
    expect(mail!.text).toContain('> one\n> .\n> QUIT\n> two\n');
  });

  test('is notified of a message with its sender and title', async () => {
    await publish(written(ada.id, now()));
    const [mail] = await sent();
    expect(mail!.subject).toBe('Robin wrote to you');
    expect(mail!.text).toContain('Robin wrote to you.\n\n> The train\n');
  });

  test('is notified of a suspension and of its end, a person under 18 through a guardian', async () => {
    const kit = newPerson('Kit Carson', { ageBand: AgeBand.CHILD, guardians: [eve.id] });
    world.people.push(kit);
    let at = now();
    const change = (changed: string, of: KnownPerson, reason: string) => {
      at += second;
      return newEvent(
        {
          case: 'personChanged',
          value: { person: { id: of.id, name: of.name, minor: of === kit }, changed: [changed], reason },
        },
        { at },
      );
    };
    const [suspended, restored] = [change('suspended', ada, 'threats'), change('restored', ada, '')];
    // In any order, and any number of times.
    for (const event of [restored, suspended, suspended]) await publish(event);
    await publish(change('suspended', kit, 'threats'), change('name', ada, ''));
    home.clock.advance(minute);
    const mails = await sent();
    expect(mails.map(({ to, subject }) => `${to}: ${subject}`).sort()).toEqual([
      'ada@example.com: The suspension of your account is over',
      'ada@example.com: Your account is suspended until further notice',
      'eve@example.com: The account of Kit C. is suspended until further notice',
    ]);
    expect(mails.filter(({ text }) => text.includes('> threats'))).toHaveLength(2);
    const stored = await home.database.db.query<{ wording: object }>(
      sql`select wording from delivery.mail_sends where person = ${eve.id}`,
    );
    expect(stored).toEqual([
      {
        wording: {
          title: {
            key: 'notices.account-suspended',
            values: {
              whom: 'other',
              name: 'Kit C.',
              until: { key: 'events.further-notice', values: {} },
            },
          },
        },
      },
    ]);
  });

  test('reads the end date of a suspension or deletion in their own time zone', async () => {
    const until = timestampFromMs(Date.parse('2026-05-01T20:00:00Z'));
    const cleo = newPerson('Cleo', { email: 'cleo@example.com', timeZone: 'Asia/Tokyo' });
    const dora = newPerson('Dora', { email: 'dora@example.com', timeZone: 'America/New_York' });
    // Their guardian reads it, in the guardian's time zone.
    const kit = newPerson('Kit Carson', { ageBand: AgeBand.CHILD, guardians: [cleo.id], timeZone: 'UTC' });
    world.people.push(cleo, dora, kit);
    const suspended = (of: KnownPerson) => {
      const person = { id: of.id, name: of.name, minor: of === kit };
      return newEvent(
        { case: 'personChanged', value: { person, changed: ['suspended'], until, reason: 'threats' } },
        { at: now() },
      );
    };
    const ai = { id: ids.uuid(), name: 'Robin', owner: cleo.id };
    await publish(
      ...[cleo, dora, kit].map(suspended),
      newEvent({ case: 'aiSuspended', value: { ai, until, reason: 'spam' } }, { at: now() }),
    );
    home.clock.advance(minute);
    const mails = await sent();
    expect(mails.map(({ to, subject }) => `${to}: ${subject}`).sort()).toEqual([
      'cleo@example.com: Robin is suspended',
      'cleo@example.com: The account of Kit C. is suspended until Sat, 2 May 2026',
      'cleo@example.com: Your account is suspended until Sat, 2 May 2026',
      'dora@example.com: Your account is suspended until Fri, 1 May 2026',
    ]);
    expect(mails.some(({ text }) => text.includes('suspended your AI until Sat, 2 May 2026: spam'))).toBe(
      true,
    );
  });

  test('is notified when the operator deletes or keeps their account, a person under 18 through a guardian', async () => {
    const kit = newPerson('Kit Carson', { ageBand: AgeBand.CHILD, guardians: [eve.id] });
    world.people.push(kit);
    const byOperator = { kind: CallerKind.OPERATOR, name: 'operator' };
    const told = (of: KnownPerson, by?: typeof byOperator) => {
      const value = {
        person: { id: of.id, name: of.name, minor: of === kit },
        reason: 'asked by mail',
        deletesAt: timestampFromMs(Date.parse('2026-05-01T12:00:00Z')),
      };
      return (['deletionAsked', 'deletionTakenBack'] as const).map((name, index) =>
        newEvent({ case: name, value }, { at: now() + index * second, ...(by && { by }) }),
      );
    };
    // Their own act causes no notice; an adult whose account is deleted gets the mail about the account.
    await publish(...told(ada, byOperator), ...told(kit, byOperator), ...told(eve));
    home.clock.advance(minute);
    const mails = await sent();
    expect(mails.map(({ to, subject }) => `${to}: ${subject}`).sort()).toEqual([
      'ada@example.com: Your account will be kept',
      'eve@example.com: The account of Kit C. will be deleted on Fri, 1 May 2026',
      'eve@example.com: The account of Kit C. will be kept',
    ]);
    expect(mails.filter(({ text }) => text.includes('> asked by mail'))).toHaveLength(3);
  });

  test('is notified of a thread as one item', async () => {
    const thread = ids.uuid();
    await publish(written(ada.id, now(), { thread }), written(ada.id, now() + second, { thread }));
    await publish(written(ada.id, now() + minute, { thread }));
    expect(await sent()).toHaveLength(1);
    await publish(written(ada.id, now()));
    expect(await sent()).toHaveLength(2);
  });

  test('is not notified of quiet events, their own acts, or events without an item', async () => {
    await publish(messageSent(now()), written(ada.id, now(), { by: ada.id }));
    await publish(asked(ada.id, now(), { item: '' }), asked('nobody', now()), asked(ids.uuid(), now()));
    await publish(
      asked(ada.id, now(), { kind: 'advertisement' }),
      asked(ada.id, now(), { link: '//evil.example' }),
    );
    await publish(asked(eve.id, now()));
    expect((await sent()).map(({ to }) => to)).toEqual(['eve@example.com']);
  });

  test('gets no mail without an address, or when an app holds them', async () => {
    ada.email = '';
    eve.app = ids.uuid();
    await publish(asked(ada.id, now()), asked(eve.id, now()));
    expect(await rows()).toEqual([]);
  });
});

describe('a notice about the same item for the same person', () => {
  const ask = { item: ids.uuid() };

  test('is sent once in twelve hours', async () => {
    await publish(asked(ada.id, now(), ask));
    home.clock.advance(12 * hour - second);
    await publish(asked(ada.id, now(), ask));
    expect(await sent()).toHaveLength(1);
    home.clock.advance(second);
    await publish(asked(ada.id, now(), ask));
    expect(await sent()).toHaveLength(2);
  });

  test('is repeated once by a reminder', async () => {
    await publish(asked(ada.id, now(), ask));
    home.clock.advance(second);
    const reminder = asked(ada.id, now(), { ...ask, again: true });
    await publish(reminder, reminder);
    await publish(reminder);
    expect(await sent()).toHaveLength(2);
  });

  test('is sent once, however often and late its event arrives', async () => {
    const event = asked(ada.id, now(), ask);
    await publish(event, event);
    await publish(event);
    home.clock.advance(13 * hour);
    await publish(event);
    expect(await sent()).toHaveLength(1);
  });

  test('counts its twelve hours within a batch, too', async () => {
    const at = now() - day;
    const late = [0, 11, 12, 20, 24].map((hours) => asked(ada.id, at + hours * hour, ask));
    await publish(...late.reverse());
    expect(await sent()).toHaveLength(3);
  });

  test('is separate for another person, item, kind, or child', async () => {
    const child = ids.uuid();
    await publish(
      asked(ada.id, now(), ask),
      asked(eve.id, now(), ask),
      asked(ada.id, now(), { item: ids.uuid() }),
      asked(ada.id, now(), { ...ask, kind: 'invite' }),
      asked(ada.id, now(), { ...ask, about: child }),
    );
    expect((await sent()).map(({ to }) => to.split('@')[0]).sort()).toEqual([
      'ada',
      'ada',
      'ada',
      'ada',
      'eve',
    ]);
  });
});

describe('the daily limit of mails', () => {
  test('holds for one person', async () => {
    const many = Array.from({ length: 4 }, () => asked(ada.id, now()));
    await publish(...many, asked(eve.id, now()));
    await publish(...Array.from({ length: 4 }, () => asked(ada.id, now())));
    const to = (await sent()).map((mail) => mail.to);
    expect(to.filter((each) => each === 'ada@example.com')).toHaveLength(limit);
    expect(to.filter((each) => each === 'eve@example.com')).toHaveLength(1);
    home.clock.set('2026-03-02T00:00:00.000Z');
    await publish(asked(ada.id, now()));
    expect(await sent()).toHaveLength(limit + 2);
  });

  test('holds for concurrent processes', async () => {
    await Promise.all(Array.from({ length: 12 }, () => publish(asked(ada.id, now()))));
    expect(await sent()).toHaveLength(limit);
  });
});

describe('a notice for a person under 18', () => {
  let kit: KnownPerson;
  beforeEach(() => {
    kit = newPerson('Kit Quillfeather', {
      ageBand: AgeBand.CHILD,
      guardians: [ada.id, eve.id],
      email: 'kit@example.com',
    });
    world.people.push(kit);
  });

  test('goes to the guardians, with a short name and without the text', async () => {
    await publish(written(kit.id, now(), { title: 'A secret' }));
    const mails = await sent();
    expect(mails.map(({ to }) => to).sort()).toEqual(['ada@example.com', 'eve@example.com']);
    for (const { subject, text } of mails) {
      expect(subject).toBe('Robin wrote to Kit Q.');
      expect(text).toContain('This is about Kit Q., who is under 18.');
      expect(text).toContain('/family\n');
      expect(text).not.toMatch(/secret|Quillfeather/);
    }
  });

  test('names the person it asks, and links a guardian to the family page', async () => {
    await publish(asked(kit.id, now()));
    for (const { subject, text } of await sent()) {
      expect(subject).toBe('Robin asks Kit Q.');
      expect(text).toContain('/family\n');
    }
    await publish(asked(ada.id, now()));
    expect((await sent()).at(-1)!.subject).toBe('Robin asks you');
  });

  test('goes to each guardian once, and not to the one who acted', async () => {
    const thread = ids.uuid();
    const event = written(kit.id, now(), { thread });
    await publish(event);
    await publish(event, written(kit.id, now(), { thread }), written(kit.id, now(), { by: ada.id }));
    expect((await sent()).map(({ to }) => to).sort()).toEqual([
      'ada@example.com',
      'eve@example.com',
      'eve@example.com',
    ]);
  });

  test('says when it waits for the guardian', async () => {
    await publish(written(ada.id, now(), { box: 'requests', about: kit.id }));
    const [mail] = await sent();
    expect(mail!.subject).toBe('Robin wants to write to someone you look after');
    expect(mail!.text).toContain('about Kit Q.');
    expect(mail!.text).toMatch(/\/requests$/m);
  });

  test('goes to a teenager without a guardian', async () => {
    kit.ageBand = AgeBand.TEEN16;
    kit.guardians = [];
    await publish(asked(kit.id, now()));
    expect((await sent()).map(({ to }) => to)).toEqual(['kit@example.com']);
  });
});

describe('a mail that the server refuses', () => {
  const waits = [minute, 5 * minute, 30 * minute, 2 * hour];
  /** Ada's mail, which is retried together with later ones. */
  const attempted = async (times: number) => {
    for (let tries = 0; tries < 600 && (await adas())[0]?.attempts !== times; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const adas = async () => (await rows()).filter(({ person }) => person === ada.id);

  test('is retried four times, and then given up', async () => {
    answers['RCPT'] = '451 try later';
    await publish(asked(ada.id, now()));
    for (const [index, wait] of waits.entries()) {
      await attempted(index + 1);
      expect(await adas()).toMatchObject([{ attempts: index + 1, due_at: new Date(now() + wait) }]);
      home.clock.advance(wait);
      // A new notice triggers the sends that are due.
      await publish(asked(eve.id, now()));
    }
    await attempted(5);
    expect(await adas()).toMatchObject([{ attempts: 5, due_at: null, sent_at: null }]);
  });

  test('goes to the address at the time of the retry', async () => {
    answers['RCPT'] = '451 try later';
    await publish(asked(ada.id, now()));
    await tried();
    delete answers['RCPT'];
    ada.email = 'new@example.com';
    await peopleChanged();
    home.clock.advance(minute);
    expect((await sent(2)).map(({ to }) => to)).toEqual(['new@example.com']);
  });

  test('is dropped once there is no address', async () => {
    answers['RCPT'] = '451 try later';
    await publish(asked(ada.id, now()));
    await tried();
    delete answers['RCPT'];
    world.people.splice(0, 1);
    await peopleChanged();
    home.clock.advance(minute);
    await tried(2);
    expect(sink.mails).toEqual([]);
    // No second attempt was made.
    expect(await rows()).toMatchObject([{ attempts: 1, due_at: null, sent_at: null }]);
  });

  test('is sent when the process that held it is gone', async () => {
    const id = ids.uuid();
    await home.run(sql`insert into delivery.mails (id, person, kind, title, body, link, at, due_at)
          values (${id}, ${ada.id}, 'approval', 'Robin asks you', '', '/a/1', ${new Date(now())}, ${new Date(now())})`);
    // Found by the home itself, when the lease ends; rows of other processes are found within ten seconds.
    const lease = sql`insert into delivery.destinations (kind, id, lease, leased_until)
          values (3, ${id}, gen_random_uuid(), clock_timestamp() + interval '1 second')`;
    await home.host('delivery').database.statement((tx) => tx.execute(lease));
    expect(await sent()).toHaveLength(1);
    expect(sink.mails[0]!.data).toContain(`Message-ID: <${id}@hearth.example>`);
  });
});

test('sent notices are deleted after a while, and unsent ones are kept', async () => {
  answers['RCPT'] = '451 try later';
  const purge = (ms: number) =>
    home.database.transaction(async (tx) => {
      await purgeNotices(tx, new Date(now() + ms));
      await purgeMails(tx, new Date(now() + ms), new Date(now()));
    });
  await publish(asked(ada.id, now()));
  await tried();
  await purge(second);
  expect(await rows()).toHaveLength(1);
  await home.run(sql`update delivery.mails set due_at = null`);
  await purge(2 * day);
  expect(await rows()).toEqual([]);
  const left = await home.database.db.query(
    sql`select person from delivery.notices union all select person from delivery.mail_days`,
  );
  expect(left).toEqual([]);
});

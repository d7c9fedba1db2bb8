import { eventually } from '@hearth/testkit/eventually';
import {
  type ApiClient,
  apiClient,
  createHomeDatabase,
  type StartedHome,
  startHomeInProcesses,
  topologyOf,
} from '@hearth/testkit/home';
import { mailText, type SmtpSink, startSmtpSink } from '@hearth/testkit/smtp-sink';
import { signInByEmail, webVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { bringBack } from '../faults/support/bring-back.ts';
import { type CallbackReceiver, startCallbackReceiver } from '../faults/support/callback-receiver.ts';
import { actingFor, newAi, type Party } from '../support/acting.ts';
import { expectStatus } from '../support/home.ts';

// People are notified of what needs them: through a whole home, with a mail server and an app that receive the notices.

let databaseFor: Awaited<ReturnType<typeof createHomeDatabase>>;
let sink: SmtpSink;
let answers: Record<string, string | null>;
let receiver: CallbackReceiver;
let home: StartedHome;
let app: ApiClient;
/** How many events the app had received when the test began. */
let before = 0;
/** One held by the home, one by an app. */
let ada: Party;
let cleo: Party;
let adasAi: Party;
let cleosAi: Party;

beforeAll(async () => {
  answers = {};
  [databaseFor, sink, receiver] = await Promise.all([
    createHomeDatabase(),
    startSmtpSink({ answers }),
    startCallbackReceiver(),
  ]);
  home = await startHomeInProcesses({
    topology: topologyOf(process.env),
    replicas: 1,
    databaseUrl: databaseFor.url,
    env: { SMTP_URL: sink.url, HEARTH_DEV_CALLBACKS: receiver.origin, HEARTH_LIMITS: 'relaxed' },
  });
  const operator = apiClient(home.urls, home.operatorKey);
  const made = { name: 'Planner', contact_email: 'ops@planner.example', minors: true };
  app = apiClient(home.urls, expectStatus(await operator.post('/v0/admin/apps', made), 201).body.app_key);
  const told = { webhook_url: receiver.url, event_types: ['notify'] };
  expectStatus(await app.patch('/v0/app', told), 200);
  ada = await signIn('ada@example.com');
  cleo = await newPerson({ name: 'Cleo Patra', age_band: 'adult' });
  [adasAi, cleosAi] = [await newAi(home.urls, ada), await newAi(home.urls, cleo)];
}, 240_000);
afterAll(async () => {
  await home?.stop();
  await Promise.all([sink?.stop(), receiver?.stop()]);
  await databaseFor?.drop();
}, 240_000);
beforeEach(() => {
  sink.mails.length = 0;
  before = receiver.arrived.length;
});

/** A person who created an account on the home's own pages. */
async function signIn(email: string): Promise<Party> {
  const visitor = webVisitor(home.urls[0]!);
  // The code is in the mail, where the person reads it.
  const lines = {
    findLast: (matches: (line: string) => boolean) =>
      sink.mails
        .map(({ to, data }) => JSON.stringify({ to: to[0], kind: 'sign_in_code', text: data }))
        .findLast(matches),
  } as unknown as string[];
  await signInByEmail(visitor, lines, email);
  const client = apiClient(home.urls, visitor.cookie('hearth_session'));
  const { body } = expectStatus(await client.get('/v0/people/me'), 200);
  return { ...client, id: body.id, address: body.address };
}

async function newPerson(fields: Record<string, unknown>): Promise<Party> {
  const { body } = expectStatus(await app.post('/v0/people', fields), 201);
  return { ...actingFor(app, body.id), id: body.id, address: body.address };
}

async function ask(by: ApiClient, to: Party, title: string): Promise<string> {
  const reply = await by.post('/v0/approvals', { title, to: [to.address], details: 'These are details.' });
  return expectStatus(reply, 201).body.id;
}

const write = async (by: ApiClient, to: Party, title: string) =>
  await by.post('/v0/messages', { to: to.address, title, text: 'This is the text.' });

/** The sent mails, once there are that many; anything sent before the last is among them. */
async function mails(count: number): Promise<{ to: string; text: string }[]> {
  await eventually(
    async () => sink.mails.length,
    (length) => length >= count,
  );
  return sink.mails.map(({ to, data }) => ({ to: to.join(), text: mailText(data) }));
}

async function notices(count: number) {
  const seen = async () =>
    receiver.arrived.slice(before).flatMap(({ body }) => {
      const { type, data } = JSON.parse(body);
      return type === 'notify' ? [data] : [];
    });
  return await eventually(seen, ({ length }) => length >= count);
}

describe('a person held by the home', () => {
  test('gets a mail about an ask, with its title and link only', async () => {
    const id = await ask(adasAi, ada, 'May I book the 9:30 train?');
    const [mail] = await mails(1);
    expect(mail!.to).toBe('ada@example.com');
    expect(mail!.text).toContain('Subject: Helper asks you');
    expect(mail!.text).toContain('> May I book the 9:30 train?');
    expect(mail!.text).toContain(`/a/${id}\n`);
    expect(mail!.text).not.toContain('These are details');
  });

  test('gets one mail about a message per thread, without its text', async () => {
    const first = expectStatus(await write(adasAi, ada, 'The train'), 201).body;
    await mails(1);
    const more = { thread: first.thread, text: 'And more.' };
    expectStatus(await adasAi.post('/v0/messages', more), 201);
    expectStatus(await write(adasAi, ada, 'Another thread'), 201);
    const texts = (await mails(2)).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain('Subject: Helper wrote to you');
    expect(texts[0]).toContain('> The train');
    expect(texts[1]).toContain('> Another thread');
    expect(texts.join()).not.toMatch(/This is the text|And more/);
  });

  test('is reminded of an ask within twelve hours only when its asker sends a reminder', async () => {
    const id = await ask(adasAi, ada, 'First?');
    await mails(1);
    const reminded = expectStatus(await adasAi.post(`/v0/approvals/${id}/remind`), 200);
    expect(reminded.body).toMatchObject({ reminded: 1, told: 1 });
    const texts = (await mails(2)).map(({ text }) => text);
    expect(texts.map((text) => text.includes('First?'))).toEqual([true, true]);
  });

  test('gets no mail for quiet, pending or refused messages', async () => {
    const robin = apiClient(
      home.urls,
      expectStatus(await apiClient(home.urls).post('/v0/agents', { name: 'Robin' }), 201).body.connector_key,
    );
    expectStatus(await write(robin, ada, 'Quiet'), 201, 403);
    expectStatus(await write(cleo, ada, 'Waits'), 201);
    expectStatus(await ada.put(`/v0/blocks/${cleo.address}`), 200, 201, 204);
    expectStatus(await write(cleo, ada, 'Turned away'), 403);
    expectStatus(await ada.delete(`/v0/blocks/${cleo.address}`), 200, 204);
    await ask(adasAi, ada, 'Loud?');
    const texts = (await mails(1)).map(({ text }) => text);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('Loud?');
  });

  test('gets the mail even when the home was killed before sending it', async () => {
    answers['RCPT'] = null;
    await ask(adasAi, ada, 'After a crash?');
    await eventually(
      async () => sink.commands.at(-1),
      (command) => command === 'RCPT',
    );
    const [delivery] = home.of('delivery');
    await delivery!.kill();
    delete answers['RCPT'];
    expect(sink.mails).toEqual([]);
    // A minute later.
    const client = new pg.Client({ connectionString: databaseFor.url });
    await client.connect();
    const { rowCount } = await client.query(
      `update delivery.mails set due_at = now() - interval '1 second' where due_at is not null`,
    );
    await client.end();
    expect(rowCount).toBe(1);
    await bringBack(delivery!);
    await home.ready();
    const [mail, ...others] = await mails(1);
    expect([others, mail!.text.includes('After a crash?')]).toEqual([[], true]);
  }, 240_000);
});

describe('a person held by an app', () => {
  test('is notified by the app', async () => {
    const id = await ask(cleosAi, cleo, 'May I order flowers?');
    const [notice] = await notices(1);
    expect(notice).toEqual({
      person: cleo.id,
      title: 'Helper asks you',
      body: 'May I order flowers?',
      link: expect.stringMatching(new RegExp(`^http://[^/]+/a/${id}\\?t=[\\w-]+$`)),
      kind: 'approval',
    });
    expect(sink.mails).toEqual([]);
  });

  test("can open the link's page once, and acts only when signed in", async () => {
    await ask(cleosAi, cleo, 'May I paint the fence?');
    const [{ link }] = await notices(1);
    const { pathname, search } = new URL(link);
    const visitor = webVisitor(home.urls[0]!);
    const page = await visitor.open(`${pathname}${search}`);
    expect(page.status).toBe(200);
    expect(wordsOf(page)).toContain('May I paint the fence?');
    const sent = await visitor.send(page, pathname, { decision: 'approved' });
    expect(new URL(sent.url).pathname).toBe('/in');
    const again = await webVisitor(home.urls[0]!).open(`${pathname}${search}`);
    expect(new URL(again.url).pathname).toBe('/in');
    const id = pathname.slice('/a/'.length);
    expect((await cleo.get(`/v0/approvals/${id}`)).body.status).toBe('waiting');
  });

  test('is notified for their child', async () => {
    const mia = await newPerson({ name: 'Mia Patra', birth_year_month: '2017-05', guardian: cleo.id });
    expectStatus(await write(cleosAi, mia, 'A secret'), 201);
    const [notice] = await notices(1);
    expect(notice).toMatchObject({
      person: cleo.id,
      about: mia.id,
      title: 'Helper wrote to Mia P.',
      body: '',
      kind: 'message',
    });
  });
});

describe('an address that gets an ask from a stranger', () => {
  const email = 'eva@example.com';
  const asking = async () =>
    expectStatus(await adasAi.post('/v0/approvals', { title: 'Lunch?', to: [email] }), 201).body.id;
  const link = (text: string, what: 'report' | 'stop') =>
    new RegExp(`^(https?://\\S+/mail/${what}/[\\w-]+)`, 'm').exec(text)?.[1] ?? '';

  test('stops all mail with one click of its mail program, and a sign-in resumes it', async () => {
    await asking();
    const [mail] = await mails(1);
    const stop = link(mail!.text, 'stop');
    expect(mail!.text).toMatch(/^List-Unsubscribe:\s+<http/m);
    const visitor = webVisitor(home.urls[0]!);
    expect(wordsOf(await visitor.open(stop))).toContain('Unsubscribe');
    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    const clicked = await fetch(stop, { method: 'POST', body, redirect: 'manual' });
    expect(clicked.status).toBe(200);
    await asking();
    await write(adasAi, ada, 'Sent after it');
    expect((await mails(2)).map(({ to }) => to)).toEqual([email, 'ada@example.com']);
    const stopped = await visitor.open(stop);
    expect(wordsOf(stopped)).toContain('won’t email you any more');
    const again = await visitor.send(stopped, new URL(stop).pathname.replace('/stop/', '/again/'));
    expect(wordsOf(again)).toContain('Unsubscribe');
    await visitor.send(again, new URL(stop).pathname);
    await signIn(email);
    expect(wordsOf(await visitor.open(stop))).toContain('Unsubscribe');
    expect((await visitor.open(`${stop}x`)).status).toBe(404);
  });

  test('reports the ask to the operator, once', async () => {
    const id = await asking();
    const [mail] = await mails(1);
    const report = link(mail!.text, 'report');
    const { pathname } = new URL(report);
    const visitor = webVisitor(home.urls[0]!);
    const page = await visitor.open(report);
    expect((await visitor.send(page, pathname, {})).status).toBe(400);
    for (const text of ['They ask daily.', 'Once more.']) {
      const sent = await visitor.send(page, pathname, { reason: 'harassment', text });
      expect(wordsOf(sent)).toContain('Report sent');
    }
    const operator = apiClient(home.urls, home.operatorKey);
    const { reports } = expectStatus(await operator.get('/v0/admin/reports'), 200).body;
    expect(reports).toMatchObject([{ about: id, by: '', reason: 'harassment', text: 'They ask daily.' }]);
  });
});

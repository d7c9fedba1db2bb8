import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@hearth/testkit/eventually';
import {
  type ApiClient,
  apiClient,
  type StartedHome,
  signUpAi,
  startTwoHomes,
  type TestAi,
  topologyOf,
} from '@hearth/testkit/home';
import { webVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAi, newApp, type Party } from '../support/acting.ts';
import { expectStatus } from '../support/home.ts';
import { verifyRecord } from '../support/record-verify.ts';
import { allTrue, headerOf, verdicts } from '../support/records.ts';
import { notFoundBody } from '../support/refusals.ts';

let here: StartedHome;
let there: StartedHome;
const folder = mkdtempSync(join(tmpdir(), 'hearth-two-homes-'));

beforeAll(async () => {
  [here, there] = await startTwoHomes(topologyOf(process.env), { HEARTH_LIMITS: 'relaxed' });
}, 150_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([here.stop(), there.stop()]);
});

const full = (ai: TestAi, home: StartedHome) => `${ai.address.slice(1)}@${home.name}`;
const send = async (from: TestAi, to: string, text: string, more: object = {}) =>
  expectStatus(await from.post('/v0/messages', { to, text, ...more }), 201).body;
const poll = async (ai: TestAi) => (await ai.get('/v0/messages?unread=true&wait=25')).body.messages;
const deliveryOf = async (ai: TestAi, id: string) => {
  const { delivery, why } = (await ai.get(`/v0/messages/${id}`)).body;
  return [delivery, why];
};
const becomes = (ai: TestAi, id: string, expected: unknown[]) =>
  eventually(
    () => deliveryOf(ai, id),
    (seen) => JSON.stringify(seen) === JSON.stringify(expected),
    { everyMs: 250 },
  );
/** A person and their child. */
async function newFamily({ newPerson }: Awaited<ReturnType<typeof newApp>>) {
  const ada = await newPerson();
  const birth = `${new Date().getUTCFullYear() - 9}-01`;
  return [
    ada,
    await newPerson({ name: 'Kit Quillfeather', birth_year_month: birth, guardian: ada.id }),
  ] as const;
}
const listed = async (ai: TestAi) => (await ai.get('/v0/messages')).body.messages;

describe('two homes', () => {
  test('a message reaches a held poll at the other home, and the reply returns in the thread', async () => {
    const robin = await signUpAi(here.urls, { name: 'Robin' });
    const wren = await signUpAi(there.urls, { name: 'Wren' });
    const held = poll(wren);
    const sent = await send(robin, full(wren, there), 'Hello over there', { data: { n: 1 } });
    expect(sent).toMatchObject({ to: full(wren, there), delivery: 'held' });
    const [message] = await held;
    expect(message).toMatchObject({
      from: full(robin, here),
      from_name: 'Robin',
      name_verified: false,
      text: 'Hello over there',
      data: { n: 1 },
      via: 'home',
    });
    await becomes(robin, sent.id, ['delivered', undefined]);
    const back = poll(robin);
    expectStatus(await wren.post(`/v0/messages/${message.id}/reply`, { text: 'And hello back' }), 201);
    const [answer] = await back;
    expect(answer).toMatchObject({ text: 'And hello back', thread: sent.thread, reply_to: sent.id });
    const { messages } = (await wren.get(`/v0/threads/${message.thread}`)).body;
    expect(messages.map(({ text }: { text: string }) => text)).toEqual([
      'And hello back',
      'Hello over there',
    ]);
  });

  test('the signed envelope of a message is available to its recipient only', async () => {
    const robin = await signUpAi(here.urls);
    const wren = await signUpAi(there.urls);
    const sent = await send(robin, full(wren, there), 'Signed and sealed');
    const [message] = await poll(wren);
    const signed = expectStatus(await wren.get(`/v0/messages/${message.id}/signed`), 200).body;
    expect(signed).toMatchObject({
      home: here.name,
      envelope: { id: `r:${here.name}:${sent.id}`, type: 'message', body: { text: 'Signed and sealed' } },
    });
    const { keys } = (await robin.get('/.well-known/service.json')).body;
    const { x } = keys.find(({ kid }: { kid: string }) => kid === signed.kid);
    expect(headerOf(signed.envelope.signature)).toMatchObject({ kid: signed.kid, typ: 'svc-envelope+jws' });
    expect(await verdicts(signed.envelope, signed.envelope.signature, x)).toEqual(allTrue);
    const given = { name: 'get_envelope', arguments: { id: message.id } };
    const called = await wren.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: given });
    expect(called.body.result.structuredContent.untrusted).toEqual({ '/envelope': signed.envelope });
    const other = await signUpAi(there.urls);
    expect((await other.get(`/v0/messages/${message.id}/signed`)).body).toEqual(await notFoundBody(other));
    const own = await robin.get(`/v0/messages/${sent.id}/signed`);
    expect([own.status, own.body.code]).toEqual([400, 'no_envelope']);
  });

  test('every id in a response is accepted where that kind of id is, also as a reference', async () => {
    const robin = await signUpAi(here.urls);
    const wren = await signUpAi(there.urls);
    const sent = await send(robin, full(wren, there), 'One');
    const [message] = await poll(wren);
    const signed = (await wren.get(`/v0/messages/${message.id}/signed`)).body;
    // The ids used by the sender's home, and by this home.
    const [msg, thr] = [signed.envelope.id, signed.envelope.body.thread];
    expect([msg, thr]).toEqual([`r:${here.name}:${sent.id}`, `r:${here.name}:${sent.thread}`]);
    const own = (id: string) => `r:${there.name}:${id}`;
    const paths = (m: string, t: string) => [
      ...[`/v0/messages/${m}`, `/v0/messages/${m}/signed`, `/v0/threads/${t}`],
      ...[`/v0/messages?thread=${t}`, `/v0/messages?since=${m}`],
    ];
    const expected = await Promise.all(paths(message.id, message.thread).map((path) => wren.get(path)));
    for (const [m, t] of [
      [msg, thr],
      [own(message.id), own(message.thread)],
    ])
      for (const [index, path] of paths(m, t).entries()) {
        const { status, body } = await wren.get(path);
        expect([path, status, body]).toEqual([path, 200, expected[index]!.body]);
      }
    const post = async (path: string, body: object) => {
      const answer = await wren.post(path, body);
      expect([path, answer.status]).toEqual([path, path.endsWith('read') ? 200 : 201]);
      return answer.body;
    };
    expect(await post('/v0/messages/read', { ids: [msg] })).toMatchObject({ read: 1 });
    expect(await post('/v0/messages/read', { thread: thr, up_to: msg })).toMatchObject({ read: 0 });
    expect(await post(`/v0/messages/${msg}/reply`, { text: 'Two' })).toMatchObject({ reply_to: message.id });
    expect(await post('/v0/messages', { text: 'Three', thread: thr, reply_to: msg })).toMatchObject({
      ...{ thread: message.thread, reply_to: message.id },
    });
    expectStatus(await wren.post('/v0/reports', { about: msg, reason: 'spam' }), 202);
    // The reference of a message to another AI is as unknown as any other.
    const other = await signUpAi(there.urls);
    for (const path of paths(msg, thr).slice(0, 3))
      expect((await other.get(path)).body).toEqual(await notFoundBody(other));
    expect((await other.get(`/v0/messages?thread=${thr}`)).body.messages).toEqual([]);
    expectStatus(await wren.delete(`/v0/messages/${msg}`), 200);
    expectStatus(await wren.get(`/v0/messages/${message.id}`), 404);
  });

  test('messages to an unknown party and to a minor there are equally undeliverable', async () => {
    const robin = await signUpAi(here.urls);
    const [, kit] = await newFamily(await newApp(there));
    for (const name of ['nobody-at-all.ai-x', 'nobody-at-all', kit.address.slice(1)]) {
      const { id } = await send(robin, `${name}@${there.name}`, 'Hello?');
      await becomes(robin, id, ['undeliverable', 'no_such_address']);
      const asked = { title: 'Hello?', to: [`@${name}@${there.name}`] };
      const ask = expectStatus(await robin.post('/v0/approvals', asked), 201).body;
      const { body } = await robin.get(`/v0/approvals/${ask.id}?wait=25`);
      expect([body.status, body.why, body.people[0].handling]).toEqual([
        ...['declined', 'recipient_gone', 'undeliverable'],
      ]);
    }
  });

  test('a message taken back disappears there', async () => {
    const robin = await signUpAi(here.urls);
    const wren = await signUpAi(there.urls);
    const { id } = await send(robin, full(wren, there), 'Never mind');
    await poll(wren);
    expectStatus(await robin.delete(`/v0/messages/${id}?mode=retract`), 200);
    await eventually(
      () => listed(wren),
      ([message]) => message.retracted === true,
      { everyMs: 250 },
    );
  });

  test('a card of the other home is signed by it, and contains what strangers see', async () => {
    const robin = await signUpAi(here.urls);
    const wren = await signUpAi(there.urls, { name: 'Wren' });
    const slots = [
      { starts_at: `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 13)}:00:00.000Z` },
    ];
    const offer = { title: 'A talk', to: ['anyone'], time_zone: 'UTC', slots };
    const open = expectStatus(await wren.post('/v0/meetings/offers', offer), 201).body;
    const card = expectStatus(await robin.get(`/v0/cards/${full(wren, there)}`), 200).body;
    expect(card).toMatchObject({
      ...{ type: 'card', home: there.name, address: wren.address, id: wren.id, name: 'Wren' },
      ...{ kind: 'ai', name_verified: false, status: 'unclaimed', reach: { mode: 'unknown' } },
    });
    const { keys } = (await wren.get('/.well-known/service.json')).body;
    const { kid } = headerOf(card.signature);
    const { x } = keys.find((key: { kid: string }) => key.kid === kid);
    expect(await verdicts(card, card.signature, x)).toEqual(allTrue);
    expect((await robin.get(`/v0/cards/${full(wren, there)}`)).body).toEqual(card);
    expect(card.offers).toMatchObject([{ id: open.id, title: 'A talk' }]);
    // Cached here for minutes, unless the home sends a notice.
    expectStatus(await wren.put('/v0/me/description', { text: 'Sings early' }), 200);
    await eventually(
      async () => (await robin.get(`/v0/cards/${full(wren, there)}`)).body.description,
      (description) => description === 'Sings early',
      { everyMs: 250 },
    );
  });

  test('missing and invisible parties equally have no card', async () => {
    const robin = await signUpAi(here.urls);
    const wren = await signUpAi(there.urls);
    const app = await newApp(there);
    const [ada, kit] = await newFamily(app);
    const { address: group } = expectStatus(await ada.post('/v0/groups', { name: 'Club' }), 201).body;
    expectStatus(await wren.delete(`/v0/ais/${wren.id}`), 200);
    expectStatus(await robin.get(`/v0/cards/${ada.address.slice(1)}@${there.name}`), 200);
    for (const address of ['nobody-at-all', kit.address.slice(1), wren.address.slice(1), group])
      expect((await robin.get(`/v0/cards/${address}@${there.name}`)).body).toEqual(await notFoundBody());
  });

  test('a message to a person held by an app there becomes an event of the app, once they let it in', async () => {
    const robin = await signUpAi(here.urls, { name: 'Robin' });
    const app = await newApp(there);
    const [ada] = await newFamily(app);
    const begun = await ada.post('/v0/messages', { to: full(robin, here), text: 'Are you there?' });
    expectStatus(begun, 201);
    const [asked] = await poll(robin);
    const reply = await robin.post(`/v0/messages/${asked.id}/reply`, { text: 'I am' });
    expectStatus(reply, 201);
    await becomes(robin, reply.body.id, ['delivered', undefined]);
    const [event] = await eventually(
      async () =>
        (await app.get('/v0/app/events')).body.events.filter(
          ({ type }: { type: string }) => type === 'message.received',
        ),
      ({ length }) => length > 0,
      { everyMs: 250 },
    );
    const { messages } = (await ada.get('/v0/messages')).body;
    expect(event.data).toEqual({
      from: { address: full(robin, here), name: 'Robin', ai: true, owner_status: 'unclaimed' },
      ...{ to: ada.id, text: 'I am', id: messages[0].id, thread: begun.body.thread, reply_to: begun.body.id },
      envelope: expect.stringMatching(`^r:${here.name}:msg_[0-9a-f]{32}$`),
    });
  });

  test('messages sent while the other home is dead arrive once, in order, when it is back', async () => {
    const robin = await signUpAi(here.urls);
    const wren = await signUpAi(there.urls);
    const first = await send(robin, full(wren, there), 'one');
    await poll(wren);
    await Promise.all(there.processes.map((process) => process.kill()));
    const unseen = `wren.ai-unseen@${there.name}`;
    expect(await robin.get(`/v0/cards/${unseen}`)).toMatchObject({
      ...{ status: 503, body: { code: 'home_unreachable' } },
    });
    for (const text of ['two', 'three'])
      expect(await send(robin, full(wren, there), text, { thread: first.thread })).toMatchObject({
        delivery: 'held',
      });
    for (const process of there.processes) process.start();
    await there.ready();
    const messages = await eventually(
      () => listed(wren),
      (all) => all.length === 3,
      { everyMs: 500 },
    );
    expect(messages.map(({ text }: { text: string }) => text)).toEqual(['three', 'two', 'one']);
    expect(new Set(messages.map(({ thread }: { thread: string }) => thread)).size).toBe(1);
  }, 150_000);
});

describe('an ask of one home to the people of the other', () => {
  let robin: TestAi;
  let bob: Party;
  let bobsAi: Party;

  beforeAll(async () => {
    robin = await signUpAi(here.urls, { name: 'Robin' });
    bob = await (await newApp(there)).newPerson({ name: 'Bob Jones', age_band: 'adult' });
    bobsAi = await newAi(there.urls, bob, ['read', 'message', 'approve']);
  });

  const atThere = (address: string) => `@${address.slice(1)}@${there.name}`;
  const ask = async (from: TestAi, to: string, more: object = {}) =>
    expectStatus(await from.post('/v0/approvals', { title: 'May I book it?', to: [to], ...more }), 201).body;
  const waiting = (of: ApiClient, id: string) =>
    eventually(
      async () => (await of.get('/v0/approvals?status=waiting')).body.approvals,
      (all) => all.some((entry: { id: string }) => entry.id === `r:${here.name}:${id}`),
      { everyMs: 200 },
    ).then((all) => all.find((entry: { id: string }) => entry.id === `r:${here.name}:${id}`));

  test('is shown with its home, answered through the app, and the record verifies for both homes', async () => {
    const sent = await ask(robin, atThere(bob.address), {
      choices: ['9:30', '11:00'],
      request_kind: 'personal',
      details: 'The train to Bern',
    });
    expect(sent).toMatchObject({ status: 'waiting', people: [{ handling: 'held', decision: 'waiting' }] });
    const shown = await waiting(bob, sent.id);
    expect(shown).toMatchObject({
      title: 'May I book it?',
      home: here.name,
      from: full(robin, here),
      from_name: 'Robin',
      name_verified: false,
      digest: sent.digest,
      to_you: true,
      people: [{ to: bob.address, decision: 'waiting' }],
    });
    const { requests } = (await bob.get('/v0/requests')).body;
    expect(requests).toContainEqual(expect.objectContaining({ id: shown.id, kind: 'personal' }));
    const { asks } = (await bob.get('/v0/remote-asks')).body;
    expect(asks).toContainEqual(
      expect.objectContaining({
        ...{ ref: shown.id, kind: 'approval', title: 'May I book it?', home: here.name },
        ...{ from: full(robin, here), detail: expect.objectContaining({ choices: ['9:30', '11:00'] }) },
      }),
    );
    const held = robin.get(`/v0/approvals/${sent.id}?wait=25`);
    const reply = { decision: 'approved', answer: '11:00', note: 'I sleep long' };
    const answered = expectStatus(await bob.post(`/v0/approvals/${shown.id}/reply`, reply), 200).body;
    expect(answered).toMatchObject({ id: shown.id, status: 'approved' });
    expect(answered.pending).toBeUndefined();
    const settled = (await held).body;
    expect(settled).toMatchObject({
      status: 'approved',
      people: [{ decision: 'approved', answer: '11:00', note: 'I sleep long', by: 'person' }],
      signed_answer: {
        answers: [
          {
            home: there.name,
            by: 'person',
            via: 'home',
            proof: 'tap',
            item: { type: 'act', origin: there.name },
          },
        ],
      },
    });
    expect((await bob.post(`/v0/approvals/${shown.id}/reply`, reply)).body.code).toBe('already_settled');
    expect(answered.signed_answer).toEqual(settled.signed_answer);

    const documents = await Promise.all([here, there].map(documentOf));
    const both = documents.flatMap((document) => ['--home', document]);
    const asked = file('ask.json', settled);
    const verified = await verifyRecord(settled.signed_answer, [...both, '--ask', asked]);
    expect([verified.code, verified.err]).toEqual([0, '']);
    expect(verified.out).toContain(`${there.name} signed the answer from`);
    expect(verified.out).toContain('ask      matches the one you gave');
    const alone = await verifyRecord(settled.signed_answer, both.slice(0, 2));
    expect(alone.out).toContain(`only ${here.name} vouches for the answer`);
    const [other] = settled.signed_answer.answers;
    const forged = { ...other.item, body: { ...other.item.body, by: 'ai' } };
    const changed = { ...settled.signed_answer, answers: [{ ...other, item: forged }] };
    expect((await verifyRecord(changed, both)).code).toBe(1);
  });

  test('is answered on the page, which shows its home, and by an AI of the person', async () => {
    const group = expectStatus(await bob.post('/v0/groups', { name: 'Guests' }), 201).body;
    const invite = expectStatus(
      await bob.post(`/v0/groups/${group.id}/invites`, { for_age: 'adult' }),
      201,
    ).body;
    const guest = { name: 'Guest Ben', birth_year_month: '1990-01' };
    const accept = `/v0/invites/${invite.code}/accept`;
    const joined = expectStatus(await apiClient(there.urls).post(accept, { guest }), 200).body;
    const ben = apiClient(there.urls, joined.session_token);
    const sent = await ask(robin, atThere(joined.member.person.address));
    const { id } = await waiting(ben, sent.id);
    const visitor = webVisitor(there.urls[0]!);
    visitor.plant('hearth_session', joined.session_token);
    const path = `/a/${encodeURIComponent(id)}`;
    const page = await visitor.open(path);
    expect(wordsOf(page)).toContain(`Home ${here.name} another home`);
    expect(wordsOf(page)).toContain('unverified name');
    const after = await visitor.send(page, path, { decision: 'approved' });
    expect(wordsOf(after)).toContain('Approved');
    const { signed_answer } = (await robin.get(`/v0/approvals/${sent.id}`)).body;
    expect(signed_answer).toMatchObject({ answers: [{ by: 'person', decision: 'approved' }] });

    const toBob = await ask(robin, atThere(bob.address));
    const shown = await waiting(bobsAi, toBob.id);
    expect(shown.to_you).toBe(false);
    const reply = await bobsAi.post(`/v0/approvals/${shown.id}/reply`, { decision: 'declined' });
    expect(expectStatus(reply, 200).body).toMatchObject({ status: 'declined', home: here.name });
    expect((await robin.get(`/v0/approvals/${toBob.id}`)).body.signed_answer).toMatchObject({
      answers: [{ by: 'ai', proof: 'key', item: { body: { by: 'ai' } } }],
    });
  });

  test('is withdrawn', async () => {
    const sent = await ask(robin, atThere(bob.address));
    const { id } = await waiting(bob, sent.id);
    expectStatus(await robin.delete(`/v0/approvals/${sent.id}`), 200);
    await eventually(
      async () => (await bob.get(`/v0/approvals/${id}`)).body.status,
      (status) => status === 'cancelled',
      { everyMs: 250 },
    );
    expect((await bob.post(`/v0/approvals/${id}/reply`, { decision: 'approved' })).body.code).toBe(
      'already_settled',
    );
    const { asks } = (await bob.get('/v0/remote-asks')).body;
    expect(asks).not.toContainEqual(expect.objectContaining({ ref: id }));
  });

  test('survives a crash of either home without loss or duplicates', async () => {
    await Promise.all(there.processes.map((process) => process.kill()));
    const sent = await ask(robin, atThere(bob.address));
    await restart(there);
    const { id } = await waiting(bob, sent.id);
    await Promise.all(here.processes.map((process) => process.kill()));
    const pending = await bob.post(`/v0/approvals/${id}/reply`, { decision: 'approved', note: 'Once' });
    expect(expectStatus(pending, 200).body).toMatchObject({ status: 'waiting', pending: true });
    await restart(here);
    const settled = await eventually(
      async () => (await robin.get(`/v0/approvals/${sent.id}`)).body,
      // Signed once federation runs again, too.
      ({ signed_answer: signed }) => signed !== undefined,
      { withinMs: 90_000, everyMs: 500 },
    );
    expect(settled.signed_answer.answers).toMatchObject([{ decision: 'approved', note: 'Once' }]);
    const shown = await eventually(
      async () => (await bob.get(`/v0/approvals/${id}`)).body,
      ({ status }) => status === 'approved',
      { everyMs: 500 },
    );
    expect(shown.signed_answer).toEqual(settled.signed_answer);
    const listed = (await bob.get('/v0/approvals?status=approved')).body.approvals;
    expect(listed.filter((entry: { id: string }) => entry.id === id)).toHaveLength(1);
  }, 240_000);
});

async function restart(home: StartedHome): Promise<void> {
  for (const process of home.processes) process.start();
  await home.ready();
}

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** A copy of a home's document. */
async function documentOf({ urls, name }: StartedHome): Promise<string> {
  const { body } = await apiClient(urls).get('/.well-known/service.json');
  return file(`${name.replace(':', '-')}.json`, body);
}

describe('a group with a member of the other home', () => {
  let ada: Party;
  let ben: Party;
  let group: { id: string; address: string };
  const atThere = (address: string) => `@${address.slice(1)}@${there.name}`;
  const ref = (id: string) => `r:${here.name}:${id}`;
  const path = (kind: string, id: string) => `/v0/${kind}/${encodeURIComponent(ref(id))}`;
  type Body = Awaited<ReturnType<ApiClient['get']>>['body'];
  const followed = (of: ApiClient, path: string, holds: (body: Body) => boolean) =>
    eventually(
      async () => (await of.get(path)).body,
      (body) => holds(body),
      { everyMs: 200 },
    );

  beforeAll(async () => {
    ada = await (await newApp(here)).newPerson({ name: 'Ada Byron', age_band: 'adult' });
    ben = await (await newApp(there)).newPerson({ name: 'Ben Okri', age_band: 'adult' });
    group = expectStatus(await ada.post('/v0/groups', { name: 'Sunday lunch' }), 201).body;
    const asked = { to: atThere(ben.address), for_age: 'adult' };
    const { id } = expectStatus(await ada.post(`/v0/groups/${group.id}/invites`, asked), 201).body;
    const { asks } = await followed(ben, '/v0/remote-asks', ({ asks }) => asks.length > 0);
    expect(asks).toMatchObject([
      {
        ref: ref(id),
        kind: 'invite',
        title: 'Sunday lunch',
        home: here.name,
        from: `${ada.address.slice(1)}@${here.name}`,
      },
    ]);
    const joined = expectStatus(await ben.post(`${path('invites', id)}/accept`), 200).body;
    expect(joined).toMatchObject({ status: 'joined', group: ref(group.id) });
    expect((await ben.get('/v0/remote-asks')).body.asks).toEqual([]);
    await followed(ben, path('groups', group.id), ({ name }) => name === 'Sunday lunch');
  }, 60_000);

  test('is listed with its members, at both homes', async () => {
    expect((await ben.get('/v0/groups')).body.groups).toMatchObject([
      { id: ref(group.id), address: `${group.address}@${here.name}`, your_role: 'member' },
    ]);
    const addresses = async (of: ApiClient, path: string) =>
      (await of.get(path)).body.members.map(({ person }: Body['members'][0]) => person.address).sort();
    expect(await addresses(ada, `/v0/groups/${group.id}/members`)).toEqual(
      [ada.address, `${ben.address.slice(1)}@${there.name}`].sort(),
    );
    expect(await addresses(ben, `${path('groups', group.id)}/members`)).toEqual(
      [`${ada.address.slice(1)}@${here.name}`, ben.address].sort(),
    );
  });

  test('decides together: members answer and approve at their own home, and the record verifies for both', async () => {
    const questions = [
      { kind: 'choice', prompt: 'Which day?', options: ['Saturday', 'Sunday'] },
      { kind: 'text', prompt: 'Anything else?' },
    ];
    const asked = { title: 'Lunch', group: group.id, questions };
    const { id } = expectStatus(await ada.post('/v0/decisions', asked), 201).body;
    const answers = [
      { question_id: 1, answer: 'Sunday' },
      { question_id: 2, answer: 'No' },
    ];
    const decision = path('decisions', id);
    expect((await followed(ben, decision, ({ status }) => status === 'open')).waiting_on).toContain(
      ben.address,
    );
    expect((await ben.get('/v0/decisions?waiting_on=me')).body.decisions).toMatchObject([{ id: ref(id) }]);
    expect((await ben.get('/v0/remote-asks')).body.asks).toMatchObject([{ ref: ref(id), kind: 'questions' }]);
    const said = expectStatus(await ben.post(`${decision}/answers`, { answers }), 200).body;
    expect(said).toMatchObject({ id: ref(id), people_answered: 1 });
    const own = {
      answers: [
        { question_id: 1, answer: 'Sunday' },
        { question_id: 2, answer: 'Yes' },
      ],
    };
    expectStatus(await ada.post(`/v0/decisions/${id}/answers`, own), 200);
    const { proposal } = await followed(ben, decision, ({ status }) => status === 'proposed');
    const yes = { decision: 'approved', version: proposal.version };
    expectStatus(await ada.post(`/v0/decisions/${id}/approve`, yes), 200);
    expectStatus(await ben.post(`${decision}/approve`, yes), 200);
    const { record } = await followed(ben, decision, (body) => body.record !== undefined);
    expect(record).toEqual((await ada.get(`/v0/decisions/${id}`)).body.record);
    expect(record.acts).toMatchObject([
      { type: 'act', origin: there.name, body: { operation: 'answer_decision' } },
      { type: 'act', origin: there.name, body: { operation: 'approve_decision' } },
    ]);
    const documents = await Promise.all([here, there].map(documentOf));
    const verified = await verifyRecord(
      record,
      documents.flatMap((document) => ['--home', document]),
    );
    expect([verified.code, verified.err]).toEqual([0, '']);
    expect(verified.out).toContain(`${there.name} signed the act`);
    const [first] = record.acts;
    const forged = { ...record, acts: [{ ...first, body: { ...first.body, by: 'ai' } }] };
    expect(
      (
        await verifyRecord(
          forged,
          documents.flatMap((document) => ['--home', document]),
        )
      ).code,
    ).toBe(1);
    expect((await ben.post(`${decision}/approve`, yes)).body.error).toContain(here.name);
  }, 60_000);

  test('has posts of both homes, each once and in its order', async () => {
    const here1 = `/v0/groups/${group.id}/messages`;
    const there1 = `${path('groups', group.id)}/messages`;
    const first = expectStatus(await ada.post(here1, { text: 'Who brings the bread?' }), 201).body;
    const [seen] = (await followed(ben, there1, ({ messages }) => messages.length === 1)).messages;
    expect(seen).toMatchObject({
      ...{ id: ref(first.id), group: ref(group.id), text: 'Who brings the bread?', from_name: 'Ada Byron' },
      from: `${ada.address.slice(1)}@${here.name}`,
    });
    const reply = { text: 'I do', reply_to: seen.id, request_id: 'bread' };
    const posted = expectStatus(await ben.post(there1, reply), 201).body;
    expect(posted).toMatchObject({
      text: 'I do',
      from: ben.address,
      group: ref(group.id),
      reply_to: seen.id,
    });
    expect(expectStatus(await ben.post(there1, reply), 200).body).toEqual(posted);
    expect((await ada.get(here1)).body.messages).toMatchObject([
      {
        text: 'I do',
        from: `${ben.address.slice(1)}@${there.name}`,
        from_name: 'Ben Okri',
        reply_to: first.id,
      },
      { id: first.id },
    ]);
    const { messages } = await followed(ben, there1, ({ messages }) => messages.length === 2);
    expect(messages).toMatchObject([{ id: posted.id, from: ben.address }, { id: seen.id }]);
    const stranger = await (await newApp(there)).newPerson({ name: 'Eve', age_band: 'adult' });
    expect((await stranger.get(there1)).status).toBe(404);
    expect((await stranger.post(there1, { text: 'Hi' })).status).toBe(404);
  }, 60_000);

  test('is joined in the browser, which shows its decision and plan', async () => {
    const own = expectStatus(await ben.post('/v0/groups', { name: 'Guests' }), 201).body;
    const { code } = expectStatus(
      await ben.post(`/v0/groups/${own.id}/invites`, { for_age: 'adult' }),
      201,
    ).body;
    const guest = { name: 'Guest Cleo', birth_year_month: '1990-01' };
    const visitor = webVisitor(there.urls[0]!);
    const joined = expectStatus(
      await apiClient(there.urls).post(`/v0/invites/${code}/accept`, { guest }),
      200,
    ).body;
    visitor.plant('hearth_session', joined.session_token);
    const cleo = apiClient(there.urls, joined.session_token);
    const asked = { to: atThere(joined.member.person.address), for_age: 'adult' };
    const { id } = expectStatus(await ada.post(`/v0/groups/${group.id}/invites`, asked), 201).body;
    await followed(cleo, '/v0/remote-asks', ({ asks }) => asks.length > 0);
    const invite = `/i/${encodeURIComponent(ref(id))}`;
    const asks = await visitor.open(invite);
    expect(wordsOf(asks)).toContain('Sunday lunch');
    expect(wordsOf(await visitor.send(asks, invite, {}))).toContain('Sunday lunch');
    const place = `/g/${encodeURIComponent(`${group.address.slice(1)}@${here.name}`)}`;
    await followed(cleo, path('groups', group.id), ({ name }) => name === 'Sunday lunch');
    expect(wordsOf(await visitor.open(place))).toContain('Ada Byron');

    const questions = [
      { kind: 'choice', prompt: 'Which dish?', options: ['Soup', 'Pie'] },
      { kind: 'text', prompt: 'Who cooks?' },
    ];
    const decided = { title: 'The menu', group: group.id, questions };
    const made = expectStatus(await ada.post('/v0/decisions', decided), 201).body;
    await followed(cleo, path('decisions', made.id), ({ status }) => status === 'open');
    const page = `/d/${encodeURIComponent(ref(made.id))}`;
    const opened = await visitor.open(page);
    expect(wordsOf(opened)).toContain('Which dish?');
    await visitor.send(opened, page, { do: 'answer', q1: '1', q2: 'I do' });
    const { answers } = (await cleo.get(path('decisions', made.id))).body;
    expect(answers).toMatchObject([{ answer: 'Pie' }, { answer: 'I do' }]);

    const slots = [{ starts_at: '2030-05-03T18:00' }, { date: '2030-05-05' }];
    const wanted = { title: 'Rehearsal', group: group.id, options: slots, time_zone: 'Europe/Zurich' };
    const plan = expectStatus(await ada.post('/v0/plans', wanted), 201).body;
    await followed(cleo, path('plans', plan.id), ({ title }) => title === 'Rehearsal');
    expect(wordsOf(await visitor.open(`/p/${encodeURIComponent(ref(plan.id))}`))).toContain('Sunday lunch');
    expect(wordsOf(await visitor.open('/requests'))).toContain('Rehearsal');

    // An organizer sees the member's home in the browser, and removes her.
    const entry = expectStatus(await ada.post(`/v0/groups/${group.id}/invites`, {}), 201).body;
    const eve = { name: 'Guest Eve', birth_year_month: '1990-01' };
    const arrived = expectStatus(
      await apiClient(here.urls).post(`/v0/invites/${entry.code}/accept`, { guest: eve }),
      200,
    ).body;
    const role = `/v0/groups/${group.id}/members/${arrived.member.person.id}/role`;
    expectStatus(await ada.put(role, { role: 'organizer' }), 200);
    const organizer = webVisitor(here.urls[0]!);
    organizer.plant('hearth_session', arrived.session_token);
    const atHome = `/g/${group.address.slice(1)}`;
    const shown = await organizer.open(atHome);
    expect(wordsOf(shown)).toContain(`guest-cleo@${there.name}`);
    const { members } = (await ada.get(`/v0/groups/${group.id}/members`)).body;
    const far = members.find(({ person }: Body['members'][0]) => person.name === 'Guest Cleo');
    const removal = { do: 'remove', person: far.person.id };
    await organizer.send(shown, `${atHome}/members`, removal);
    await eventually(
      async () => (await cleo.get(path('groups', group.id))).status,
      (status) => status === 404,
      { everyMs: 200 },
    );
  }, 60_000);

  test('admits nobody once it is archived: no approval of a join request is signed', async () => {
    const settings = { join_review: 'all' };
    const choir = expectStatus(await ada.post('/v0/groups', { name: 'Choir', settings }), 201).body;
    const invite = async () => {
      const asked = { to: atThere(ben.address), for_age: 'adult' };
      return expectStatus(await ada.post(`/v0/groups/${choir.id}/invites`, asked), 201).body.id as string;
    };
    const [first, second] = [await invite(), await invite()];
    await followed(ben, '/v0/remote-asks', ({ asks }) =>
      [first, second].every((id) => asks.some((ask: Body) => ask.ref === ref(id))),
    );
    const accept = (id: string) => ben.post(`${path('invites', id)}/accept`);
    expect(expectStatus(await accept(first), 200, 202).body).toMatchObject({ status: 'waiting' });
    const { approvals } = await followed(ada, '/v0/approvals?status=waiting', ({ approvals }) =>
      approvals.some(({ kind }: Body) => kind === 'join_request'),
    );
    const asked = approvals.find(({ kind }: Body) => kind === 'join_request');
    expectStatus(await ada.post(`/v0/groups/${choir.id}/archive`), 200);
    const yes = await ada.post(`/v0/approvals/${asked.id}/reply`, { decision: 'approved' });
    // The group ends its join requests; the approval may come before or after.
    expect(['archived', 'already_settled']).toContain(expectStatus(yes, 400).body.code);
    const { signed_answer } = await eventually(
      async () => (await ada.get(`/v0/approvals/${asked.id}`)).body,
      ({ status }) => status === 'cancelled',
      { everyMs: 100 },
    );
    expect(signed_answer).toMatchObject({ status: 'cancelled', answers: [] });
    expect(expectStatus(await accept(second), 400).body.code).toBe('archived');
    expect((await ada.get(`/v0/groups/${choir.id}/members`)).body.members).toHaveLength(1);
  });

  test('is left, and no longer listed', async () => {
    expectStatus(await ben.post(`${path('groups', group.id)}/leave`), 200);
    const { members } = (await ada.get(`/v0/groups/${group.id}/members`)).body;
    expect(members.map(({ person }: Body['members'][0]) => person.name)).not.toContain('Ben Okri');
    await eventually(
      async () => (await ben.get(path('groups', group.id))).status,
      (status) => status === 404,
      { everyMs: 200 },
    );
  });
});

describe('times offered to an AI of the other home', () => {
  const hour = 3_600_000;
  const at = (hours: number) =>
    `${new Date(Date.now() + hours * hour).toISOString().slice(0, 13)}:00:00.000Z`;
  const [first, second] = [at(48), at(72)];
  const ref = (id: string) => `r:${here.name}:${id}`;
  const path = (kind: string, id: string) => `/v0/${kind}/${encodeURIComponent(id)}`;
  type Body = Awaited<ReturnType<ApiClient['get']>>['body'];
  const followed = (of: ApiClient, path: string, holds: (body: Body) => boolean) =>
    eventually(
      async () => (await of.get(path)).body,
      (body) => holds(body),
      { everyMs: 200 },
    );
  const cursorOf = async (ai: TestAi): Promise<string> => (await ai.get('/v0/ais/me/events')).body.cursor;
  /** Expects that an event with that name about that meeting wakes the AI. */
  const wakes = async (ai: TestAi, cursor = '', event = '', meeting = '') =>
    await followed(ai, `/v0/ais/me/events?cursor=${encodeURIComponent(cursor)}`, ({ events }) =>
      events.some(({ data, name }: Body) => name === event && data.meeting === meeting),
    );
  const offer = async (robin: TestAi, to: string[]) =>
    expectStatus(
      await robin.post('/v0/meetings/offers', {
        ...{ title: 'The roof', to, times: 2, time_zone: 'UTC' },
        slots: [{ starts_at: first }, { starts_at: second }],
      }),
      201,
    ).body;

  test('are booked, moved and cancelled by both, and the record verifies for both homes', async () => {
    const robin = await signUpAi(here.urls, { name: 'Robin' });
    const wren = await signUpAi(there.urls, { name: 'Wren' });
    const held = poll(wren);
    const [fromRobin, fromWren] = await Promise.all([robin, wren].map(cursorOf));
    const { id, handling } = await offer(robin, [full(wren, there)]);
    expect(handling).toEqual([{ to: full(wren, there), how: expect.stringMatching(/^(held|delivered)$/) }]);
    const [message] = await held;
    expect(message).toMatchObject({ from: full(robin, here), title: 'The roof', data: { offer: ref(id) } });
    const offers = path('meetings/offers', message.data.offer);
    // The offer exists by the time the message about it arrives.
    expect(expectStatus(await wren.get(offers), 200).body).toMatchObject({
      ...{ id: ref(id), by: full(robin, here), to: [wren.address], status: 'open' },
      slots: [{ starts_at: first, free: true }, { free: true }],
    });
    await followed(robin, `/v0/meetings/offers/${id}`, ({ handling }) => handling[0].how === 'delivered');
    expect(expectStatus(await wren.post(`${offers}/hold`, { slot: first }), 200).body).toMatchObject({
      offer: ref(id),
      starts_at: first,
    });
    const booking = { offer: ref(id), slot: first, note: 'Gladly' };
    const once = { ...booking, request_id: 'the-roof' };
    const meeting = expectStatus(await wren.post('/v0/meetings', once), 201).body;
    expect(expectStatus(await wren.post('/v0/meetings', once), 200).body.id).toBe(meeting.id);
    expect(meeting).toMatchObject({ status: 'booked', with: [full(robin, here)], starts_at: first });
    const own = `/v0/meetings/${meeting.id.slice(ref('').length)}`;
    const theirs = path('meetings', meeting.id);
    expect(expectStatus(await wren.post('/v0/meetings', booking), 400).body).toMatchObject({
      code: 'slot_taken',
      free: [second],
    });
    await wakes(robin, fromRobin, 'meeting.booked', own.slice('/v0/meetings/'.length));

    expectStatus(await robin.post(`${own}/move`, { starts_at: second }), 200);
    await followed(wren, theirs, ({ move }) => move?.yours === false);
    const moved = expectStatus(await wren.post(`${theirs}/move/accept`), 200).body;
    expect(moved).toMatchObject({ starts_at: second, moved_from: first, sequence: 1 });
    const { record } = await followed(wren, theirs, (body) => body.record?.meeting.sequence === 1);
    expect(record).toEqual((await robin.get(own)).body.record);
    const documents = await Promise.all([here, there].map(documentOf));
    const homes = documents.flatMap((document) => ['--home', document]);
    const verified = await verifyRecord(record, homes);
    expect([verified.code, verified.err]).toEqual([0, '']);
    for (const operation of ['book_meeting', 'accept_move'])
      expect(verified.out).toContain(`${there.name} signed the act "${operation}"`);
    for (const [of, at] of [
      [robin, own],
      [wren, theirs],
    ] as const)
      expect((await of.get(`${at}.ics`)).body).toContain(meeting.uid.slice(0, 40));

    expectStatus(await robin.delete(own), 200);
    await followed(wren, theirs, ({ status }) => status === 'cancelled');
    await wakes(wren, fromWren, 'meeting.cancelled', meeting.id);
    await followed(wren, offers, ({ booked }) => booked === 0);
    expectStatus(await robin.delete(`/v0/meetings/offers/${id}`), 200);
    await followed(wren, offers, ({ status }) => status === 'withdrawn');
    expect(expectStatus(await wren.post('/v0/meetings', booking), 400).body.code).toBe('not_waiting');
  }, 60_000);

  test('wait in the requests of a person who does not know the sender, and are booked by them', async () => {
    const robin = await signUpAi(here.urls, { name: 'Robin' });
    const app = await newApp(there);
    const ben = await app.newPerson({ name: 'Ben Okri', age_band: 'adult' });
    const address = `${ben.address.slice(1)}@${there.name}`;
    const { id } = await offer(robin, [address]);
    const { requests } = await followed(ben, '/v0/requests', ({ requests }) => requests.length > 0);
    expect(requests).toMatchObject([{ type: 'message', kind: 'offer', from: full(robin, here) }]);
    expect((await ben.get(path('meetings/offers', ref(id)))).body).toMatchObject({ status: 'open' });
    const asked = { offer: ref(id), slot: first };
    const meeting = expectStatus(await ben.post('/v0/meetings', asked), 201).body;
    await followed(robin, `/v0/meetings/offers/${id}`, ({ booked }) => booked === 1);
    const off = expectStatus(await ben.delete(path('meetings', meeting.id)), 200).body;
    expect(off).toMatchObject({ status: 'cancelled', cancelled_by: ben.address });
  }, 60_000);
});

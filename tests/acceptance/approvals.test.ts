import type { TestAi } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { ask, get, reply, settle } from '../support/approvals.ts';
import { newApp, newPerson } from '../support/apps.ts';
import { expectStatus, newAi } from '../support/home.ts';
import { notFoundBody } from '../support/refusals.ts';
import { timed } from '../support/timed.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Creates that many AIs; a tuple, so that each is known to exist. */
async function aisOf(count: 2): Promise<[TestAi, TestAi]>;
async function aisOf(count: 3): Promise<[TestAi, TestAi, TestAi]>;
async function aisOf(count: number): Promise<TestAi[]> {
  return await Promise.all(
    Array.from({ length: count }, (_, index) => newAi({ name: `Robin ${index + 1}` })),
  );
}

describe('an ask', () => {
  test('between people waits, is visible to both, and is settled by the answer', async () => {
    const app = await newApp();
    const [ann, bob] = [await newPerson(app), await newPerson(app, { name: 'Bob Jones' })];
    const asked = await ask(ann, [bob.address], { details: 'It leaves\nat the main station.' });
    expect(asked).toEqual({
      id: expect.stringMatching(/^apr_[0-9a-f]{32}$/),
      title: 'May I book the 9:30 train?',
      status: 'waiting',
      kind: 'ask',
      request_kind: 'other',
      details: 'It leaves\nat the main station.',
      choices: [],
      free_text: false,
      needs: 'any',
      from: ann.address,
      from_name: ann.name,
      name_verified: true,
      requested_by: ann.id,
      people: [
        {
          id: bob.id,
          to: bob.address,
          person: 'Bob Jones',
          decision: 'waiting',
          handling: 'delivered',
        },
      ],
      at: expect.stringMatching(iso),
      expires_at: expect.stringMatching(iso),
      digest: expect.stringMatching(/^sha-256:[\w-]{43}$/),
      reminders: 0,
    });
    expect(Date.parse(asked.expires_at) - Date.parse(asked.at)).toBe(7 * dayMs);
    const seen = await get(bob, asked.id);
    expect(seen).toMatchObject({ id: asked.id, status: 'waiting', digest: asked.digest, to_you: true });
    expect(seen.people[0]!.handling).toBeUndefined();
    for (const who of [ann, bob]) {
      const { approvals } = expectStatus(await who.get('/v0/approvals?status=waiting'), 200).body;
      expect(approvals.map(({ id }: { id: string }) => id)).toEqual([asked.id]);
    }
    const answered = await settle(bob, asked.id, 'approved', { note: 'Have fun', ask_digest: asked.digest });
    expect(answered).toMatchObject({
      status: 'approved',
      settled_at: expect.stringMatching(iso),
      people: [{ decision: 'approved', note: 'Have fun', by: 'person', at: expect.stringMatching(iso) }],
      receipt: expect.stringMatching(/\/r\/rec_[0-9a-f]{32}\?k=[0-9A-Za-z]{22}$/),
    });
    expect(answered.to_you).toBeUndefined();
    const { signed_answer: record, receipt } = await get(ann, asked.id);
    expect([record, receipt]).toEqual([answered.signed_answer, answered.receipt]);
    expect((await bob.get('/v0/approvals?status=waiting')).body.approvals).toEqual([]);
  });

  test('to an AI is answered by itself, with the permission message', async () => {
    const [robin, wren, owl] = await aisOf(3);
    const asked = await ask(robin, [wren.address]);
    expect(asked.people).toEqual([
      { to: wren.address, person: 'Robin 2', decision: 'waiting', handling: 'delivered' },
    ]);
    expect((await get(wren, asked.id)).to_you).toBe(true);
    const foreign = await reply(owl, asked.id, 'approved');
    expect([foreign.status, foreign.body]).toEqual([404, await notFoundBody(owl)]);
    const own = await reply(robin, asked.id, 'approved');
    expect([own.status, own.body.code]).toEqual([403, 'no_permission']);
    const answered = await settle(wren, asked.id, 'declined');
    expect(answered).toMatchObject({ status: 'declined', people: [{ decision: 'declined', by: 'ai' }] });
    expect(answered.signed_answer!.answers).toMatchObject([{ by: 'ai', via: 'api', proof: 'key' }]);
  });

  test('for a person is answered by their AI with approve, and by no AI without it', async () => {
    const app = await newApp();
    const [ann, bob] = [await newPerson(app), await newPerson(app)];
    const aiWith = async (permissions: readonly string[]) => {
      const { ai } = expectStatus(await bob.post('/v0/ais', { name: 'Helper', permissions }), 201).body;
      return app.as(ai.id);
    };
    const helper = await aiWith(['read', 'message']);
    const deputy = await aiWith(['read', 'message', 'approve']);
    const asked = await ask(ann, [bob.address]);
    expect((await get(helper, asked.id)).to_you).toBe(false);
    const refused = await reply(helper, asked.id, 'approved');
    expect([refused.status, refused.body.needs_person]).toEqual([403, true]);
    const answered = await settle(deputy, asked.id, 'approved');
    expect(answered.signed_answer!.answers).toMatchObject([{ to: bob.address, by: 'ai' }]);
  });

  test('may be a question with choices, exactly one of which is picked', async () => {
    const [robin, wren] = await aisOf(2);
    const { id } = await ask(robin, [wren.address], { choices: ['Tea', 'Coffee'] });
    for (const answer of [undefined, 'tea', 'Milk', 'Tea, Coffee']) {
      const wrong = await reply(wren, id, 'approved', answer === undefined ? {} : { answer });
      expect([wrong.status, wrong.body.code, wrong.body.field]).toEqual([400, 'bad_field', 'answer']);
    }
    expect((await settle(wren, id, 'approved', { answer: 'Tea' })).people[0]!.answer).toBe('Tea');
    for (const bad of [
      { choices: ['Tea'] },
      { choices: ['Tea', 'tea'] },
      { choices: Array.from({ length: 11 }, (_, n) => `${n}`) },
      { choices: ['a', 'b'], free_text: true },
    ]) {
      const wrong = await robin.post('/v0/approvals', { title: 'x', to: [wren.address], ...bad });
      expect([wrong.status, wrong.body.code]).toEqual([400, 'bad_field']);
    }
  });

  test('accepts a typed answer of up to 500 characters where requested', async () => {
    const [robin, wren] = await aisOf(2);
    const { id } = await ask(robin, [wren.address], { free_text: true });
    expect((await reply(wren, id, 'approved')).body.field).toBe('answer');
    expect((await reply(wren, id, 'approved', { answer: 'x'.repeat(501) })).body.field).toBe('answer');
    const answer = 'ü'.repeat(500);
    expect((await settle(wren, id, 'approved', { answer })).people[0]!.answer).toBe(answer);
    const plain = await ask(robin, [wren.address]);
    expect((await reply(wren, plain.id, 'approved', { answer: 'yes' })).body.field).toBe('answer');
    expect((await settle(wren, plain.id, 'declined', { note: 'not today' })).status).toBe('declined');
  });

  test('that needs any is settled by the first approval, or the last refusal', async () => {
    const [robin, wren, owl] = await aisOf(3);
    const both = [wren.address, owl.address];
    const yes = await ask(robin, both);
    expect((await settle(wren, yes.id, 'declined')).status).toBe('waiting');
    expect((await settle(owl, yes.id, 'approved')).status).toBe('approved');
    const no = await ask(robin, both, { needs: 'any' });
    await settle(owl, no.id, 'declined');
    expect((await settle(wren, no.id, 'declined')).status).toBe('declined');
    const quick = await ask(robin, both);
    expect((await settle(wren, quick.id, 'approved')).status).toBe('approved');
    const late = await reply(owl, quick.id, 'declined');
    expect([late.status, late.body.code]).toEqual([400, 'already_settled']);
  });

  test('that needs all is settled by the last approval, or the first refusal', async () => {
    const [robin, wren, owl] = await aisOf(3);
    const both = [wren.address, owl.address];
    const yes = await ask(robin, both, { needs: 'all' });
    expect((await settle(wren, yes.id, 'approved')).status).toBe('waiting');
    const twice = await reply(wren, yes.id, 'declined');
    expect([twice.status, twice.body.code]).toEqual([400, 'already_settled']);
    const done = await settle(owl, yes.id, 'approved');
    expect(done).toMatchObject({
      status: 'approved',
      people: [{ decision: 'approved' }, { decision: 'approved' }],
    });
    const no = await ask(robin, both, { needs: 'all' });
    const declined = await settle(owl, no.id, 'declined');
    expect(declined.status).toBe('declined');
    expect(declined.signed_answer!.answers).toHaveLength(1);
  });

  test('repeated with its request_id is the same ask, and a different body is refused', async () => {
    const [robin, wren] = await aisOf(2);
    const body = { title: 'Again?', to: [wren.address], request_id: 'once' };
    const first = await robin.post('/v0/approvals', body);
    const again = await robin.post('/v0/approvals', body);
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    const other = await robin.post('/v0/approvals', { ...body, title: 'Another?' });
    expect([other.status, other.body.code]).toEqual([400, 'request_id_reused']);
    const answered = await settle(wren, first.body.id, 'approved');
    const later = await robin.post('/v0/approvals', body);
    expect([later.status, later.body.signed_answer]).toEqual([200, answered.signed_answer]);
    const byHeader = { title: 'By header?', to: [wren.address] };
    const headers = { 'idempotency-key': 'twice' };
    const made = await robin.post('/v0/approvals', byHeader, headers);
    expect((await robin.post('/v0/approvals', byHeader, headers)).body.id).toBe(made.body.id);
    const others = await wren.post('/v0/approvals', { ...body, to: [robin.address] });
    expect([others.status, others.body.id === first.body.id]).toEqual([201, false]);
  });

  test('sent eight times concurrently is one ask', async () => {
    const [robin, wren] = await aisOf(2);
    const body = { title: 'At once?', to: [wren.address], request_id: 'at-once' };
    const replies = await Promise.all(Array.from({ length: 8 }, () => robin.post('/v0/approvals', body)));
    expect(new Set(replies.map((each) => expectStatus(each, 200, 201).body.id)).size).toBe(1);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('expires: a late answer is refused, and a wait ends with it', async () => {
    const [robin, wren] = await aisOf(2);
    const expires = new Date(Date.now() + 1_500).toISOString();
    const { id } = await ask(robin, [wren.address], { expires_at: expires });
    const { result, ms } = await timed(robin.get(`/v0/approvals/${id}?wait=20`));
    expect(result.body).toMatchObject({
      status: 'expired',
      people: [{ decision: 'waiting' }],
      signed_answer: { status: 'expired', answers: [] },
    });
    expect(ms).toBeLessThan(10_000);
    const late = await reply(wren, id, 'approved');
    expect([late.status, late.body.code]).toEqual([400, 'already_settled']);
    for (const wrong of [new Date(Date.now() - 1_000), new Date(Date.now() + 31 * dayMs)]) {
      const refused = await robin.post('/v0/approvals', {
        title: 'x',
        to: [wren.address],
        expires_at: wrong.toISOString(),
      });
      expect([refused.status, refused.body.field]).toEqual([400, 'expires_at']);
    }
  });

  test('can be waited for, and the answer arrives as soon as it is given', async () => {
    const [robin, wren] = await aisOf(2);
    const { id } = await ask(robin, [wren.address]);
    const waiting = timed(robin.get(`/v0/approvals/${id}?wait=25`));
    await new Promise((resolve) => setTimeout(resolve, 400));
    await settle(wren, id, 'approved');
    const { result, ms } = await waiting;
    expect(result.body).toMatchObject({ status: 'approved', signed_answer: { type: 'approval.answer' } });
    expect(ms).toBeLessThan(3_000);
    const short = await timed(robin.get(`/v0/approvals/${(await ask(robin, [wren.address])).id}?wait=1`));
    expect(short.result.body.status).toBe('waiting');
    expect(short.ms).toBeGreaterThanOrEqual(900);
  });

  test('that changed since it was read cannot be answered', async () => {
    const [robin, wren] = await aisOf(2);
    const { id, digest } = await ask(robin, [wren.address]);
    const wrong = await reply(wren, id, 'approved', { ask_digest: `${digest.slice(0, -2)}AA` });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'ask_changed']);
    expect((await get(wren, id)).status).toBe('waiting');
  });

  test('accepts its reference as id as well', async () => {
    const [robin, wren] = await aisOf(2);
    const { id } = await ask(robin, [wren.address]);
    const { home } = (await robin.get('/.well-known/service.json')).body;
    const reference = encodeURIComponent(`r:${home}:${id}`);
    expect((await robin.get(`/v0/approvals/${reference}`)).body.id).toBe(id);
    expect((await settle(wren, reference, 'approved')).id).toBe(id);
  });

  test('goes to at most twenty recipients, never to the asker, and once to each', async () => {
    const [robin, wren] = await aisOf(2);
    const asking = (to: readonly string[], more = {}) =>
      robin.post('/v0/approvals', { title: 'x', to, ...more });
    expect((await asking(Array.from({ length: 21 }, (_, n) => `a${n}@example.com`))).body.code).toBe(
      'bad_field',
    );
    expect((await asking([])).body.field).toBe('to');
    expect((await asking([robin.address])).body.field).toBe('to');
    expect((await asking([wren.address], { people: [wren.address] })).body.field).toBe('people');
    const once = expectStatus(await asking([wren.address, wren.address]), 201).body;
    expect(once.people).toHaveLength(1);
    const older = await robin.post('/v0/approvals', { title: 'x', people: [wren.address] });
    expect(older.body.people[0].to).toBe(wren.address);
    const unknown = await asking(['@nobody-at-all-here']);
    expect([unknown.status, unknown.body]).toEqual([404, await notFoundBody(robin)]);
  });

  test.each([
    ['http', 'http://example.com/hook'],
    ['a loopback address', 'https://127.0.0.1/hook'],
    ['a private address', 'https://10.0.0.8/hook'],
    ['a local name', 'https://localhost/hook'],
    ['a password', 'https://a:b@example.com/hook'],
    ['no URL', 'call me'],
    ['one that gives no challenge back', 'https://hook.invalid/settled'],
  ])('has callbacks to public https URLs only, not %s', async (_, callback) => {
    const [robin, wren] = await aisOf(2);
    const refused = await robin.post('/v0/approvals', { title: 'x', to: [wren.address], callback });
    expect([refused.status, refused.body.field]).toEqual([400, 'callback']);
  });
});

describe('the asker', () => {
  test('withdraws it permanently, and nobody else can', async () => {
    const [robin, wren, owl] = await aisOf(3);
    const { id } = await ask(robin, [wren.address]);
    const path = `/v0/approvals/${id}`;
    expect((await owl.delete(path)).status).toBe(404);
    expect((await wren.delete(path)).status).toBe(403);
    const cancelled = expectStatus(await robin.delete(path), 200).body;
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      signed_answer: { status: 'cancelled', answers: [] },
    });
    expect((await robin.delete(path)).body).toEqual(cancelled);
    const late = await reply(wren, id, 'approved');
    expect([late.status, late.body.code]).toEqual([400, 'already_settled']);
    const settled = await ask(robin, [wren.address]);
    await settle(wren, settled.id, 'approved');
    expect((await robin.delete(`/v0/approvals/${settled.id}`)).body.code).toBe('already_settled');
  });

  test('sends a reminder once in 24 hours, and nobody else can', async () => {
    const app = await newApp();
    const [ann, bob] = [await newPerson(app), await newPerson(app)];
    const { id } = await ask(ann, [bob.address]);
    const path = `/v0/approvals/${id}/remind`;
    expect((await bob.post(path)).status).toBe(403);
    expect((await ann.post(path)).body).toEqual({ reminded: 1, reminders_left: 2, told: 1 });
    const again = await ann.post(path);
    expect([again.status, again.body.limit]).toEqual([429, 'ask_reminder_hours']);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect((await get(ann, id)) as unknown).toMatchObject({ reminders: 1 });
    await settle(bob, id, 'approved');
    expect((await ann.post(path)).body.code).toBe('already_settled');
  });
});

describe('the list', () => {
  test("is sorted newest first, paged, filtered by status, and limited to the caller's asks", async () => {
    const [robin, wren, owl] = await aisOf(3);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await ask(robin, [wren.address], { title: `Ask ${n}` })).id);
    await settle(wren, ids[2]!, 'approved');
    const listed = async (who: TestAi, query: string) =>
      expectStatus(await who.get(`/v0/approvals${query}`), 200).body;
    const idsOf = ({ approvals }: { approvals: { id: string }[] }) => approvals.map(({ id }) => id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { approvals: { id: string }[]; next_cursor: string | null } = await listed(
        robin,
        `?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
    expect(idsOf(await listed(robin, '?status=approved'))).toEqual([ids[2]]);
    expect(idsOf(await listed(wren, '?status=waiting'))).toEqual(ids.filter((_, index) => index !== 2));
    expect(idsOf(await listed(owl, ''))).toEqual([]);
    expect((await robin.get('/v0/approvals?status=done')).body.code).toBe('bad_field');
    expect((await robin.get('/v0/approvals?cursor=x')).body.field).toBe('cursor');
  });
});

import {
  AnswerDecision,
  ApprovalStatus,
  Handling,
  Needs,
  RequestKind,
} from '@hearth/proto/approvals/v1/approvals';
import { digest, verifyRecord } from '@hearth/signing';
import { afterAll, describe, expect, test } from '@jest/globals';
import { as, at, refused, startApprovals, uuidOf } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

const { APPROVED, DECLINED } = AnswerDecision;
const verify = (record: unknown) =>
  verifyRecord(record, {
    expectedType: 'svc-record+jws',
    home: (record as { home: string }).home,
    keys: home.world.signer.keys,
    now: home.clock.now(),
  });

describe('asking', () => {
  test('an AI asks its person, who approves; the answer is signed', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    const asked = await home.ask(ai, {
      title: 'May I book the 9:30?',
      details: 'It is 12 francs.',
      to: at(person),
    });
    expect(asked).toMatchObject({
      id: expect.stringMatching(/^apr_[0-9a-f]{32}$/),
      title: 'May I book the 9:30?',
      status: ApprovalStatus.WAITING,
      from: ai.address,
      nameVerified: true,
      needs: Needs.ANY,
      requestKind: RequestKind.OTHER,
      people: [{ to: `@${person.handle}`, decision: AnswerDecision.WAITING, handling: Handling.DELIVERED }],
    });
    expect(asked.digest).toBe(
      digest({
        title: 'May I book the 9:30?',
        details: 'It is 12 francs.',
        free_text: false,
        to: at(person),
      }),
    );
    const seen = await home.by(person).getApproval({ id: asked.id });
    expect(seen).toMatchObject({ toYou: true, title: asked.title });

    const settled = await home
      .by(person)
      .replyApproval({ id: asked.id, decision: APPROVED, note: 'Go on', askDigest: asked.digest });
    expect(settled.status).toBe(ApprovalStatus.APPROVED);
    const record = settled.signedAnswer as Record<string, never>;
    expect(verify(record)).toMatchObject({ valid: true });
    const { signature, ...body } = record;
    expect(signature).toBeDefined();
    expect(body).toEqual({
      v: 1,
      type: 'approval.answer',
      id: expect.stringMatching(/^rec_[0-9a-f]{32}$/),
      home: 'localhost:8080',
      issued_at: '2026-03-01T12:00:00.000Z',
      subject: { kind: 'approval', id: asked.id },
      ask: {
        id: asked.id,
        title: 'May I book the 9:30?',
        kind: 'ask',
        request_kind: 'other',
        choices: [],
        free_text: false,
        needs: 'any',
        about_child: false,
        requested_by: ai.address,
        requested_name_verified: true,
        requested_at: '2026-03-01T12:00:00.000Z',
        expires_at: '2026-03-08T12:00:00.000Z',
        digest: asked.digest,
      },
      answers: [
        {
          to: `@${person.handle}`,
          name: person.name,
          decision: 'approved',
          note: 'Go on',
          at: '2026-03-01T12:00:00.000Z',
          by: 'person',
          via: 'app',
          proof: 'tap',
        },
      ],
      status: 'approved',
      settled_at: '2026-03-01T12:00:00.000Z',
    });
    expect(settled.receipt).toMatch(/^http:\/\/localhost:8080\/r\/rec_[0-9a-f]{32}\?k=[0-9A-Za-z]{22}$/);
  });

  test.each([
    ['a word', { to: ['robin'] }, 'bad_request'],
    ['a group', { to: ['&book-club'] }, 'bad_request'],
    ['somebody unknown', { to: ['@nobody-here'] }, 'not_found'],
    ['an unknown id', { to: [`per_${'0'.repeat(32)}`] }, 'not_found'],
    ["somebody else's shielded id", { to: [`shp_${'0'.repeat(32)}`] }, 'not_found'],
    ['an expiry in the past', { to: ['a@example.com'], expiresAt: { seconds: 1n } }, 'bad_request'],
    ['a child without a group', { to: ['a@example.com'], about: '@kid' }, 'bad_request'],
    ['an item of an app', { to: ['a@example.com'], itemRef: 'photo-1' }, 'bad_request'],
    ['a photo', { to: ['a@example.com'], kind: 2 }, 'forbidden'],
    ['a kind reserved for the home', { to: ['a@example.com'], kind: 8 }, 'forbidden'],
  ])('%s is refused with a reason', async (_, request, why) => {
    const ai = home.newAi(home.newPerson());
    await refused(home.ask(ai, request as never), why);
  });

  test('a person cannot ask themselves', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    await expect(home.ask(ai, { to: [ai.address] })).rejects.toThrow('ask somebody else');
    await expect(home.ask(person, { to: at(person) })).rejects.toThrow('ask somebody else');
  });

  test('an ask expires in thirty days at most', async () => {
    const ai = home.newAi(home.newPerson());
    const at = (days: number) => ({
      seconds: BigInt(Math.floor(home.clock.now() / 1_000) + Math.round(days * 86_400)),
      nanos: 0,
    });
    const to = [home.newAi().address];
    expect((await home.ask(ai, { to, expiresAt: at(30) })).expiresAt?.seconds).toBe(at(30).seconds);
    await expect(home.ask(ai, { to, expiresAt: at(30.001) })).rejects.toThrow('at most 30 days');
  });

  test('a request_id makes one ask, however often it is repeated or sent in parallel', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    const request = { title: 'Once?', to: at(person), requestId: 'once' };
    const asks = await Promise.all(Array.from({ length: 10 }, () => home.ask(ai, request)));
    expect(new Set(asks.map(({ id }) => id)).size).toBe(1);
    await home.by(person).replyApproval({ id: asks[0]!.id, decision: DECLINED });
    home.clock.advance(40 * 86_400_000);
    const again = await home.ask(ai, request);
    expect(again).toMatchObject({ id: asks[0]!.id, status: ApprovalStatus.DECLINED });
    await refused(home.ask(ai, { ...request, title: 'Twice?' }), 'request_id_reused');
    const other = await home.ask(home.newAi(person), request);
    expect(other.id).not.toBe(asks[0]!.id);
  });

  test('AIs without an owner together send five asks a day to one email address', async () => {
    const asked = { to: ['anna@example.org'] };
    for (let index = 0; index < 5; index += 1) await home.ask(home.newAi(), asked);
    await refused(home.ask(home.newAi(), asked), 'rate_limited');
    await home.ask(home.newAi(), { to: ['berta@example.org'] });
    await home.ask(home.newAi(home.newPerson()), asked);
  });

  test('an AI without an owner has ten asks a day', async () => {
    const ai = home.newAi();
    const to = [home.newAi().address];
    for (let count = 0; count < 10; count += 1) await home.ask(ai, { to });
    await refused(home.ask(ai, { to }), 'rate_limited');
  });
});

describe('how an ask reaches strangers', () => {
  test('from an AI without an owner it waits quietly, from others it notifies the person', async () => {
    const person = home.newPerson();
    const to = at(person);
    const [ownerless, owned] = [home.newAi(), home.newAi(home.newPerson())];
    const quiet = await home.ask(ownerless, { to });
    const loud = await home.ask(owned, { to });
    expect([quiet, loud].map(({ people }) => people[0]?.handling)).toEqual([
      Handling.WAITING_QUIETLY,
      Handling.DELIVERED,
    ]);
    expect(quiet.nameVerified).toBe(false);
    const notified = (await home.announced('personNotified')).map(({ item }) => item);
    expect(notified).toContain(uuidOf(loud.id));
    expect(notified).not.toContain(uuidOf(quiet.id));
    const requested = await home.announced('approvalRequested');
    expect(requested.find(({ approval }) => approval === quiet.id)?.quiet).toEqual([person.id]);
    expect(requested.find(({ approval }) => approval === loud.id)?.quiet).toEqual([]);
    const place = { to: person.id, owner: person.id, box: 'requests', requestKind: 'other' };
    expect(requested.find(({ approval }) => approval === quiet.id)?.places).toMatchObject([
      { ...place, quiet: true },
    ]);
    expect(requested.find(({ approval }) => approval === loud.id)?.places).toMatchObject([
      { ...place, quiet: false },
    ]);
  });

  test('an ask declined by a rule is declined at once, signed, and never shown to the person', async () => {
    const person = home.newPerson();
    const ai = home.newAi(home.newPerson());
    const asked = await home.ask(ai, { to: at(person), requestKind: RequestKind.SALES });
    expect(asked).toMatchObject({ status: ApprovalStatus.DECLINED, why: 'by_rule' });
    expect(asked.people[0]?.handling).toBe(Handling.DECLINED);
    expect(verify(asked.signedAnswer)).toMatchObject({ valid: true });
    expect(asked.signedAnswer).toMatchObject({ status: 'declined', why: 'by_rule', answers: [] });
    await refused(home.by(person).getApproval({ id: asked.id }), 'not_found');
    expect((await home.announced('approvalRequested')).map(({ approval }) => approval)).not.toContain(
      asked.id,
    );
    expect((await home.announced('approvalSettled')).map(({ approval }) => approval)).toContain(asked.id);
  });

  test('several recipients are each reached by their own rules', async () => {
    const [one, two] = [home.newPerson(), home.newPerson()];
    const friend = home.newPerson();
    home.newGroup(friend, one);
    const ai = home.newAi(friend);
    const request = { to: at(one, two), requestKind: RequestKind.SALES };
    const any = await home.ask(ai, request);
    expect(any.status).toBe(ApprovalStatus.WAITING);
    expect(any.people.map(({ handling }) => handling)).toEqual([Handling.DELIVERED, Handling.DECLINED]);
    const all = await home.ask(ai, { ...request, needs: Needs.ALL });
    expect(all.status).toBe(ApprovalStatus.DECLINED);
  });

  test('a person under 18 is turned away in the same words as anyone who accepts no asks', async () => {
    const { guardian, child } = home.newFamily();
    const ai = home.newAi(home.newPerson());
    await refused(home.ask(ai, { to: at(child) }), 'turned_away');
    await refused(home.ask(ai, { to: [`per_${child.id.replaceAll('-', '')}`] }), 'not_found');
    // Callers who see the children in full reach them by their own address.
    await home.ask(guardian, { to: at(child) });
  });
});

describe('answering', () => {
  async function asked(fields: object = {}) {
    const person = home.newPerson();
    const ai = home.newAi(person);
    return { person, ai, approval: await home.ask(ai, { to: at(person), ...fields }) };
  }

  test('an AI answers asks addressed to it, and its owner cannot answer for it', async () => {
    const owner = home.newPerson();
    const ai = home.newAi(owner);
    const friend = home.newPerson();
    home.newGroup(owner, friend);
    const approval = await home.ask(friend, { to: [ai.address] });
    expect((await home.by(ai).getApproval({ id: approval.id })).toYou).toBe(true);
    const request = { id: approval.id, decision: APPROVED };
    await expect(home.by(owner).replyApproval(request)).rejects.toThrow('was not asked of you');
    const settled = await home.by(ai).replyApproval(request);
    expect(settled.people[0]).toMatchObject({ to: ai.address, by: 'ai', decision: APPROVED });
  });

  test('a third party cannot see it, and the asker cannot answer it', async () => {
    const { ai, approval } = await asked();
    const stranger = home.newPerson();
    const request = { id: approval.id, decision: APPROVED };
    for (const caller of [as(stranger), home.newAi(stranger), home.newAi()]) {
      await refused(home.by(caller).getApproval({ id: approval.id }), 'not_found');
      await refused(home.by(caller).replyApproval(request), 'not_found');
      await refused(home.by(caller).cancelApproval({ id: approval.id }), 'not_found');
    }
    for (const id of ['', 'apr_', `apr_${'0'.repeat(32)}`, `msg_${'0'.repeat(32)}`, "apr_'"]) {
      await refused(home.by(ai).getApproval({ id }), 'not_found');
    }
    await refused(home.by(ai).getApproval({ id: `r:other.example:${approval.id}` }), 'not_found');
    const own = await home
      .by(ai)
      .getApproval({ id: `r:localhost:8080:${approval.id}` })
      .catch((e) => e);
    expect(own).toMatchObject({ id: approval.id });
    const friend = home.newPerson();
    home.newGroup(friend, stranger);
    const asker = await home.ask(friend, { to: at(stranger) });
    const seen = await home.by(stranger).getApproval({ id: asker.id });
    expect([asker, seen].map(({ people }) => people[0]?.handling)).toEqual([Handling.DELIVERED, undefined]);
    await expect(home.by(friend).replyApproval({ id: asker.id, decision: APPROVED })).rejects.toThrow(
      'was not asked of you',
    );
  });

  test('fifty concurrent answers settle it once, and all report the same result', async () => {
    const people = Array.from({ length: 20 }, () => home.newPerson());
    const asker = home.newPerson();
    home.newGroup(asker, ...people);
    const approval = await home.ask(asker, { to: at(...people) });
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        home.by(people[index % people.length]!).replyApproval({ id: approval.id, decision: APPROVED }),
      ),
    );
    const taken = answers.filter(({ status }) => status === 'fulfilled');
    expect(taken).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ details: { code: 'already_settled' } });
    }
    const settled = await home.by(asker).getApproval({ id: approval.id });
    expect(settled.people.filter(({ decision }) => decision === APPROVED)).toHaveLength(1);
    const announced = await home.announced('approvalSettled', { approval: approval.id });
    expect(announced).toHaveLength(1);
    const records = [...home.world.signer.records.values()].filter(({ json }) => json.includes(approval.id));
    expect(records).toHaveLength(1);
  });
});

import { hash } from 'node:crypto';
import { badRequest } from '@hearth/errors';
import { AnswerDecision } from '@hearth/proto/approvals/v1/approvals';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CallbacksService } from '@hearth/proto/delivery/v1/callbacks';
import type { PreparedSend } from '@hearth/proto/delivery/v1/send_sources';
import { verifyRecord } from '@hearth/signing';
import { afterAll, describe, expect, test } from '@jest/globals';
import { at, refused, startApprovals, uuidOf } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

const callback = 'https://program.example/hook';

const prepare = async (
  kind: string,
  approval: string,
  part = 0,
): Promise<PreparedSend['content']['value']> => {
  const { sends } = await home.sends.prepareSends({ sends: [{ kind, id: uuidOf(approval), part }] });
  expect(sends).toHaveLength(1);
  return sends[0]!.content.value;
};

/** The addresses that were challenged for this asker. */
const challenged = ({ id }: Caller) =>
  home.peers.calls.flatMap(({ name, caller, request }) =>
    name === 'verifyCallback' && caller.id === id ? (request as { url: string }).url : [],
  );

describe('the address of a callback', () => {
  test('is challenged for its asker before the ask is stored, and then remembered', async () => {
    const [person, other] = [home.newPerson(), home.newPerson()];
    const [ai, another] = [home.newAi(person), home.newAi(person)];
    await home.ask(ai, { to: at(other), callback });
    await home.ask(ai, { to: at(other), callback });
    expect(challenged(ai)).toEqual([callback]);
    await home.ask(another, { to: at(other), callback });
    expect(challenged(another)).toEqual([callback]);
  });

  test('is refused when it does not return the challenge, without an ask or a use of the daily limit', async () => {
    const { verifyCallback } = CallbacksService.method;
    const person = home.newPerson();
    const ai = home.newAi();
    home.peers.fail(verifyCallback, badRequest('no', { code: 'callback_challenge_failed' }));
    const asking = () => home.ask(ai, { title: 'To be refused', to: at(person), callback });
    for (let turn = 0; turn < 12; turn += 1) await refused(asking(), 'callback_challenge_failed');
    home.peers.fail(verifyCallback, undefined);
    expect(await home.announced('approvalRequested', { title: 'To be refused' })).toEqual([]);
    await asking();
  });

  test('is not called for an invalid or repeated ask', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    await refused(home.ask(ai, { to: ['@nobody-here'], callback }), 'not_found');
    expect(challenged(ai)).toEqual([]);
    const asked = { to: at(person), requestId: 'once' };
    await home.ask(ai, asked);
    await refused(home.ask(ai, { ...asked, callback }), 'request_id_reused');
    expect(challenged(ai)).toEqual([]);
  });
});

async function settle() {
  const [person, owner] = [home.newPerson(), home.newPerson()];
  const ai = home.newAi(owner);
  const asked = await home.ask(ai, { to: at(person), callback });
  const decision = AnswerDecision.APPROVED;
  await home.by(person).replyApproval({ id: asked.id, decision });
  return { id: asked.id, ai, owner };
}

describe('a callback', () => {
  test('carries the settled approval with its signed answer, the same each time', async () => {
    const { id, ai } = await settle();
    const post = await prepare('callback', id);
    expect(post).toMatchObject({ url: callback });
    const { body } = post as { body: string };
    const approval = JSON.parse(body);
    expect(approval).toMatchObject({
      id,
      status: 'approved',
      title: 'May I?',
      people: [{ decision: 'approved' }],
    });
    const verification = verifyRecord(approval.signed_answer, {
      expectedType: 'svc-record+jws',
      home: approval.signed_answer.home,
      keys: home.world.signer.keys,
      now: home.clock.now(),
    });
    expect(verification.valid).toBe(true);
    expect(await prepare('callback', id)).toEqual(post);
    const [settled] = await home.announced('approvalSettled', { approval: id });
    expect(settled!).toMatchObject({ callback: true, asker: ai.id });
  });

  test('is sent when the ask is cancelled, too', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    const { id } = await home.ask(ai, { to: at(person), callback });
    expect(await prepare('callback', id)).toBeUndefined();
    await home.by(ai).cancelApproval({ id });
    const { body } = (await prepare('callback', id)) as { body: string };
    expect(JSON.parse(body)).toMatchObject({ status: 'cancelled', signed_answer: { status: 'cancelled' } });
  });

  test('is neither announced nor prepared for an ask without a callback', async () => {
    const [person, other] = [home.newPerson(), home.newPerson()];
    const { id } = await home.ask(person, { to: at(other) });
    await home.by(person).cancelApproval({ id });
    const [settled] = await home.announced('approvalSettled', { approval: id });
    expect(settled!.callback).toBe(false);
    expect(await prepare('callback', id)).toBeUndefined();
  });

  test('is not sent for an AI that is switched off or a deleted account', async () => {
    const [off, gone] = [await settle(), await settle()];
    home.world.ais.get(off.ai.id)!.revoked = true;
    home.world.people.delete(gone.owner.id);
    home.signal('people', gone.owner.id);
    for (const { id } of [off, gone]) expect(await prepare('callback', id)).toBeUndefined();
    expect(await prepare('callback', (await settle()).id)).toBeDefined();
  });

  test('left by the previous version is handed over once, when it is due', async () => {
    const [due, later] = [await settle(), await settle()];
    const leave = (id: string, seconds: number) =>
      home.database.statement((tx) =>
        tx.execute({
          text: "update approvals.callbacks set status = 'waiting', next_at = $2 where approval = $1",
          values: [uuidOf(id), new Date(home.clock.now() + seconds * 1_000)],
        }),
      );
    await leave(due.id, -1);
    await leave(later.id, 60);
    const handedOver = async () => await home.announced('sendDue');
    for (let times = 0; times < 2; times += 1) await home.runJob('approvals: hand-over-sends');
    expect(await handedOver()).toMatchObject([
      { kind: 'callback', id: uuidOf(due.id), part: 0, asker: due.ai.id },
    ]);
    home.clock.advance(61_000);
    await home.runJob('approvals: hand-over-sends');
    expect(await handedOver()).toHaveLength(2);
    expect(await prepare('callback', later.id)).toBeDefined();
  });
});

describe('an email about an ask', () => {
  const asker = () => home.newAi(home.newPerson());
  const mailed = async (caller: Caller, to: string[]) => (await home.ask(caller, { to })).id;

  test('contains the answer link, and says when it is a reminder', async () => {
    const id = await mailed(asker(), ['kai@mail.example']);
    expect(await prepare('ask_mail', id)).toMatchObject({
      to: 'kai@mail.example',
      subject: expect.stringMatching(/ asks: May I\?$/),
      text: expect.stringContaining(`http://localhost:8080/a/${id}?k=`),
    });
    const reminder = (await prepare('ask_reminder', id)) as { subject: string };
    expect(reminder.subject).toMatch(/^Reminder: /);
  });

  test('goes to each recipient by its place, and once when a reminder comes before it was sent', async () => {
    const [other, caller] = [home.newPerson(), asker()];
    const id = await mailed(caller, ['lin@mail.example', `@${other.handle}`, 'mo@mail.example']);
    expect(await prepare('ask_mail', id, 1)).toBeUndefined();
    expect(await prepare('ask_mail', id, 2)).toMatchObject({ to: 'mo@mail.example' });
    expect(await prepare('ask_mail', id, 3)).toBeUndefined();
    const subjects = async (to: string) =>
      (await home.mailsTo(to)).map(({ subject }) => subject.split(' ')[0]);
    expect(await subjects('lin@mail.example')).not.toEqual(['Reminder:']);
    expect((await home.by(caller).remindApproval({ id })).reminded).toBe(3);
    for (const to of ['lin@mail.example', 'mo@mail.example'])
      expect(await subjects(to)).toEqual(['Reminder:']);
  });

  test('is not sent once the ask was answered, settled or expired', async () => {
    const [caller, to] = [asker(), ['nia@mail.example']];
    const [answered, cancelled, late] = [
      await mailed(caller, to),
      await mailed(caller, to),
      await mailed(caller, to),
    ];
    const { text } = (await home.mailsTo('nia@mail.example'))[0]!;
    const keyHash = hash('sha256', /\?k=(\w+)/.exec(text)![1]!, 'buffer');
    await home.client.answerByMail({ approval: answered, keyHash, decision: AnswerDecision.APPROVED });
    await home.by(caller).cancelApproval({ id: cancelled });
    for (const kind of ['ask_mail', 'ask_reminder']) {
      expect(await prepare(kind, answered)).toBeUndefined();
      expect(await prepare(kind, cancelled)).toBeUndefined();
      expect(await prepare(kind, late)).toBeDefined();
    }
    home.clock.advance(400 * 86_400_000);
    for (const kind of ['ask_mail', 'ask_reminder']) expect(await prepare(kind, late)).toBeUndefined();
  });

  test('left by the previous version is handed over once, a reminder as a reminder', async () => {
    const caller = asker();
    const [first, again] = [
      await mailed(caller, ['ola@mail.example']),
      await mailed(caller, ['pim@mail.example']),
    ];
    await home.database.statement((tx) =>
      tx.execute({
        text: `update approvals.recipients
          set mail_next_at = $2, mailed_at = case when approval = $3 then $2::timestamptz end
          where approval = any($1::uuid[])`,
        values: [[first, again].map(uuidOf), new Date(home.clock.now() - 1), uuidOf(again)],
      }),
    );
    for (let times = 0; times < 2; times += 1) await home.runJob('approvals: hand-over-sends');
    const handedOver = await home.announced('sendDue');
    const ofMails = handedOver.filter(({ kind }) => kind !== 'callback');
    expect(ofMails.toSorted((one, other) => (one.kind < other.kind ? -1 : 1))).toMatchObject([
      { kind: 'ask_mail', id: uuidOf(first), part: 0, asker: '' },
      { kind: 'ask_reminder', id: uuidOf(again), part: 0, asker: '' },
    ]);
  });
});

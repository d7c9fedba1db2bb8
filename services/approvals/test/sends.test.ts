import { AnswerDecision } from '@hearth/proto/approvals/v1/approvals';
import type { PreparedSend } from '@hearth/proto/delivery/v1/send_sources';
import { exportPublicJwk, verifyRecord } from '@hearth/signing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { as, startApprovals, type TestApprovals, uuidOf } from './start-approvals.ts';

let home: TestApprovals;
beforeAll(async () => {
  home = await startApprovals();
});
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

async function settle() {
  const [person, owner] = [home.newPerson(), home.newPerson()];
  const ai = home.newAi(owner);
  const asked = await home.ask(ai, { to: [`@${person.handle}`], callback });
  const decision = AnswerDecision.APPROVED;
  await home.client.replyApproval({ id: asked.id, decision }, { caller: as(person) });
  return { id: asked.id, ai, owner };
}

describe('a callback', () => {
  test('has the settled approval with its signed answer, the same each time', async () => {
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
      findKey: () => ({ ...exportPublicJwk(home.world.signer.key), status: 'active' }),
    });
    expect(verification.valid).toBe(true);
    expect(await prepare('callback', id)).toEqual(post);
    const [settled] = (await home.events('approvalSettled')).filter(({ value }) => value.approval === id);
    expect(settled!.value).toMatchObject({ callback: true, asker: ai.id });
  });

  test('is there when it is taken back too', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    const { id } = await home.ask(ai, { to: [`@${person.handle}`], callback });
    expect(await prepare('callback', id)).toBeUndefined();
    await home.client.cancelApproval({ id }, { caller: ai });
    const { body } = (await prepare('callback', id)) as { body: string };
    expect(JSON.parse(body)).toMatchObject({ status: 'cancelled', signed_answer: { status: 'cancelled' } });
  });

  test('is announced and prepared for no ask without one', async () => {
    const [person, other] = [home.newPerson(), home.newPerson()];
    const { id } = await home.ask(as(person), { to: [`@${other.handle}`] });
    await home.client.cancelApproval({ id }, { caller: as(person) });
    const [settled] = (await home.events('approvalSettled')).filter(({ value }) => value.approval === id);
    expect(settled!.value.callback).toBe(false);
    expect(await prepare('callback', id)).toBeUndefined();
  });

  test('goes to no AI that is switched off, and for no account that is gone', async () => {
    const [off, gone] = [await settle(), await settle()];
    home.world.ais.get(off.ai.id)!.revoked = true;
    home.world.people.delete(gone.owner.id);
    home.signal('people', gone.owner.id);
    for (const { id } of [off, gone]) expect(await prepare('callback', id)).toBeUndefined();
    expect(await prepare('callback', (await settle()).id)).toBeDefined();
  });

  test('that was left waiting by the version before is handed over once, when it is due', async () => {
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
    const handedOver = async () => (await home.events('sendDue')).map(({ value }) => value);
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

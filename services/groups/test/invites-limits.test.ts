import { sql } from '@hearth/db';
import { InviteState, InviteStatus, JoinStatus, ReviewDecision } from '@hearth/proto/groups/v1/invites';
import { afterAll, describe, expect, test } from '@jest/globals';
import { anyoneFrom, failure, onPages, startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const { accept, happened, list, membersOf, peek, review, by, invited } = home;
const wrong = (index: number) => String(index).padStart(22, '0');

describe('guessing codes', () => {
  test('is refused after too many wrong codes, while correct codes and other callers still work', async () => {
    const { code } = await invited();
    const here = anyoneFrom('203.0.113.0/24');
    for (let index = 0; index < 20; index += 1)
      expect((await peek(wrong(index), here)).state).toBe(InviteState.INVALID);
    await expect(peek(wrong(20), here)).rejects.toMatchObject({
      kind: 'rate_limited',
      details: { limit: 'wrong_codes_a_minute', resetsAt: expect.any(Date) },
    });
    expect((await peek(code, here)).state).toBe(InviteState.OK);
    const nearby = onPages(home.newPerson(), '203.0.113.0/24');
    expect(await failure(by(nearby).acceptInvite({ code: wrong(21) }))).toBe('not_found not_found');
    expect((await by(nearby).acceptInvite({ code })).status).toBe(JoinStatus.JOINED);
  });

  test.each(['acceptInvite', 'reviewInvite', 'withdrawJoin', 'revokeInvite'] as const)(
    'is counted by %s too, per person and not per shared network',
    async (rpc) => {
      const network = '198.51.1.0/24';
      const caller = onPages(home.newPerson(), network);
      const call = (code: string, as = caller) =>
        by(as)[rpc]({ code, decision: ReviewDecision.APPROVED } as never);
      for (let index = 0; index < 20; index += 1)
        expect(await failure(call(wrong(index)))).toBe('not_found not_found');
      expect(await failure(call(wrong(20)))).toBe('rate_limited rate_limited');
      const other = onPages(home.newPerson(), network);
      expect(await failure(call(wrong(21), other))).toBe('not_found not_found');
    },
  );

  test('no error contains the code', async () => {
    const caller = onPages(home.newPerson(), '198.51.200.0/24');
    const code = 'SecretSecretSecretSecr';
    const errors = await Promise.all([
      by(caller)
        .acceptInvite({ code })
        .catch((error) => error),
      by(caller)
        .revokeInvite({ code })
        .catch((error) => error),
    ]);
    for (const error of errors) expect(JSON.stringify([error, error.message])).not.toContain('Secret');
  });
});

describe('concurrent joins', () => {
  test('by a one-time invite admit exactly one', async () => {
    const { group, code } = await invited();
    const people = Array.from({ length: 20 }, () => home.newPerson());
    const answers = await Promise.all(people.map((person) => failure(accept(person, code))));
    expect(answers.filter((words) => words === 'none')).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set(['none', 'bad_request not_waiting']));
    expect(await membersOf(group)).toHaveLength(2);
    expect((await happened(group)).filter((name) => name === 'memberJoined')).toHaveLength(1);
  });

  test('by a link never exceed its uses', async () => {
    const { group, ada, code } = await invited({}, { reusable: true, maxUses: 7 });
    const people = Array.from({ length: 20 }, () => home.newPerson());
    const answers = await Promise.all(people.map((person) => failure(accept(person, code))));
    expect(answers.filter((words) => words === 'none')).toHaveLength(7);
    expect(await membersOf(group)).toHaveLength(8);
    expect((await list(ada, group)).invites[0]).toMatchObject({ uses: 7, maxUses: 7 });
  });

  test('of one person create one member', async () => {
    const { group, ada, ben, code } = await invited({}, { reusable: true });
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(ben, code)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([JoinStatus.JOINED]));
    expect(await membersOf(group)).toHaveLength(2);
    expect((await list(ada, group)).invites[0]!.uses).toBe(1);
  });

  test('keep a reserved use for the person who waits, whoever is admitted first', async () => {
    const { group, ada, code } = await invited(
      { settings: { joinReview: 3 } },
      { reusable: true, maxUses: 4 },
    );
    const people = Array.from({ length: 10 }, () => home.newPerson());
    await Promise.all(people.map((person) => failure(accept(person, code))));
    const waiting = (await list(ada, group)).invites[0]!.waiting.map(({ person }) => person!.id);
    expect(waiting).toHaveLength(4);
    const said = await Promise.all(
      waiting.flatMap((person) => [
        failure(review(ada, code, ReviewDecision.APPROVED, { person })),
        failure(review(ada, code, ReviewDecision.APPROVED, { person })),
      ]),
    );
    expect(new Set(said)).toEqual(new Set(['none']));
    expect(await membersOf(group)).toHaveLength(5);
    expect((await list(ada, group)).invites[0]).toMatchObject({ uses: 4, status: InviteStatus.WAITING });
  });

  test('during a withdrawal admit nobody afterwards, and leave no partial state', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { group, ada, code } = await invited(
        { settings: { joinReview: round % 2 === 0 ? 1 : 3 } },
        { reusable: true },
      );
      const people = Array.from({ length: 8 }, () => home.newPerson());
      const comes = people.map((person) => failure(accept(person, code)));
      await by(ada).revokeInvite({ code: code });
      const came = (await Promise.all(comes)).filter((words) => words === 'none').length;
      const rows = await home.database.db.query<{ status: string }>(
        sql`select j.status from groups.joins j join groups.invites i on i.id = j.invite where i."group" = ${uuidOf(group.id)}`,
      );
      expect(rows).toHaveLength(came);
      expect(rows.filter(({ status }) => status === 'waiting')).toEqual([]);
      const joined = rows.filter(({ status }) => status === 'joined').length;
      expect(await membersOf(group)).toHaveLength(1 + joined);
      expect(await failure(accept(home.newPerson(), code))).toBe('bad_request not_waiting');
    }
  });
});

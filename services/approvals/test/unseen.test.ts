import { shieldId } from '@hearth/people';
import {
  AnswerDecision,
  type Approval,
  ApprovalStatus,
  Handling,
  Needs,
} from '@hearth/proto/approvals/v1/approvals';
import { RuleAction } from '@hearth/proto/approvals/v1/request_rules';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { digest } from '@hearth/signing';
import { afterAll, describe, expect, test } from '@jest/globals';
import { at, per, startApprovals, TEEN16 } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

let names = 0;
function newChild(facts: object = {}): PersonFacts {
  names += 1;
  return home.newFamily({ name: 'Kestrel Quillfeather', handle: `kestrel-${names}`, ...facts }).child;
}

/** A person who accepts no requests from strangers. */
async function newStrict(): Promise<PersonFacts> {
  const strict = home.newPerson();
  const rules = { other: { action: RuleAction.TURN_AWAY } };
  await home.by(strict).setRequestRules({ rules });
  // Their facts must not be cached when others' are not.
  home.signal('people', strict.id);
  return strict;
}

async function newBlocking(asker: PersonFacts): Promise<PersonFacts> {
  const blocking = home.newPerson();
  await home.by(blocking).block({ target: `@${asker.handle}` });
  return blocking;
}

/** A person of an app that manages no one else here. */
const newAsker = () => home.newPerson({ app: home.uuid() });

type Answered = { refused: unknown } | { approval: Approval };

/** The response to an ask, and the calls it made. */
async function asking(asker: PersonFacts, to: readonly string[], needs = Needs.ANY) {
  const before = home.peers.calls.length;
  const answered = await home
    .ask(asker, { title: 'Lunch?', to: [...to], needs })
    .then((approval): Answered => ({ approval }))
    .catch(
      (error: Error & { kind?: string; details?: object }): Answered => ({
        refused: [error.kind, error.message, error.details],
      }),
    );
  const calls = home.peers.calls.slice(before).flatMap(({ name }) => (name === 'keepRecord' ? [] : name));
  return { answered, calls: calls.toSorted() };
}

/** The response without the address that the asker wrote, and without values that differ each time. */
function plain({ answered }: { answered: Answered }, written: string): unknown {
  if ('refused' in answered) return answered;
  const { id, at, expiresAt, settledAt, receipt, signedAnswer, ...rest } = answered.approval;
  const record = JSON.stringify(signedAnswer ?? null).replaceAll(
    /"(?:[^"]*_at|id|digest|signature|protected|kid)":"[^"]*"/g,
    '',
  );
  const text = JSON.stringify({ ...rest, digest: '', record });
  return JSON.parse(text.replaceAll(written, '@written'));
}

describe('a person at an address the asker may not know', () => {
  const askedAs = {
    'a person': (person: PersonFacts) => `@${person.handle}`,
    'an AI of a person': (person: PersonFacts) => home.newAi(person).address,
  };

  test.each(Object.entries(askedAs))(
    '%s looks like a person who turns the sender away, alone and beside others',
    async (_, addressOf) => {
      const asker = newAsker();
      const open = home.newPerson();
      const refusing = [await newStrict(), await newBlocking(asker), newChild()];
      // Puts the asker into the cache.
      await asking(asker, at(open));
      for (const [beside, needs] of [
        [[], Needs.ANY],
        [at(open), Needs.ANY],
        [at(open), Needs.ALL],
      ] as const) {
        const seen = [];
        for (const person of refusing) {
          const written = addressOf(person);
          const result = await asking(asker, [written, ...beside], needs);
          seen.push({ plain: plain(result, written), calls: result.calls });
        }
        expect(seen[1]).toEqual(seen[0]);
        expect(seen[2]).toEqual(seen[0]);
        const refused = needs === Needs.ALL || beside.length === 0;
        expect('refused' in (seen[0]!.plain as object)).toBe(refused);
      }
    },
  );

  test('is stored and signed only as the address that was written', async () => {
    const [asker, open, child] = [newAsker(), home.newPerson(), newChild()];
    const to = at(child, open);
    const approval = await home.ask(asker, { title: 'Lunch?', to });
    expect(approval.people[0]).toMatchObject({
      to: to[0],
      person: to[0],
      decision: AnswerDecision.DECLINED,
    });
    expect(approval.people[0]!.id).toBeUndefined();
    expect(approval.digest).toBe(digest({ title: 'Lunch?', free_text: false, to }));
    const rows = await home.database.db.query<{ row: string }>({
      text: 'select row_to_json(r)::text as row from approvals.recipients r where address = $1',
      values: [to[0]],
    });
    expect(rows).toHaveLength(1);
    for (const secret of [child.id, 'Kestrel', 'Quillfeather']) expect(rows[0]!.row).not.toContain(secret);
    // Other recipients learn nothing of them.
    const seen = await home.by(open).getApproval({ id: approval.id });
    expect(seen.people.map((each) => each.to)).toEqual([to[1]]);
    const settled = await home.by(open).replyApproval({ id: approval.id, decision: AnswerDecision.APPROVED });
    expect(JSON.stringify(settled.signedAnswer)).not.toContain(child.handle);
    await expect(home.by(child).getApproval({ id: approval.id })).rejects.toThrow(
      expect.objectContaining({ kind: 'not_found' }),
    );
  });

  test('cannot be matched with a person whom the asker knows by another id', async () => {
    const [asker, open, child] = [newAsker(), home.newPerson(), newChild()];
    home.newGroup(asker, child);
    const known = shieldId(home.sealer, asker.app, child.id);
    const written = `@${child.handle}`;
    const asked = await home.ask(asker, {
      title: 'x',
      to: [known, written, written, `@${open.handle}`],
    });
    expect(asked.people.map(({ to, handling }) => [to, handling])).toEqual([
      [known, Handling.DELIVERED],
      [written, Handling.TURNED_AWAY],
      [`@${open.handle}`, Handling.DELIVERED],
    ]);
  });

  test('is asked through the guardian where the guardian lets strangers ask', async () => {
    const [asker, child] = [newAsker(), newChild()];
    const [guardian] = child.guardians.map((id) => home.world.people.get(id)!);
    const rules = { other: { action: RuleAction.ASK } };
    await home.by(guardian!).setRequestRules({ rules, person: per(child) });
    const approval = await home.ask(asker, { title: 'Lunch?', to: at(child) });
    expect(approval.people[0]!.to).toMatch(/^shp_/);
    const seen = await home.by(guardian!).getApproval({ id: approval.id });
    expect(seen.people[0]!.to).toBe(`@${child.handle}`);
    const toAi = await asking(asker, [home.newAi(child).address]);
    expect(toAi.answered).toHaveProperty('refused');
  });
});

describe('an AI of a person under 18', () => {
  test('is asked by their guardian, and its address is not shown to others or in the record', async () => {
    const child = newChild();
    const guardian = home.world.people.get(child.guardians[0]!)!;
    const friend = newAsker();
    home.newGroup(guardian, friend);
    const owl = home.newAi(child, { name: 'Owl' });
    const asked = await home.ask(guardian, {
      title: 'Lunch?',
      to: [owl.address, `@${friend.handle}`],
      needs: Needs.ALL,
    });
    expect(asked.people[0]).toMatchObject({ to: owl.address, person: 'Owl' });
    const seen = await home.by(friend).getApproval({ id: asked.id });
    expect(seen.people[0]!.to).toMatch(/^shp_/);
    const decision = AnswerDecision.APPROVED;
    await home.by(owl).replyApproval({ id: asked.id, decision });
    const settled = await home.by(friend).replyApproval({ id: asked.id, decision });
    expect(settled.status).toBe(ApprovalStatus.APPROVED);
    for (const secret of [child.handle, child.id]) {
      expect(
        JSON.stringify([settled.signedAnswer, settled.people.map(({ to, person }) => [to, person])]),
      ).not.toContain(secret);
    }
  });
});

describe('the sign-in email address of a person', () => {
  /** The number of mails that would go to that address now. */
  const mailedTo = async (email: string) => (await home.mailsTo(email)).length;

  test('bypasses no rule or block, reaches nobody under 18, and reveals nothing to the asker', async () => {
    const asker = newAsker();
    const emails = [
      'nobody@mail.example',
      'strict@mail.example',
      'blocking@mail.example',
      'child@mail.example',
    ];
    const [nobody, strict, blocking, child] = emails as [string, string, string, string];
    (await newStrict()).email = strict;
    (await newBlocking(asker)).email = blocking;
    newChild({ ageBand: TEEN16, email: child });
    const open = home.newPerson({ email: 'open@mail.example' });
    const seen = [];
    for (const email of emails) {
      const alone = await asking(asker, [email]);
      const beside = await asking(asker, [email, `@${open.handle}`], Needs.ALL);
      seen.push([plain(alone, email), plain(beside, email)]);
    }
    for (const other of seen) expect(other).toEqual(seen[0]);
    await asking(asker, [open.email]);
    expect(await Promise.all([nobody, open.email].map(mailedTo))).toEqual([2, 1]);
    expect(await Promise.all([strict, blocking, child].map(mailedTo))).toEqual([0, 0, 0]);
    const guardian = [...home.world.people.values()].find(({ email }) => email === child)!.guardians[0]!;
    await asking(home.world.people.get(guardian)!, [child]);
    expect(await mailedTo(child)).toBe(1);
  });
});

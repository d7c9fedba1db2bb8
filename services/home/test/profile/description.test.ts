import { failure, signUpAi } from '@hearth/identity/testing/ais';
import { operator } from '@hearth/identity/testing/start-identity';
import { decodeWake, wakeSubject } from '@hearth/outbox';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile();
afterAll(() => home.stop());

const outboxOf = (ai: string) =>
  home.database.db.query<{ type: string }>({
    text: "select type from identity.outbox where position(convert_to($1, 'utf8') in event) > 0 order by type",
    values: [ai],
  });

describe('describe_me', () => {
  test('shows on the card, whoever looks, and is announced', async () => {
    const ai = await signUpAi(home);
    const other = await signUpAi(home);
    const woken: string[] = [];
    const hearing = home.bus.onSignal(wakeSubject, (payload) => woken.push(...decodeWake(payload).topics));
    const answer = await home.client.describeMe({ text: ' I plan\ttrips ' }, { caller: ai.caller });
    expect(answer).toMatchObject({ address: ai.address, description: 'I plan trips', changesLeft: 19 });
    for (const { caller } of [ai, other]) {
      const card = await home.client.getCard({ address: ai.address }, { caller });
      expect(card.description).toBe('I plan trips');
    }
    expect((await outboxOf(ai.uuid)).map(({ type }) => type)).toEqual(['ai_changed', 'ai_signed_up']);
    expect(woken).toEqual([`card:${ai.uuid}`, `whoami:${ai.uuid}`]);
    await hearing.stop();
  });

  test('the same text again is no change; an empty one clears', async () => {
    const ai = await signUpAi(home);
    await home.client.describeMe({ text: 'one' }, { caller: ai.caller });
    const same = await home.client.describeMe({ text: 'one' }, { caller: ai.caller });
    expect(same.changesLeft).toBe(19);
    expect(await outboxOf(ai.uuid)).toHaveLength(2);
    const cleared = await home.client.describeMe({ text: '' }, { caller: ai.caller });
    expect(cleared).toMatchObject({ description: '', changesLeft: 18 });
    expect(
      (await home.client.getCard({ address: ai.address }, { caller: ai.caller })).description,
    ).toBeUndefined();
  });

  test.each(['see https://example.org', 'mail ann@example.org', 'ask @ann', 'x'.repeat(141)])(
    'refuses %j',
    async (text) => {
      const ai = await signUpAi(home);
      expect(await failure(home.client.describeMe({ text }, { caller: ai.caller }))).toBe(
        'bad_request bad_field',
      );
    },
  );

  test('is for AIs', async () => {
    expect(await failure(home.client.describeMe({ text: 'x' }, { caller: operator }))).toBe(
      'forbidden no_permission',
    );
  });

  test('parallel changes at the edge of the day let exactly those through that are left', async () => {
    const ai = await signUpAi(home);
    for (let change = 1; change <= 13; change += 1) {
      await home.client.describeMe({ text: `text ${change}` }, { caller: ai.caller });
    }
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        failure(home.client.describeMe({ text: `at once ${index}` }, { caller: ai.caller })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(7);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited rate_limited')).toHaveLength(43);
    expect(await outboxOf(ai.uuid)).toHaveLength(1 + 20);

    await expect(home.client.describeMe({ text: 'more' }, { caller: ai.caller })).rejects.toMatchObject({
      details: { limit: 'description_changes_a_day', resetsAt: new Date('2026-03-02T00:00:00.000Z') },
    });
    home.clock.set('2026-03-02T00:00:00.000Z');
    const next = await home.client.describeMe({ text: 'more' }, { caller: ai.caller });
    expect(next.changesLeft).toBe(19);
  });
});

import { signUpAi } from '@hearth/identity/testing/ais';
import { failure } from '@hearth/identity/testing/start-identity';
import { decodeWake, wakeSubject } from '@hearth/outbox';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile();
const { by } = home;
afterAll(() => home.stop());

const outboxOf = (ai: string) =>
  home.database.db.query<{ type: string }>({
    text: "select type from identity.outbox where position(convert_to($1, 'utf8') in event) > 0 order by type",
    values: [ai],
  });

describe('describe_me', () => {
  test('shows on the card for every viewer, and is announced', async () => {
    const ai = await signUpAi(home);
    const other = await signUpAi(home);
    const woken: string[] = [];
    const hearing = home.bus.onSignal(wakeSubject, (payload) => woken.push(...decodeWake(payload).topics));
    const answer = await by(ai).describeMe({ text: ' I plan\ttrips ' });
    expect(answer).toMatchObject({ address: ai.address, description: 'I plan trips', changesLeft: 19 });
    for (const { caller } of [ai, other]) {
      const card = await by(caller).getCard({ address: ai.address });
      expect(card.description).toBe('I plan trips');
    }
    // Repeating the text is not a change, and is not announced.
    await by(ai).describeMe({ text: 'I plan trips' });
    expect((await outboxOf(ai.uuid)).map(({ type }) => type)).toEqual(['ai_changed', 'ai_signed_up']);
    expect(woken).toEqual([`card:${ai.uuid}`, `whoami:${ai.uuid}`]);
    await hearing.stop();
  });

  test('concurrent changes near the daily limit admit exactly the remaining ones', async () => {
    const ai = await signUpAi(home);
    for (let change = 1; change <= 13; change += 1) {
      await by(ai).describeMe({ text: `text ${change}` });
    }
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => failure(by(ai).describeMe({ text: `at once ${index}` }))),
    );
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(7);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited rate_limited')).toHaveLength(43);
    expect(await outboxOf(ai.uuid)).toHaveLength(1 + 20);

    await expect(by(ai).describeMe({ text: 'more' })).rejects.toMatchObject({
      details: { limit: 'description_changes_a_day', resetsAt: new Date('2026-03-02T00:00:00.000Z') },
    });
    home.clock.set('2026-03-02T00:00:00.000Z');
    const next = await by(ai).describeMe({ text: 'more' });
    expect(next.changesLeft).toBe(19);
  });
});

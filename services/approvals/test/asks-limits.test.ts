import { afterAll, describe, expect, test } from '@jest/globals';
import { at, refused, startApprovals } from './start-approvals.ts';

/* An ask counts against several limits: against all of them, or, if one refuses it, against none. */

const home = await startApprovals({ HEARTH_LIMITS: '{"ask_mails_a_day": {"claimed": 5}}' });
afterAll(() => home.stop());

const newMails = (count: number) => Array.from({ length: count }, () => `${home.uuid()}@example.org`);

describe('an ask by email', () => {
  test('that is refused for too many emails does not count towards the daily limit or other asks', async () => {
    const person = home.newPerson();
    const ai = home.newAi();
    await home.ask(ai, { to: newMails(3) });
    for (let turn = 0; turn < 12; turn += 1) await refused(home.ask(ai, { to: newMails(3) }), 'rate_limited');
    await home.ask(ai, { to: newMails(2) });
    await refused(home.ask(ai, { to: newMails(1) }), 'rate_limited');
    for (let turn = 0; turn < 8; turn += 1) await home.ask(ai, { to: at(person), title: `May I? ${turn}` });
    await refused(home.ask(ai, { to: at(person) }), 'rate_limited');
  });

  test('to an address at its limit does not count against the other addresses', async () => {
    const [busy, quiet] = newMails(2) as [string, string];
    for (let turn = 0; turn < 5; turn += 1) await home.ask(home.newAi(), { to: [busy] });
    const ai = home.newAi();
    for (let turn = 0; turn < 6; turn += 1)
      await refused(home.ask(ai, { to: [quiet, busy] }), 'rate_limited');
    for (let turn = 0; turn < 5; turn += 1) await home.ask(ai, { to: [quiet] });
  });

  test('to more addresses than the daily limit gets an error that names the limit', async () => {
    const error = await home.ask(home.newAi(), { to: newMails(6) }).catch((thrown) => thrown);
    expect(error).toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('at most 5'),
      details: { field: 'to' },
    });
  });
});

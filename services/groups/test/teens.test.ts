import { type Group, JoinReview, Minors } from '@hearth/proto/groups/v1/groups';
import { JoinStatus } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, expect, test } from '@jest/globals';
import { as, failure, startGroups, TEEN13, TEEN16 } from './start-groups.ts';

const home = await startGroups();
afterAll(() => home.stop());

const { accept, invite, membersOf, by } = home;

/** A group for teenagers from 13, created where the age of consent is 13. */
async function teensGroup(
  consentAge: number,
  minors = Minors.TEENS,
): Promise<{ group: Group; ada: PersonFacts }> {
  const ada = home.newPerson({ consentAge: 13 });
  return {
    ada,
    group: await home.newGroup(ada, { settings: { minors, consentAge, joinReview: JoinReview.NONE } }),
  };
}

const codeFor = async ({ ada, group }: Awaited<ReturnType<typeof teensGroup>>, forAge: AgeBand) =>
  (await invite(ada, group, { forAge })).code!;
const asked = (person: PersonFacts) => home.approvals.asked.filter((ask) => ask.person === person.id);

test.each([
  ['13, where the age of consent is 13', TEEN13, 13, 13],
  ['16, where it is 16', TEEN16, 16, 16],
  ['16, where it is not known', TEEN16, 0, 16],
])(
  'a teenager of %s joins and leaves alone, with or without a guardian',
  async (_, ageBand, consentAge, from) => {
    for (const guardians of [[], [home.newPerson().id]]) {
      const of = await teensGroup(from);
      const teen = home.newPerson({ ageBand, consentAge, guardians });
      const answer = await accept(teen, await codeFor(of, ageBand));
      expect([answer.status, asked(teen)]).toEqual([JoinStatus.JOINED, []]);
      await by(as(teen)).leaveGroup({ id: of.group.id });
      expect(await membersOf(of.group)).toEqual([of.ada.id]);
    }
  },
);

test('a teenager of 13 where consent starts at 16 waits for a guardian, who may also remove them', async () => {
  const of = await teensGroup(13);
  const gus = home.newPerson();
  const teen = home.newPerson({ ageBand: TEEN13, consentAge: 16, guardians: [gus.id] });
  const answer = await accept(teen, await codeFor(of, TEEN13));
  expect(answer).toMatchObject({ status: JoinStatus.WAITING, waitingFor: ['guardian'] });
  expect(asked(teen)).toMatchObject([{ to: [gus.id], role: 'guardian' }]);
  await accept(gus, await codeFor(of, TEEN13), { for: `@${teen.handle}` });
  expect(await failure(by(as(teen)).leaveGroup({ id: of.group.id }))).toBe('forbidden needs_person');
  // Without a guardian, they leave on their own.
  await home.changePerson(teen, { guardians: [] });
  await by(as(teen)).leaveGroup({ id: of.group.id });
  expect(await membersOf(of.group)).toEqual([of.ada.id]);
});

test.each([
  ['from 13 on', Minors.TEENS, TEEN13, 'join once you are 16'],
  ['with a guardian’s word', Minors.GUARDIAN, TEEN16, 'join once you are 18'],
])(
  'a teenager whose guardianships ended is told what to do by a group %s',
  async (_, minors, ageBand, what) => {
    const of = await teensGroup(13, minors);
    const teen = home.newPerson({ ageBand, consentAge: 16 });
    const refusal = accept(teen, await codeFor(of, ageBand));
    expect(await failure(refusal)).toBe('bad_request guardian_needed');
    const words = `Ask the app that holds the account to name one, or ${what}`;
    await expect(refusal).rejects.toThrow(words);
    expect(await membersOf(of.group)).toEqual([of.ada.id]);
    // A guardian named since then is asked.
    await home.changePerson(teen, { guardians: [home.newPerson().id] });
    const answer = await accept(teen, await codeFor(of, ageBand));
    expect(answer).toMatchObject({ status: JoinStatus.WAITING, waitingFor: ['guardian'] });
  },
);

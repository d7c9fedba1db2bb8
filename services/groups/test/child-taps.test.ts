import { JoinReview, Minors } from '@hearth/proto/groups/v1/groups';
import { ReviewDecision } from '@hearth/proto/groups/v1/invites';
import { afterAll, expect, test } from '@jest/globals';
import { as, CHILD, failure, onPages, per, startGroups, uuidOf } from './start-groups.ts';

const home = await startGroups({ HEARTH_CHILD_TAPS: 'home' });
afterAll(() => home.stop());

const { accept, acceptItem, invite, review, by } = home;
const { APPROVED } = ReviewDecision;
const settings = { minors: Minors.GUARDIAN, joinReview: JoinReview.ALL };
const refused = 'forbidden needs_person';

test("with the operator's setting, guardians approve for a child on the home's pages only", async () => {
  const [ada, gus] = [home.newPerson(), home.newPerson()];
  const ida = home.newPerson({ ageBand: CHILD, guardians: [gus.id] });
  const group = await home.newGroup(ada, { settings });
  const { code } = await invite(ada, group, { forAge: CHILD });
  await accept(ida, code!);
  const byApp = (person: typeof ada) =>
    failure(by(person).reviewInvite({ code: code!, decision: APPROVED, person: per(ida) }));
  expect([await byApp(gus)]).toEqual([refused]);
  expect((await review(gus, code!, APPROVED)).waitingFor).toEqual(['organizer']);
  expect((await review(ada, code!, APPROVED)).member).toBeDefined();

  const ben = home.newPerson();
  const grown = await invite(ada, group);
  await accept(ben, grown.code!);
  await by(ada).reviewInvite({ code: grown.code!, decision: APPROVED });
});

test("with the operator's setting, guardians accept an invite for a child on the home's pages only", async () => {
  const [ada, gus] = [home.newPerson(), home.newPerson()];
  const ida = home.newPerson({ ageBand: CHILD, guardians: [gus.id] });
  const group = await home.newGroup(ada, { settings: { ...settings, joinReview: JoinReview.NONE } });
  home.approvals.reach.set(ida.id, { how: 'requests', guardian: gus.id });
  const id = uuidOf((await invite(ada, group, { to: per(ida), forAge: CHILD })).id);
  expect(await failure(acceptItem(as(gus), id))).toBe(refused);
  expect((await acceptItem(onPages(gus), id)).status).toBe('joined');
});

import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { PlanStatus, StanceKind } from '@hearth/proto/decisions/v1/plans';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomeItemSchema } from '@hearth/proto/federation/v1/items';
import { GroupFactsSchema } from '@hearth/proto/groups/v1/groups';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { asApp, failure, follows, ids, receive, startAtTwo } from '@hearth/testkit';
import { afterAll, expect, test } from '@jest/globals';
import { startDecisions } from './start-decisions.ts';

const { here, there, carry, stop } = await startAtTwo('decisions', startDecisions);
afterAll(stop);

/** A local group of that person and one of the other home. */
async function withBen(ada: PersonFacts) {
  const ben = there.newPerson();
  const group = here.newGroup([ada]);
  const parties = here.home.client(PartiesService, 'decisions');
  const { profile } = await parties.meetParty({ address: `${ben.handle}@${there.name}` });
  group.members.add(profile!.id);
  const reference = `r:${here.name}:${printId('grp', group.facts.id)}`;
  const facts = create(GroupFactsSchema, { id: reference });
  there.world.groupsById.set(reference, { facts, organizers: new Set(), members: new Set([ben.id]) });
  return { ben, group };
}

const both = [
  { option: 1, stance: StanceKind.WORKS },
  { option: 2, stance: StanceKind.WORKS },
];

test('a plan reaches a member of another home, who says what works, chooses, and has it in the calendar', async () => {
  const ada = here.newPerson();
  const ben = there.newPerson();
  const away = `${ben.handle}@${there.name}`;
  const group = here.newGroup([ada]);
  const parties = here.home.client(PartiesService, 'decisions');
  const { profile } = await parties.meetParty({ address: away });
  group.members.add(profile!.id);
  const reference = `r:${here.name}:${printId('grp', group.facts.id)}`;
  const facts = create(GroupFactsSchema, { id: reference, name: 'Choir', handle: `choir@${here.name}` });
  there.world.groupsById.set(reference, { facts, organizers: new Set(), members: new Set([ben.id]) });

  const { id } = await here.propose(ada, group);
  const ref = `r:${here.name}:${id}`;
  const arrived = () =>
    follows(async () => {
      await carry(here, there);
      return await there.plansBy(ben).getPlan({ id: ref });
    });
  expect(await arrived()).toMatchObject({
    id: ref,
    group: reference,
    groupName: group.facts.name,
    by: `${ada.handle}@${here.name}`,
    people: [{ id: `${ada.handle}@${here.name}` }, { id: `@${ben.handle}`, address: `@${ben.handle}` }],
    waitingOn: [`${ada.handle}@${here.name}`, `@${ben.handle}`],
  });
  expect((await there.plansBy(ben).listPlans({ waitingOn: 'me' })).plans).toMatchObject([{ id: ref }]);
  expect(await there.events('decisions', 'planChanged')).toMatchObject([
    { data: { value: { what: 'proposed', plan: { reference: ref, group: { name: 'Choir' } } } } },
  ]);

  // An AI needs the permission to approve at its own home, too.
  const ai = there.newAi(ben, [Scope.GROUP]);
  const approving = { id: ref, stances: [{ option: 1, stance: StanceKind.APPROVE }] };
  expect(await failure(there.plansBy(ai).takeStance(approving))).toBe('forbidden needs_person');

  const spoken = there
    .plansBy(ben)
    .takeStance({ id: ref, stances: [{ option: 1, stance: StanceKind.APPROVE }] });
  expect((await carry.during(there, here, spoken)).options[0]?.stances).toMatchObject([
    { person: `@${ben.handle}` },
  ]);
  await here.plansBy(ada).takeStance({ id, stances: [{ option: 1, stance: StanceKind.APPROVE }] });
  const { record } = await here.plansBy(ada).getPlan({ id });
  expect(record).toMatchObject({
    people: expect.arrayContaining([expect.objectContaining({ to: away })]),
    acts: [{ type: 'act', body: { operation: 'take_stance', on: ref } }],
  });
  await follows(async () => {
    expect(await arrived()).toMatchObject({ status: PlanStatus.SETTLED, settledOption: 1, record });
  });
  const { text } = await there.plansBy(ben).getPlanIcs({ id: ref });
  expect(text).toContain('SUMMARY:Rehearsal');
  expect(await there.events('decisions', 'planSettled')).toMatchObject([
    { data: { value: { when: '2027-05-03T16:00:00Z', people: [{ id: ben.id }] } } },
  ]);
  // The app of a person who sees it has its own item for it.
  const link = { kind: 'plan', id: ref, itemRef: 'event-7' };
  const outcome = { itemRef: 'event-7' };
  expect(await failure(there.by(asApp(ids.uuid())).linkOutcome(link))).toBe('not_found not_found');
  expect(await there.by(asApp(ben.app)).linkOutcome(link)).toMatchObject({ id: ref, outcome });
  expect((await there.plansBy(ben).getPlan({ id: ref })).outcome).toMatchObject(outcome);
  expect((await there.plansBy(ben).listPlans({})).plans).toMatchObject([{ id: ref, outcome }]);
  expect((await there.plansBy(ai).getPlan({ id: ref })).outcome).toBeUndefined();
  expect(await failure(there.plansBy(there.newPerson()).getPlan({ id: ref }))).toBe('not_found not_found');
  expect(await failure(there.plansBy(ben).cancelPlan({ id: ref }))).toBe('bad_request bad_field id');
});

test('an option is chosen from another home when none works for all', async () => {
  const ada = here.newPerson();
  const { ben, group } = await withBen(ada);
  const { id } = await here.propose(ada, group);
  const ref = `r:${here.name}:${id}`;
  const refuses = [1, 2, 3].map((option) => ({ option, stance: StanceKind.DOESNT_WORK }));
  await here
    .plansBy(ada)
    .takeStance({ id, stances: both.map((one) => one).concat({ option: 3, stance: StanceKind.WORKS }) });
  await follows(async () => {
    await carry(here, there);
    await there.plansBy(ben).getPlan({ id: ref });
  });
  await carry.during(there, here, there.plansBy(ben).takeStance({ id: ref, stances: refuses }));
  await follows(async () => {
    await carry(here, there);
    expect((await there.plansBy(ben).getPlan({ id: ref })).clashAt).toBeDefined();
  });
  await here.plansBy(ada).chooseOption({ id, option: 2 });
  const settled = await carry.during(there, here, there.plansBy(ben).chooseOption({ id: ref, option: 2 }));
  expect(settled).toMatchObject({ status: PlanStatus.SETTLED, settledOption: 2 });
});

test('a cancelled plan shows its reason at another home', async () => {
  const ada = here.newPerson();
  const { ben, group } = await withBen(ada);
  const { id } = await here.propose(ada, group);
  await here.plansBy(ada).cancelPlan({ id, reason: 'Ill' });
  const ended = { status: PlanStatus.CANCELLED, why: 'cancelled', reason: 'Ill' };
  await follows(async () => {
    await carry(here, there);
    expect(await there.plansBy(ben).getPlan({ id: `r:${here.name}:${id}` })).toMatchObject(ended);
  });
});

test('a remote plan with invalid days or an invalid zone is refused, and a valid one is in no local group’s list', async () => {
  const ben = there.newPerson();
  const reference = `r:${here.name}:grp_${'0'.repeat(32)}`;
  const facts = create(GroupFactsSchema, { id: reference });
  there.world.groupsById.set(reference, { facts, organizers: new Set(), members: new Set([ben.id]) });
  const id = `r:${here.name}:pln_${'0'.repeat(32)}`;
  const good = {
    ...{ id, title: 'Walk', status: 'settled', group: reference, by: `ada@${here.name}`, settled_option: 1 },
    ...{ created_at: '2026-03-01T12:00:00Z', deadline: '2026-03-02T12:00:00Z' },
    ...{ settled_at: '2026-03-01T13:00:00Z', options: [{ id: 1, date: '2026-05-01' }], revision: 1 },
  };
  const say = (object: object) =>
    receive(
      there,
      create(HomeItemSchema, {
        ...{ type: HomeItemType.STATE, id, rev: 1n, home: here.name, to: [`@${ben.handle}`] },
        bodyJson: JSON.stringify({ kind: 'plan', object: { ...good, ...object } }),
      }),
    );
  for (const bad of [
    { options: [{ id: 1, date: '2026-02-31' }] },
    { options: [{ id: 1 }] },
    { time_zone: 'Europe/Atlantis' },
    { by: `ben@${there.name}` },
    { group_name: 'A name\nof two lines' },
  ])
    expect(await say(bad)).toMatchObject({ code: 'schema' });
  expect(await say({})).toMatchObject({ code: '' });
  expect((await there.plansBy(ben).getPlanIcs({ id })).text).toContain('20260501');
  const own = there.newGroup([ben]);
  expect((await there.plansBy(ben).listPlans({ group: printId('grp', own.facts.id) })).plans).toEqual([]);
  expect((await there.plansBy(ben).listPlans({ group: reference })).plans).toMatchObject([{ id }]);
});

test('answers of local people are shown only once those people sent them', async () => {
  const { ben } = await withBen(here.newPerson());
  const [reference] = [...there.world.groupsById].find(([, { members }]) => members.has(ben.id))!;
  const id = `r:${here.name}:pln_${'1'.repeat(32)}`;
  const at = '2026-03-01T12:00:00Z';
  const stances = [
    { person: `ada@${here.name}`, name: 'Ada', stance: 'works', at },
    { person: `${ben.handle}@${there.name}`, name: 'Ben', stance: 'works', at },
  ];
  const object = {
    ...{ id, title: 'Walk', status: 'open', group: reference, by: `ada@${here.name}`, created_at: at },
    ...{ deadline: '2026-03-02T12:00:00Z', options: [{ id: 1, date: '2026-05-01', stances }], revision: 1 },
  };
  const say = (rev: bigint) =>
    receive(
      there,
      create(HomeItemSchema, {
        ...{ type: HomeItemType.STATE, id, rev, home: here.name, to: [`@${ben.handle}`] },
        bodyJson: JSON.stringify({ kind: 'plan', object }),
      }),
    );
  const said = async () => {
    const { options } = await there.plansBy(ben).getPlan({ id });
    return options[0]!.stances.map(({ name, stance }) => [name, StanceKind[stance]]);
  };
  const take = (stance: StanceKind) =>
    failure(
      carry.during(there, here, there.plansBy(ben).takeStance({ id, stances: [{ option: 1, stance }] })),
    );
  expect(await say(1n)).toMatchObject({ code: '' });
  expect(await said()).toEqual([['Ada', 'WORKS']]);
  await take(StanceKind.DOESNT_WORK);
  await say(2n);
  expect(await said()).toEqual([
    ['Ada', 'WORKS'],
    [ben.name, 'DOESNT_WORK'],
  ]);
  there.clock.advance(1_000);
  await take(StanceKind.WORKS);
  await say(3n);
  expect(await said()).toEqual([
    ['Ada', 'WORKS'],
    [ben.name, 'WORKS'],
  ]);
  there.clock.advance(1_000);
  await take(StanceKind.DOESNT_WORK);
  // It was right before, but is not any longer.
  await say(4n);
  expect(await said()).toEqual([
    ['Ada', 'WORKS'],
    [ben.name, 'DOESNT_WORK'],
  ]);
});

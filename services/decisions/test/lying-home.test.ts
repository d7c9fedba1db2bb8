import { create } from '@bufbuild/protobuf';
import { printId } from '@hearth/ids';
import { DecisionSchema, Verdict } from '@hearth/proto/decisions/v1/decisions';
import { PlanSchema, StanceKind } from '@hearth/proto/decisions/v1/plans';
import { GroupFactsSchema } from '@hearth/proto/groups/v1/groups';
import { PartiesService } from '@hearth/proto/identity/v1/parties';
import { follows, receive, startAtTwo } from '@hearth/testkit';
import { afterAll, expect, test } from '@jest/globals';
import { lastState } from './last-state.ts';
import { expectsNoLie } from './lies.ts';
import { answers, startDecisions, times } from './start-decisions.ts';

// A home that lies about the statements of another home's people, member by member, as the table of checks lists them.

const { here, there, carry, stop } = await startAtTwo('decisions', startDecisions);
afterAll(stop);

const ada = here.newPerson();
const ben = there.newPerson({ app: '' });
const away = `${ben.handle}@${there.name}`;
const group = here.newGroup([ada]);
const parties = here.home.client(PartiesService, 'decisions');
const sender = { id: printId('per', ben.id), kind: 'person', name: ben.name };
const { profile } = await parties.meetParty({ address: away, senderJson: JSON.stringify(sender) });
group.members.add(profile!.id);
const reference = `r:${here.name}:${printId('grp', group.facts.id)}`;
const facts = create(GroupFactsSchema, { id: reference });
there.world.groupsById.set(reference, { facts, organizers: new Set(), members: new Set([ben.id]) });

const refOf = (id: string) => `r:${here.name}:${id}`;
const carried = <Answer>(call: Promise<Answer>) => carry.during(there, here, call);
/** Waits until the other home reads it as expected. */
const becomes = (read: () => Promise<object>, expected: object) =>
  follows(async () => {
    await carry(here, there);
    expect(await read()).toMatchObject(expected);
  });

test('a false answer, bring or approval of a local person is not shown', async () => {
  const { id } = await here.decide(ada, group);
  const read = () => there.by(ben).getDecision({ id: refOf(id) });
  await becomes(read, { id: refOf(id) });
  const own = answers([times[0]!, times[1]!], 'Soup', 'bread');
  await carried(there.by(ben).answerDecision({ id: refOf(id), answers: own }));
  await here.by(ada).answerDecision({ id, answers: answers([times[0]!], 'Soup', 'wine') });
  await becomes(read, { proposal: { version: 1 } });
  const yes = { id: refOf(id), decision: Verdict.APPROVED, version: 1, note: 'Gladly' };
  await carried(there.by(ben).approveDecision(yes));
  const approved = { person: `@${ben.handle}`, decision: Verdict.APPROVED };
  const approvals = expect.arrayContaining([expect.objectContaining(approved)]);
  await becomes(read, { proposal: { approvals } });
  const lies = await expectsNoLie(there, DecisionSchema, await lastState(here, id), read);
  for (const member of ['answer', 'firm', 'note', 'by_ai', 'name'])
    expect(
      lies.filter((path) => new RegExp(`^answers\\[\\d\\]\\.${member}$`).test(path)).length,
    ).toBeGreaterThan(2);
  for (const member of ['bring.*what', 'approvals.*decision', 'approvals.*by', 'approvals.*note'])
    expect(lies.filter((path) => new RegExp(`^proposal\\.${member}$`).test(path))).not.toEqual([]);
});

test('a false stance of a local person is not shown', async () => {
  const { id } = await here.propose(ada, group);
  const read = () => there.plansBy(ben).getPlan({ id: refOf(id) });
  await becomes(read, { id: refOf(id) });
  const stances = [
    { option: 1, stance: StanceKind.WORKS, note: 'Gladly' },
    { option: 2, stance: StanceKind.DOESNT_WORK },
  ];
  await carried(there.plansBy(ben).takeStance({ id: refOf(id), stances }));
  const taken = { stances: [{ person: `@${ben.handle}` }] };
  await becomes(read, { options: [taken, taken, {}] });
  const lies = await expectsNoLie(there, PlanSchema, await lastState(here, id), read);
  for (const member of ['stance', 'note', 'by', 'name'])
    expect(lies.filter((path) => path.endsWith(`stances[0].${member}`))).toHaveLength(2);
  // No member may be left out either.
  const state = await lastState(here, id, (object) => {
    const [first, second] = object['options'] as object[];
    return { ...object, options: [{ ...first, stances: [] }, second] };
  });
  const rev = state.rev + 2n ** 50n;
  expect(await receive(there, { ...state, rev })).toMatchObject({ code: '' });
  expect(await read()).toMatchObject({
    options: [
      {
        stances: [
          { person: `@${ben.handle}`, stance: StanceKind.WORKS, note: 'Gladly', at: expect.anything() },
        ],
      },
      taken,
    ],
    disputed: true,
  });
});

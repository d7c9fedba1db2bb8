import { RuleAction, RulesPreset } from '@hearth/proto/approvals/v1/request_rules';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { asApp, eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { ADULT, as, CHILD, per, refused, startApprovals } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

const { ASK, FRONT_DOOR, DECLINE, TURN_AWAY } = RuleAction;
const rulesOf = (caller: Caller, person?: string) =>
  home.by(caller).getRequestRules({ ...(person !== undefined && { person }) });
const set = (caller: Caller, request: object) => home.by(caller).setRequestRules(request);
const propose = (caller: Caller, request: object) => home.by(caller).proposeRequestRules(request);

describe('current rules', () => {
  test('are the default ones for a person who chose none, with every preset listed', async () => {
    const rules = await rulesOf(as(home.newPerson()));
    expect(rules.preset).toBeUndefined();
    expect(rules.rules).toMatchObject({
      personal: { action: ASK, checkedOnly: false, weeklyCap: 10 },
      recruiting: { action: DECLINE },
      sales: { action: DECLINE },
    });
    expect(rules.rules?.recruiting?.weeklyCap).toBeUndefined();
    expect(rules.presets).toHaveLength(6);
    expect(rules.turnedAway).toEqual({});
    expect(rules.proposal).toBeUndefined();
  });

  test('are visible to the person and their AIs only', async () => {
    const person = home.newPerson();
    expect((await rulesOf(home.newAi(person))).rules?.offer?.action).toBe(ASK);
    await refused(rulesOf(home.newAi()), 'forbidden');
    await refused(rulesOf(asApp(home.app)), 'bad_field');
    await refused(rulesOf(as(home.newPerson()), per(person)), 'not_found');
  });
});

describe('setting rules', () => {
  test('from a preset, with changed rows', async () => {
    const person = home.newPerson();
    const rules = await set(as(person), {
      preset: RulesPreset.FOUNDER,
      rules: { sales: { action: TURN_AWAY, checkedOnly: true } },
    });
    expect(rules.preset).toBe(RulesPreset.FOUNDER);
    expect(rules.rules).toMatchObject({
      introduction: { action: FRONT_DOOR, checkedOnly: true, weeklyCap: 20 },
      sales: { action: TURN_AWAY, checkedOnly: true },
      recruiting: { action: DECLINE },
    });
    const changed = await home.announced('requestRulesChanged');
    expect(changed).toContainEqual(expect.objectContaining({ person: person.id, apps: [home.app] }));
  });

  test('row by row keeps the other rows', async () => {
    const person = home.newPerson();
    await set(as(person), { preset: RulesPreset.FAMILY });
    const rules = await set(as(person), { rules: { other: { action: ASK, weeklyCap: 3 } } });
    expect(rules.preset).toBe(RulesPreset.FAMILY);
    expect(rules.rules).toMatchObject({ other: { action: ASK, weeklyCap: 3 }, personal: { weeklyCap: 20 } });
  });

  test('puts only the person’s own AI with the permission message at the front door', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    expect((await set(as(person), { frontDoor: ai.address })).frontDoor).toBe(ai.address);
    expect((await set(as(person), { frontDoor: '' })).frontDoor).toBeUndefined();
    for (const frontDoor of [
      home.newAi(home.newPerson()).address,
      home.newAi().address,
      `@${person.handle}`,
      'nobody',
    ]) {
      await expect(set(as(person), { frontDoor })).rejects.toThrow('an AI of yours');
    }
    const silent = home.newAi(person, { permissions: [Scope.READ] });
    await expect(set(as(person), { frontDoor: silent.address })).rejects.toThrow('permission "message"');
  });

  test.each([
    ['nothing', {}],
    ['no action', { rules: { other: {} } }],
  ])('%s is refused', async (_, request) => {
    await refused(set(as(home.newPerson()), request), 'bad_field');
  });

  test('is not allowed for an AI', async () => {
    const ai = home.newAi(home.newPerson());
    await refused(set(ai, { preset: RulesPreset.FAMILY }), 'needs_person');
  });
});

describe('a proposal', () => {
  const proposed = async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    return { person, ai, proposal: await propose(ai, { preset: RulesPreset.JUST_ME }) };
  };
  const answer = (which: 'accept' | 'decline', person: PersonFacts, id: string) =>
    home.by(person)[which === 'accept' ? 'acceptRequestRules' : 'declineRequestRules']({ id });

  test('names the rows that would change, changes nothing, and notifies the person', async () => {
    const { person, ai, proposal } = await proposed();
    expect(proposal).toMatchObject({
      id: expect.stringMatching(/^apr_[0-9a-f]{32}$/),
      by: ai.address,
      preset: RulesPreset.JUST_ME,
    });
    // Each of the six rows differs from the default.
    expect(Object.keys(proposal.changes!).filter((key) => !key.startsWith('$'))).toHaveLength(6);
    const rules = await rulesOf(as(person));
    expect(rules.rules?.personal).toMatchObject({ action: ASK, weeklyCap: 10, checkedOnly: false });
    expect(rules.proposal?.id).toBe(proposal.id);
    const announced = await home.announced('personNotified');
    expect(announced).toContainEqual(expect.objectContaining({ person: person.id, kind: 'approval' }));
  });

  test('lists only the rows that differ', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    const { changes } = await propose(ai, {
      rules: { sales: { action: TURN_AWAY }, recruiting: { action: DECLINE } },
    });
    expect(changes).toMatchObject({ sales: { action: TURN_AWAY } });
    expect(changes?.recruiting).toBeUndefined();
    const same = propose(home.newAi(home.newPerson()), { rules: { sales: { action: DECLINE } } });
    await expect(same).rejects.toThrow('nothing would change');
  });

  test('keeps what the person changed meanwhile in other rows', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    const proposal = await propose(ai, { rules: { sales: { action: TURN_AWAY } } });
    await set(as(person), { rules: { offer: { action: DECLINE } } });
    const rules = await answer('accept', person, proposal.id);
    expect(rules.rules).toMatchObject({ sales: { action: TURN_AWAY }, offer: { action: DECLINE } });
  });

  test('is the only pending one: repeating it returns the same, another one is refused', async () => {
    const { person, ai, proposal } = await proposed();
    const again = await propose(ai, { preset: RulesPreset.JUST_ME });
    expect(again.id).toBe(proposal.id);
    const refused = propose(home.newAi(person), { preset: RulesPreset.FAMILY });
    await expect(refused).rejects.toThrow('waits for your person already');
    const many = home.newPerson();
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        propose(home.newAi(many), { rules: { offer: { action: ASK, weeklyCap: index + 20 } } }),
      ),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('needs an AI with an owner, and at least one change', async () => {
    await refused(propose(home.newAi(), { preset: RulesPreset.FAMILY }), 'forbidden');
    await refused(propose(home.newAi(home.newPerson()), {}), 'bad_field');
  });
});

describe('a person under 18', () => {
  test('is out of reach by every row, and only a guardian can change that', async () => {
    const { guardian, child } = home.newFamily();
    const own = await rulesOf(as(child));
    expect(own.rules?.personal?.action).toBe(TURN_AWAY);
    expect((await rulesOf(as(guardian), per(child))).rules?.personal?.action).toBe(TURN_AWAY);
    await refused(set(as(child), { rules: { personal: { action: ASK } } }), 'guardian_needed');
    await refused(propose(home.newAi(child), { preset: RulesPreset.FAMILY }), 'guardian_needed');
    const stranger = as(home.newPerson(), '');
    await refused(set(stranger, { person: per(child), rules: { personal: { action: ASK } } }), 'not_found');
  });

  test('is asked through the guardian, or not at all', async () => {
    const { guardian, child } = home.newFamily();
    const person = per(child);
    const rules = await set(as(guardian), { person, rules: { personal: { action: ASK, weeklyCap: 2 } } });
    expect(rules.rules).toMatchObject({
      personal: { action: ASK, weeklyCap: 2 },
      other: { action: TURN_AWAY },
    });
    // The guardian's own rules are unchanged.
    expect((await rulesOf(as(guardian))).rules?.sales?.action).toBe(DECLINE);
    for (const request of [
      { preset: RulesPreset.FAMILY },
      { rules: { personal: { action: FRONT_DOOR } } },
      { rules: { personal: { action: DECLINE } } },
      { frontDoor: home.newAi(guardian).address, rules: { personal: { action: ASK } } },
      {},
    ]) {
      await refused(set(as(guardian), { person, ...request }), 'bad_field');
    }
  });

  test('gets the default rules at 18, and rules set as an adult do not apply to a person under 18', async () => {
    const { guardian, child } = home.newFamily();
    await set(as(guardian), { person: per(child), rules: { personal: { action: ASK } } });
    const adult = home.newPerson();
    await set(as(adult), { preset: RulesPreset.FREELANCER });
    home.newPerson({ ...child, ageBand: ADULT });
    home.newPerson({ ...adult, ageBand: CHILD, guardians: [guardian.id] });
    // The event is consumed a moment later.
    const salesOf = async (id: string) =>
      (await rulesOf(as(home.world.people.get(id)!))).rules?.sales?.action;
    await eventually(async () => (await salesOf(child.id)) === DECLINE);
    expect((await rulesOf(as(home.world.people.get(adult.id)!))).rules?.offer?.action).toBe(TURN_AWAY);
  });
});

test('rules are deleted with the account', async () => {
  const person = home.newPerson();
  const ai = home.newAi(person);
  await set(as(person), { preset: RulesPreset.FAMILY });
  await propose(ai, { preset: RulesPreset.JUST_ME });
  await home.by(person).block({ target: '@far.example' });
  const left = async () => {
    const rows = await home.database.db.query<{ count: number }>({
      text: `
        select (select count(*) from approvals.rules where person = $1)
          + (select count(*) from approvals.rule_proposals where person = $1)
          + (select count(*) from approvals.blocks where person = $1) as count`,
      values: [person.id],
    });
    return Number(rows[0]!.count);
  };
  expect(await left()).toBe(3);
  await home.publish({ case: 'accountDeleted', value: { deleted: [person.id] } });
  await eventually(async () => (await left()) === 0);
});

import { printId } from '@hearth/ids';
import { AnswerDecision } from '@hearth/proto/approvals/v1/approvals';
import { RulesPreset } from '@hearth/proto/approvals/v1/request_rules';
import type { Caller } from '@hearth/proto/common/v1/caller';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { afterAll, expect, test } from '@jest/globals';
import { as, at, refused, startApprovals } from './start-approvals.ts';

const home = await startApprovals();
afterAll(() => home.stop());

const { APPROVED, DECLINED } = AnswerDecision;
const client = 'https://assistant.example/client.json';
const aiOf = (person: PersonFacts, fields: object = {}) =>
  home.newAi(person, { permissions: [Scope.READ, Scope.MESSAGE, Scope.APPROVE] }, fields);

/** The ways of asking, and of answering through the same program for the same person. */
const ways: [string, (person: PersonFacts) => [asker: Caller, answerer: Caller]][] = [
  [
    'an AI',
    (person) => {
      const ai = aiOf(person);
      return [ai, ai];
    },
  ],
  ['an app, as an AI and as its person', (person) => [aiOf(person, { app: home.app }), as(person)]],
  ['an app, as two AIs', (person) => [aiOf(person, { app: home.app }), aiOf(person, { app: home.app })]],
  [
    'an OAuth client, as two AIs',
    (person) => [aiOf(person, { grant: 'one', client }), aiOf(person, { grant: 'two', client })],
  ],
];

test.each(ways)('%s cannot answer its own ask in any way', async (_, way) => {
  const person = home.newPerson();
  const [asker, answerer] = way(person);
  const { id } = await home.ask(asker, { to: at(person) });
  for (const decision of [APPROVED, DECLINED])
    await refused(home.by(answerer).replyApproval({ id, decision }), 'own_ask');
  await expect(home.by(answerer).declineRequest({ id })).rejects.toThrow();

  const agreement = home.uuid();
  const expiresAt = { seconds: BigInt(home.clock.now() / 1_000 + 86_400), nanos: 0 };
  const terms = { title: 'Bread', details: 'Every day', owner: person.id, expiresAt };
  await home.fromDecisions.askAgreement({ id: agreement, ...terms }, { caller: asker });
  const signature = printId('apr', agreement);
  await refused(home.by(answerer).replyApproval({ id: signature, decision: APPROVED }), 'own_ask');

  // Their own answer counts through a program that did not ask.
  for (const one of [id, signature])
    await home.by(as(person, '')).replyApproval({ id: one, decision: APPROVED });
});

test('two people answer each other’s asks through one app, and through one OAuth client', async () => {
  const [ada, ben] = [home.newPerson(), home.newPerson()];
  const asked = await home.ask(as(ada), { to: at(ben) });
  await home.by(as(ben)).replyApproval({ id: asked.id, decision: APPROVED });
  const other = await home.ask(aiOf(ada, { grant: 'one', client }), { to: at(ben) });
  await home.by(aiOf(ben, { grant: 'two', client })).replyApproval({ id: other.id, decision: APPROVED });
});

test('an app cannot accept a rules proposal that it made as an AI of the person', async () => {
  const person = home.newPerson();
  const { id } = await home
    .by(aiOf(person, { app: home.app }))
    .proposeRequestRules({ preset: RulesPreset.JUST_ME });
  await refused(home.by(as(person)).acceptRequestRules({ id }), 'own_ask');
  await home.by(as(person, '')).acceptRequestRules({ id });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Answerer,
  type AnswererFacts,
  type Asked,
  answerRefusal,
  needsPerson,
  placeOf,
  tapRefusal,
} from './answerer.ts';

const ask: Asked = { kind: 'ask', about: null, asker: 'kim', asker_person: 'kim', asker_programs: [] };
const place = (fields: Partial<AnswererFacts> = {}): AnswererFacts => ({
  kind: 'person',
  recipient: 'ada',
  person: 'ada',
  owner: 'ada',
  decision: 'waiting',
  handling: 'delivered',
  minor: false,
  ...fields,
});
const ada: Answerer = {
  id: 'ada',
  kind: 'person',
  person: 'ada',
  mayApprove: true,
  mayMessage: true,
  programs: [],
};
const robin: Answerer = {
  id: 'robin',
  kind: 'ai',
  person: 'ada',
  mayApprove: false,
  mayMessage: true,
  programs: [],
};
const trusted: Answerer = { ...robin, mayApprove: true };

describe('which place the caller answers for', () => {
  const own = place({ kind: 'ai', recipient: 'robin', owner: 'robin' });

  test.each([
    ['a person for themselves', ada, [place()], 0],
    ['a person, but not for their AI', ada, [own], null],
    ['an AI for its person', robin, [place()], 0],
    ['an AI for itself first', robin, [place(), own], 1],
    [
      'an AI for its person once it answered for itself',
      robin,
      [place(), { ...own, decision: 'approved' }],
      0,
    ],
    ['nobody for a stranger', { ...ada, id: 'kim', person: 'kim' }, [place(), own], null],
    [
      'nobody for a place that a rule declined',
      ada,
      [place({ handling: 'declined', decision: 'declined' })],
      null,
    ],
    [
      'nobody for a place that was turned away',
      ada,
      [place({ handling: 'turned_away', decision: 'declined' })],
      null,
    ],
    ['nobody for an email address', ada, [place({ kind: 'email', recipient: null, person: null })], null],
    ['a guardian in place of a child', ada, [place({ recipient: 'kid', minor: true })], 0],
    ['the AI at the door for its person', robin, [place({ owner: 'robin', handling: 'front_door' })], 0],
  ] as [string, Answerer, AnswererFacts[], number | null][])('%s', (_, answerer, places, expected) => {
    expect(placeOf(answerer, places)).toBe(expected === null ? null : places[expected]);
  });

  test('never finds somebody else’s place', () => {
    const ids = fc.constantFrom('ada', 'robin', 'kim', 'kid', null);
    const places = fc.array(
      fc.record({
        kind: fc.constantFrom('person', 'ai', 'email'),
        recipient: ids,
        person: ids,
        owner: ids,
        decision: fc.constantFrom('waiting', 'approved', 'declined'),
        handling: fc.constantFrom('delivered', 'waiting_quietly', 'front_door', 'declined', 'turned_away'),
        minor: fc.boolean(),
      }) as fc.Arbitrary<AnswererFacts>,
    );
    fc.assert(
      fc.property(places, fc.constantFrom(ada, robin, trusted), (all, answerer) => {
        const found = placeOf(answerer, all);
        if (found === null) return;
        const mine = [answerer.id, answerer.person];
        expect(mine.includes(found.recipient) || mine.includes(found.person)).toBe(true);
        expect(['declined', 'turned_away']).not.toContain(found.handling);
        if (found.kind === 'ai') expect(found.recipient).toBe(answerer.id);
      }),
    );
  });
});

describe('which answer a caller may give', () => {
  const refused = (
    answerer: Answerer,
    of: AnswererFacts,
    thing = ask,
    decision: 'approved' | 'declined' = 'approved',
  ) => answerRefusal(answerer, of, thing, decision)?.details.needsPerson === true;

  test.each([
    ['a person', refused(ada, place()), false],
    ['an AI without the permission approve', refused(robin, place()), true],
    ['an AI without it cannot decline either', refused(robin, place(), ask, 'declined'), true],
    ['an AI with the permission approve', refused(trusted, place()), false],
    ['but not what it asked itself', refused(trusted, place(), { ...ask, asker: 'robin' }), true],
    [
      'but not whether its own signature counts',
      refused(trusted, place(), { ...ask, asker: 'robin', kind: 'agreement' }),
      true,
    ],
    ['an AI what is addressed to it', refused(robin, place({ kind: 'ai', recipient: 'robin' })), false],
    [
      'an AI at the front door may decline',
      refused(robin, place({ owner: 'robin' }), ask, 'declined'),
      false,
    ],
    ['but not approve', refused(robin, place({ owner: 'robin' })), true],
    ['no AI about a child', refused(trusted, place(), { ...ask, about: 'kid' } as never), true],
    ['no AI about a photo', refused(trusted, place(), { ...ask, kind: 'photo' }), true],
    ['no AI in place of a child', refused(trusted, place({ recipient: 'kid', minor: true })), true],
    ['a person about a child', refused(ada, place(), { ...ask, about: 'kid' } as never), false],
  ])('%s', (_, given, expected) => expect(given).toBe(expected));

  describe('the asker cannot answer their own ask', () => {
    const app = ['app:team'];
    const client = ['client:https://assistant.example'];
    const asked = { ...ask, asker: 'robin', asker_person: 'ada' };
    test.each([
      ['the same AI', trusted, asked, 'own_ask'],
      ['the same AI through another program', { ...trusted, programs: app }, asked, 'own_ask'],
      ['another AI of the person', { ...trusted, id: 'wren' }, asked, undefined],
      [
        'another AI through the same app',
        { ...trusted, id: 'wren', programs: app },
        { ...asked, asker_programs: app },
        'own_ask',
      ],
      [
        'another AI through the same OAuth client',
        { ...trusted, id: 'wren', programs: client },
        { ...asked, asker_programs: client },
        'own_ask',
      ],
      [
        'another AI through another client',
        { ...trusted, id: 'wren', programs: ['client:other'] },
        { ...asked, asker_programs: client },
        undefined,
      ],
      [
        'the person through the app that asked as their AI',
        { ...ada, programs: app },
        { ...asked, asker_programs: app },
        'own_ask',
      ],
      [
        'the person through another app',
        { ...ada, programs: ['app:other'] },
        { ...asked, asker_programs: app },
        undefined,
      ],
      ['the person themselves', ada, { ...asked, asker_programs: app }, undefined],
      [
        'a person through the app by which another person asked',
        { ...ada, programs: app },
        { ...ask, asker_programs: app },
        undefined,
      ],
      [
        'the AI of one person through the client that asked for another',
        { ...trusted, programs: client },
        { ...ask, asker_programs: client },
        undefined,
      ],
      [
        "an ask of a group's AI through the app",
        { ...ada, programs: app },
        { ...asked, asker: 'choir', asker_person: null, asker_programs: app },
        undefined,
      ],
    ] as [string, Answerer, Asked, string | undefined][])('%s', (_, answerer, thing, code) => {
      for (const kind of ['ask', 'agreement', 'plan']) {
        const refusal = answerRefusal(answerer, place(), { ...thing, kind }, 'approved');
        expect(refusal?.details.code).toBe(code);
        expect(refusal?.details.needsPerson).toBe(code && true);
      }
    });
  });

  test.each(['photo', 'join_request', 'guardian', 'rules'])('%s needs a person', (kind) => {
    expect(needsPerson({ kind, about: null })).toBe(true);
  });
  test.each(['ask', 'agreement', 'plan', 'invite'])('%s does not need a person', (kind) => {
    expect(needsPerson({ kind, about: null })).toBe(false);
  });
});

describe('where an answer about a person under 18 may be given', () => {
  const link = 'https://home.example/a/apr_1';
  test.each([
    ['any', true, 'child', true],
    ['home', false, 'child', true],
    ['home', true, null, true],
    ['home', true, 'child', false],
  ] as const)('with %s, through an app: %s, about %s', (taps, throughApp, about, taken) => {
    const refusal = tapRefusal(taps, throughApp, { about }, link);
    expect(refusal === null).toBe(taken);
    if (refusal !== null) expect(refusal).toMatchObject({ details: { needsPerson: true } });
    if (refusal !== null) expect(refusal.message).toContain(link);
  });
});

import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { isHearthError } from '@hearth/errors';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { ActsFor, CallerKind, OperationSchema, Scope } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import type { Operation } from '../operations/module.ts';
import { permissionOf, scopesOf } from './permission.ts';

type CallerInit = MessageInitShape<typeof CallerSchema>;

const kinds = [CallerKind.ANONYMOUS, CallerKind.AI, CallerKind.PERSON, CallerKind.APP, CallerKind.OPERATOR];

const operationOf = (declared: object) => ({ declared: create(OperationSchema, declared) }) as Operation;

function refusal(declared: object, caller: CallerInit) {
  try {
    permissionOf(operationOf(declared))(create(CallerSchema, caller));
    return null;
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return error;
  }
}

function outcome(declared: object, caller: CallerInit): string {
  const error = refusal(declared, caller);
  if (error === null) return 'may';
  return error.details.needsPerson ? 'needs_person' : error.kind;
}

const table = (declared: object, scopes: Scope[] = []) =>
  kinds.map((kind) => outcome(declared, { kind, scopes }));

test('either scope is enough if an operation declares two', () => {
  const declared = { callers: [CallerKind.AI], scope: Scope.MESSAGE, orScope: Scope.APPROVE };
  const asAi = (...scopes: Scope[]) => outcome(declared, { kind: CallerKind.AI, scopes });
  expect([asAi(Scope.MESSAGE), asAi(Scope.APPROVE), asAi(Scope.READ)]).toEqual(['may', 'may', 'forbidden']);
  expect(outcome({ callers: [CallerKind.AI] }, { kind: CallerKind.AI, scopes: [] })).toBe('may');
});

describe('who may call (anyone, AI, person, app, operator)', () => {
  test('without a credential', () => {
    expect(table({ callers: [CallerKind.ANONYMOUS] })).toEqual(['may', 'may', 'may', 'may', 'may']);
    const personOnly = { callers: [CallerKind.ANONYMOUS, CallerKind.PERSON], personOnly: true };
    expect(table(personOnly)).toEqual(['may', 'needs_person', 'may', 'may', 'may']);
  });

  test('without a credential, and with a credential that has the scope', () => {
    const open = { callers: [CallerKind.ANONYMOUS], scope: Scope.READ };
    expect(table(open, [Scope.MESSAGE])).toEqual(['may', 'forbidden', 'forbidden', 'may', 'may']);
    expect(table(open, [Scope.READ])).toEqual(['may', 'may', 'may', 'may', 'may']);
  });

  test('only the kinds declared', () => {
    expect(table({ callers: [CallerKind.APP] })).toEqual([
      'unauthenticated',
      'forbidden',
      'forbidden',
      'may',
      'forbidden',
    ]);
  });

  test('AIs and people with the scope; apps and the operator need none', () => {
    const declared = { callers: kinds.slice(1), scope: Scope.GROUP };
    expect(table(declared, [Scope.READ])).toEqual([
      'unauthenticated',
      'forbidden',
      'forbidden',
      'may',
      'may',
    ]);
    expect(table(declared, [Scope.GROUP])).toEqual(['unauthenticated', 'may', 'may', 'may', 'may']);
  });

  test('a person must', () => {
    const declared = { callers: kinds.slice(1, 3), personOnly: true, scope: Scope.APPROVE };
    expect(table(declared, [Scope.APPROVE])).toEqual([
      'unauthenticated',
      'needs_person',
      'may',
      'forbidden',
      'forbidden',
    ]);
  });
});

describe('an app that acts (for a person, for an AI)', () => {
  const person = { kind: CallerKind.PERSON, app: 'app', scopes: [Scope.READ, Scope.GROUP] };
  const ai = { kind: CallerKind.AI, app: 'app', scopes: [Scope.READ] };
  const both = (declared: object) => [outcome(declared, person), outcome(declared, ai)];
  const { AI, PERSON, APP, OPERATOR } = CallerKind;

  test.each([
    ['apps', { callers: [APP] }, ['may', 'may']],
    ['AIs and apps', { callers: [AI, APP] }, ['may', 'may']],
    ['AIs', { callers: [AI] }, ['forbidden', 'may']],
    ["people's own sign-ins", { callers: [PERSON] }, ['forbidden', 'forbidden']],
    ['people and AIs', { callers: [PERSON, AI] }, ['forbidden', 'may']],
    ['the operator', { callers: [OPERATOR] }, ['forbidden', 'forbidden']],
    [
      'those with a scope that the AI lacks',
      { callers: [AI, APP], scope: Scope.GROUP },
      ['may', 'forbidden'],
    ],
    ['people alone, by whatever way', { callers: [PERSON, APP], personOnly: true }, ['may', 'needs_person']],
  ])('may do what is for %s', (_, declared, expected) => {
    expect(both(declared)).toEqual(expected);
  });
});

describe('a scope that is missing', () => {
  const declared = { callers: [CallerKind.AI, CallerKind.PERSON, CallerKind.APP], scope: Scope.GROUP };
  const ai = { kind: CallerKind.AI, person: 'ann' };

  test.each([
    ['the key of an AI', ai, undefined, 'your person can grant it'],
    [
      'the key of an AI without an owner',
      { ...ai, person: '' },
      undefined,
      'an AI without an owner cannot have it',
    ],
    ['an app that acts for an AI', { ...ai, app: 'app' }, undefined, 'the AI that you act for does not have'],
    ['a sign-in by OAuth', { ...ai, grant: 'grant' }, ['group'], 'this sign-in does not have'],
  ])('gets the advice to %s', (_, caller, scopes, words) => {
    const error = refusal(declared, caller);
    expect([error?.kind, error?.details.code, error?.details.scopes]).toEqual([
      'forbidden',
      'no_permission',
      scopes,
    ]);
    expect(error?.message).toContain(words);
  });
});

test("a program that signed in as an AI, and the AI of a group, are refused what needs the AI's own key", () => {
  const declared = { callers: [CallerKind.AI], ownKeyOnly: 'only with its own key' };
  const ai = { kind: CallerKind.AI, person: 'ann' };
  expect(refusal(declared, { ...ai, grant: 'grant' })?.message).toBe('only with its own key');
  expect(refusal(declared, { ...ai, group: 'choir', app: 'app' })?.message).toContain(
    "a group's AI has none",
  );
  expect(outcome(declared, ai)).toBe('may');
});

test('a caller who acts for no one, and a group AI, are refused operations declared for others', () => {
  const { AI, APP, PERSON } = CallerKind;
  const callers: Record<string, CallerInit> = {
    'an app': { kind: APP, app: 'app' },
    'an app for a person': { kind: PERSON, app: 'app' },
    'an AI without owner': { kind: AI },
    'an owned AI': { kind: AI, person: 'ann' },
    'the AI of a group': { kind: AI, group: 'choir', app: 'app' },
  };
  const refused = (declared: object) =>
    Object.entries(callers).flatMap(([name, caller]) => {
      const error = refusal({ callers: [AI, PERSON, APP], ...declared }, caller);
      return error === null ? [] : [`${name}: ${error.kind}`];
    });
  expect(refused({})).toEqual([]);
  expect(refused({ actsFor: ActsFor.NAMED })).toEqual(['an app: bad_request']);
  expect(refused({ actsFor: ActsFor.PERSON })).toEqual([
    'an app: bad_request',
    'an AI without owner: forbidden',
  ]);
  expect(refused({ noGroupAi: 'ask a member' })).toEqual(['the AI of a group: forbidden']);
  expect(refusal({ callers: [AI], noGroupAi: 'ask a member' }, callers['the AI of a group']!)?.message).toBe(
    'ask a member',
  );
});

test('an app refused by an AI-only operation is told to act for an AI', () => {
  const words = (declared: object, kind: CallerKind, app: string) =>
    refusal(declared, { kind, app })?.message;
  const { AI, APP, OPERATOR, PERSON } = CallerKind;
  const ofAis = 'only AIs may do this';
  expect(words({ callers: [AI] }, APP, 'app')).toBe(`${ofAis}: act for one with Svc-Acting-For`);
  expect(words({ callers: [AI] }, PERSON, 'app')).toBe(`${ofAis}: act for one with Svc-Acting-For`);
  expect(words({ callers: [AI] }, PERSON, '')).toBe(ofAis);
  expect(words({ callers: [OPERATOR] }, APP, 'app')).not.toContain('Svc-Acting-For');
});

test('the scopes that an operation needs', () => {
  expect(scopesOf(operationOf({ callers: [CallerKind.AI], scope: Scope.READ }))).toEqual(['read']);
  const either = { callers: [CallerKind.AI], scope: Scope.MESSAGE, orScope: Scope.APPROVE };
  expect(scopesOf(operationOf(either))).toEqual(['message', 'approve']);
  expect(scopesOf(operationOf({ callers: [CallerKind.AI] }))).toEqual([]);
  expect(scopesOf(operationOf({ callers: [CallerKind.ANONYMOUS], scope: Scope.READ }))).toEqual([]);
});

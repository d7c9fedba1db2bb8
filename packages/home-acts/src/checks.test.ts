import { readFileSync } from 'node:fs';
import type { DescMessage } from '@bufbuild/protobuf';
import { HomeAskSchema } from '@hearth/proto/approvals/v1/home_asks';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { AgreementSchema } from '@hearth/proto/decisions/v1/agreements';
import { DecisionSchema } from '@hearth/proto/decisions/v1/decisions';
import { MeetingOfferSchema, MeetingSchema } from '@hearth/proto/decisions/v1/meetings';
import { PlanSchema } from '@hearth/proto/decisions/v1/plans';
import { GroupSchema } from '@hearth/proto/groups/v1/groups';
import { AcceptInviteResponseSchema, HomeInviteSchema } from '@hearth/proto/groups/v1/invites';
import { GroupPostSchema } from '@hearth/proto/messages/v1/group_posts';
import { Abroad } from '@hearth/proto/options';
import { services } from '@hearth/proto/services';
import { declarationOf, rulesOf } from '@hearth/proto-json';
import type { JsonObject } from '@hearth/signing';
import { describe, expect, test } from '@jest/globals';
import { type Checks, checks } from './checks.ts';
import { corrected } from './others-word.ts';
import { outOfBounds } from './out-of-bounds.ts';

/** The message of each kind of state. */
const kinds: Readonly<Record<string, DescMessage>> = {
  ask: HomeAskSchema,
  post: GroupPostSchema,
  group: GroupSchema,
  invite: HomeInviteSchema,
  agreement: AgreementSchema,
  offer: MeetingOfferSchema,
  meeting: MeetingSchema,
  decision: DecisionSchema,
  plan: PlanSchema,
};

/** Answers to acts. Approvals reads only the status of an answer. */
const answers = services
  .filter(({ typeName }) => !typeName.startsWith('hearth.approvals.'))
  .flatMap(({ methods }) => methods.filter((method) => declarationOf(method)?.federated === true))
  .map(({ output }) => output);

function within(desc: DescMessage, found = new Map<string, DescMessage>()): Map<string, DescMessage> {
  if (found.has(desc.typeName) || desc.typeName.startsWith('google.protobuf.')) return found;
  found.set(desc.typeName, desc);
  for (const field of desc.fields)
    if (field.message !== undefined && rulesOf(field).abroad !== Abroad.LEFT_OUT)
      within(field.message, found);
  return found;
}

const ways = ['thing', 'address', 'past', 'ahead', 'act', 'record', 'reader', 'within'] as const;
const namesIn = (checked: Checks, way: (typeof ways)[number]) =>
  (checked[way] ?? '').split(' ').filter(Boolean);
const stated = [...Object.values(kinds), ...answers].flatMap((desc) => [...within(desc).values()]);
const all = [...new Map(stated.map((desc) => [desc.typeName, desc])).values()];

describe('each field that another home states', () => {
  test('belongs to a kind that this test covers', () => {
    const file = new URL('../../../services/federation/src/log/actions/receivers.ts', import.meta.url);
    const [, declared = ''] = /kinds[^{]*\{([^}]*)\}/.exec(readFileSync(file, 'utf8')) ?? [];
    const known = [...declared.matchAll(/^\s*(\w+):/gm)].map(([, kind]) => kind);
    expect(Object.keys(kinds).sort()).toEqual(known.sort());
  });

  test.each(all.map((desc) => [desc.typeName, desc] as const))('has a check: %s', (_, desc) => {
    const checked = checks[desc.typeName];
    expect(checked).toBeDefined();
    const { by = {}, until = {} } = checked!;
    const named = [...ways.flatMap((way) => namesIn(checked!, way)), ...Object.keys({ ...by, ...until })];
    const fields = desc.fields.map(({ name }) => name);
    expect({ missing: fields.filter((field) => !named.includes(field)) }).toEqual({ missing: [] });
    expect({ gone: named.filter((name) => !fields.includes(name)) }).toEqual({ gone: [] });
  });

  test.each(all.map((desc) => [desc.typeName, desc] as const))(
    'has the check for its type: %s',
    (_, desc) => {
      const checked = checks[desc.typeName]!;
      // Asks do not declare `abroad` on their addresses, as approvals reads them itself.
      const isAsk = desc.typeName.startsWith('hearth.approvals.');
      for (const field of desc.fields) {
        const is = (way: (typeof ways)[number]) => namesIn(checked, way).includes(field.name);
        const { abroad } = rulesOf(field);
        if (!isAsk) expect([field.name, is('address')]).toEqual([field.name, abroad === Abroad.ADDRESS]);
        if (!isAsk && abroad === Abroad.LEFT_OUT)
          expect([field.name, is('reader')]).toEqual([field.name, true]);
        if (is('reader')) continue;
        const type = field.message?.typeName;
        if (type === 'google.protobuf.Timestamp')
          expect([field.name, is('past') || is('ahead') || field.name in (checked.until ?? {})]).toEqual([
            field.name,
            true,
          ]);
        if (type === 'google.protobuf.Struct')
          expect([field.name, is('record') || is('act')]).toEqual([field.name, true]);
        if (type?.startsWith('hearth.') === true)
          expect([field.name, is('within') || is('thing')]).toEqual([field.name, true]);
        if (/(^|_)name$/.test(field.name) && !is('thing'))
          expect(Object.keys(checked.by ?? {})).toContain(field.name);
      }
      // Starters of a thing, and members that are local to its home: their addresses are checked on their own.
      for (const field of (checked.theirs ?? '').split(' ').filter(Boolean))
        expect(namesIn(checked, 'address')).toContain(field);
      expect([checked.act, checked.saidIn === undefined]).toEqual([checked.act, checked.act === undefined]);
    },
  );

  test('names an existing file that compares the act', () => {
    const files = new Set(Object.values(checks).flatMap(({ saidIn }) => saidIn ?? []));
    for (const file of files)
      expect(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')).not.toBe('');
  });
});

describe('a claim of another home about a party of this home', () => {
  const now = Date.parse('2026-01-15T10:00:00.000Z');
  const [ben, gone] = ['ben@here.example', 'gone@here.example'];
  const ours = new Map([
    [ben, { name: 'Ben', aiStatus: AiStatus.VOUCHED }],
    [gone, null],
  ]);
  const told = (desc: DescMessage, json: JsonObject) => corrected(desc, json, { now, ours });
  const about = (of: string, address: string): JsonObject => {
    if (of === 'with') return { with: [address] };
    return of === 'person.address' ? { person: { address } } : { [of]: address };
  };
  const lies = all.flatMap((desc) =>
    Object.entries(checks[desc.typeName]?.by ?? {}).map(([field, check]) => ({ desc, field, check })),
  );

  test.each(lies)('is corrected to the local fact: $desc.typeName $field', ({ desc, field, check }) => {
    const lie = { adult: 'child', name: 'Liar', role: 'organizer', status: 'claimed', unknown: true }[
      check.is
    ];
    const of = (address: string) => told(desc, { ...about(check.of, address), [field]: lie })[field];
    const facts = { adult: 'adult', name: 'Ben', role: 'member', status: 'vouched', unknown: undefined };
    expect(of(ben)).toBe(facts[check.is]);
    // A local address without an account has no other name.
    if (check.is === 'name') expect(of(gone)).toBe(gone);
    expect(of('ada@there.example')).toBe(lie);
  });

  const pasts = all.flatMap((desc) =>
    namesIn(checks[desc.typeName] ?? {}, 'past').map((field) => ({ desc, field })),
  );
  test.each(pasts)('about the past is capped at the present: $desc.typeName $field', ({ desc, field }) => {
    expect(told(desc, { [field]: '2099-01-01T00:00:00Z' })[field]).toBe('2026-01-15T10:05:00.000Z');
    const before = '2026-01-15T10:04:59.000Z';
    expect(told(desc, { [field]: before })[field]).toBe(before);
  });

  const bounded = (desc: DescMessage, json: JsonObject) =>
    outOfBounds(desc, json, { home: 'there.example', now }, 'object');
  const ends = all.flatMap((desc) =>
    Object.entries(checks[desc.typeName]?.until ?? {}).map(([field, days]) => ({ desc, field, days })),
  );
  test.each(ends)('cannot postpone an end without limit: $desc.typeName $field', ({ desc, field, days }) => {
    const after = (more: number) => new Date(now + days * 86_400_000 + more).toISOString();
    expect(bounded(desc, { [field]: after(300_000) })).toBeNull();
    expect(bounded(desc, { [field]: after(301_000) })).toMatchObject({ path: `object.${field}` });
  });

  const starters = all.flatMap((desc) =>
    (checks[desc.typeName]?.theirs ?? '')
      .split(' ')
      .flatMap((field) => (field === '' ? [] : { desc, field })),
  );
  test.each(starters)(
    'cannot name them as starter or organizer: $desc.typeName $field',
    ({ desc, field }) => {
      for (const address of [ben, 'eve@elsewhere.example'])
        expect(bounded(desc, about(field, address))).toMatchObject({ path: `object.${field}` });
      for (const address of ['ada@there.example', ''])
        expect(bounded(desc, about(field, address))).toBeNull();
    },
  );

  test('is checked within nested objects', () => {
    const { path } = bounded(DecisionSchema, { asked_by: { address: ben } }) ?? { path: '' };
    expect(path).toBe('object.asked_by.address');
  });

  test('excludes reader-specific fields', () => {
    const taken = told(AcceptInviteResponseSchema, { status: 'joined', session_token: 'theirs' });
    expect(taken).toEqual({ status: 'joined' });
  });

  test('is corrected at any depth', () => {
    const members = (name: string, role: string) => ({ members: [{ person: { address: ben, name }, role }] });
    expect(told(GroupSchema, members('Liar', 'organizer'))).toEqual(members('Ben', 'member'));
  });
});

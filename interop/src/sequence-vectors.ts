import { type ListedKey, type Reception, signRecord } from '@hearth/signing';
import type { SequenceCase } from './format.ts';
import {
  home,
  homeKey,
  listed,
  nextKey,
  recoveryKey,
  retiredKey,
  strangerKey,
  type VectorKey,
} from './material.ts';

type Step = SequenceCase['steps'][number];
type Changes = {
  keys?: ListedKey[];
  seq?: number;
  issued?: string;
  until?: string;
  note?: string;
  word?: true;
};

const begin = '2026-02-01T12:00:00Z';
const hour = 3_600_000;
const start = Date.parse(begin);
const at = (hours: number) => new Date(start + hours * hour).toISOString();

// The home's keys in each of their states.
const active = listed(homeKey);
const recovery = listed(recoveryKey, { uses: ['recovery'] });
const next = listed(nextKey, { status: 'next', not_before: at(0) });
const nowActive: ListedKey = { ...next, status: 'active' };
const retired: ListedKey = { ...active, status: 'retired', not_after: at(96) };
const revoked: ListedKey = { ...active, status: 'revoked', revoked_at: at(1) };
const usual = [active, recovery];
const stolen = listed(retiredKey, { status: 'retired', not_after: '2026-02-01T11:00:00Z' });
const foreign = listed(strangerKey);

/** Returns the home's document `hours` after the first, with a reader's verdict. */
function step(
  hours: number,
  by: VectorKey[],
  verdict: Reception,
  counts: number | null,
  changes: Changes = {},
  revokedSince: VectorKey[] = [],
): Step {
  const { keys = usual, seq, issued = at(hours), until, note, word } = changes;
  const document: Record<string, unknown> = {
    v: 1,
    home,
    doc_seq: seq ?? Math.floor(Date.parse(issued) / 1_000),
    issued_at: issued,
    valid_until: until ?? new Date(Date.parse(issued) + 24 * hour).toISOString(),
    ...(note !== undefined && { note }),
    keys,
  };
  const object = by.reduce(
    (signed, { pair }) => signRecord(signed, { key: pair, typ: 'svc-home+jws' }),
    document,
  );
  return {
    at: at(hours),
    object,
    ...(word !== undefined && { word }),
    verdict,
    doc_seq: counts === null ? null : Math.floor(start / 1_000) + counts * 3_600,
    revoked: revokedSince.map(({ pair }) => pair.kid),
  };
}

const first = (changes: Changes = {}) => step(0, [homeKey], 'accepted', 0, changes);

/** Returns two documents: the home's first one, and a second one an hour later. */
const pair = (
  name: string,
  verdict: Reception,
  changes: Changes,
  { by = [homeKey], before = {} }: { by?: VectorKey[]; before?: Changes } = {},
): SequenceCase => ({
  name,
  steps: [first(before), step(1, by, verdict, verdict === 'accepted' ? 1 : 0, changes)],
});

export function sequenceCases(): SequenceCase[] {
  return [
    ...orderCases(),
    ...keyCases(),
    ...rotationCases(),
    ...emergencyCases(),
    ...takeoverCases(),
    ...requestCases(),
  ];
}

function orderCases(): SequenceCase[] {
  const seq = Math.floor(start / 1_000);
  return [
    pair('a newer document', 'accepted', {}),
    pair('the next number', 'accepted', { seq: seq + 3_600 }),
    pair('a lower doc_seq', 'refused', { seq: seq - 1 }),
    pair('the same doc_seq with other bytes', 'refused', { seq, note: 'other' }),
    {
      name: 'the same document again, signed by another key as well',
      steps: [first(), { ...step(0, [homeKey, recoveryKey], 'unchanged', 0), at: at(1) }],
    },
    pair('issued at the same moment', 'accepted', { issued: begin, seq: seq + 3_600 }),
    pair('issued a nanosecond earlier', 'refused', {
      issued: '2026-02-01T11:59:59.999999999Z',
      seq: seq + 3_600,
    }),
    {
      name: 'a lapsed document first',
      steps: [{ ...step(0, [homeKey], 'refused', null), at: at(25) }],
    },
    {
      name: 'the next one after the one that is kept has lapsed',
      steps: [first(), step(200, [homeKey], 'accepted', 200)],
    },
    {
      name: 'of another home first',
      steps: [
        {
          ...step(0, [homeKey], 'refused', null),
          object: signRecord(
            { v: 1, home: 'other.example', doc_seq: 1, issued_at: begin, valid_until: at(24), keys: usual },
            { key: homeKey.pair, typ: 'svc-home+jws' },
          ),
        },
      ],
    },
  ];
}

function keyCases(): SequenceCase[] {
  const changed = (name: string, but: Partial<ListedKey>, before: Partial<ListedKey> = {}) =>
    pair(
      `of a known key ${name}`,
      'refused',
      { keys: [active, recovery, { ...next, ...before, ...but } as ListedKey] },
      { before: { keys: [active, recovery, { ...next, ...before } as ListedKey] } },
    );
  return [
    changed('x changes', { x: foreign.x }),
    changed('uses change', { uses: ['record', 'request', 'recovery'] }),
    changed('not_before moves', { not_before: at(-1) }),
    changed('not_after moves later', { not_after: at(200) }, { not_after: at(100) }),
    changed('not_after goes away', { not_after: null }, { not_after: at(100) }),
    changed('the status goes back to next', { status: 'next' }, { status: 'active' }),
    changed(
      'the status goes back to active',
      { status: 'active', not_after: at(100) },
      { status: 'retired', not_after: at(100) },
    ),
    changed(
      'a revocation goes away',
      { status: 'retired', not_after: at(1) },
      { status: 'revoked', revoked_at: at(0) },
    ),
    pair('a key disappears', 'refused', { keys: [active] }),
    pair(
      'not_after moves earlier',
      'accepted',
      { keys: [active, recovery, { ...next, not_after: at(99) }] },
      {
        before: { keys: [active, recovery, { ...next, not_after: at(100) }] },
      },
    ),
    pair(
      'a next key is revoked',
      'accepted',
      { keys: [active, recovery, { ...next, status: 'revoked', revoked_at: at(1) }] },
      {
        before: { keys: [active, recovery, next] },
      },
    ),
    pair('a new key comes', 'accepted', { keys: [...usual, next] }),
  ];
}

function rotationCases(): SequenceCase[] {
  const ahead = { keys: [active, recovery, next] };
  const both = { keys: [active, recovery, nowActive] };
  return [
    {
      name: 'a rotation as it should be',
      steps: [
        first(),
        step(1, [homeKey], 'accepted', 1, ahead),
        step(49, [homeKey, nextKey], 'accepted', 49, both),
        step(97, [nextKey], 'accepted', 97, { keys: [retired, recovery, nowActive] }),
        step(98, [nextKey], 'accepted', 98, { keys: [retired, recovery, nowActive] }),
      ],
    },
    {
      name: 'the next key signs alone when it has been known for 24 hours',
      steps: [first(ahead), step(24, [nextKey], 'accepted', 24, both)],
    },
    {
      name: 'the next key signs alone a second too early',
      steps: [
        first(ahead),
        {
          ...step(24, [nextKey], 'another_home', 0, { ...both, issued: at(23) }),
          at: '2026-02-02T11:59:59Z',
        },
      ],
    },
    {
      name: 'known for 24 hours since it came first, not since the last document',
      steps: [
        first(ahead),
        step(20, [homeKey], 'accepted', 20, ahead),
        step(24, [nextKey], 'accepted', 24, both),
      ],
    },
    {
      name: 'signed by a next key that is still next',
      steps: [first(ahead), step(25, [nextKey], 'refused', 0, ahead)],
    },
  ];
}

function emergencyCases(): SequenceCase[] {
  const fresh = listed(strangerKey, { not_before: at(1) });
  return [
    {
      name: 'the recovery key revokes the one that signed and names a new one',
      steps: [
        first(),
        step(1, [recoveryKey, strangerKey], 'accepted', 1, { keys: [revoked, recovery, fresh] }),
        step(2, [strangerKey], 'accepted', 2, { keys: [revoked, recovery, fresh] }),
      ],
    },
    {
      name: 'a known key revokes itself: at once; its new keys wait',
      steps: [
        first({ keys: [active] }),
        step(1, [homeKey, strangerKey], 'key_revoked', 0, { keys: [revoked, fresh] }, [homeKey]),
        step(2, [homeKey, strangerKey], 'another_home', 0, { keys: [revoked, fresh] }, [homeKey]),
        step(3, [homeKey], 'another_home', 0, { keys: [active] }, [homeKey]),
      ],
    },
    {
      name: 'the thief of a key that revoked itself stays outside, the recovery key comes back in',
      steps: [
        first(),
        step(1, [homeKey, strangerKey], 'key_revoked', 0, { keys: [revoked, recovery, fresh] }, [homeKey]),
        step(2, [recoveryKey], 'refused', 0, { keys: [active, recovery] }, [homeKey]),
        step(3, [recoveryKey], 'accepted', 3, { keys: [revoked, recovery] }, [homeKey]),
      ],
    },
    pair(
      'signed by a known key that it retires, and by one that nobody knows',
      'another_home',
      { keys: [retired, recovery, fresh] },
      { by: [homeKey, strangerKey] },
    ),
    {
      name: 'a known key that says it is revoked while another document rule is broken',
      steps: [
        first(),
        step(1, [homeKey, strangerKey], 'another_home', 0, { keys: [revoked, fresh], seq: 1 }),
      ],
    },
  ];
}

function takeoverCases(): SequenceCase[] {
  const thief = { keys: [foreign] };
  const old = { keys: [stolen, active, recovery] };
  return [
    pair(
      'the thief of a retired key lists a key of their own',
      'another_home',
      { keys: [stolen, active, recovery, foreign] },
      {
        by: [retiredKey, strangerKey],
        before: old,
      },
    ),
    pair(
      'dated back to the time of the retired key',
      'refused',
      {
        keys: [stolen, active, recovery, foreign],
        issued: '2026-02-01T10:00:00Z',
        until: '2026-02-08T10:00:00Z',
      },
      { by: [retiredKey, strangerKey], before: old },
    ),
    pair(
      'the thief of a retired key lists it as active again',
      'another_home',
      { keys: [{ ...stolen, status: 'active', not_after: null }, active, recovery] },
      { by: [retiredKey], before: old },
    ),
    {
      name: 'another owner of the name waits for 7 days',
      steps: [
        first(),
        step(1, [strangerKey], 'another_home', 0, thief),
        step(100, [strangerKey], 'another_home', 0, thief),
        { ...step(168, [strangerKey], 'another_home', 0, thief), at: '2026-02-08T12:59:59Z' },
        step(169, [strangerKey], 'began_anew', 169, thief),
        step(170, [homeKey], 'another_home', 169),
      ],
    },
    {
      name: 'a person vouches for the new owner',
      steps: [
        first(),
        step(1, [strangerKey], 'another_home', 0, thief),
        step(2, [strangerKey], 'began_anew', 2, { ...thief, word: true }),
      ],
    },
    {
      name: 'the home shows itself again: the wait begins anew',
      steps: [
        first(),
        step(1, [strangerKey], 'another_home', 0, thief),
        step(100, [homeKey], 'accepted', 100),
        step(170, [strangerKey], 'another_home', 100, thief),
      ],
    },
    {
      name: 'the home shows its same document again: the wait begins anew',
      steps: [
        first(),
        step(1, [strangerKey], 'another_home', 0, thief),
        { ...step(0, [homeKey], 'unchanged', 0), at: at(20) },
        step(170, [strangerKey], 'another_home', 0, thief),
      ],
    },
    {
      name: 'a third party does not inherit the wait of the second',
      steps: [
        first(),
        step(1, [strangerKey], 'another_home', 0, thief),
        step(169, [retiredKey], 'another_home', 0, { keys: [listed(retiredKey)] }),
      ],
    },
    {
      name: 'the new owner lists the old key too',
      steps: [first(), step(1, [strangerKey], 'another_home', 0, { keys: [active, recovery, foreign] })],
    },
    {
      name: 'a person vouches for keys of a home that has none yet',
      steps: [step(0, [strangerKey], 'accepted', 0, { ...thief, word: true })],
    },
  ];
}

/** Cases of requests and items that name a key, by the stored documents. */
function requestCases(): SequenceCase[] {
  const thief = { keys: [foreign] };
  const kid = ({ pair }: VectorKey) => pair.kid;
  const named = (
    requests: [VectorKey, 'good' | 'unknown_key' | 'key_change'][],
    items: [VectorKey, 'good' | 'unknown_key' | 'key_change'][] = [],
  ): Partial<Step> => ({
    requests: Object.fromEntries(requests.map(([key, answer]) => [kid(key), answer])),
    ...(items.length > 0 && { items: Object.fromEntries(items.map(([key, answer]) => [kid(key), answer])) }),
  });
  const forItems = listed(strangerKey, { uses: ['record'] });
  const forRequests = listed(strangerKey, { uses: ['request'] });
  const fresh = listed(strangerKey, { not_before: at(1) });
  const ending: ListedKey = { ...foreign, status: 'retired', not_after: at(100) };
  return [
    {
      name: 'a key is for what its uses say, and the recovery key for neither',
      steps: [
        {
          ...first({ keys: [active, recovery, forItems] }),
          ...named(
            [
              [homeKey, 'good'],
              [recoveryKey, 'unknown_key'],
              [strangerKey, 'unknown_key'],
              [retiredKey, 'unknown_key'],
            ],
            [
              [homeKey, 'good'],
              [recoveryKey, 'unknown_key'],
              [strangerKey, 'good'],
            ],
          ),
        },
      ],
    },
    {
      name: 'a key for requests alone signs no items',
      steps: [
        {
          ...first({ keys: [active, recovery, forRequests] }),
          ...named([[strangerKey, 'good']], [[strangerKey, 'unknown_key']]),
        },
      ],
    },
    {
      name: 'next, retired and revoked keys sign no requests; a retired one has signed items',
      steps: [
        {
          ...first({ keys: [active, recovery, next, stolen, ending] }),
          ...named(
            [
              [nextKey, 'unknown_key'],
              [retiredKey, 'unknown_key'],
              [strangerKey, 'unknown_key'],
            ],
            [
              [nextKey, 'unknown_key'],
              [retiredKey, 'good'],
            ],
          ),
        },
        {
          ...step(1, [recoveryKey], 'accepted', 1, { keys: [revoked, recovery, next, stolen, ending] }),
          ...named([[homeKey, 'unknown_key']], [[homeKey, 'unknown_key']]),
        },
      ],
    },
    {
      name: 'an active key whose time is over signs no requests',
      steps: [
        {
          ...first({ keys: [active, recovery, { ...nowActive, not_after: begin }] }),
          ...named([[nextKey, 'unknown_key']]),
        },
      ],
    },
    {
      name: 'the new keys of a home that revoked its own are unknown while they wait',
      steps: [
        first({ keys: [active] }),
        {
          ...step(1, [homeKey, strangerKey], 'key_revoked', 0, { keys: [revoked, fresh] }, [homeKey]),
          ...named([
            [homeKey, 'unknown_key'],
            [strangerKey, 'unknown_key'],
          ]),
        },
        {
          ...step(2, [homeKey, strangerKey], 'another_home', 0, { keys: [revoked, fresh] }, [homeKey]),
          ...named([[strangerKey, 'unknown_key']]),
        },
      ],
    },
    {
      name: 'the keys of another home under the old name are a change of keys, those of the home count on',
      steps: [
        first(),
        {
          ...step(1, [strangerKey], 'another_home', 0, thief),
          ...named([
            [homeKey, 'good'],
            [strangerKey, 'key_change'],
            [retiredKey, 'unknown_key'],
          ]),
        },
        {
          ...step(2, [strangerKey], 'began_anew', 2, { ...thief, word: true }),
          ...named([
            [homeKey, 'unknown_key'],
            [strangerKey, 'good'],
          ]),
        },
      ],
    },
    {
      name: 'once the document that is kept has lapsed, every key is a change of keys',
      steps: [
        first(),
        {
          ...step(24, [strangerKey], 'another_home', 0, thief),
          ...named([
            [homeKey, 'key_change'],
            [retiredKey, 'key_change'],
          ]),
        },
      ],
    },
    {
      name: 'a document that has lapsed has no keys',
      steps: [
        first(),
        {
          ...step(24, [homeKey], 'refused', 0, { keys: [recovery] }),
          ...named([[homeKey, 'unknown_key']], [[homeKey, 'unknown_key']]),
        },
      ],
    },
  ];
}

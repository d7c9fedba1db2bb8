import { manualClock } from '@hearth/clock';
import { exportPrivateJwk, keyPairFromSeed } from '@hearth/signing';
import { describe, expect, test } from '@jest/globals';
import { run } from '../src/index.ts';

let answers: unknown[] = [];
let received: { method: string; path: string; body: unknown }[] = [];
/** The content of every file. */
let input = '';

/** Runs a command line against a home that gives these answers; the last one repeats. */
async function hearth(line: string[], ...given: unknown[]) {
  answers = [...given];
  received = [];
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await run(line, {
    env: { HEARTH_SITE_URL: 'https://home.example', HEARTH_OPERATOR_KEY: 'key' },
    folders: [],
    readFile: () => undefined,
    readInput: async () => Buffer.from(input),
    fetch: async (url, { method, body } = {}) => {
      const { pathname, search } = new URL(String(url));
      const sent = typeof body === 'string' ? JSON.parse(body) : undefined;
      received.push({ method: method ?? 'GET', path: pathname + search, body: sent });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer instanceof Response ? answer : Response.json(answer);
    },
    clock: manualClock('2026-03-02T12:00:00.000Z'),
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

const fbk = `fbk_${'0'.repeat(31)}1`;

describe('hearth feedback', () => {
  const feedback = {
    id: fbk,
    status: 'received',
    kind: 'bug',
    title: 'It repeats\u001b[2J itself',
    at: '2026-03-01T12:00:00.123Z',
    by: `ai_${'0'.repeat(31)}2`,
  };

  test('list shows open feedback, without terminal control sequences', async () => {
    const { code, printed } = await hearth(['feedback', 'list', '--status', 'received', '--limit', '5'], {
      feedback: [feedback],
      next_cursor: null,
    });
    expect([code, received]).toEqual([
      0,
      [{ method: 'GET', path: '/v0/admin/feedback?status=received&limit=6', body: undefined }],
    ]);
    expect(printed.split('\n')[1]?.split(/ {2,}/)).toEqual([
      fbk,
      '2026-03-01 12:00Z',
      'bug',
      'received',
      feedback.by,
      '-',
      'It repeats[2J itself',
    ]);
    const none = { feedback: [], next_cursor: null };
    expect((await hearth(['feedback', 'list'], none)).printed).toBe('No matching feedback.');
  });

  test("answer sends the operator's answer", async () => {
    const { printed } = await hearth(['feedback', 'answer', fbk, '--answer', 'Mended'], {
      ...feedback,
      status: 'done',
    });
    expect(printed).toBe('"It repeats[2J itself" is done.');
    expect(received).toEqual([
      {
        method: 'POST',
        path: `/v0/admin/feedback/${fbk}/answer`,
        body: { status: 'done', answer: 'Mended' },
      },
    ]);
    await hearth(['feedback', 'answer', fbk, '--status', 'read'], feedback);
    expect(received[0]?.body).toEqual({ status: 'read' });
  });
});

test('hearth report list, report resolve and commons remove: from a report to a tombstone', async () => {
  const report = {
    id: 'rpt_1',
    about: 'pst_1',
    author: 'ai_1',
    reason: 'spam',
    text: 'It is spam',
    by: '',
    at: '2026-03-01T12:00:00Z',
  };
  const { printed } = await hearth(['report', 'list'], { reports: [report], next_cursor: null });
  expect(printed.split('\n')[1]?.split(/ {2,}/)).toEqual([
    ...['rpt_1', '2026-03-01 12:00Z', 'spam', 'pst_1', 'ai_1', '-', '-', 'It is spam'],
  ]);
  const line = ['commons', 'remove', 'pst_1', '--reason', 'No selling'];
  expect((await hearth(line, { id: 'pst_1', removed_by: 'operator' })).printed).toBe('Removed pst_1.');
  expect(received).toEqual([
    { method: 'DELETE', path: '/v0/commons/pst_1?reason=No+selling', body: undefined },
  ]);
  const closed = await hearth(['report', 'resolve', 'rpt_1', '--resolution', 'removed'], report);
  expect(closed.printed).toBe('Resolved the report about pst_1.');
  expect(received).toMatchObject([
    { path: '/v0/admin/reports/rpt_1/resolve', body: { resolution: 'removed' } },
  ]);
});

test('hearth audit list shows the acts of operators', async () => {
  const entry = {
    at: '2026-03-01T12:00:00Z',
    action: 'report.resolved',
    by: 'operator',
    summary: 'A report was closed',
  };
  const { printed } = await hearth(['audit', 'list', '--since', '2d', '--action', 'report.resolved'], {
    audit: [{ ...entry, about: 'rpt_1', reason: 'warned' }, entry],
    next_cursor: null,
  });
  expect(received[0]?.path).toBe(
    '/v0/admin/audit?action=report.resolved&since=2026-02-28T12%3A00%3A00.000Z&limit=100',
  );
  expect(printed.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['AT', 'ACTION', 'BY', 'TARGET', 'SUMMARY', 'REASON'],
    ['2026-03-01 12:00Z', 'report.resolved', 'operator', 'rpt_1', 'A report was closed', 'warned'],
    ['2026-03-01 12:00Z', 'report.resolved', 'operator', '-', 'A report was closed', '-'],
  ]);
});

describe('hearth ai and hearth person', () => {
  const ai = {
    id: `ai_${'0'.repeat(31)}2`,
    address: '@free-abc.ai-robin',
    name: 'Robin',
    state: 'suspended',
    status: 'unclaimed',
    created_at: '2026-02-01T12:00:00Z',
    last_seen: '2026-03-01',
    suspended_until: '2026-03-09T12:00:00Z',
    reason: 'spam',
  };

  test('list both, and show of minors only what the home discloses', async () => {
    const child = {
      ...ai,
      address: undefined,
      state: 'active',
      suspended_until: undefined,
      reason: undefined,
    };
    const { printed } = await hearth(['ai', 'list', '--state', 'suspended', '--owner', 'per_1'], {
      ais: [ai, child],
      next_cursor: null,
    });
    expect(received[0]?.path).toBe('/v0/admin/ais?state=suspended&owner=per_1&limit=100');
    expect(
      printed
        .split('\n')
        .slice(1)
        .map((line) => line.split(/ {2,}/).slice(1)),
    ).toEqual([
      [ai.address, 'unclaimed', '-', '2026-02-01', '2026-03-01', 'suspended', '2026-03-09 12:00Z', 'spam'],
      ['-', 'unclaimed', '-', '2026-02-01', '2026-03-01', 'active', '-', '-'],
    ]);
    const person = {
      id: 'per_1',
      name: 'Kit C.',
      age_band: 'child',
      guest: false,
      created_at: ai.created_at,
    };
    const people = await hearth(['person', 'list', '--deleting', 'true'], {
      people: [{ ...person, deletes_at: '2026-03-08T12:00:00Z' }],
      next_cursor: null,
    });
    expect(received[0]?.path).toBe('/v0/admin/people?deleting=true&limit=100');
    expect(people.printed.split('\n')[1]?.split(/ {2,}/)).toEqual([
      'per_1',
      '-',
      'Kit C.',
      'child',
      'no',
      '-',
      '2026-02-01',
      '2026-03-08 12:00Z',
      '-',
    ]);
  });

  test('suspend and restore an AI, with a reason', async () => {
    const line = ['ai', 'suspend', ai.address, '--until', '7d', '--reason', 'spam'];
    expect((await hearth(line, ai)).printed).toBe(`${ai.address} is suspended until 2026-03-09 12:00Z.`);
    const path = `/v0/admin/ais/${encodeURIComponent(ai.address)}`;
    expect(received).toEqual([
      {
        method: 'POST',
        path: `${path}/suspend`,
        body: { until: '2026-03-09T12:00:00.000Z', reason: 'spam' },
      },
    ]);
    const restored = await hearth(['ai', 'restore', ai.address, '--reason', 'sorry'], {
      ...ai,
      state: 'active',
    });
    expect(restored.printed).toBe(`${ai.address} is active.`);
    expect(received[0]).toMatchObject({ path: `${path}/restore`, body: { reason: 'sorry' } });
  });

  test.each([
    ['person', 'people', 'is active'],
    ['app', 'apps', 'is active'],
  ])('suspend and restore: %s', async (kind, path, active) => {
    const one = { id: `${kind}_1`, name: 'Ada', suspended_until: '2026-03-09T12:00:00Z' };
    const suspended = await hearth([kind, 'suspend', one.id, '--until', '7d', '--reason', 'spam'], one);
    expect(suspended.printed).toBe('Ada is suspended until 2026-03-09 12:00Z.');
    const body = { until: '2026-03-09T12:00:00.000Z', reason: 'spam' };
    expect(received).toEqual([{ method: 'POST', path: `/v0/admin/${path}/${one.id}/suspend`, body }]);
    const restored = await hearth([kind, 'restore', one.id, '--reason', 'sorry'], {
      ...one,
      suspended_until: undefined,
    });
    expect(restored.printed).toBe(`Ada ${active}.`);
    expect(received[0]).toMatchObject({
      path: `/v0/admin/${path}/${one.id}/restore`,
      body: { reason: 'sorry' },
    });
  });

  test.each([
    ['delete', 'will be deleted at 2026-03-09 12:00Z'],
    ['keep', 'will be kept'],
  ])('%s an account', async (what, becomes) => {
    const one = {
      id: 'per_1',
      name: 'Ada',
      ...(what === 'delete' && { deletes_at: '2026-03-09T12:00:00Z' }),
    };
    const { printed } = await hearth(['person', what, 'per_1', '--reason', 'by mail'], one);
    expect(printed).toBe(`The account of Ada ${becomes}.`);
    const path = `/v0/admin/people/per_1/${what}`;
    expect(received).toEqual([{ method: 'POST', path, body: { reason: 'by mail' } }]);
  });
});

test.each([
  [['ai', 'suspend', 'ai_1', '--until', '7d'], '--reason is required'],
  [['ai', 'suspend', 'ai_1', '--reason', 'x'], '--until is required'],
  [['ai', 'suspend', 'ai_1', '--until', 'soon', '--reason', 'x'], 'or a duration from now'],
  [['ai', 'restore', 'ai_1'], '--reason is required'],
  [['report', 'resolve', 'rpt_1'], '--resolution is required'],
  [['commons', 'remove', 'pst_1'], '--reason is required'],
  [['feedback', 'answer', fbk], '--answer is required'],
  [['feedback', 'answer', '--answer', 'x'], '<feedback> is required'],
  [['feedback', 'answer', fbk, '--status', 'received'], '--status is "received"; expected one of read, done'],
  [['key', 'rotate', '--now', '--recovery'], 'use either --now or --recovery'],
  [['audit', 'list', '--since', 'yesterday'], '--since is "yesterday"; expected a time'],
  [['feedback', 'list', '--kind', 'praise'], '--kind is "praise"'],
])('%j is a usage error', async (line, words) => {
  const { code, complained } = await hearth(line, {});
  expect([code, complained, received]).toEqual([2, expect.stringContaining(words), []]);
});

test('hearth key revoke accepts a key id that begins with a dash', async () => {
  const kid = `-${'x'.repeat(42)}`;
  const { code, printed } = await hearth(['key', 'revoke', kid, '--reason', 'it was seen'], { key: { kid } });
  expect([code, printed]).toEqual([0, `Revoked key ${kid}.`]);
  expect(received).toMatchObject([{ path: `/v0/admin/keys/${kid}/revoke`, body: { reason: 'it was seen' } }]);
});

describe('hearth key revoke --key', () => {
  const pair = keyPairFromSeed(new Uint8Array(32).fill(7));
  const keys = [{ kid: pair.kid, uses: ['recovery'], status: 'active' }];
  const revoke = (kid: string, ...given: unknown[]) =>
    hearth(['key', 'revoke', kid, '--key', 'recovery.key'], ...given);

  test.each([
    ['holds no key', 'nothing', { keys }],
    ['holds a key of another home', JSON.stringify(exportPrivateJwk(pair)), { keys: [] }],
  ])('revokes nothing when the file %s', async (_, text, answer) => {
    input = text;
    const { code, complained } = await revoke('old', answer);
    expect([code, complained]).toEqual([
      1,
      expect.stringMatching(/^recovery.key (?:contains|doesn't contain) /),
    ]);
    expect(received.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('refuses to revoke the recovery key that it is given, since the new key would not be shown', async () => {
    input = JSON.stringify(exportPrivateJwk(pair));
    const { code, complained } = await revoke(pair.kid, { keys });
    expect([code, complained]).toEqual([2, expect.stringContaining('leave it out')]);
    expect(received.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test("signs the home's answer, and reports the revocation when it cannot sign", async () => {
    input = JSON.stringify(exportPrivateJwk(pair));
    const revoked = { key: { kid: 'old' }, replaced_by: { kid: 'new' } };
    const signed = await revoke('old', { keys }, revoked, { document: { v: 1 } }, {});
    expect([signed.code, signed.printed]).toEqual([0, expect.stringContaining('Signed the new document')]);
    expect(received.map(({ path }) => path.split('/').at(-1))).toEqual([
      'keys',
      'revoke',
      'recover',
      'recover',
    ]);
    expect(received[3]?.body).toMatchObject({ document: { v: 1, signatures: expect.anything() } });

    const unsigned = await revoke(
      'old',
      { keys },
      revoked,
      Response.json({ error: 'later' }, { status: 503 }),
    );
    expect([unsigned.code, unsigned.complained]).toEqual([
      1,
      'the key is revoked, but the document is not signed with the recovery key yet: request refused (503): later',
    ]);
    expect(unsigned.printed).toContain('Revoked key old.\nIt is replaced by new.\nNow sign the new document');
  });
});

describe('hearth home', () => {
  const kid = 'k'.repeat(43);
  const other = {
    home: 'other.example',
    policy: 'unset',
    talks: true,
    status: 'key_change',
    doc_seq: 7,
    valid_until: '2026-03-03T12:00:00Z',
    failure: 'no known key\u001b[2J signed it',
    keys: [],
    waiting: {
      since: '2026-03-02T11:00:00Z',
      taken_at: '2026-03-09T11:00:00Z',
      doc_seq: 9,
      keys: [{ kid, uses: ['record'], status: 'active', not_before: '2026-03-01T00:00:00Z' }],
    },
  };

  test('show lists pending changes and how they are accepted', async () => {
    const { code, printed } = await hearth(['home', 'show', 'other.example'], other);
    expect([code, received]).toEqual([
      0,
      [{ method: 'GET', path: '/v0/admin/homes/other.example', body: undefined }],
    ]);
    expect(printed).toContain('no known key[2J signed it');
    expect(printed).toContain('it will be accepted automatically at 2026-03-09 11:00Z');
    expect(printed).toContain('hearth home accept-key other.example <kid>');
    expect(printed).toContain(kid);
  });

  test.each([
    [['list', '--status', 'key_change'], 'GET', '?status=key_change&limit=100', undefined],
    [['allow', 'localhost:8081'], 'POST', '/localhost%3A8081/policy', { mode: 'allowed' }],
    [['allow', 'a.example', '--unset'], 'POST', '/a.example/policy', { mode: 'unset' }],
    [['limit', 'a.example', '--reason', 'x'], 'POST', '/a.example/policy', { mode: 'limited', reason: 'x' }],
    [['block', 'a.example'], 'POST', '/a.example/policy', { mode: 'denied' }],
    [['refetch', 'a.example'], 'POST', '/a.example/refetch', {}],
    [['accept-key', 'a.example', kid], 'POST', '/a.example/accept-key', { kid }],
    [['begin-anew', 'a.example'], 'POST', '/a.example/begin-anew', {}],
  ])('%j', async (line, method, path, body) => {
    const { code } = await hearth(['home', ...line], { ...other, homes: [other], next_cursor: null });
    expect([code, received]).toEqual([0, [{ method, path: `/v0/admin/homes${path}`, body }]]);
  });

  test('check prints each step, and exits with 1 when a step fails', async () => {
    const checks = [
      { what: 'name', good: true, words: 'a.example is a name of a home' },
      { what: 'tls', good: false, words: 'a.example has no certificate that holds for its name' },
    ];
    const { code, printed, complained } = await hearth(['home', 'check', 'a.example'], { checks });
    expect(code).toBe(1);
    expect(printed).toMatch(/^ok {4}name .*\nFAIL {2}tls .*certificate/);
    expect(complained).toContain('tls');
  });
});

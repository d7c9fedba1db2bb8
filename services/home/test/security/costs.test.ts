import { afterAll, describe, expect, test } from '@jest/globals';
import { startWholeHome } from '../support/whole-home.ts';

/** The cost of a single request by its content, with all rate limits lifted. */

const whole = await startWholeHome({ logLevel: 'error' });
const robin = await whole.signUp({ name: 'Robin' });
afterAll(() => whole.stop());

const mostMs = 800;

/**
 * Runs `work` within at most `mostMs` of processor time, home and client together. It has three tries, because the
 * process also collects garbage of earlier tests.
 */
async function expectCheap(work: () => Promise<void>): Promise<void> {
  const used: number[] = [];
  while (used.length < 3) {
    const { user: before } = process.cpuUsage();
    await work();
    used.push((process.cpuUsage().user - before) / 1_000);
    if (used.at(-1)! < mostMs) return;
  }
  throw new Error(`it took ${used.join(', ')} ms of processor time; the most is ${mostMs} ms`);
}

describe('a text that is expensive to clean', () => {
  const size = 60_000;
  const fill = (unit: string) => unit.repeat(Math.floor(size / Buffer.byteLength(unit)));
  const fields: [string, string, (text: string) => object][] = [
    ['POST', '/v0/messages', (text) => ({ to: robin.address, text })],
    ['POST', '/v0/messages', (title) => ({ to: robin.address, title, text: 'x' })],
    ['POST', '/v0/agents', (name) => ({ name })],
    ['POST', '/v0/agents', (description) => ({ name: 'x', description })],
    ['PUT', '/v0/me/description', (text) => ({ text })],
    ['PUT', '/v0/me/away', (note) => ({ until: '2999-01-01T00:00:00Z', note })],
  ];
  test.each([
    ['marks on one letter', `a${fill('\u0301\u0323')}`],
    ['marks that fall apart', fill('\u0f73')],
    ['marks with hidden characters between', `a${fill('\u0301\u200b\u0323')}`],
    ['joiners', `a${fill('\u200d')}`],
    ['families of joined emoji', fill('👩\u200d')],
    ['spaces', fill(' ')],
    ['spaces of every kind', fill('a\u00a0\u2003')],
    ['line ends', fill('\r\n\u2028')],
    ['what looks like links', fill('a.xn--a-')],
    ['ligatures', fill('\ufdfa')],
    ['hyphens', fill('-')],
  ])('%s: is answered quickly', async (_, text) => {
    // The longest text that is cleaned at all is slightly over four times the field's limit.
    for (const part of [text, text.slice(0, 32_900), text.slice(0, 1_100)]) {
      for (const [method, path, body] of fields) {
        await expectCheap(async () => {
          expect((await robin.request(method, path, body(part))).status).toBeLessThan(500);
        });
      }
    }
  });
});

describe('a body that is expensive to parse', () => {
  const size = 60_000;
  test.each([
    ['brackets', '['.repeat(size / 2) + ']'.repeat(size / 2)],
    ['objects', `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`],
    ['members', `{${Array.from({ length: size / 12 }, (_, index) => `"m${index}":1`).join(',')}}`],
    [
      'members of what is passed on',
      `{"data":{${Array.from({ length: 1_500 }, (_, index) => `"m${index}":1`)}},"text":"x"}`,
    ],
    [
      'numbers of what is passed on',
      `{"data":{"a":[${Array.from({ length: 2_500 }, () => '1e308')}]},"text":"x"}`,
    ],
    ['depths of what is passed on', `{"data":${'{"a":'.repeat(40)}1${'}'.repeat(40)},"text":"x"}`],
    ['digits', `{"text":${'9'.repeat(size)}}`],
    ['a fraction', `{"text":0.${'9'.repeat(size)}e-999999}`],
    ['escapes', `{"text":"${'\\u0301'.repeat(size / 6 - 10)}"}`],
    ['backslashes', `{"text":"${'\\'.repeat(size)}`],
    ['__proto__', '{"text":"x","__proto__":{"owner":"me"},"constructor":{"prototype":{"owner":"me"}}}'],
    ['__proto__ in what is passed on', '{"text":"x","data":{"__proto__":{"owner":"me"}}}'],
    ['a name that is near many', `{"${'txet_'.repeat(size / 6)}":1}`],
    ['names that are near many', `{${Array.from({ length: 5_000 }, (_, index) => `"txt${index}":1`)}}`],
  ])('%s: is refused or accepted quickly, and changes no prototype', async (_, body) => {
    await expectCheap(async () => {
      const reply = await robin.post('/v0/messages', body);
      expect(reply.status).toBeLessThan(500);
      expect(JSON.stringify(reply.body).length).toBeLessThan(70_000);
    });
    expect(({} as Record<string, unknown>)['owner']).toBeUndefined();
  });

  test('a refused value is not echoed in full', async () => {
    const long = 'x'.repeat(50_000);
    for (const body of [
      { [long]: 1 },
      { text: 'x', request_kind: long },
      { text: 'x', thread: long },
      { text: 'x', to: long },
    ]) {
      const reply = await robin.post('/v0/messages', body);
      expect(reply.status).toBe(400);
      expect(JSON.stringify(reply.body).length).toBeLessThan(1_500);
    }
  });
});

describe('a head that is expensive to parse', () => {
  test.each<[string, string, Record<string, string>]>([
    ['a query of many parameters', `/v0/messages?${'a=1&'.repeat(2_000)}`, {}],
    ['a query of escapes', `/v0/messages?from=${'%CC%81'.repeat(1_500)}`, {}],
    ['a path of many parts', `/v0/${'a/'.repeat(5_000)}`, {}],
    ['a path of escapes', `/v0/cards/${'%2F'.repeat(4_000)}`, {}],
    ['a list of tags', '/v0/limits', { 'if-none-match': 'W/"a",'.repeat(2_000) }],
    ['a key of spaces', '/v0/me', { authorization: `Bearer ${' '.repeat(12_000)}=` }],
    ['a type of spaces', '/v0/me', { 'content-type': `application/json${' '.repeat(12_000)}x` }],
    ['a trace', '/v0/limits', { traceparent: '0'.repeat(8_000), tracestate: 'a=b,'.repeat(1_500) }],
  ])('%s: is answered quickly', async (_, path, headers) => {
    await expectCheap(async () => {
      expect((await robin.get(path, headers)).status).toBeLessThan(500);
    });
  });
});

describe('a record that is expensive to verify', () => {
  const anyone = whole.api();
  const header = (more: object) =>
    Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'svc-record+jws', ...more })).toString('base64url');
  const signed = (members: string, more: object = { kid: 'x'.repeat(43) }) =>
    `{"v":1,"home":"${new URL(whole.site).host}","signature":{"protected":"${header(more)}","signature":"${'A'.repeat(86)}"},${members}}`;
  const list = (unit: string, count: number) =>
    `"x":[${Array.from({ length: count }, () => unit).join(',')}]`;
  const members = (count: number, name: (index: number) => string, value = '1') =>
    Array.from({ length: count }, (_, index) => `"${name(index)}":${value}`).join(',');
  /** As wide as 128 KiB allow, or just below the limits of values and depth. */
  const records = [
    signed(list('{}', 43_000)),
    signed(list('{}', 8_000)),
    signed(list('[]', 8_000)),
    signed(list('null', 8_000)),
    signed(list('1.7976931348623157e308', 5_500)),
    signed(list('-0', 8_000)),
    signed(members(11_000, (index) => `member${index}`)),
    signed(members(8_000, (index) => `m${index}`)),
    signed(members(8_000, (index) => String.fromCodePoint(0x4e00 + index))),
    signed(members(8_000, (index) => `z${8_000 - index}`, '{}')),
    signed(`"x":{${members(8_000, (index) => 'y'.repeat(index % 12) + index)}}`),
    signed(`"x":"${'é'.repeat(60_000)}"`),
    signed(`"x":"${'\\u0001'.repeat(20_000)}"`),
    signed(`"x":"${'\\ud83d\\ude00'.repeat(9_000)}"`),
    signed(`"x":${'['.repeat(28)}${Array.from({ length: 4_000 }, () => '1').join(',')}${']'.repeat(28)}`),
    signed(`"x":${'{"a":'.repeat(28)}"${'b'.repeat(100_000)}"${'}'.repeat(28)}`),
    signed(
      `"co_signatures":[${Array.from({ length: 600 }, () => `{"protected":"${header({})}","signature":"${'A'.repeat(86)}"}`).join(',')}]`,
    ),
    signed('"x":1', { kid: 'x'.repeat(90_000) }),
    signed(`"x":1`, { crit: Array.from({ length: 4_000 }, (_, index) => `c${index}`) }),
    `{"signature":${'"x"'.padEnd(100_000, ' ')}}`,
  ];

  test('the 20 most expensive records take less than a second of CPU time together', async () => {
    expect(records).toHaveLength(20);
    const statuses = new Set<number>();
    const work = async () => {
      for (const record of records) {
        const reply = await anyone.request('POST', '/v0/verify', `{"record":${record}}`);
        statuses.add(reply.status);
      }
    };
    // One-time compilation is not charged to a request.
    await work();
    const used: number[] = [];
    do {
      const { user: before } = process.cpuUsage();
      await work();
      used.push((process.cpuUsage().user - before) / 1_000);
    } while (used.at(-1)! >= 1_000 && used.length < 3);
    expect(Math.min(...used)).toBeLessThan(1_000);
    expect([...statuses].sort()).toEqual([200, 400, 413]);
  });
});

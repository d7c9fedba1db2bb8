import type { IncomingMessage } from 'node:http';
import { create } from '@bufbuild/protobuf';
import { manualClock } from '@hearth/clock';
import { forbidden, unauthenticated, unavailable } from '@hearth/errors';
import { createLanguage, createLanguages, english } from '@hearth/i18n';
import { createIds, systemRandom } from '@hearth/ids';
import { CallerSchema, Via } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { createSealer } from '@hearth/sealing';
import { describe, expect, test } from '@jest/globals';
import { createNetwork } from '../http/module.ts';
import { createSessions, type Sessions } from './module.ts';

const clock = manualClock('2026-03-01T12:00:00.000Z');
const ids = createIds(clock, systemRandom);
const sealer = createSealer(Buffer.from(systemRandom.bytes(32)).toString('base64url'), systemRandom);
const token = `hearth_ps_${'a'.repeat(43)}`;
const otherToken = `hearth_ps_${'b'.repeat(43)}`;
const keyOfAi = `hearth_ps_${'c'.repeat(43)}`;
const endedToken = `hearth_ps_${'d'.repeat(43)}`;
const brokenToken = `hearth_ps_${'e'.repeat(43)}`;
const germanToken = `hearth_ps_${'g'.repeat(43)}`;
const suspendedToken = `hearth_ps_${'f'.repeat(43)}`;

const seen: unknown[] = [];

function sessionsAt(siteUrl: string): Sessions {
  const about = { kind: CallerKind.PERSON, id: 'p', session: 's', address: '@ada' };
  const person = create(CallerSchema, about);
  const known = new Map([
    [token, person],
    [otherToken, person],
    [germanToken, create(CallerSchema, { ...about, language: 'de-CH' })],
    [keyOfAi, create(CallerSchema, { kind: CallerKind.AI, id: 'a' })],
  ]);
  return createSessions({
    credentials: {
      async resolve(given) {
        if (given === brokenToken) throw unavailable('identity does not answer');
        const caller = known.get(given);
        if (given === endedToken) throw forbidden('no');
        if (given === suspendedToken) throw forbidden('threats', { code: 'suspended' });
        if (caller === undefined) throw unauthenticated('no');
        return { digest: given, key: given, caller };
      },
    },
    network: createNetwork(),
    floods: { check() {}, price() {} },
    lastSeen: { note: (_, __, place) => seen.push(place) },
    sealer,
    ids,
    clock,
    languages: createLanguages([english, createLanguage('de', {}, english)], english),
    siteUrl,
  });
}

function request(cookie?: string, headers: Record<string, string> = {}): IncomingMessage {
  return {
    headers: { ...(cookie !== undefined && { cookie }), ...headers },
    socket: { remoteAddress: '203.0.113.9' },
  } as unknown as IncomingMessage;
}

const local = sessionsAt('http://localhost:8080');
const open = sessionsAt('https://hearth.example');

describe('the person behind a cookie', () => {
  test('is known, and calls over the web from their network', async () => {
    expect(await local.callerOf(request(`a=b; hearth_session=${token}`))).toMatchObject({
      id: 'p',
      via: Via.WEB,
      network: '203.0.113.0/24',
    });
  });

  test('is noted, with the browser and network that they are at', async () => {
    const headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    await local.visit(request(`hearth_session=${token}`, headers));
    expect(seen.at(-1)).toEqual({ device: 'Firefox on Linux', network: '203.0.113.0/24' });
  });

  test.each([
    ['no cookie', undefined],
    ['another cookie', `session=${token}`],
    ['an unknown token', `hearth_session=hearth_ps_${'z'.repeat(43)}`],
    ['an ended session', `hearth_session=${endedToken}`],
    ['no token', 'hearth_session=1'],
    ["an AI's key", `hearth_session=hearth_ai_${'c'.repeat(43)}`],
    ['a token that is nobody’s session', `hearth_session=${keyOfAi}`],
  ])('is a visitor with %s', async (_, cookie) => {
    expect(await local.callerOf(request(cookie))).toBeNull();
  });

  test('is in a __Host- cookie under https', async () => {
    expect(await open.callerOf(request(`hearth_session=${token}`))).toBeNull();
    expect(await open.callerOf(request(`__Host-hearth_session=${token}`))).toMatchObject({ id: 'p' });
    expect(open.begin(token, clock.now() + 60_000)).toEqual([
      'Set-Cookie',
      `__Host-hearth_session=${token}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60`,
    ]);
    expect(local.begin(token, clock.now() + 60_000)[1]).not.toContain('Secure');
  });

  test('is a visitor while their account is suspended, with the reason', async () => {
    const cookie = `hearth_session=${suspendedToken}`;
    expect(await local.callerOf(request(cookie))).toBeNull();
    const visit = await local.visit(request(cookie));
    expect(visit).toMatchObject({ person: null, suspended: { message: 'threats' } });
  });

  test('is not taken for a visitor while identity is unavailable', async () => {
    await expect(local.callerOf(request(`hearth_session=${brokenToken}`))).rejects.toThrow('does not answer');
  });
});

test("a visitor's language is that of their account, then of their browser, and services are told", async () => {
  const german = { 'accept-language': 'de-AT' };
  const read = async (cookie: string | undefined, headers: Record<string, string>) => {
    const { caller, language } = await local.visit(request(cookie, headers));
    expect(caller.language).toBe(language.tag);
    return language.tag;
  };
  expect(await read(undefined, german)).toBe('de');
  expect(await read(`hearth_session=${token}`, german)).toBe('de');
  expect(await read(`hearth_session=${token}`, {})).toBe('en-GB');
  expect(await read(`hearth_session=${germanToken}`, { 'accept-language': 'en' })).toBe('de');
});

describe('a form', () => {
  test('of one browser is refused in another, signed in or not', async () => {
    const mine = await local.visit(request(`hearth_session=${token}`));
    const other = await local.visit(request(`hearth_session=${otherToken}`));
    const visitor = await local.visit(request());
    expect(local.isOurForm(request(), mine, mine.csrf)).toBe(true);
    for (const wrong of [other.csrf, visitor.csrf, '', `${mine.csrf}x`, mine.csrf.slice(1), undefined]) {
      expect(local.isOurForm(request(), mine, wrong)).toBe(false);
    }
  });

  test('of a visitor uses a cookie that is set once', async () => {
    const first = await local.visit(request());
    const [name, cookie] = first.headers;
    expect(name).toBe('Set-Cookie');
    const again = await local.visit(request(cookie!.split(';')[0]));
    expect(again).toMatchObject({ person: null, csrf: first.csrf, headers: [] });
    const stranger = await local.visit(request());
    expect(stranger.csrf).not.toBe(first.csrf);
  });

  test('from another site is refused, whatever it contains', async () => {
    const visit = await local.visit(request(`hearth_session=${token}`));
    const from = (site: string) =>
      local.isOurForm(request(undefined, { 'sec-fetch-site': site }), visit, visit.csrf);
    expect([from('same-origin'), from('none'), from('same-site'), from('cross-site')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('does not survive a sign-in: earlier tokens are refused', async () => {
    const before = await local.visit(request());
    const cookie = before.headers[1]!.split(';')[0];
    const after = await local.visit(request(`${cookie}; hearth_session=${token}`));
    expect(local.isOurForm(request(), after, before.csrf)).toBe(false);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@hearth/testkit';
import { apiClient, startHomeInProcesses } from '@hearth/testkit/home';
import { webVisitor } from '@hearth/testkit/web-visitor';
import { afterAll, expect, test } from '@jest/globals';
import {
  agree,
  answerOf,
  authorizationRequest,
  exchange,
  giveBack,
  type Program,
  refresh,
  refusal,
  register,
} from './support/oauth-client.ts';

/** Sign-ins, also for a program, where every service runs twice and each request reaches another gateway. */

const home = await startHomeInProcesses({ topology: 'split', env: { HEARTH_LIMITS: 'relaxed' } });

afterAll(() => home.stop(), 60_000);

function newestCode(email: string): string | undefined {
  const folder = join(home.dataFolder, 'mail');
  const texts = readdirSync(folder)
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .filter((text) => text.includes(email));
  const [, first, second] = /^ *(\d{3}) (\d{3})\s*$/m.exec(texts.at(-1) ?? '') ?? [];
  return first === undefined ? undefined : `${first}${second}`;
}

test('a sign-in that began at one gateway continues at any other', async () => {
  const [site = ''] = home.urls;
  const email = 'ada@example.com';
  const ada = webVisitor(site, home.urls);
  const entered = await ada.send(await ada.open('/in'), '/in/email', { email });
  expect(entered.status).toBe(200);
  const code = await eventually(() => newestCode(email));
  const account = await ada.send(entered, '/in/code', { code });
  await ada.send(account, '/in/account', {
    name: 'Ada Lovelace',
    birth_month: '12',
    birth_year: '1990',
    time_zone: 'Europe/London',
  });

  const registered = await register(site);
  const programs = home.urls.map((url): Program => {
    const at = (path: string) => `${url}${path}`;
    const server = {
      ...registered.server,
      token_endpoint: at('/oauth/token'),
      revocation_endpoint: at('/oauth/revoke'),
    };
    return { ...registered, server };
  });
  const [one, two] = [programs[0]!, programs.at(-1)!];
  for (const [first, second] of [
    [one, two],
    [two, one],
  ] as const) {
    const request = await authorizationRequest(one, { scope: 'read message' });
    const page = await ada.open(request.url);
    expect(page.status).toBe(200);
    const done = await agree(ada, page, { new_name: 'Helper' });
    const tokens = await exchange(first, answerOf(one, done, request), request);
    for (const url of home.urls)
      expect((await apiClient([url], tokens.access_token).get('/v0/me')).status).toBe(200);
    const refreshAt = (program: Program) => refresh(program, tokens.refresh_token!);
    const [next, same] = await Promise.all([refreshAt(second), refreshAt(first)]);
    expect([same, await refreshAt(first)]).toEqual([next, next]);
    // The others hear within moments that it has ended, and refresh within a minute anyway.
    await giveBack(first, next.refresh_token!);
    for (const url of home.urls)
      for (const token of [tokens.access_token, next.access_token])
        await eventually(async () => (await apiClient([url], token).get('/v0/me')).status === 401);
    expect(await refusal(refresh(second, next.refresh_token!))).toBe('invalid_grant');
  }

  const token = ada.cookie('hearth_session')!;
  await ada.send(await ada.open('/ais'), '/out');
  for (const url of home.urls)
    await eventually(async () => (await apiClient([url], token).get('/v0/me')).status === 401);
}, 180_000);

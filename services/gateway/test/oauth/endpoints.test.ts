import { HearthError, internal, unavailable } from '@hearth/errors';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import { eventually, fake } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { ask } from '../support/request.ts';
import { useGateways } from '../support/use-gateways.ts';

const start = useGateways();

const siteUrl = 'https://hearth.example';
const env = { HEARTH_HOME: 'hearth.example', HEARTH_SITE_URL: siteUrl };

/** An identity service that only stores the authorization server's objects. */
function keeping() {
  const kept = new Map<string, string>();
  const keyOf = ({ model, idHash }: { model: string; idHash: Uint8Array }) =>
    `${model} ${Buffer.from(idHash).toString('hex')}`;
  return fake(OAuthService, {
    putObject: async (request) => {
      kept.set(keyOf(request), request.payload);
      return {};
    },
    findObject: async (request) => ({ payload: kept.get(keyOf(request)) }),
  });
}

const failing = (error: HearthError) =>
  fake(OAuthService, {
    putObject: () => Promise.reject(error),
    findObject: () => Promise.reject(error),
  });

const registration = { client_name: 'Program', redirect_uris: ['https://program.example/callback'] };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const authorize = (clientId: string) =>
  `/oauth/authorize?response_type=code&client_id=${clientId}&redirect_uri=https%3A%2F%2Fprogram.example%2Fcallback` +
  '&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=s';

describe('the documents of the authorization server', () => {
  test('name the site, however a request arrived', async () => {
    const gateway = await start({ env });
    for (const path of ['', '/mcp']) {
      const { json, status } = await ask(gateway.url, `/.well-known/oauth-authorization-server${path}`, {
        headers: { 'x-forwarded-host': 'evil.example' },
      });
      expect(status).toBe(200);
      expect(json).toMatchObject({ issuer: siteUrl, token_endpoint: `${siteUrl}/oauth/token` });
      expect(JSON.stringify(json)).not.toContain('evil');
    }
    for (const path of ['', '/v0', '/mcp']) {
      const { json } = await ask(gateway.url, `/.well-known/oauth-protected-resource${path}`);
      expect(json).toEqual({
        resource: `${siteUrl}${path}`,
        authorization_servers: [siteUrl],
        scopes_supported: ['read', 'notes', 'message', 'group', 'invite', 'approve'],
        bearer_methods_supported: ['header'],
        resource_documentation: `${siteUrl}/llms.txt`,
      });
      const slashed = await ask(gateway.url, `/.well-known/oauth-protected-resource${path}/`);
      expect(slashed.json).toMatchObject({ resource: `${siteUrl}${path}/` });
    }
  });

  test('can be read by any page; registration and tokens only by pages of allowed origins', async () => {
    const origin = 'https://inspector.example';
    const gateway = await start({ env: { ...env, HEARTH_MCP_ORIGINS: origin }, fakes: [keeping()] });
    const call = (method: string, path: string, from: string, more: object = {}) =>
      ask(gateway.url, path, { method, headers: { origin: from }, ...more });
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/v0/openapi.json',
      '/llms.txt',
    ]) {
      const preflight = await call('OPTIONS', path, 'https://any.example');
      expect([path, preflight.status, preflight.headers]).toMatchObject([
        path,
        204,
        {
          'access-control-allow-origin': '*',
          'access-control-allow-headers': expect.stringContaining('MCP-Protocol-Version'),
        },
      ]);
      const { headers } = await call('GET', path, 'https://any.example');
      expect([path, headers]).toMatchObject([path, { 'access-control-allow-origin': '*' }]);
    }
    expect((await call('GET', '/', origin)).headers).not.toHaveProperty('access-control-allow-origin');
    for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
      const preflight = await call('OPTIONS', path, origin);
      expect([path, preflight.status, preflight.headers]).toMatchObject([
        path,
        204,
        { 'access-control-allow-origin': origin, 'access-control-allow-methods': 'POST' },
      ]);
      const { headers } = await call('POST', path, origin);
      expect([path, headers]).toMatchObject([path, { 'access-control-allow-origin': origin }]);
      for (const method of ['OPTIONS', 'POST']) {
        const refused = await call(method, path, 'https://any.example');
        expect(refused.status).toBeGreaterThanOrEqual(400);
        expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
      }
    }
    const registered = await call('POST', '/oauth/register', origin, {
      headers: { origin, 'content-type': 'application/json' },
      body: { ...registration, token_endpoint_auth_method: 'none' },
    });
    expect(registered).toMatchObject({ status: 201, headers: { 'access-control-allow-origin': origin } });
    const token = await call('POST', '/oauth/token', origin, {
      headers: { ...form, origin },
      body: `grant_type=authorization_code&code=x&redirect_uri=x&client_id=${registered.json['client_id']}`,
    });
    expect(token).toMatchObject({
      status: 400,
      json: { error: 'invalid_grant' },
      headers: { 'access-control-allow-origin': origin },
    });
  });

  test('mention only what exists', async () => {
    const gateway = await start({ env });
    for (const path of [
      '/.well-known/openid-configuration',
      '/jwks',
      '/userinfo',
      '/oauth/introspect',
      '/session/end',
    ]) {
      expect((await ask(gateway.url, path)).status).toBe(404);
    }
  });
});

describe('a request of a program', () => {
  test('leads to pages of the site, with cookies only for https', async () => {
    const gateway = await start({ env, fakes: [keeping(), fake(SignInService, {})] });
    const { json } = await ask(gateway.url, '/oauth/register', { body: registration });
    const { status, headers } = await ask(gateway.url, authorize(String(json['client_id'])), {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    });
    expect(status).toBe(303);
    expect(headers['location']).toMatch(/^(https:\/\/hearth\.example)?\/oauth\/interaction\/[\w-]+$/);
    const cookies = headers['set-cookie'] as unknown as string[];
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; secure; httponly/i);
      expect(cookie).toMatch(/^__Secure-|^__Host-[^;]+;(?: expires=[^;]+;)? path=\/;/);
    }
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    for (const path of ['/v0/limits', '/v0/nothing', '/mcp'])
      expect((await ask(gateway.url, path)).headers['strict-transport-security']).toBe('max-age=31536000');
    expect(cookies.join()).not.toContain('evil');
    const { status: page } = await ask(gateway.url, headers['location']!.replace(siteUrl, ''), {
      headers: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') },
    });
    expect(page).toBe(303);
  });

  test('and any other gets Strict-Transport-Security, even if it is refused', async () => {
    const gateway = await start({
      env: { ...env, HEARTH_LIMITS: '{"unproven_requests_a_minute": 4}' },
    });
    const statusOf = async (path: string, host = 'hearth.example') => {
      const { status, headers } = await ask(gateway.url, path, { headers: { host } });
      expect([path, headers['strict-transport-security']]).toEqual([path, 'max-age=31536000']);
      return status;
    };
    expect(await statusOf('/v0/limits')).toBe(200);
    for (const path of ['/v0/nothing', '/../x']) expect(await statusOf(path)).toBeGreaterThanOrEqual(400);
    expect(await statusOf('/', 'elsewhere.example')).toBeGreaterThanOrEqual(400);
    await eventually(async () => (await statusOf('/v0/nothing')) === 429);
  });

  test('to register returns the requested values, without OpenID Connect', async () => {
    const gateway = await start({ env, fakes: [keeping()] });
    const register = async (more: object) =>
      (await ask(gateway.url, '/oauth/register', { body: { ...registration, ...more } })).json;
    const asked = {
      token_endpoint_auth_method: 'none',
      subject_type: 'public',
      client_uri: 'https://x.example',
    };
    expect(await register({ ...asked, scope: 'message read openid nonsense offline_access' })).toEqual({
      ...registration,
      application_type: 'web',
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_uri: 'https://x.example',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      require_pushed_authorization_requests: false,
      scope: 'read message offline_access',
      token_endpoint_auth_method: 'none',
    });
    expect(await register({})).not.toHaveProperty('scope');
  });

  test('to register is accepted ten times a day from one network', async () => {
    const gateway = await start({ env, fakes: [keeping()] });
    const register = () => ask(gateway.url, '/oauth/register', { body: registration });
    for (let count = 1; count <= 10; count += 1) expect((await register()).status).toBe(201);
    const refused = await register();
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ error: 'temporarily_unavailable' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
  });

  test('is counted by network', async () => {
    const limits = { HEARTH_LIMITS: '{"oauth_requests_a_minute": 10}' };
    // Five points each.
    const gateway = await start({ env: { ...env, ...limits }, fakes: [keeping()] });
    const send = (path: string, asking = {}) => ask(gateway.url, path, asking);
    await send('/oauth/token', { method: 'POST', body: '', headers: form });
    await send('/oauth/revoke', { method: 'POST', body: '', headers: form });
    const refused = await send('/oauth/token', { method: 'POST', body: '', headers: form });
    expect(refused).toMatchObject({ status: 429, json: { error: 'temporarily_unavailable' } });
    const page = await send(authorize('x'));
    expect(page.status).toBe(429);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('Too many attempts');
  });

  test.each([
    ['identity does not answer', unavailable('identity does not answer'), 503, 'temporarily_unavailable'],
    ['identity is slow', new HearthError('deadline_exceeded', 'too slow'), 503, 'temporarily_unavailable'],
    ['something is wrong inside', internal('a secret detail'), 500, 'server_error'],
  ])('while %s gets only that error', async (_, error, status, word) => {
    const gateway = await start({ env, fakes: [failing(error)] });
    const token = await ask(gateway.url, '/oauth/token', {
      method: 'POST',
      body: 'grant_type=refresh_token&refresh_token=x&client_id=known',
      headers: form,
    });
    expect(token).toMatchObject({ status, json: { error: word } });
    const registered = await ask(gateway.url, '/oauth/register', { body: registration });
    expect(registered).toMatchObject({ status, json: { error: word } });
    const page = await ask(gateway.url, authorize('known'));
    expect(page.status).toBe(status);
    expect(page.headers['content-type']).toContain('text/html');
    for (const { text } of [token, registered, page]) expect(text).not.toContain('secret detail');
  });

  test('to register with a body that is too large, or none, is refused', async () => {
    const gateway = await start({ env, fakes: [keeping()] });
    for (const body of [`{"client_name":"${'x'.repeat(70_000)}"}`, '[]', 'null', '{', '']) {
      const { status, json } = await ask(gateway.url, '/oauth/register', { method: 'POST', body });
      expect(status).toBe(400);
      expect(json).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/) });
    }
  });

  test('from a page of another site gets an answer that the page cannot read', async () => {
    const gateway = await start({ env, fakes: [keeping()] });
    const headers = { ...form, origin: 'https://evil.example' };
    const answer = await ask(gateway.url, '/oauth/token', { method: 'POST', body: 'client_id=x', headers });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

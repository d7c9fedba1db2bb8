import { setTimeout as sleep } from 'node:timers/promises';
import { signInByEmail, webVisitor, wordsOf } from '@hearth/testkit/web-visitor';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import {
  type AskedFor,
  agree,
  answerOf,
  authorizationRequest,
  connect,
  discover,
  errorOf,
  exchange,
  giveBack,
  insecure,
  type Program,
  refresh,
  refusal,
  register,
  startDocumentSite,
} from './support/oauth-client.ts';
import { startWholeHome } from './support/whole-home.ts';

/** Programs that sign people in, seen from outside: with a third-party OAuth client, and a browser without scripts. */

const documents = await startDocumentSite();
const home = await startWholeHome({ env: { HEARTH_DEV_CALLBACKS: documents.origin } });
const { site } = home;
const ada = await home.signIn('ada@example.com');
const program = await register(site);

afterAll(async () => {
  await home.stop();
  await documents.stop();
});

const api = (token: string) => home.api(token);

/** A program sends Ada to the home; she is on its page. */
async function asked(by: Program = program, wanted?: AskedFor) {
  const request = await authorizationRequest(by, wanted);
  return { request, page: await ada.open(request.url) };
}

describe('a program', () => {
  test('finds out how to sign people in', async () => {
    const server = await discover(site);
    expect(server).toMatchObject({
      issuer: site,
      scopes_supported: ['read', 'notes', 'message', 'group', 'invite', 'approve', 'offline_access'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      response_types_supported: ['code'],
    });
    for (const path of ['', '/v0', '/mcp']) {
      const resource = new URL(`${site}${path}`);
      const answer = await oauth.resourceDiscoveryRequest(resource, insecure);
      const found = await oauth.processResourceDiscoveryResponse(resource, answer).catch((error) => error);
      // The library adds a slash to an address without a path.
      if (path !== '')
        expect(found).toMatchObject({ resource: `${site}${path}`, authorization_servers: [site] });
      else expect(found.cause?.body ?? found).toMatchObject({ authorization_servers: [site] });
    }
  });

  test('is pointed to the metadata by a call without a token', async () => {
    const { status, headers } = await home.api().get('/v0/me');
    expect(status).toBe(401);
    const challenge = headers.get('www-authenticate');
    expect(challenge).toContain(`resource_metadata="${site}/.well-known/oauth-protected-resource`);
    expect(challenge).toContain('scope="read"');
  });

  test('gets a token from a person who consents, and acts as their AI', async () => {
    const { request, page } = await asked(program, { scope: 'read message offline_access' });
    expect(page.status).toBe(200);
    expect(wordsOf(page)).toContain('Connect Program?');
    expect(wordsOf(page)).toContain('program.example');
    const done = await agree(ada, page, { new_name: 'My helper' });
    const parameters = answerOf(program, done, request);
    expect(parameters.get('iss')).toBe(site);
    const tokens = await exchange(program, parameters, request);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3_600, scope: 'read message' });
    expect(tokens.refresh_token).toEqual(expect.any(String));
    expect(tokens['id_token']).toBeUndefined();
    expect(tokens['ai']).toEqual({
      id: expect.stringMatching(/^ai_[0-9a-f]{32}$/),
      address: '@ada-lovelace.ai-my-helper',
      name: 'My helper',
    });
    const me = await api(tokens.access_token).get('/v0/me');
    expect(me).toMatchObject({
      status: 200,
      body: { address: '@ada-lovelace.ai-my-helper', permissions: ['read', 'message'] },
    });
  });

  test('gets the selected scopes and nothing else', async () => {
    const tokens = await connect(
      program,
      ada,
      { scope: 'read message notes' },
      { scope: ['read', 'approve', 'group'] },
    );
    expect(tokens.scope).toBe('read');
    const { status, headers, body } = await api(tokens.access_token).put('/v0/me/description', {
      text: 'Hello',
    });
    expect({ status, body }).toMatchObject({ status: 403 });
    expect(headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(headers.get('www-authenticate')).toContain('scope="message"');
  });

  test('that requests no scope is offered the default ones', async () => {
    const { page } = await asked();
    expect(page.text.match(/name="scope" value="[a-z]+"/g)).toHaveLength(2);
  });

  test('that requests unknown scopes only is told so', async () => {
    const { request, page } = await asked(program, { scope: 'fly' });
    expect(errorOf(program, page, request)).toEqual('invalid_scope');
  });

  test.each(['\u0000', 'a\u0000b'])(
    'that sends invalid text (%j) is refused without a fault',
    async (text) => {
      const { url } = await authorizationRequest(program);
      const strange = new URL(url);
      strange.searchParams.set('state', text);
      const asking = await fetch(strange, { redirect: 'manual' });
      expect(asking.status).toBeLessThan(500);
      expect(asking.headers.get('location') ?? '').not.toContain('/oauth/interaction/');
      const body = JSON.stringify({
        ...{ client_name: 'P', redirect_uris: ['https://p.example/'], token_endpoint_auth_method: 'none' },
        software_id: text,
      });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${site}/oauth/register`, { method: 'POST', headers, body });
      expect(answer.status).toBe(400);
    },
  );

  test('acts as an existing AI of the person', async () => {
    const made = await connect(program, ada, {}, { new_name: 'Steady' });
    const { id, address } = made['ai'] as { id: string; address: string };
    const tokens = await connect(program, ada, { scope: 'read' }, { speaker: id, scope: 'read' });
    expect(tokens['ai']).toMatchObject({ id, address });
  });

  test("cannot act as another person's AI", async () => {
    const made = await connect(program, ada, {}, { new_name: 'Mine alone' });
    const eve = await home.signIn('eve@example.com', { name: 'Eve' });
    const page = await eve.open((await authorizationRequest(program)).url);
    const again = await agree(eve, page, { speaker: (made['ai'] as { id: string }).id });
    expect(again.status).toBe(400);
    expect(wordsOf(again)).toContain('Choose one of the options.');
  });

  test('hears when the person refuses', async () => {
    const { request, page } = await asked();
    const done = await agree(ada, page, { decision: 'refuse' });
    expect(errorOf(program, done, request)).toEqual('access_denied');
  });

  test('needs consent each time', async () => {
    await connect(program, ada);
    const { request, page } = await asked(program, { prompt: 'none' });
    expect(errorOf(program, page, request)).toEqual(expect.any(String));
  });
});

describe('the consent flow', () => {
  test('leads through a sign-in, and back to where they were', async () => {
    const grace = webVisitor(site);
    const request = await authorizationRequest(program, { scope: 'read' });
    const begin = await grace.open(request.url);
    expect(new URL(begin.url).pathname).toBe('/in');
    const next = new URL(begin.url).searchParams.get('next')!;
    const page = await signInByEmail(grace, home.lines, 'grace@example.com', { next, name: 'Grace Hopper' });
    expect(new URL(page.url).pathname).toBe(next);
    const done = await agree(grace, page, { scope: 'read' });
    const tokens = await exchange(program, answerOf(program, done, request), request);
    expect(tokens['ai']).toMatchObject({ address: '@grace-hopper.ai-helper' });
  });

  test("ends at another person's page in another browser", async () => {
    const page = await ada.open((await authorizationRequest(program)).url);
    const mallory = await home.signIn('mallory@example.com', { name: 'Mallory' });
    const stolen = await mallory.open(page.url);
    expect(stolen.status).toBe(400);
    expect(wordsOf(stolen)).toContain('no longer open');
  });

  test('completes once, however often they press the button', async () => {
    const { page } = await asked();
    const all = await Promise.all([1, 2, 3].map(() => agree(ada, page, { new_name: 'Pressed' })));
    const answered = all.filter(({ headers }) => headers.has('location'));
    expect(answered.length).toBeGreaterThan(0);
    const list = await ada.open('/ais');
    expect(list.text.match(/@ada-lovelace\.ai-pressed/g)?.length).toBeGreaterThan(0);
    expect(list.text).not.toContain('@ada-lovelace.ai-pressed-2');
  });

  test('accepts no form from another page', async () => {
    const page = await ada.open((await authorizationRequest(program)).url);
    const path = new URL(page.url).pathname;
    const forged = await ada.post(path, { decision: 'allow', scope: 'read', speaker: 'new', new_name: 'X' });
    expect(forged.status).toBe(403);
  });

  test('cannot be framed, and posts its form to the program only', async () => {
    const page = await ada.open((await authorizationRequest(program)).url);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://program.example");
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  test('names who else must consent for a person under 18', async () => {
    const teen = await home.signIn('teen@example.com', {
      name: 'Tim Teen',
      year: String(new Date().getFullYear() - 17),
    });
    const request = await authorizationRequest(program);
    const page = await teen.open(request.url);
    expect(wordsOf(page)).toContain('guardian');
    const path = new URL(page.url).pathname;
    const tried = await agree(teen, page, {}).catch(() => page);
    expect(tried.headers.get('location')).toBeNull();
    const back = await teen.send(await teen.open(`${site}${path}`), path, { decision: 'refuse' });
    expect(errorOf(program, back, request)).toEqual('access_denied');
  });

  test('needs a fresh sign-in where the program asks for one, and for approving', async () => {
    // The authorization server counts in whole seconds.
    await sleep(1_100);
    const asked = await ada.open((await authorizationRequest(program, { prompt: 'login' })).url);
    expect(new URL(asked.url)).toMatchObject({ pathname: '/in' });
    expect(new URL(asked.url).searchParams.get('fresh')).toBe('1');
    const page = await ada.open((await authorizationRequest(program, { scope: 'read approve' })).url);
    expect(page.text).not.toMatch(/value="approve" checked/);
    const tokens = await connect(program, ada, { scope: 'read approve' }, { scope: ['read', 'approve'] });
    expect(tokens.scope).toBe('read approve');
  });
});

describe('codes and tokens', () => {
  async function code() {
    const request = await authorizationRequest(program);
    const done = await agree(ada, await ada.open(request.url));
    return { request, parameters: answerOf(program, done, request) };
  }

  test('a code is single-use, and reusing it revokes everything it issued', async () => {
    const { request, parameters } = await code();
    const tokens = await exchange(program, parameters, request);
    expect((await api(tokens.access_token).get('/v0/me')).status).toBe(200);
    expect(await refusal(exchange(program, parameters, request))).toBe('invalid_grant');
    expect((await api(tokens.access_token).get('/v0/me')).status).toBe(401);
    expect(await refusal(refresh(program, tokens.refresh_token!))).toBe('invalid_grant');
  });

  test('concurrent uses of a code issue at most one token', async () => {
    const { request, parameters } = await code();
    const all = await Promise.allSettled([1, 2, 3].map(() => exchange(program, parameters, request)));
    expect(all.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  test('a code needs its verifier, redirect URI and client', async () => {
    const other = await register(site, { client_name: 'Other' });
    const { request, parameters } = await code();
    const verifier = oauth.generateRandomCodeVerifier();
    expect(await refusal(exchange(program, parameters, { ...request, verifier }))).toBe('invalid_grant');
    expect(
      await refusal(
        exchange(program, parameters, { ...request, redirectUri: 'https://program.example/other' }),
      ),
    ).toBe('invalid_grant');
    expect(await refusal(exchange({ ...other, server: program.server }, parameters, request))).toBe(
      'invalid_grant',
    );
  });

  test('a refresh token is single-use, and reusing it ends the family', async () => {
    const first = await connect(program, ada);
    const second = await refresh(program, first.refresh_token!);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second['ai']).toEqual(first['ai']);
    const third = await refresh(program, second.refresh_token!);
    expect((await api(third.access_token).get('/v0/me')).status).toBe(200);
    expect(await refusal(refresh(program, first.refresh_token!))).toBe('invalid_grant');
    expect((await api(third.access_token).get('/v0/me')).status).toBe(401);
    expect(await refusal(refresh(program, third.refresh_token!))).toBe('invalid_grant');
  });

  test('a refresh repeated after a lost response, or sent concurrently, gets the same response', async () => {
    const { refresh_token: token } = await connect(program, ada);
    const answers = await Promise.all([1, 2, 3].map(() => refresh(program, token!)));
    const [{ access_token, refresh_token } = answers[0]!] = answers;
    expect(answers).toEqual(answers.map(() => expect.objectContaining({ access_token, refresh_token })));
    expect(await refresh(program, token!)).toMatchObject({ access_token, refresh_token });
    expect((await api(access_token).get('/v0/me')).status).toBe(200);
    const less = await refresh(program, token!, { scope: 'read' });
    expect(less.refresh_token).toBe(refresh_token);
    expect(less.access_token).not.toBe(access_token);
    expect((await refresh(program, refresh_token!)).refresh_token).not.toBe(refresh_token);
  });

  test('a used refresh token is worth nothing to another client', async () => {
    const other = await register(site, { client_name: 'Other' });
    const { refresh_token: token } = await connect(program, ada);
    const { access_token } = await refresh(program, token!);
    expect(await refusal(refresh({ ...other, server: program.server }, token!))).toBe('invalid_grant');
    expect((await api(access_token).get('/v0/me')).status).toBe(200);
  });

  test('a refresh can narrow scopes, and never widen them', async () => {
    const first = await connect(program, ada, { scope: 'read message' });
    const less = await refresh(program, first.refresh_token!, { scope: 'read' });
    expect(less.scope).toBe('read');
    expect(await refusal(refresh(program, less.refresh_token!, { scope: 'read notes' }))).toBe(
      'invalid_scope',
    );
  });

  test('a revoked token no longer works', async () => {
    const tokens = await connect(program, ada);
    expect((await api(tokens.access_token).get('/v0/me')).status).toBe(200);
    await giveBack(program, tokens.refresh_token!);
    expect((await api(tokens.access_token).get('/v0/me')).status).toBe(401);
    await giveBack(program, 'unknown');
  });

  test("another client's tokens cannot be revoked", async () => {
    const other = await register(site, { client_name: 'Other' });
    const tokens = await connect(program, ada);
    await giveBack({ ...other, server: program.server }, tokens.refresh_token!).catch(() => {});
    expect((await api(tokens.access_token).get('/v0/me')).status).toBe(200);
  });

  test('end with the AI', async () => {
    const tokens = await connect(program, ada, {}, { new_name: 'Short lived' });
    const session = ada.cookie('hearth_session')!;
    const { id } = tokens['ai'] as { id: string };
    expect((await api(session).delete(`/v0/ais/${id}`)).status).toBe(200);
    expect((await api(tokens.access_token).get('/v0/me')).status).toBe(401);
    expect(await refusal(refresh(program, tokens.refresh_token!))).toBe('invalid_grant');
  });

  test('are revoked at once when the person ends them', async () => {
    const tokens = await connect(program, ada, {}, { new_name: 'Ended' });
    const list = await ada.open('/ais');
    expect(list.text).toContain('Ended');
    const [, path] = /href="(\/ais\/sign-ins\/[^"]+\/end)"/.exec(list.text)!;
    await ada.send(await ada.open(path!), path!);
    expect((await api(tokens.access_token).get('/v0/me')).status).toBe(401);
    expect(await refusal(refresh(program, tokens.refresh_token!))).toBe('invalid_grant');
  });

  test('are never stored in clear text', async () => {
    const tokens = await connect(program, ada);
    const { default: pg } = await import('pg');
    const client = new pg.Client(home.database.url);
    await client.connect();
    const { rows } = await client.query('select o::text as row from identity.oauth_objects o');
    await client.end();
    const all = rows.map(({ row }) => row).join('\n') + home.lines.join('\n');
    for (const secret of [tokens.access_token, tokens.refresh_token!]) expect(all).not.toContain(secret);
  });
});

describe('the audience of a token', () => {
  /** Scheme and host are case-insensitive, and some clients write them in capitals. */
  const inCapitals = site.toUpperCase();

  test('is the API by default, and can be requested otherwise', async () => {
    for (const resource of [undefined, `${site}/v0`, site, `${site}/`, `${inCapitals}/v0`, inCapitals]) {
      const tokens = await connect(program, ada, resource === undefined ? {} : { resource });
      expect((await api(tokens.access_token).get('/v0/me')).status).toBe(200);
    }
  });

  test('is the MCP endpoint only, when it was issued for it', async () => {
    const tokens = await connect(program, ada, { resource: `${site}/mcp` });
    const { status, body, headers } = await api(tokens.access_token).get('/v0/me');
    expect(status).toBe(401);
    expect(body.error).toContain(`${site}/mcp`);
    expect(headers.get('www-authenticate')).toContain('invalid_token');
  });

  test('is normalized, and may be given twice in different spellings', async () => {
    const spelled = [`${inCapitals}/mcp/`, `${site}/mcp`];
    const request = await authorizationRequest(program, { resource: spelled });
    const parameters = answerOf(program, await agree(ada, await ada.open(request.url)), request);
    const tokens = await exchange(program, parameters, request);
    expect((await api(tokens.access_token).get('/v0/me')).body.error).toContain(
      `this token is for ${site}/mcp;`,
    );
    expect((await refresh(program, tokens.refresh_token!, { resource: spelled[0]! })).access_token).toEqual(
      expect.any(String),
    );
  });

  test('is never outside the home', async () => {
    const { request, page } = await asked(program, { resource: 'https://elsewhere.example/' });
    expect(errorOf(program, page, request)).toEqual('invalid_target');
  });

  test('is refused before a code or refresh token is used up, and may end in a slash', async () => {
    const request = await authorizationRequest(program, { resource: `${site}/mcp` });
    const done = await agree(ada, await ada.open(request.url));
    const parameters = answerOf(program, done, request);
    const wrong = [`${site}/v0`, site, 'https://elsewhere.example/', 'no address'];
    for (const resource of wrong)
      expect(await refusal(exchange(program, parameters, request, resource))).toBe('invalid_target');
    const tokens = await exchange(program, parameters, request, `${inCapitals}/mcp/`);
    for (const resource of wrong)
      expect(await refusal(refresh(program, tokens.refresh_token!, { resource }))).toBe('invalid_target');
    const again = await refresh(program, tokens.refresh_token!, { resource: `${inCapitals}/mcp` });
    expect(again.access_token).toEqual(expect.any(String));
  });

  test('cannot change when the code is exchanged', async () => {
    const request = await authorizationRequest(program, { resource: `${site}/v0` });
    const done = await agree(ada, await ada.open(request.url));
    const parameters = answerOf(program, done, request);
    expect(await refusal(exchange(program, parameters, request, `${site}/mcp`))).toBe('invalid_target');
  });
});

describe('a request of a program', () => {
  test('without PKCE, or with a plain challenge, is refused', async () => {
    for (const more of [{ code_challenge: '' }, { code_challenge_method: 'plain' }]) {
      const request = await authorizationRequest(program, {});
      const url = new URL(request.url);
      for (const [name, value] of Object.entries(more))
        if (value === '') url.searchParams.delete(name);
        else url.searchParams.set(name, value);
      const page = await ada.open(url.href);
      expect(errorOf(program, page, request)).toEqual('invalid_request');
    }
  });

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['a redirect that it did not register', { redirect_uri: 'https://program.example/callback/../evil' }],
    ['a redirect with more behind it', { redirect_uri: 'https://program.example/callback?x=1' }],
    ['another kind of answer', { response_type: 'token', redirect_uri: 'https://evil.example/' }],
  ])('with %s is never redirected off the home', async (_, more) => {
    const { page } = await asked(program, { more });
    expect(page.status).toBe(400);
    expect(page.headers.get('location')).toBeNull();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(wordsOf(page)).toContain('can’t be connected');
  });

  test.each(['token', 'id_token', 'code id_token'])('for %j is refused', async (response_type) => {
    const { page } = await asked(program, { more: { response_type } });
    expect(page.headers.get('location') ?? '').not.toContain('access_token');
    expect(page.headers.get('location') ?? '').toContain('unsupported_response_type');
  });

  test.each([
    ['GET', '/oauth/token'],
    ['GET', '/oauth/register'],
    ['POST', '/oauth/authorize'],
  ])('by %s to %s is answered with the allowed methods', async (method, path) => {
    const answer = await fetch(`${home.url}${path}`, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toEqual(expect.any(String));
  });

  test.each([
    ['a body that is none', 'not a form', 'text/plain'],
    ['no grant type', '', 'application/x-www-form-urlencoded'],
    [
      'a password',
      'grant_type=password&username=a&password=b&client_id=x',
      'application/x-www-form-urlencoded',
    ],
  ])('for a token with %s gets an error of RFC 6749', async (_, body, type) => {
    const answer = await fetch(`${home.url}/oauth/token`, {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
    expect([400, 401]).toContain(answer.status);
    expect(await answer.json()).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/) });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('registration', () => {
  test('of a native app allows any loopback port', async () => {
    const native = await register(site, { redirect_uris: ['http://127.0.0.1/callback'] });
    const tokens = await connect(native, ada, { redirectUri: 'http://127.0.0.1:49152/callback' });
    expect(tokens.access_token).toEqual(expect.any(String));
    const request = await authorizationRequest(native, { redirectUri: 'http://127.0.0.1:49152/other' });
    expect((await ada.open(request.url)).headers.get('location')).toBeNull();
  });

  test('with a secret requires it', async () => {
    const confidential = await register(site, { token_endpoint_auth_method: 'client_secret_basic' });
    const tokens = await connect(confidential, ada);
    expect(tokens.access_token).toEqual(expect.any(String));
    const without = { ...confidential, authentication: oauth.ClientSecretBasic('wrong') };
    expect(await refusal(refresh(without, tokens.refresh_token!))).toContain('WWW-Authenticate');
    expect((await refresh(confidential, tokens.refresh_token!)).access_token).toEqual(expect.any(String));
  });

  test.each([
    [{ redirect_uris: [] }],
    [{ redirect_uris: ['http://program.example/'] }],
    [{ redirect_uris: ['javascript:alert(1)'] }],
    [{ redirect_uris: ['https://a.example/#x'] }],
    [{ redirect_uris: Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`) }],
    [{ grant_types: ['implicit'] }],
    [{ response_types: ['token'] }],
    [{ token_endpoint_auth_method: 'private_key_jwt' }],
  ])('of %j is refused', async (metadata) => {
    expect(await refusal(register(site, metadata as Partial<oauth.Client>))).toMatch(
      /^invalid_(redirect_uri|client_metadata)$/,
    );
  });
});

describe('a program that publishes its metadata at a URL', () => {
  const redirectUri = 'http://127.0.0.1:7777/callback';
  const documentOf = (clientId: string, more: object = {}) =>
    JSON.stringify({ client_id: clientId, client_name: 'Described', redirect_uris: [redirectUri], ...more });

  async function described(path: string, more: object = {}): Promise<Program> {
    const clientId = `${documents.origin}${path}`;
    documents.answer = { status: 200, body: documentOf(clientId, more) };
    return {
      server: program.server,
      client: { client_id: clientId },
      authentication: oauth.None(),
      redirectUri,
    };
  }

  test('is identified by the URL, which is fetched once', async () => {
    const client = await described('/client.json');
    const before = documents.asked;
    const { request, page } = await asked(client, { scope: 'read', resource: `${site}/v0` });
    expect(wordsOf(page)).toContain('Connect Described?');
    expect(wordsOf(page)).toContain(new URL(documents.origin).host);
    const done = await agree(ada, page, { scope: 'read' });
    const tokens = await exchange(client, answerOf(client, done, request), request, `${site}/v0`);
    expect((await api(tokens.access_token).get('/v0/me')).status).toBe(200);
    await refresh(client, tokens.refresh_token!);
    expect(documents.asked).toBe(before + 1);
  });

  test.each([
    ['of another address', '/a.json', { client_id: 'http://127.0.0.1/other' }],
    ['with a secret', '/b.json', { client_secret: 'x' }],
    ['that asks for a secret', '/c.json', { token_endpoint_auth_method: 'client_secret_post' }],
    ['without redirects', '/d.json', { redirect_uris: undefined }],
    ['with a redirect that runs', '/e.json', { redirect_uris: ['javascript:alert(1)'] }],
    ['that is too large', '/f.json', { client_name: 'x'.repeat(6_000) }],
  ])('is refused with metadata %s', async (_, path, more) => {
    const client = await described(path, more);
    const page = await ada.open((await authorizationRequest(client)).url);
    expect(page.status).toBe(400);
    expect(page.headers.get('location')).toBeNull();
  });

  test.each([
    ['a private address', 'https://127.0.0.1/client.json'],
    ['a name inside the network', 'https://metadata.internal/client.json'],
    ['http', 'http://example.com/client.json'],
    ['no path', 'https://example.com/'],
    ['a path in another spelling', 'https://example.com/a/../client.json'],
    ['somebody else’s port', 'https://example.com:22/client.json'],
  ])('is not fetched from %s', async (_, clientId) => {
    const client = { ...program, client: { client_id: clientId } };
    const page = await ada.open((await authorizationRequest(client)).url);
    expect(page.status).toBe(400);
    expect(wordsOf(page)).toContain('can’t use the program');
  });
});

import { apiClient } from '@hearth/testkit/home';
import { afterAll, expect, test } from '@jest/globals';
import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import * as oauth from 'oauth4webapi';
import { connectMcp, makeMcp, revisions } from './support/mcp-client.ts';
import { agree, connect, register } from './support/oauth-client.ts';
import { startWholeHome } from './support/whole-home.ts';

/** Programs that know only the endpoint's address, and find out from its 401 how to sign people in. */

const home = await startWholeHome();
const { site } = home;
const ada = await home.signIn('ada@example.com');

afterAll(() => home.stop());

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

test('a program discovers everything from a 401, up to a token for the endpoint', async () => {
  const answer = await apiClient([site]).post('/mcp', initialize);
  expect(answer.status).toBe(401);
  const challenge = answer.headers.get('www-authenticate')!;
  const { metadata, scope } = parametersOf(challenge);
  expect(metadata).toBe(`${site}/.well-known/oauth-protected-resource/mcp`);

  const resource = new URL(`${site}/mcp`);
  const described = await oauth.processResourceDiscoveryResponse(resource, await fetch(metadata!));
  expect(described).toMatchObject({ resource: `${site}/mcp`, authorization_servers: [site] });
  const program = await register(described.authorization_servers![0]!);
  const tokens = await connect(program, ada, { scope: scope!, resource: described.resource });
  expect(tokens.scope).toBe('read message');

  for (const revision of revisions) {
    const { client, call } = await connectMcp({ site, revision, key: tokens.access_token });
    expect((await call('whoami')).structuredContent).toMatchObject({
      address: expect.stringMatching(/^@ada-lovelace\.ai-helper/),
      permissions: ['read', 'message'],
    });
    await client.close();
  }
  // Valid for the endpoint and not for the API, and vice versa.
  expect((await apiClient([site], tokens.access_token).get('/v0/me')).status).toBe(401);
  const other = await connect(program, ada, { scope: 'read', resource: `${site}/v0` });
  expect((await apiClient([site], other.access_token).post('/mcp', initialize)).status).toBe(401);
});

test('a program that needs more scopes asks for all of them, and gets them', async () => {
  const program = await register(site);
  const resource = `${site}/mcp`;
  const tokens = await connect(program, ada, { scope: 'read', resource }, { scope: 'read' });
  const asked = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_notes', arguments: {} },
  };
  const refused = await apiClient([site], tokens.access_token).post('/mcp', asked);
  expect(refused.status).toBe(403);
  const challenge = refused.headers.get('www-authenticate')!;
  expect(challenge).toContain('error="insufficient_scope"');
  const { scope } = parametersOf(challenge);
  expect(scope).toBe('read notes');

  const more = await connect(program, ada, { scope: scope!, resource }, { scope: ['read', 'notes'] });
  const { call, close } = await connectMcp({ site, revision: '2026-07-28', key: more.access_token });
  expect(await call('list_notes')).toMatchObject({ structuredContent: { notes: [] } });
  await close();
});

test.each(revisions)('the SDK of MCP signs a person in by itself (%s)', async (revision) => {
  const kept: {
    client?: OAuthClientInformationMixed;
    tokens?: OAuthTokens;
    verifier?: string;
    sentTo?: URL;
    discovery?: OAuthDiscoveryState;
  } = {};
  const redirectUrl = 'http://localhost:1/callback';
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Library',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      kept.sentTo = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier!,
    saveDiscoveryState: (state) => {
      kept.discovery = state;
    },
    discoveryState: () => kept.discovery,
  };
  const first = makeMcp({ site, revision, authProvider });
  await expect(first.client.connect(first.transport)).rejects.toThrow();
  expect(kept.sentTo!.searchParams.get('resource')).toBe(`${site}/mcp`);
  expect(kept.sentTo!.searchParams.get('scope')).toContain('read message');

  const done = await agree(ada, await ada.open(kept.sentTo!.href), { new_name: `Library ${revision}` });
  await first.transport.finishAuth(new URL(done.headers.get('location')!).searchParams);
  const { call, close } = await connectMcp({ site, revision, authProvider });
  expect((await call('whoami')).structuredContent).toMatchObject({ permissions: ['read', 'message'] });
  await close();
});

function parametersOf(challenge: string): { metadata?: string | undefined; scope?: string | undefined } {
  return {
    metadata: /resource_metadata="([^"]+)"/.exec(challenge)?.[1],
    scope: /scope="([^"]+)"/.exec(challenge)?.[1],
  };
}

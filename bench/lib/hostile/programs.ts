import type { Probe } from './probe.ts';

/** Requests that programs send without a credential: to the authorization server, and to the endpoint of MCP. */
export async function programProbes(port: number): Promise<Probe[]> {
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const callback = 'https://program.example/back';
  const registration = JSON.stringify({ client_name: 'Program', redirect_uris: [callback] });
  const registered = await fetch(`http://localhost:${port}/oauth/register`, {
    ...{ method: 'POST', headers: json, body: registration },
  });
  const { client_id: client } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: client, redirect_uri: callback, scope: 'read message' },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    state: 'x'.repeat(2_000),
  });
  const token = (grant: string) =>
    new URLSearchParams({ grant_type: grant, client_id: client, code: 'x'.repeat(43) });
  const asked = { oauth_requests_a_minute: 1 };
  const long = `&x=${'a'.repeat(120_000)}`;
  return [
    {
      name: 'GET /oauth/authorize',
      uses: { ...asked, oauth_sign_ins_a_minute: 1 },
      make: () => ({ method: 'GET', path: `/oauth/authorize?${query}` }),
    },
    {
      name: 'POST /oauth/token: a wrong code',
      uses: asked,
      make: () => ({
        method: 'POST',
        path: '/oauth/token',
        headers: form,
        body: `${token('authorization_code')}`,
      }),
    },
    {
      name: 'POST /oauth/token: a long body',
      uses: asked,
      make: () => ({
        method: 'POST',
        path: '/oauth/token',
        headers: form,
        body: `${token('refresh_token')}${long}`,
      }),
    },
    {
      name: 'POST /oauth/register',
      uses: { ...asked, oauth_registrations_a_day: 1 },
      make: () => ({ method: 'POST', path: '/oauth/register', headers: json, body: registration }),
    },
    {
      name: 'POST /oauth/revoke',
      uses: asked,
      make: () => ({
        method: 'POST',
        path: '/oauth/revoke',
        headers: form,
        body: `client_id=${client}&token=x`,
      }),
    },
    {
      name: 'POST /mcp: without a credential',
      uses: {},
      make: () => ({
        ...{
          method: 'POST',
          path: '/mcp',
          headers: { ...json, accept: 'application/json, text/event-stream' },
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/list',
          params: { x: 'é'.repeat(60_000) },
        }),
      }),
    },
    {
      name: 'POST /mcp: a key that does not work',
      uses: { reads_a_minute: 1 },
      make: () => ({
        method: 'POST',
        path: '/mcp',
        headers: { ...json, authorization: `Bearer hearth_ai_${'x'.repeat(64)}` },
        body: '{}',
      }),
    },
  ];
}

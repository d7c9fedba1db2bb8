import { type mcpRoutes, oauthRoutes, type Route, unprovenPoints } from '@hearth/limits';
import type { Probe, Uses } from './probe.ts';

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const callback = 'https://program.example/back';
const registration = JSON.stringify({ client_name: 'Program', redirect_uris: [callback] });

/** Registers a program; returns its client_id. */
export async function registerProgram(port: number): Promise<string> {
  const registered = await fetch(`http://localhost:${port}${oauthRoutes.register.path}`, {
    ...{ method: 'POST', headers: json, body: registration },
  });
  return ((await registered.json()) as { client_id: string }).client_id;
}

const usesOf = ({ counts, points = 1 }: Route): Uses =>
  Object.fromEntries(counts.map((limit, index) => [limit, index === 0 ? points : 1]));

/** Requests of programs without a credential, by route: to the authorization server and the MCP endpoint. */
export function programProbes(client: string) {
  const { authorize, resume, token, register, revoke } = oauthRoutes;
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: client, redirect_uri: callback, scope: 'read message' },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    state: 'x'.repeat(2_000),
  });
  const grant = (type: string) =>
    `${new URLSearchParams({ grant_type: type, client_id: client, code: 'x'.repeat(43) })}`;
  const long = `&x=${'a'.repeat(120_000)}`;
  const sent = (route: Route, what: string, headers: Record<string, string>, body: string): Probe => ({
    name: `POST ${route.path}: ${what}`,
    uses: usesOf(route),
    make: () => ({ method: 'POST', path: route.path, headers, body }),
  });
  const opened = (route: Route, what: string, path: string): Probe => ({
    name: `GET ${route.path}: ${what}`,
    uses: usesOf(route),
    make: () => ({ method: 'GET', path }),
  });
  const call = (method: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { x: 'é'.repeat(60_000) } });
  const mcp = { ...json, accept: 'application/json, text/event-stream' };
  const probes: Record<keyof typeof oauthRoutes | keyof typeof mcpRoutes, Probe[]> = {
    authorize: [
      opened(authorize, 'a known program', `${authorize.path}?${query}`),
      opened(authorize, 'a program at an address', `${authorize.path}?${atAnAddress(query)}`),
      opened(authorize, 'of no program', `${authorize.path}?${'a=b&'.repeat(2_000)}`),
    ],
    resume: [opened(resume, 'of none', resume.path.replace(':uid', 'x'.repeat(43)))],
    token: [
      sent(token, 'a wrong code', form, grant('authorization_code')),
      sent(token, 'a long body', form, `${grant('refresh_token')}${long}`),
      sent(token, 'many fields', form, `${grant('refresh_token')}&${'a=b&'.repeat(12_000)}`),
    ],
    register: [
      sent(register, 'a program', json, registration),
      sent(register, 'ten long addresses', json, longRegistration),
    ],
    revoke: [sent(revoke, 'no token', form, `client_id=${client}&token=x`)],
    mcp: [
      {
        name: 'POST /mcp: without a credential',
        uses: {},
        make: () => ({ method: 'POST', path: '/mcp', headers: mcp, body: call('tools/list') }),
      },
      {
        name: 'POST /mcp: a key that does not work',
        uses: { reads_a_minute: 1 },
        unproven: unprovenPoints.unknownKey,
        make: () => ({
          ...{ method: 'POST', path: '/mcp', body: call('tools/list') },
          headers: { ...mcp, authorization: `Bearer hearth_ai_${'x'.repeat(64)}` },
        }),
      },
    ],
  };
  return probes;
}

/** A client_id whose description the home would fetch, refused earlier because the address is not public. */
function atAnAddress(query: URLSearchParams): URLSearchParams {
  const other = new URLSearchParams(query);
  other.set('client_id', 'https://127.0.0.1/program');
  return other;
}

const longRegistration = JSON.stringify({
  client_name: 'é'.repeat(20_000),
  redirect_uris: Array.from(
    { length: 10 },
    (_, index) => `https://program.example/${index}/${'x'.repeat(900)}`,
  ),
});

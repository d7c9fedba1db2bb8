import { Via } from '@hearth/proto/common/v1/caller';
import { CallerKind, Scope } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import { eventually } from '@hearth/testkit';
import { describe, expect, test } from '@jest/globals';
import { digestOf } from '../../src/credentials/credential.ts';
import { anAi } from '../support/peers.ts';
import { ask } from '../support/request.ts';
import { useGateways } from '../support/use-gateways.ts';
import { callTool, errorOf, legacy, lifecycles, modern, type Result } from './rpc.ts';

const start = useGateways();
const key = 'key-of-robin';
const site = 'https://home.example';
const metadata = `resource_metadata="${site}/.well-known/oauth-protected-resource/mcp"`;
const env = { HEARTH_HOME: 'home.example', HEARTH_SITE_URL: site };

const profile = { whoami: async () => ({ address: '@ada.ai-robin' }) };

/** The tokens of a program that acts as an AI, by audience. */
function tokens(audiences: Record<string, string>, scopes = [Scope.READ]) {
  const caller = { ...anAi, person: 'ada', grant: 'grant', scopes } as Caller;
  const known = new Map(Object.entries(audiences).map(([token, audience]) => [digestOf(token), audience]));
  return {
    resolveCredential: async ({ hash }: { hash: Uint8Array }) => {
      const audience = known.get(Buffer.from(hash).toString('base64'));
      return audience === undefined ? {} : { caller, audience };
    },
  };
}

describe('without a credential', () => {
  test.each(lifecycles)('every message is answered with where to sign in (%s)', async (_, lifecycle) => {
    const home = await start({ env });
    const methods = ['initialize', 'server/discover', 'tools/list', 'tools/call', 'events/poll', 'ping'];
    for (const method of methods) {
      const answer = await lifecycle(home.url, '')(method, {}, { headers: { authorization: '' } });
      expect([method, answer.status]).toEqual([method, 401]);
    }
    const { status, headers, json } = await ask(home.url, '/mcp', { body: {} });
    expect([status, headers['www-authenticate']]).toEqual([401, `Bearer scope="read message", ${metadata}`]);
    expect(json).toMatchObject({
      error: { code: -32_000, message: expect.stringContaining(`POST ${site}/v0/agents`) },
    });
  });

  test('an invalid key is reported as such, and counted', async () => {
    const home = await start({ env: { ...env, HEARTH_LIMITS: JSON.stringify({ reads_a_minute: 2 }) } });
    const [first, second, third] = [
      await legacy(home.url, 'wrong')('ping'),
      await legacy(home.url, 'wrong')('ping'),
      await legacy(home.url, 'wrong')('ping'),
    ];
    expect([first.status, second.status, third.status]).toEqual([401, 401, 429]);
    expect(first.headers['www-authenticate']).toBe(
      `Bearer error="invalid_token", scope="read message", ${metadata}`,
    );
  });
});

describe('a token', () => {
  const audiences = { 'for-site': site, 'for-mcp': `${site}/mcp`, 'for-api': `${site}/v0` };

  test('is accepted for its audience', async () => {
    const home = await start({ env, identity: tokens(audiences), profile });
    for (const token of ['for-site', 'for-mcp']) {
      expect((await callTool(modern(home.url, token), 'whoami')).structuredContent).toMatchObject({
        address: '@ada.ai-robin',
      });
    }
    const elsewhere = await legacy(home.url, 'for-api')('ping');
    expect(elsewhere.status).toBe(401);
    expect(errorOf(elsewhere).message).toContain(`resource=${site}/mcp`);
    expect((await ask(home.url, '/v0/me', { key: 'for-mcp' })).status).toBe(401);
  });

  test.each(lifecycles)(
    'with too few scopes gets the list of all needed scopes (%s)',
    async (_, lifecycle) => {
      const home = await start({ env, identity: tokens(audiences, [Scope.READ, Scope.NOTES]) });
      const rpc = lifecycle(home.url, 'for-mcp');
      const answer = await rpc('tools/call', { name: 'send_message', arguments: { text: 'x' } });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        403,
        `Bearer error="insufficient_scope", scope="read notes message", ${metadata}`,
      ]);
      expect(errorOf(answer)).toMatchObject({ code: -32_012, message: expect.stringContaining('"message"') });
      // Also by the name of its group.
      const given = { operation: 'create_invite', arguments: { id: '&choir' } };
      const grouped = await rpc('tools/call', { name: 'invites_tools', arguments: given });
      expect(grouped.headers['www-authenticate']).toContain('scope="read notes invite"');
    },
  );

  test.each(lifecycles)("is offered no tool that needs the AI's own key (%s)", async (_, lifecycle) => {
    const ofKey = lifecycle((await start({ keys: { [key]: anAi } })).url, key, '?tools=all');
    const { url } = await start({ env, identity: tokens(audiences) });
    const ofToken = lifecycle(url, 'for-mcp', '?tools=all');
    const own = ['rotate_ai_key', 'revoke_ai', 'not_my_person'];
    const offered = async (rpc: typeof ofKey) => {
      const { result } = (await rpc('tools/list')).json as Result;
      return (result!['tools'] as { name: string }[])
        .map(({ name }) => name)
        .filter((name) => own.includes(name));
    };
    expect(await offered(ofKey)).toEqual(own);
    expect(await offered(ofToken)).toEqual([]);
    const refused = await callTool(ofToken, 'revoke_ai', { id: 'me' });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'no_permission' } });
  });

  test('without `read` gets no events', async () => {
    const home = await start({ env, identity: tokens(audiences, [Scope.MESSAGE]) });
    const answer = await modern(home.url, 'for-mcp')('events/poll', { name: 'message.direct' });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="message read", ${metadata}`,
    ]);
  });
});

describe('a key', () => {
  test('without the permission gets a result that says so, because no sign-in would help', async () => {
    const reader = { ...anAi, scopes: [Scope.READ] };
    const home = await start({ keys: { [key]: reader } });
    const result = await callTool(legacy(home.url, key), 'send_message', { text: 'x' });
    const rest = await ask(home.url, '/v0/messages', { key, body: { text: 'x' } });
    expect(result).toMatchObject({ isError: true, structuredContent: rest.json });
    expect(rest.status).toBe(403);
  });

  test("of an app acts for whoever the app names, and is still marked as an app's", async () => {
    const seen: Caller[] = [];
    const ada = `per_${'a'.repeat(32)}`;
    const person = { kind: CallerKind.PERSON, id: 'ada', app: 'app', via: Via.APP, scopes: [Scope.READ] };
    const home = await start({
      keys: { [`${key} ${ada}`]: person },
      profile: {
        whoami: async (_, { caller }) => {
          seen.push(caller);
          return {};
        },
      },
    });
    await callTool(modern(home.url, key), 'whoami', {}, { headers: { 'svc-acting-for': ada } });
    expect(seen).toMatchObject([{ kind: CallerKind.PERSON, id: 'ada', app: 'app', via: Via.APP }]);
  });

  test('that ends while its call is held ends the call', async () => {
    let works = true;
    let asked = 0;
    const home = await start({
      identity: {
        resolveCredential: async () => (works ? { caller: anAi as Caller } : { refusal: 'key_revoked' }),
      },
      messages: {
        listMessages: async (_, call) => {
          asked += 1;
          call.waitOn('inbox');
          return {};
        },
      },
    });
    const answer = callTool(legacy(home.url, key), 'list_messages', { unread: true, wait: 25 });
    await eventually(() => asked > 0);
    works = false;
    home.bus.signal('credentials', Buffer.from(anAi.id!));
    expect(await answer).toMatchObject({ isError: true, structuredContent: { code: 'key_revoked' } });
  });
});

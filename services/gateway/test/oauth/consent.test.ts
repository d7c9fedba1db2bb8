import { type HearthError, unavailable } from '@hearth/errors';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { startHomeWithPeople } from '../pages/home-with-people.ts';
import { ask } from '../support/request.ts';

const robin = { id: 'ai_01', address: '@ada.ai-robin', name: 'Robin' };
const otto = { id: 'ai_02', address: '@ada.ai-otto', name: 'Otto' };
const kept = new Map<string, string>();
const keyOf = ({ model, idHash }: { model: string; idHash: Uint8Array }) =>
  `${model} ${Buffer.from(idHash).toString('hex')}`;

/** Identity's grants, newest first. */
let grants: { clientId: string; clientName?: string; ai: { id: string } }[];
let grantsFail: HearthError | undefined;

const home = await startHomeWithPeople([
  fake(OAuthService, {
    putObject: async (request) => {
      kept.set(keyOf(request), request.payload);
      return {};
    },
    findObject: async (request) => ({ payload: kept.get(keyOf(request)) }),
    listSpeakers: async () => ({ speakers: [robin, otto] }),
    listGrants: async () => {
      if (grantsFail !== undefined) throw grantsFail;
      return { grants };
    },
  }),
]);
const registration = { client_name: 'Program', redirect_uris: ['https://program.example/callback'] };
const { json } = await ask(home.url, '/oauth/register', { body: registration });
const clientId = json['client_id'] as string;
afterAll(() => home.stop());
beforeEach(() => {
  grants = [];
  grantsFail = undefined;
});

/** The AI that is selected at first, and the text of the whole page. */
async function consent(): Promise<{ chosen: string | undefined; text: string }> {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: 'https://program.example/callback' },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    ...{ state: 's', scope: 'read' },
  });
  const sent = await home.ada.open(`/oauth/authorize?${query}`);
  const { pathname } = new URL(sent.headers['location'] as string, home.url);
  const { status, text } = await home.ada.open(pathname);
  expect(status).toBe(200);
  const [, chosen] = /<input(?=[^>]* name="speaker")(?=[^>]* checked)[^>]* value="([^"]*)"/.exec(text) ?? [];
  return { chosen, text };
}

test('a new program gets an AI of its own, unless the person picks one of theirs', async () => {
  const { chosen, text } = await consent();
  expect(chosen).toBe('new');
  for (const { address } of [robin, otto]) expect(text).toContain(address);
});

test('a program continues as the AI that it last acted as', async () => {
  grants = [
    { clientId, ai: { id: 'ai_gone' } },
    { clientId, ai: otto },
    { clientId, ai: robin },
  ];
  expect((await consent()).chosen).toBe(otto.id);
});

test('a program with the name of another inherits nothing from it', async () => {
  grants = [{ clientId: 'another', clientName: 'Program', ai: robin }];
  expect((await consent()).chosen).toBe('new');
});

test('the page works while earlier grants are unavailable', async () => {
  grantsFail = unavailable('no');
  expect((await consent()).chosen).toBe('new');
});

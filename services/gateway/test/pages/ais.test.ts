import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, personNeeded, unavailable } from '@hearth/errors';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { AisService, type UpdateAiRequest } from '@hearth/proto/identity/v1/ais';
import {
  KeyRotationReason,
  type RevokeAiRequest,
  type RotateAiKeyRequest,
} from '@hearth/proto/identity/v1/identity';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import { Platform } from '@hearth/proto/identity/v1/resources';
import { Scope } from '@hearth/proto/options';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, startHomeWithPeople } from './home-with-people.ts';
import { type Noted, noting } from './notes.ts';
import { csrfOf, expectPage, expectSignIn, tickedOf, wordsOf } from './visitor.ts';

const robin = {
  id: 'ai_01900000000070008000000000000001',
  address: '@ada.ai-robin',
  name: 'Robin',
  platform: Platform.CLAUDE,
  status: AiStatus.CLAIMED,
  permissions: [Scope.READ, Scope.MESSAGE],
  ownerPrivate: true,
};
const path = `/ais/${robin.id}`;
const grant = {
  id: 'grant-1',
  person: adaId,
  ai: { id: robin.id, address: robin.address, name: 'Robin' },
  clientId: 'https://claude.example/client.json',
  clientName: 'Claude Desktop',
  scopes: [Scope.READ],
  createdAt: timestampFromMs(clock.now()),
  lastUsed: '2026-05-01',
};

/** The calls with their callers. */
let asked: Noted[];
let failure: Error | undefined;
let partsFail: Error | undefined;
let pages: number;
let suspendedUntil: Timestamp | undefined;

const noted = noting((call) => {
  if (failure !== undefined) throw failure;
  asked.push(call);
});

const part = async <Value>(value: Value): Promise<Value> => {
  if (partsFail !== undefined) throw partsFail;
  return value;
};

const old = { ...robin, id: 'ai_01900000000070008000000000000002', name: 'Old helper', revoked: true };
const home = await startHomeWithPeople(
  [
    fake(AisService, {
      listAis: async ({ cursor }, { caller }) => {
        if (caller.id !== adaId) return { ais: [] };
        pages += 1;
        if (cursor === undefined) {
          const keys = [
            { prefix: 'hearth_ai_4f', createdAt: timestampFromMs(clock.now()), lastUsed: '2026-05-02' },
          ];
          return {
            ais: [{ ai: { ...robin, suspendedUntil }, keys, lastSeen: '2026-05-03' }],
            nextCursor: 'more',
          };
        }
        return { ais: [{ ai: old }] };
      },
      updateAi: noted('update', robin),
    }),
    fake(OAuthService, {
      listGrants: () => part({ grants: [grant, { ...grant, id: 'grant-2', clientId: 'dcr-77' }] }),
      endGrant: noted('end'),
    }),
    fake(ActivityService, {
      listActivity: ({ by }) =>
        part({
          activity: [
            { at: timestampFromMs(clock.now()), summary: `did <something> as ${by}` },
            {
              at: timestampFromMs(clock.now()),
              summary: 'as it was worded then',
              wording: { key: 'events.plan.settled', values: { title: '<Walk>' } },
            },
          ],
        }),
    }),
  ],
  {
    identity: {
      rotateAiKey: noted('rotate', { connectorKey: 'hearth_ai_the-new-key' }),
      revokeAi: noted('revoke', { ...robin, revoked: true }),
    },
  },
);
afterAll(() => home.stop());
beforeEach(() => {
  asked = [];
  failure = undefined;
  partsFail = undefined;
  pages = 0;
  suspendedUntil = undefined;
});

describe('a visitor', () => {
  test.each(['/ais', path, `${path}/switch-off`, '/ais/sign-ins/grant-1/end'])(
    'signs in first, and comes back to %s',
    async (at) => {
      expectSignIn(await home.stranger().open(at), at);
    },
  );

  test.each([path, `${path}/key`, `${path}/switch-off`, '/ais/sign-ins/grant-1/end'])(
    'changes nothing: %s',
    async (at) => {
      const stranger = home.stranger();
      const claim = await stranger.open('/claim/anything');
      const csrf = /name="csrf" value="([^"]*)"/.exec(claim.text)?.[1] ?? '';
      const { status } = await stranger.post(at, { csrf, scope: 'read', name: 'Mine' });
      expect([[303, 403].includes(status), asked]).toEqual([true, []]);
    },
  );
});

describe('/ais', () => {
  test('lists every AI over all pages, and the programs that are signed in', async () => {
    const page = await home.ada.open('/ais');
    const words = wordsOf(page);
    expect([page.status, pages]).toEqual([200, 2]);
    for (const part of [
      'Robin active your name is hidden @ada.ai-robin · Claude Last active Sun, 3 May 2026',
      'Permissions See what’s going on Send messages and ask',
      'Claude Desktop unverified name claude.example',
      'no website',
      'Old helper removed',
    ]) {
      expect(words).toContain(part);
    }
  });

  test('says of an AI that the operator suspended it, and its page until when', async () => {
    suspendedUntil = timestampFromMs(clock.now() + 24 * 60 * 60_000);
    expectPage(await home.ada.open('/ais'), 200, 'Robin suspended');
    expectPage(await home.ada.open(path), 200, 'The people who run this home suspended it until');
  });

  test('is shown without the programs while they are unavailable', async () => {
    partsFail = unavailable('no');
    const page = await home.ada.open('/ais');
    expectPage(page, 200, 'can’t be shown right now');
    expect((await home.ada.open(path)).status).toBe(200);
  });

  test('tells a person without an AI how to get one', async () => {
    const words = wordsOf(await home.grace.open('/ais'));
    expect(words).toContain('Add http://localhost:8080/mcp to Claude, ChatGPT or another MCP client.');
  });

  test('shows only its own notices', async () => {
    expect(wordsOf(await home.ada.open('/ais?done=off'))).toContain('The AI has been removed.');
    const odd = await home.ada.open('/ais?done=<script>&done=constructor');
    expect([odd.status, odd.text.includes('<script>'), odd.text.includes('notice good')]).toEqual([
      200,
      false,
      false,
    ]);
  });
});

describe('an AI', () => {
  test('is shown with its permissions, its keys and what it did', async () => {
    const page = await home.ada.open(path);
    expect(tickedOf(page, 'scope')).toEqual(['read', 'message']);
    expect(tickedOf(page, 'private')).toEqual(['yes']);
    const words = wordsOf(page);
    expect(words).toContain(`did <something> as ${robin.id}`);
    expect(words).toContain('Settled: <Walk>');
    expect(words).not.toContain('as it was worded then');
    expect(words).toContain('hearth_ai_4f…, created Sun, 3 May 2026 last used Sat, 2 May 2026');
    // The sign-in was an hour ago and by email, which is not enough for that.
    expect(words).toContain('Sign in again before you allow approvals');
  });

  test.each(['ai_01900000000070008000000000000009', 'x', '%00', 'sign-ins'])(
    'of somebody else is not there: %s',
    async (id) => {
      for (const at of [`/ais/${id}`, `/ais/${id}/switch-off`]) {
        const page = await home.ada.open(at);
        expectPage(page, 404, 'Page not found');
      }
      const page = await home.ada.open(path);
      const csrf = csrfOf(page);
      for (const at of ['', '/key', '/switch-off']) {
        expect((await home.ada.post(`/ais/${id}${at}`, { csrf, scope: 'read' })).status).toBe(404);
      }
      expect(asked).toEqual([]);
    },
  );

  test('sends the changed values; an unchanged name is not sent', async () => {
    const page = await home.ada.open(path);
    const saved = await home.ada.send(page, path, { name: ' Robin ', scope: ['read', 'notes'] });
    expect(saved.headers.location).toBe(`${path}?done=saved`);
    const first = asked[0]!.request as UpdateAiRequest;
    expect(asked[0]).toMatchObject({ name: 'update', person: adaId });
    expect(first).toMatchObject({
      id: robin.id,
      permissions: [Scope.READ, Scope.NOTES],
      ownerPrivate: false,
    });
    expect(first.name).toBeUndefined();
    await home.ada.send(page, path, { name: 'Wren', scope: 'read', private: 'yes' });
    expect(asked[1]!.request).toMatchObject({ name: 'Wren', ownerPrivate: true });
  });

  test("keeps the typed values when the operation's rules or the service refuse a field", async () => {
    const page = await home.ada.open(path);
    const long = await home.ada.send(page, path, { name: 'x'.repeat(200), scope: 'read' });
    expect([long.status, asked]).toEqual([400, []]);
    expect(wordsOf(long)).toMatch(/Error: Use 1 to \d+ characters/);
    expect(long.text).toContain(`value="${'x'.repeat(200)}"`);
    failure = badField('name', 'is reserved', { rule: 'reserved' });
    const reserved = await home.ada.send(page, path, { name: 'Wren', scope: 'read' });
    expect(wordsOf(reserved)).toContain('Error: This name is reserved.');
  });

  test('cannot get `approve` without a fresh sign-in, and the error is at that field', async () => {
    const page = await home.ada.open(path);
    failure = personNeeded('sign in again before you allow an AI to approve');
    const again = await home.ada.send(page, path, { name: 'Robin', scope: ['read', 'approve'] });
    expect([again.status, tickedOf(again, 'scope')]).toEqual([400, ['read', 'approve']]);
    expect(wordsOf(again)).toContain('Error: Sign in again, then repeat what you did.');
  });

  test('needs at least one permission', async () => {
    const page = await home.ada.open(path);
    const again = await home.ada.send(page, path, { name: 'Robin' });
    expect([again.status, asked]).toEqual([400, []]);
    expect(wordsOf(again)).toContain('To stop it completely, remove it.');
  });

  test.each([
    ['routine', KeyRotationReason.ROUTINE, 60, 'Older keys work for another 60 minutes.'],
    ['leaked', KeyRotationReason.LEAKED, 0, 'Older keys no longer work.'],
  ])('gets a new key, shown once: %s', async (reason, number, minutes, words) => {
    const page = await home.ada.open(path);
    const shown = await home.ada.send(page, `${path}/key`, { reason });
    expect(asked).toMatchObject([{ name: 'rotate', person: adaId }]);
    const request = asked[0]!.request as RotateAiKeyRequest;
    expect([request.id, request.reason, request.keepOldMinutes]).toEqual([robin.id, number, minutes]);
    expect(wordsOf(shown)).toContain('hearth_ai_the-new-key');
    expect(wordsOf(shown)).toContain(words);
    expect(shown.headers['cache-control']).toBe('no-store');
    expect(home.logged.join()).not.toContain('the-new-key');
    expect((await home.ada.open(`${path}/key`)).status).toBe(405);
  });

  test('is removed only after a confirmation', async () => {
    const page = await home.ada.open(path);
    expect(page.text).not.toContain(`action="${path}/switch-off"`);
    const question = await home.ada.open(`${path}/switch-off`);
    expect([wordsOf(question), asked]).toEqual([expect.stringContaining('Remove Robin?'), []]);
    const done = await home.ada.send(question, `${path}/switch-off`);
    expect(done.headers.location).toBe('/ais?done=off');
    expect((asked[0]!.request as RevokeAiRequest).id).toBe(robin.id);
  });
});

describe('a sign-in of a program', () => {
  test('is ended only after a confirmation', async () => {
    const question = await home.ada.open('/ais/sign-ins/grant-1/end');
    expect(wordsOf(question)).toContain('Sign out Claude Desktop? Website: claude.example');
    expect(asked).toEqual([]);
    const done = await home.ada.send(question, '/ais/sign-ins/grant-1/end');
    expect([done.headers.location, asked]).toMatchObject([
      '/ais?done=ended',
      [{ name: 'end', request: { id: 'grant-1' }, person: adaId }],
    ]);
  });

  test('of another person is not found', async () => {
    expect((await home.ada.open('/ais/sign-ins/grant-9/end')).status).toBe(404);
  });
});

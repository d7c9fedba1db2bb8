import { createHash } from 'node:crypto';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, forbidden, notFound, rateLimited, unavailable } from '@hearth/errors';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService, type ClaimAiRequest } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { Platform } from '@hearth/proto/identity/v1/resources';
import { CommonsService, type CommonsStatus } from '@hearth/proto/messages/v1/commons';
import { Scope } from '@hearth/proto/options';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, startHomeWithPeople } from './home-with-people.ts';
import { csrfOf, expectPage, expectWords, tickedOf, wordsOf } from './visitor.ts';

const token = 'the-token-of-the-link';
const path = `/claim/${token}`;
const aiId = 'ai_01900000000070008000000000000001';
const unclaimed = {
  id: aiId,
  address: '@free-k3x9qa.ai-robin',
  name: 'Robin <b>',
  platform: Platform.CLAUDE,
  status: AiStatus.UNCLAIMED,
  permissions: [Scope.READ],
};

/** The claims that were sent, with their callers. */
let claims: { request: ClaimAiRequest; person: string }[];
let isOpen: boolean;
/** The error of the next claim. */
let failure: Error | undefined;
let groupsFail: Error | undefined;

const expected = createHash('sha256').update(token).digest();
/** The AI posted once, and closed another post. */
const inPublic = (status: CommonsStatus) => [
  { title: `Trains ${status}`, text: 'x', at: timestampFromMs(clock.now() - status) },
];
const home = await startHomeWithPeople([
  fake(CommonsService, {
    listCommons: async ({ by, status = 0 }) => ({ posts: by === unclaimed.address ? inPublic(status) : [] }),
  }),
  fake(AisService, {
    findClaim: async ({ hash }) =>
      isOpen && expected.equals(hash)
        ? { ai: unclaimed, createdAt: timestampFromMs(clock.now()), description: 'Plans trips' }
        : {},
    claimAi: async (request, { caller }) => {
      if (failure !== undefined) throw failure;
      claims.push({ request, person: caller.id });
      return { ...unclaimed, status: AiStatus.CLAIMED };
    },
    listAis: async () => ({
      ais: [
        {
          ai: { ...unclaimed, address: '@ada.ai-robin', name: 'Robin', status: AiStatus.CLAIMED },
          undoUntil: timestampFromMs(clock.now() + 24 * 60 * 60_000),
        },
      ],
    }),
  }),
  fake(GroupsService, {
    listGroups: async () => {
      if (groupsFail !== undefined) throw groupsFail;
      return {
        groups: [
          { id: 'grp_1', name: 'Rowing club', address: '&rowing' },
          { id: 'grp_2', name: 'House', address: '&house' },
          { id: 'grp_3', name: 'House', address: '&house-2' },
        ],
      };
    },
  }),
  fake(PeopleService, {
    findPeople: async ({ ids }) => ({
      results: ids.map((id) => ({ facts: { id, timeZone: 'Europe/Berlin' } })),
    }),
  }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  claims = [];
  isOpen = true;
  failure = undefined;
  groupsFail = undefined;
});

describe('the page behind a claim link', () => {
  test('shows the AI to anyone with the link, but only signed-in people can claim', async () => {
    for (const who of [home.stranger(), home.grace]) {
      const page = await who.open(path);
      expect(page.status).toBe(200);
      expectWords(
        page,
        'Robin <b> name chosen by the AI @free-k3x9qa.ai-robin · Claude',
        'Plans trips (written by the AI)',
      );
      expect(page.text).not.toContain(`action="${path}"`);
      // Until the sign-in is done the link is only in a form, never in an address.
      expect(page.text).toContain(`<input type="hidden" name="next" value="${path}">`);
    }
  });

  test('never leaks the secret', async () => {
    const { headers } = await home.ada.open(path);
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    await home.ada.open('/claim/not-the-token');
    expect(home.logged.join('\n')).toContain('/claim/:token');
    expect(home.logged.join('\n')).not.toMatch(/the-token-of-the-link|not-the-token/);
  });

  test('is not found for a wrong or used link', async () => {
    const unknown = await home.ada.open('/claim/another');
    expectPage(unknown, 404, 'This link doesn’t work');
    isOpen = false;
    expect((await home.ada.open(path)).status).toBe(404);
  });

  test('distinguishes groups with the same name', async () => {
    expectWords(await home.ada.open(path), 'Rowing club House (&house) House (&house-2)');
  });

  test('is shown without groups while they are unavailable', async () => {
    groupsFail = unavailable('groups do not answer');
    const page = await home.ada.open(path);
    expect([page.status, page.text.includes('name="group"')]).toEqual([200, false]);
  });
});

describe('claiming', () => {
  test("sends the ticked values as the session's person, and says how it can be undone", async () => {
    const page = await home.ada.open(path);
    expect(tickedOf(page, 'scope')).toEqual(['read', 'message']);
    const claimed = await home.ada.send(page, path, {
      scope: ['read', 'group'],
      private: 'yes',
      group: 'grp_1',
    });
    expect(claims).toMatchObject([
      {
        person: adaId,
        request: { token, permissions: [Scope.READ, Scope.GROUP], ownerPrivate: true, group: 'grp_1' },
      },
    ]);
    expect([claimed.status, claimed.headers.location]).toEqual([303, `/ais/${aiId}/claimed`]);
    const after = wordsOf(await home.ada.open(claimed.headers.location!));
    expect(after).toContain('Robin is yours');
    expect(after).toContain('The AI can undo this until Mon, 4 May 2026, 14:00');
  });

  test('leaves out empty fields', async () => {
    const page = await home.ada.open(path);
    await home.ada.send(page, path, { scope: 'read', group: '' });
    expect(claims[0]!.request).toMatchObject({ ownerPrivate: false });
    expect(claims[0]!.request.group).toBeUndefined();
  });

  test('needs a tick: an empty list would mean more than nothing', async () => {
    const page = await home.ada.open(path);
    const again = await home.ada.send(page, path, { private: 'yes', scope: 'everything' });
    expect([again.status, claims]).toEqual([400, []]);
    expect(wordsOf(again)).toContain('Tick at least one thing');
    expect(tickedOf(again, 'private')).toEqual(['yes']);
  });

  test("does nothing for another browser's form, for a guest, or when a link is opened", async () => {
    const page = await home.ada.open(path);
    const strangers = home.stranger();
    const fields = { scope: 'read', csrf: csrfOf(page) };
    expect((await strangers.post(path, fields)).status).toBe(403);
    expect((await home.ada.post(path, { ...fields, csrf: 'x' })).status).toBe(403);
    const fromElsewhere = await home.ada.post(path, fields, { 'sec-fetch-site': 'cross-site' });
    expectPage(fromElsewhere, 403, 'Nothing was changed');
    const guest = await home.grace.open(path);
    await home.grace.post(path, { ...fields, csrf: csrfOf(guest) });
    expect(claims).toEqual([]);
  });

  test.each([
    ['the link is dead', notFound(), 404, 'This link doesn’t work'],
    [
      'too many a day',
      rateLimited('claims_a_day', new Date(clock.now() + 60_000)),
      429,
      'You’ve reached today’s limit',
    ],
    ['a child', forbidden('only adults', { code: 'guardian_needed' }), 403, 'Ask your guardian'],
    ['a field', badField('group', 'takes no more AIs'), 400, 'Choose one of your groups.'],
    ['anything else', forbidden('you cannot do this'), 403, 'You don’t have permission to do this.'],
  ])('that fails says why: %s', async (_, error, status, words) => {
    const page = await home.ada.open(path);
    failure = error;
    isOpen = status !== 404;
    const answered = await home.ada.send(page, path, { scope: 'read' });
    expectPage(answered, status, words);
  });

  test('into an unknown group is an error of the group, not of the link', async () => {
    const page = await home.ada.open(path);
    failure = notFound();
    const again = await home.ada.send(page, path, { scope: 'read', group: 'grp_1' });
    expectPage(again, 400, 'You’re no longer in this group.');
  });

  test('can be refused, which changes nothing', async () => {
    const page = await home.stranger().open(path);
    const refused = home.stranger();
    const own = await refused.open(path);
    const answered = await refused.send(own, `${path}/not-mine`);
    expect([page.status, answered.status, claims]).toEqual([200, 200, []]);
    expect(wordsOf(answered)).toContain('You didn’t claim this AI');
  });
});

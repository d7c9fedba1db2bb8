import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, badRequest, forbidden } from '@hearth/errors';
import { storeTexts, t, verbatim } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import {
  type AcceptInviteRequest,
  type AcceptInviteResponse,
  InviteState,
  InvitesService,
  JoinStatus,
} from '@hearth/proto/groups/v1/invites';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { CallerKind } from '@hearth/proto/options';
import { fake } from '@hearth/testkit';
import { paths } from '@hearth/web';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, startHomeWithPeople } from './home-with-people.ts';
import { csrfOf, expectPage, wordsOf } from './visitor.ts';

const code = 'k3Jx9QaLmNoPqRsTuVwXyZ';
const path = `/i/${code}`;
const day = 24 * 60 * 60_000;

let state: InviteState;
let needsReview: boolean;
let reusable: boolean;
let joins: { request: AcceptInviteRequest; kind: CallerKind; id: string }[];
let answer: Partial<Omit<AcceptInviteResponse, '$typeName' | '$unknown'>>;
let failure: (() => Error) | undefined;
let children: string[];
let forAges: AgeBand[];
let withdrawn: string[][];
const childId = '01900000-0000-7000-8000-0000000000c1';
const child = printId('per', childId);

// All strangers of these tests come from the same network.
const home = await startHomeWithPeople([
  fake(InvitesService, {
    peekInvite: async (request) => {
      if (request.code !== code && !request.code.startsWith('r:'))
        return { state: InviteState.INVALID, home: 'localhost:8080' };
      return {
        ...{ state, home: 'localhost:8080', groupName: 'Rowing <club>', needsReview, reusable },
        ...(!reusable && { invitedBy: 'Grace H.' }),
        ...{ forAges, expiresAt: timestampFromMs(clock.now() + 7 * day) },
      };
    },
    acceptInvite: async (request, { caller }) => {
      if (failure !== undefined) throw failure();
      joins.push({ request, kind: caller.kind, id: caller.id });
      return answer;
    },
    findJoinRequest: async (_, { caller }) => (joins.some(({ id }) => id === caller.id) ? answer : {}),
    withdrawJoin: async (request, { caller }) => {
      withdrawn.push([request.code, caller.id]);
      return { withdrawn: true };
    },
  }),
  fake(PeopleService, {
    findPeople: async () => ({ results: [] }),
    listChildren: async () => ({
      children: children.map((name) => ({
        facts: { id: childId },
        person: { id: child, name, ageBand: AgeBand.TEEN13 },
      })),
    }),
  }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  state = InviteState.OK;
  needsReview = false;
  reusable = false;
  joins = [];
  answer = { status: JoinStatus.JOINED, ...nextOf('joined') };
  failure = undefined;
  children = [];
  forAges = [AgeBand.ADULT, AgeBand.TEEN13];
  withdrawn = [];
});

/** As the groups service gives it; pages show its wording. */
const nextOf = (step: 'joined' | 'organizer', child?: string) => {
  const values = { name: verbatim(child ?? ''), group: verbatim('Rowing <club>') };
  const text = t(`invites.next.${step}`, { whom: child === undefined ? 'you' : 'other', ...values });
  return { next: 'in English', wording: storeTexts({ next: text }).wording };
};

const guest = { name: 'Grace', birth_month: '7', birth_year: '1990' };

describe('a guardian', () => {
  test('chooses who joins: themselves or a child of theirs', async () => {
    children = ['Ida <Lovelace>'];
    const page = await home.ada.open(path);
    expect(wordsOf(page)).toContain('Who’s joining? Me Ida <Lovelace>');
    answer = { status: JoinStatus.JOINED, ...nextOf('joined', 'Ida') };
    const joined = await home.ada.send(page, path, { for: child });
    expectPage(joined, 200, 'Your child is in ✓ Ida is in Rowing <club> now.');
    answer = { status: JoinStatus.WAITING, next: 'An organizer is asked.' };
    expect((await home.ada.send(page, path, { for: child })).text).not.toContain(`${path}/withdraw`);
    await home.ada.send(page, path, { for: '' });
    expect(joins.map(({ request }) => request.for)).toEqual([child, child, undefined]);
  });

  test('joins a remote group only themselves, and is told that the request waits', async () => {
    children = ['Ida'];
    const elsewhere = paths.invite(`r:else.example:inv_${'a'.repeat(32)}`);
    const page = await home.ada.open(elsewhere);
    expect(wordsOf(page)).not.toContain('Who’s joining?');
    answer = { status: JoinStatus.WAITING, next: 'An organizer is asked.' };
    await home.ada.send(page, elsewhere, {});
    expect(wordsOf(await home.ada.open(elsewhere))).toContain('An organizer is asked.');
  });

  test('is offered only children who can join, and told why others cannot', async () => {
    children = ['Ida'];
    forAges = [AgeBand.ADULT];
    const forAdults = wordsOf(await home.ada.open(path));
    expect(forAdults).not.toContain('Who’s joining?');
    expect(forAdults).toContain('Ida can’t join with this invite: it’s for adults (18 and over).');
    forAges = [AgeBand.TEEN13];
    const forTeens = await home.ada.open(path);
    expect(wordsOf(forTeens)).toContain('Join as Ida');
    await home.ada.send(forTeens, path, { for: child });
    expect(joins.at(-1)?.request.for).toBe(child);
    forAges = [AgeBand.CHILD];
    for (const those of [['Ida'], []]) {
      children = those;
      const page = await home.ada.open(path);
      expect(wordsOf(page)).toContain('This invite is for a different age');
      expect(page.text).toContain(`href="${paths.newChild}"`);
      expect(page.text).not.toContain(`action="${path}"`);
    }
  });

  test('without children has no choice to make', async () => {
    expect(wordsOf(await home.ada.open(path))).not.toContain('Who’s joining?');
  });
});

describe('an invitation', () => {
  test('shows the group, the ages and the inviter', async () => {
    const page = await home.stranger().open(path);
    const words = wordsOf(page);
    expect(page.status).toBe(200);
    for (const part of [
      'You’re invited to Rowing <club>',
      'Grace H. invites you',
      'teenagers of 13 to 15',
      'at once',
    ]) {
      expect(words).toContain(part);
    }
    expect(words).toContain('Sun, 10 May 2026');
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(home.logged.join('\n')).not.toContain(code);
  });

  test('that anyone can use names no inviter', async () => {
    reusable = true;
    expect(wordsOf(await home.stranger().open(path))).toContain('This link is reusable.');
  });

  test.each([
    [InviteState.USED, 410, 'This invite has been used'],
    [InviteState.EXPIRED, 410, 'This invite has expired'],
    [InviteState.REVOKED, 410, 'This invite was revoked'],
    [InviteState.FULL, 410, 'This invite has reached its limit'],
    [InviteState.INVALID, 404, 'Invite not found'],
    [InviteState.UNSPECIFIED, 404, 'Invite not found'],
  ])('explains why it does not work: %s', async (given, status, words) => {
    state = given;
    const page = await home.stranger().open(path);
    expectPage(page, status, words);
    expect(page.text).not.toContain('<form method="post" action="/i/');
  });

  test.each(['/i/x', `/i/${'x'.repeat(2_000)}`, '/i/%F0%9F%94%A5'])(
    'of any other code is refused: %s',
    async (at) => {
      const { status } = await home.stranger().open(at);
      expect([400, 404]).toContain(status);
    },
  );

  test('that a notice links to by its id asks to sign in first, and comes back', async () => {
    const at = `/i/inv_${'0'.repeat(32)}`;
    const page = await home.stranger().open(at);
    expect([page.status, page.headers.location]).toEqual([303, `/in?next=${encodeURIComponent(at)}`]);
  });

  test('cannot be guessed, because lookups are counted', async () => {
    const gateway = await startHomeWithPeople(
      [fake(InvitesService, { peekInvite: async () => ({ state: InviteState.INVALID }) })],
      { env: { HEARTH_LIMITS: '{}' } },
    );
    try {
      const stranger = gateway.stranger();
      const statuses = new Set<number>();
      for (let tries = 0; tries < 25; tries += 1)
        statuses.add((await stranger.open(`/i/guess-${tries}`)).status);
      expect(statuses).toEqual(new Set([404, 429]));
      const page = await stranger.open('/i/guess');
      expect([page.headers['retry-after'], wordsOf(page)]).toEqual([
        expect.stringMatching(/^\d+$/),
        expect.stringContaining('Too many attempts'),
      ]);
    } finally {
      await gateway.stop();
    }
  });
});

describe('a signed-in person', () => {
  test('joins as themselves', async () => {
    const page = await home.ada.open(path);
    expect(page.text).not.toContain('birth_year');
    const joined = await home.ada.send(page, path);
    expect(joins).toMatchObject([{ kind: CallerKind.PERSON, id: adaId, request: { code } }]);
    expect(joins[0]!.request.guest).toBeUndefined();
    expect(wordsOf(joined)).toContain('You are in Rowing <club> now.');
  });

  test('adds a note for the organizers, and waits', async () => {
    needsReview = true;
    const next = 'An organizer of Rowing <club> is asked whether you may join.';
    answer = { status: JoinStatus.WAITING, waitingFor: ['organizer'], ...nextOf('organizer') };
    const page = await home.ada.open(path);
    const waits = await home.ada.send(page, path, { note: 'I row on Tuesdays' });
    expect(joins.at(-1)!.request.note).toBe('I row on Tuesdays');
    expect(wordsOf(waits)).toContain(next);
    const again = await home.ada.open(path);
    expectPage(again, 200, `Request to join sent i ${next}`);
    const { status, headers } = await home.ada.send(again, `${path}/withdraw`);
    expect([status, headers.location, withdrawn]).toEqual([303, '/groups?done=withdrawn', [[code, adaId]]]);
  });

  test('is told above the form why they were refused', async () => {
    failure = () => badRequest('you are in this group already', { code: 'already_settled' });
    const page = await home.ada.send(await home.ada.open(path), path);
    expectPage(page, 400, 'That didn’t work This has already been done or answered.');
    expectPage(page, 400, 'Join as Ada Lovelace');
  });

  test('cannot use the form for guests', async () => {
    const page = await home.ada.open(path);
    const csrf = csrfOf(page);
    const { status } = await home.ada.post(`${path}/guest`, { csrf, ...guest });
    expect([status, joins]).toEqual([303, []]);
  });
});

describe('a guest', () => {
  test('joins with a name and an age, and stays signed in in this browser', async () => {
    answer = { ...answer, sessionToken: `hearth_ps_${'n'.repeat(43)}` };
    const stranger = home.stranger();
    const page = await stranger.open(path);
    const joined = await stranger.send(page, `${path}/guest`, guest);
    expect(joins).toMatchObject([
      { kind: CallerKind.ANONYMOUS, request: { code, guest: { name: 'Grace', birthYearMonth: '1990-07' } } },
    ]);
    expect(stranger.cookies.get('hearth_session')).toBe(answer.sessionToken);
    expect(wordsOf(joined)).toContain('You’re a guest, so you can only get back in from this browser.');
    expect(joined.text).not.toContain(answer.sessionToken);
  });

  test("gets the browser's time zone", async () => {
    const zones = [];
    for (const zone of ['Asia/Tokyo', 'Mars/Olympus', undefined]) {
      const stranger = home.stranger();
      if (zone !== undefined) stranger.cookies.set('hearth_zone', zone);
      await stranger.send(await stranger.open(path), `${path}/guest`, guest);
      zones.push(joins.at(-1)?.request.guest?.timeZone);
    }
    expect(zones).toEqual(['Asia/Tokyo', undefined, undefined]);
  });

  test.each([
    [{ ...guest, name: '' }, 'Enter your name.'],
    [{ ...guest, birth_month: '' }, 'enter the year with four digits'],
    [{ ...guest, birth_month: '13' }, 'enter the year with four digits'],
    [{ ...guest, birth_year: '90' }, 'enter the year with four digits'],
    [{ ...guest, birth_year: '2026', birth_month: '6' }, 'This month is in the future'],
    [{ ...guest, birth_year: '1800' }, 'This is too long ago'],
    [{ ...guest, name: 'x'.repeat(41) }, 'Use 1 to 40 characters'],
  ])('shows errors: %j', async (fields, words) => {
    const stranger = home.stranger();
    const page = await stranger.open(path);
    const again = await stranger.send(page, `${path}/guest`, fields);
    expect([again.status, joins, wordsOf(again)]).toEqual([400, [], expect.stringContaining(words)]);
    expect(again.text).toContain(`value="${fields.name}"`);
  });

  test("is told the group's rule for their age", async () => {
    const stranger = home.stranger();
    const page = await stranger.open(path);
    failure = () => badField('guest.birth_year_month', 'is too young for this group');
    expect(wordsOf(await stranger.send(page, `${path}/guest`, guest))).toContain(
      'This age isn’t allowed here.',
    );
    failure = () => forbidden('children join through their guardian', { code: 'guardian_needed' });
    const refused = await stranger.send(page, `${path}/guest`, guest);
    expectPage(refused, 403, 'A parent or guardian has to do this');
  });

  test('who is too late is told that the invite was used', async () => {
    const stranger = home.stranger();
    const page = await stranger.open(path);
    failure = () => {
      state = InviteState.USED;
      return badRequest('this invite was used', { code: 'not_waiting' });
    };
    const late = await stranger.send(page, `${path}/guest`, guest);
    expectPage(late, 410, 'This invite has been used');
  });
});

test('a child who needs a guardian is told how to ask one, with the link', async () => {
  forAges = [AgeBand.CHILD];
  const visitor = home.stranger();
  const page = await visitor.open(path);
  failure = () => badRequest('a parent or guardian has to say yes first', { code: 'guardian_needed' });
  const sent = await visitor.send(page, paths.joinAsGuest(code), { ...guest, birth_year: '2017' });
  expect(wordsOf(sent)).toContain('Ask your parent or guardian');
  expect(sent.text).toContain(`http://localhost:8080${path}</output>`);
});

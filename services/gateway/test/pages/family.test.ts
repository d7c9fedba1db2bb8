import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { minute } from '@hearth/clock';
import { badField, badRequest, forbidden, type HearthError, unavailable } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { ApprovalStatus } from '@hearth/proto/approvals/v1/approvals';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { InvitesService, ReviewDecision, type ReviewInviteRequest } from '@hearth/proto/groups/v1/invites';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { AgeBand, Platform } from '@hearth/proto/identity/v1/resources';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestGatewayOptions } from '../support/test-gateway.ts';
import { adaId, clock, startHomeWithPeople } from './home-with-people.ts';
import { type Noted, noting } from './notes.ts';
import { csrfOf, expectPage, expectSignIn, expectWords, tickedOf, wordsOf } from './visitor.ts';

const day = 24 * 60 * minute;
const idaId = '01900000-0000-7000-8000-0000000000c1';
const strangerId = '01900000-0000-7000-8000-0000000000c9';
const appId = '01900000-0000-7000-8000-0000000000f1';
const ida = printId('per', idaId);
const path = `/family/${ida}`;
const invite = 'inv_01900000000070008000000000000001';
const ada = { id: printId('per', adaId), name: 'Ada Lovelace', address: '@ada' };
const joan = { id: printId('per', strangerId), name: 'Joan Clarke', address: '@joan' };

interface Child {
  ageBand: AgeBand;
  aiShare: boolean;
  guardians: { guardian: typeof ada; childSaidEnd?: boolean; guardianSaidEnd?: boolean }[];
  next?: { ageBand: AgeBand; month: string };
  deletesAt?: ReturnType<typeof timestampFromMs>;
}

let child: Child;
let asked: Noted[];
let failure: HearthError | undefined;
let partsFail: boolean;
let ended: boolean;
let waits: boolean;

const noted = noting((call) => {
  if (failure !== undefined) throw failure;
  asked.push(call);
});

async function part<Value>(value: Value): Promise<Value> {
  if (partsFail) throw unavailable('no');
  return value;
}

const at = () => timestampFromMs(clock.now());

const profile: TestGatewayOptions['profile'] = {
  guardianView: ({ id }) =>
    part({
      groups: [
        { id: 'grp_1', address: '&rowing', name: `Rowing <club>`, joinedAt: at() },
        { id: 'grp_2', address: '&class', name: 'Class 3b', archived: true, joinedAt: at() },
      ],
      contacts: [
        { address: `shp_${'0'.repeat(32)}`, name: 'Tim K.', lastAt: at() },
        { address: '@otter', name: `Otter of ${id}`, lastAt: at() },
      ],
      ais: [{ id: 'ai_1', name: 'Owl', address: '@ida.ai-owl', platform: Platform.CLAUDE }],
      approvals: [
        {
          id: 'apr_1',
          title: 'A trip to <the lake>?',
          status: ApprovalStatus.APPROVED,
          at: at(),
          settledAt: at(),
        },
        { id: 'apr_2', title: 'A photo', status: ApprovalStatus.WAITING, at: at() },
      ],
    }),
};
const others = [
  fake(PeopleService, {
    findPeople: async () => ({ results: [{ facts: { timeZone: 'Europe/Berlin' } }] }),
    listChildren: async (_, { caller }) => {
      if (caller.id !== adaId) return { children: [] };
      const { guardians, next, ...facts } = child;
      return {
        children: [
          {
            facts: { id: idaId, handle: 'ida', ...facts },
            person: { id: ida, name: 'Ida <Lovelace>' },
            ...(next !== undefined && { nextBand: next }),
            guardians,
            appName: 'School app',
          },
        ],
      };
    },
    listLinks: () =>
      part({
        links: [ida, ada.id].map((id) => ({
          ...{ app: appId, name: 'Chess <club>', askedAt: at() },
          person: { id, name: 'Somebody' },
        })),
      }),
    answerLink: noted('answer'),
    updatePerson: noted('update'),
    setGuardian: noted('guardian'),
    endGuardian: noted('end', () => ({ ended })),
    deleteAccount: noted('delete'),
    keepAccount: noted('keep'),
    createPerson: noted('create', () => ({ id: ida })),
    claimGuest: noted('claim'),
  }),
  fake(GroupsService, { leaveGroup: noted('leave') }),
  fake(InvitesService, {
    listWaitingForGuardian: ({ children }) =>
      part({
        joins: children.map(() => ({
          ...{ invite, groupName: 'Chess for <beginners>' },
          join: {
            ...{ person: { id: ida, name: 'Ida <Lovelace>' }, note: 'please', at: at() },
            waitingFor: ['organizer', 'guardian'],
          },
        })),
      }),
    reviewInvite: noted('review', ({ decision }: ReviewInviteRequest) => {
      if (decision === ReviewDecision.DECLINED) return {};
      return waits ? { waitingFor: ['organizer'] } : { member: {} };
    }),
  }),
];
// The clock stands still, so limits never reset.
const home = await startHomeWithPeople(others, { profile });
const fresh = home.adaAfresh;
afterAll(() => home.stop());
beforeEach(() => {
  asked = [];
  child = {
    ageBand: AgeBand.CHILD,
    aiShare: false,
    guardians: [{ guardian: ada }],
    next: { ageBand: AgeBand.TEEN13, month: '2031-06' },
  };
  failure = undefined;
  partsFail = false;
  ended = false;
  waits = false;
});

describe('/family', () => {
  test('needs a sign-in', async () => {
    for (const place of ['/family', path, `${path}/delete`]) {
      expectSignIn(await home.stranger().open(place), place);
    }
  });

  test('shows what the guardian has to know about each child', async () => {
    child.guardians = [{ guardian: ada }, { guardian: joan }];
    expectWords(
      await home.ada.open('/family'),
      'Ida <Lovelace> @ida Age under 13 Next age 13 to 15 from June 2031. You stay the guardian.',
      'Guardians you and Joan Clarke',
      'Held by School app',
      'Groups Rowing <club> Contacts Tim K. and Otter',
      'Answered for them A trip to <the lake>? and A photo',
    );
    expectWords(await home.ada.open(path), 'A trip to <the lake>? approved', 'A photo waiting');
  });

  test("says if the next age's date is unknown", async () => {
    delete child.next;
    expect(wordsOf(await home.ada.open('/family'))).toContain('Next age Unknown');
  });

  test('is shown without unavailable parts', async () => {
    partsFail = true;
    const page = await home.ada.open('/family');
    expect(page.status).toBe(200);
    expectWords(page, 'Some requests can’t be shown right now', 'This can’t be shown right now.');
    expect(wordsOf(await home.ada.open(path))).toContain('This can’t be shown right now.');
  });

  test('of a person without children says so', async () => {
    const page = await home.grace.open('/family');
    expectPage(page, 200, 'You don’t look after any children here.');
  });
});

describe('requests that wait for the guardian', () => {
  const joinPath = `${path}/joins/${invite}`;
  const appPath = `${path}/apps/${appId}`;

  test.each([
    ['approved', ReviewDecision.APPROVED, false, 'joined'],
    ['approved', ReviewDecision.APPROVED, true, 'join_waits'],
    ['declined', ReviewDecision.DECLINED, false, 'join_declined'],
  ])('a wish to join is answered: %s', async (decision, number, organizersToo, done) => {
    waits = organizersToo;
    const page = await home.ada.open('/family');
    expectWords(page, 'Chess for <beginners>', 'wrote: please', 'An organizer has to agree as well.');
    expect(asked).toEqual([]);
    const answered = await home.ada.send(page, joinPath, { decision });
    expect(answered.headers.location).toBe(`/family?done=${done}`);
    expect(asked).toMatchObject([
      { name: 'review', person: adaId, request: { code: invite, person: ida, decision: number } },
    ]);
    const told = wordsOf(await home.ada.open(`/family?done=${done}`));
    expect(told).toMatch(/✓ (Approved|Declined)/);
  });

  test('a request to join is answered by nothing else, and not twice', async () => {
    const page = await home.ada.open('/family');
    expect((await home.ada.send(page, joinPath, { decision: 'perhaps' })).status).toBe(400);
    expect((await home.ada.open(joinPath)).status).toBe(405);
    expect(asked).toEqual([]);
    failure = badRequest('they were declined already', { code: 'already_settled' });
    const late = await home.ada.send(page, joinPath, { decision: 'approved' });
    expectPage(late, 400, 'This has already been done or answered.');
  });

  test.each([
    ['accept', true, 'accepted'],
    ['decline', false, 'declined'],
  ])('an app that asks for the child is answered: %s', async (answer, accept, done) => {
    const page = await fresh.open('/family');
    expectWords(page, 'This app asks to hold Ida <Lovelace>’s account.', 'It would replace School app');
    const answered = await fresh.send(page, appPath, { answer });
    expect(answered.headers.location).toBe(`/family?done=${done}`);
    expect(asked).toMatchObject([{ name: 'answer', request: { app: appId, accept, person: idaId } }]);
  });

  test('an app that does not ask for this child is not answered', async () => {
    const csrf = csrfOf(await home.ada.open('/family'));
    for (const app of ['x', idaId])
      expect((await home.ada.post(`${path}/apps/${app}`, { csrf, answer: 'accept' })).status).toBe(303);
    expect(asked).toEqual([]);
  });
});

describe('an account for a child', () => {
  const form = { name: 'Mia', birth_month: '5', birth_year: '2017', guardian: 'yes' };

  test('is made by a parent or guardian who says so', async () => {
    expect((await home.ada.open('/family')).text).toContain('href="/family/new"');
    const page = await home.ada.open('/family/new');
    const made = await home.ada.send(page, '/family/new', form);
    expect(made.headers.location).toBe(`${path}?done=made`);
    expect(asked).toMatchObject([
      { name: 'create', person: adaId, request: { name: 'Mia', birthYearMonth: '2017-05' } },
    ]);
    expect((asked[0]!.request as { requestId: string }).requestId).not.toBe('');
  });

  test('is not created while something is missing or refused, with an explanation', async () => {
    const page = await home.ada.open('/family/new');
    const empty = await home.ada.send(page, '/family/new', { name: '', birth_month: '5', birth_year: '17' });
    expectPage(empty, 400, 'Enter the child’s name.');
    expectWords(empty, 'enter the year with four digits', 'Tick the box if you are one');
    expect(asked).toEqual([]);
    failure = badField('birth_year_month', 'is that of an adult');
    const refused = await home.ada.send(page, '/family/new', form);
    expectPage(refused, 400, 'This age isn’t allowed here.');
    expect(refused.text).toContain('value="Mia"');
    failure = forbidden('only an adult can make an account for a child', { rule: 'only_adults' });
    expectPage(await home.ada.send(page, '/family/new', form), 400, 'Only adults can do this.');
  });

  test('cannot be created by a guest', async () => {
    expect((await home.grace.open('/family')).text).not.toContain('/family/new');
    expect((await home.grace.open('/family/new')).headers.location).toBe('/family');
    expectSignIn(await home.stranger().open('/family/new'), '/family/new');
  });
});

describe('a child', () => {
  test('is removed from a group by the guardian', async () => {
    const page = await home.ada.open(path);
    expect(page.text).toContain('name="group" value="&#38;rowing"');
    const left = await home.ada.send(page, `${path}/groups`, { group: '&rowing' });
    expect(left.headers.location).toBe(`${path}?done=left`);
    expect(asked).toMatchObject([{ name: 'leave', request: { id: '&rowing', person: ida } }]);
    failure = badRequest('they are the last organizer', { code: 'bad_field', field: 'confirm_archive' });
    expectPage(await home.ada.send(page, `${path}/groups`), 400, 'This isn’t valid.');
  });

  test('gets a sign-in from the guardian after a fresh sign-in', async () => {
    const place = `${path}/sign-in`;
    expect((await home.ada.open(place)).headers.location).toContain('fresh');
    const page = await fresh.open(place);
    const email = 'ida@example.com';
    const digits = await fresh.send(page, place, { email });
    const done = await fresh.send(digits, `${place}/code`, { code: '123 456' });
    expect(done.headers.location).toBe(`${path}?done=sign_in`);
    expect(asked).toMatchObject([
      { name: 'claim', person: adaId, request: { for: ida, email } },
      { name: 'claim', person: adaId, request: { for: ida, email, code: '123456' } },
    ]);
  });

  test.each([printId('per', strangerId), ada.id, 'me', '@ida', '%00'])(
    'of somebody else is not there: %s',
    async (id) => {
      const csrf = csrfOf(await home.ada.open('/family'));
      for (const place of ['', '/delete'])
        expect((await fresh.open(`/family/${id}${place}`)).status).toBe(404);
      const fields = { csrf, share: 'yes', guardian: 'joan', place: 'instead', confirm: 'ida' };
      const all = [
        '/ais',
        '/groups',
        '/sign-in',
        '/sign-in/code',
        '/guardian',
        '/guardian/end',
        '/delete',
        '/keep',
      ];
      for (const place of [...all, `/joins/${invite}`, `/apps/${appId}`]) {
        const { status } = await home.ada.post(`/family/${id}${place}`, {
          ...fields,
          decision: 'approved',
          answer: 'accept',
        });
        expect([place, status]).toEqual([place, 404]);
      }
      expect(asked).toEqual([]);
    },
  );

  test('is shown with their contacts; shielded contacts have no address', async () => {
    const page = await home.ada.open(path);
    expectWords(
      page,
      'Rowing <club> &rowing since Sun, 3 May 2026',
      'Class 3b &class archived since Sun, 3 May 2026',
      'Tim K. under 18 last Sun, 3 May 2026',
      `Otter of ${ida} @otter`,
      'Owl @ida.ai-owl · Claude',
      'You can’t end guardianship of a child under 13',
    );
    expect(page.text).not.toContain('shp_');
    expect(page.text).not.toContain('/guardian/end');
  });

  test.each([
    ['/family', false, 'yes', 'ais_on'],
    [path, true, 'no', 'ais_off'],
  ])('has AIs let act or stopped, from %s', async (from, before, share, done) => {
    child.aiShare = before;
    const page = await home.ada.open(from);
    expect(page.text).toContain(`name="share" value="${share}"`);
    const changed = await home.ada.send(page, `${path}/ais`);
    expect(changed.headers.location).toBe(`${path}?done=${done}`);
    expect(asked).toMatchObject([{ name: 'update', person: adaId, request: { id: ida, aiShare: !before } }]);
  });

  test('keeps its setting for AIs on any other value', async () => {
    const csrf = csrfOf(await home.ada.open(path));
    for (const share of ['', 'maybe']) await home.ada.post(`${path}/ais`, { csrf, share });
    expect(asked).toEqual([]);
  });
});

describe('another guardian', () => {
  const to = `${path}/guardian`;

  test.each([
    ['joan', 'second', '@joan', `${path}?done=named`],
    ['@Joan', 'instead', '@joan', '/family?done=handed_over'],
    ['joan@localhost:8080', 'second', 'joan@localhost:8080', `${path}?done=named`],
  ])('is named: %s, %s', async (guardian, place, address, location) => {
    const page = await home.ada.open(path);
    expect(tickedOf(page, 'place')).toEqual(['second']);
    const named = await home.ada.send(page, to, { guardian, place });
    expect(named.headers.location).toBe(location);
    const second = place === 'second';
    expect(asked).toMatchObject([{ name: 'guardian', request: { id: ida, guardian: address, second } }]);
  });

  test('replaces the guardian who names them if there are two', async () => {
    child.guardians = [{ guardian: ada }, { guardian: joan }];
    const page = await home.ada.open(path);
    expect(wordsOf(page)).toContain('They’ll replace you');
    await home.ada.send(page, to, { guardian: 'max' });
    expect(asked).toMatchObject([{ request: { guardian: '@max', second: false } }]);
  });

  test.each([
    [{ guardian: 'joan', place: '' }, 'Choose whether they’re a guardian alongside you or instead of you.'],
    [{ guardian: '', place: 'second' }, 'Enter the address of the new guardian.'],
    [{ guardian: 'Ada', place: 'instead' }, 'This is your own address.'],
    [{ guardian: 'x'.repeat(400), place: 'instead' }, 'Use at most 320 characters'],
  ])('is not named by %j', async (fields, words) => {
    const page = await home.ada.open(path);
    const again = await home.ada.send(page, to, fields);
    expect([again.status, asked, wordsOf(again)]).toEqual([400, [], expect.stringContaining(words)]);
    expect(again.text).toContain(`value="${fields.guardian}"`);
  });

  test('refused by the service gets the error at the field', async () => {
    const page = await home.ada.open(path);
    failure = badField('guardian', 'must be an adult');
    const again = await home.ada.send(page, to, { guardian: 'tim', place: 'instead' });
    expect(wordsOf(again)).toContain('Error: Enter the handle or address of an adult');
    expect(tickedOf(again, 'place')).toEqual(['instead']);
  });
});

describe('the end of a guardianship', () => {
  const to = `${path}/guardian/end`;
  beforeEach(() => {
    child.ageBand = AgeBand.TEEN13;
  });

  test('waits for the other’s consent', async () => {
    const page = await home.ada.open(path);
    expect(wordsOf(page)).toContain('It ends when you and Ida <Lovelace> both agree');
    const said = await home.ada.send(page, to);
    expect(said.headers.location).toBe(`${path}?done=said`);
    expect(asked).toMatchObject([{ name: 'end', request: { id: ida }, person: adaId }]);
    child.guardians = [{ guardian: ada, guardianSaidEnd: true }];
    const waiting = await home.ada.open(path);
    expect(wordsOf(waiting)).toContain('It ends when Ida <Lovelace> agrees');
    expect(waiting.text).not.toContain(`action="${to}"`);
  });

  test('comes with the second consent', async () => {
    child.guardians = [{ guardian: ada, childSaidEnd: true }];
    ended = true;
    const page = await home.ada.open(path);
    expect(wordsOf(page)).toContain('Ida <Lovelace> wants to end the guardianship.');
    expect((await home.ada.send(page, to)).headers.location).toBe('/family?done=ended');
  });
});

describe('deleting the account of a child', () => {
  const to = `${path}/delete`;

  test('needs a fresh sign-in of the guardian, and the child’s handle', async () => {
    const late = await home.ada.open(to);
    expect(late.text).toContain(`href="/in?fresh=1&#38;next=${encodeURIComponent(to)}"`);
    expect(late.text).not.toContain('name="confirm"');
    const page = await fresh.open(to);
    expect(wordsOf(page)).toContain('Delete Ida <Lovelace>’s account?');
    failure = badField('confirm', 'must be the handle of the account, to show that it is meant');
    expect((await fresh.send(page, to, { confirm: 'ada' })).status).toBe(400);
    failure = forbidden('sign in again first', { code: 'needs_person', needsPerson: true });
    expect(wordsOf(await fresh.send(page, to, { confirm: 'ida' }))).toContain('Sign in again first');
    failure = undefined;
    const done = await fresh.send(page, to, { confirm: 'ida' });
    expect(done.headers.location).toBe(path);
    expect(asked).toMatchObject([{ name: 'delete', person: adaId, request: { id: ida, confirm: 'ida' } }]);
  });

  test('is shown while it is pending, and can be undone', async () => {
    child.deletesAt = timestampFromMs(clock.now() + 6 * day);
    for (const place of ['/family', path]) {
      const page = await home.ada.open(place);
      expect(wordsOf(page)).toContain('Ida <Lovelace>’s account will be deleted on Sat, 9 May 2026, 14:00');
      expect(page.text).not.toContain(`href="${to}"`);
      const kept = await home.ada.send(page, `${path}/keep`);
      expect(kept.headers.location).toBe(`${path}?done=kept`);
    }
    expect((await fresh.open(to)).headers.location).toBe(path);
    expect(asked).toMatchObject([{ name: 'keep', request: { id: ida } }, { name: 'keep' }]);
  });
});

import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badRequest, forbidden, HearthError, notFound, unavailable } from '@hearth/errors';
import { storeTexts, t, verbatim } from '@hearth/i18n';
import {
  AnswerDecision,
  type Approval,
  ApprovalKind,
  ApprovalStatus,
  ApprovalsService,
  type RelabelRequestRequest,
  RequestKind,
} from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService, RuleAction } from '@hearth/proto/approvals/v1/request_rules';
import {
  type AcceptRequestRequest,
  ReportReason,
  type RequestEntrySchema,
  RequestsService,
} from '@hearth/proto/approvals/v1/requests';
import { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import { PlansService } from '@hearth/proto/decisions/v1/plans';
import { Box, type MessageSchema, MessagesService } from '@hearth/proto/messages/v1/messages';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { adaId, clock, startHomeWithPeople } from '../home-with-people.ts';
import { type Noted, noting } from '../notes.ts';
import { csrfOf, expectPage, expectSignIn, expectWords, type Page, wordsOf } from '../visitor.ts';
import { idOfAsk, someApproval } from './some-approval.ts';

let approvals: Approval[];
let entries: MessageInitShape<typeof RequestEntrySchema>[];
/** The calls with their callers. */
let asked: Noted[];
/** The errors of acts, by id. */
let failures: Map<string, Error>;
let away: { asks?: Error; requests?: Error; rules?: Error | undefined };
let proposal: ReturnType<typeof proposalOf> | undefined;
let joined: { status: string; next: string; wording?: JsonObject };

const ruleOf = (action: RuleAction) => ({ action, checkedOnly: false });
/** A proposal to turn away sales. */
const proposalOf = (id: string) => ({
  ...{ id, by: '@ada.ai-robin', at: timestampFromMs(clock.now()) },
  changes: { sales: ruleOf(RuleAction.TURN_AWAY) },
});
let cursor: string | undefined;
let letter: MessageInitShape<typeof MessageSchema> | undefined;

const message: MessageInitShape<typeof RequestEntrySchema> = {
  id: `msg_${'1'.repeat(32)}`,
  type: 'message',
  kind: RequestKind.SALES,
  preview: 'Buy <this>',
  from: '@free-k3x9qa.ai-otter',
  fromName: 'Otter',
  nameVerified: false,
  passedNote: 'Looks odd',
  at: timestampFromMs(clock.now() - 60_000),
};
const invite = {
  ...message,
  id: `inv_${'2'.repeat(32)}`,
  type: 'invite',
  title: 'Rowing club',
  passedNote: undefined,
};

type About = { id?: string; about?: string; target?: string };

const noted = noting((call) => {
  const { id, about, target } = call.request as About;
  const failure = failures.get(id ?? about ?? target ?? '');
  if (failure !== undefined) throw failure;
  asked.push(call);
});

const home = await startHomeWithPeople([
  fake(ApprovalsService, {
    listApprovals: async (request, { caller }) => {
      if (away.asks !== undefined) throw away.asks;
      asked.push({ name: 'list', request, person: caller.id });
      const { status } = request;
      // Like the service: without a status, it lists waiting asks and the caller's own.
      const listed = approvals.filter((each) => status === undefined || each.status === status);
      return { approvals: caller.id === adaId ? listed : [], nextCursor: cursor };
    },
    replyApproval: noted('reply', someApproval()),
    relabelRequest: noted('relabel', ({ id, kind }: RelabelRequestRequest) => ({
      ...{ id, status: kind === RequestKind.SALES ? 'declined' : 'waiting' },
    })),
  }),
  fake(RequestRulesService, {
    getRequestRules: async () => {
      if (away.rules !== undefined) throw away.rules;
      return { rules: { sales: ruleOf(RuleAction.DECLINE) }, ...(proposal !== undefined && { proposal }) };
    },
  }),
  fake(DecisionsService, { listDecisions: async () => ({}) }),
  fake(PlansService, { listPlans: async () => ({}) }),
  fake(RequestsService, {
    listRequests: async (_, { caller }) => {
      if (away.requests !== undefined) throw away.requests;
      return { requests: caller.id === adaId ? entries : [] };
    },
    acceptRequest: noted('accept', ({ id }: AcceptRequestRequest) =>
      id.startsWith('inv_') ? { id, ...joined } : { id, status: 'inbox' },
    ),
    declineRequest: noted('decline', { id: '', status: 'declined' }),
    block: noted('block', { target: '' }),
    unblock: noted('unblock', { unblocked: true }),
    report: noted('report', { id: 'rpt_1' }),
    listBlocks: async () => ({
      blocks: [{ target: '@shop.example', reason: 'Sells <things>', at: timestampFromMs(clock.now()) }],
    }),
  }),
  fake(MessagesService, {
    async getMessage() {
      if (letter === undefined) throw notFound();
      return letter;
    },
  }),
]);
afterAll(() => home.stop());
beforeEach(() => {
  proposal = undefined;
  joined = { status: 'joined', next: 'You are in.' };
  approvals = [
    someApproval(),
    someApproval({
      id: idOfAsk(2),
      title: 'Which day?',
      choices: ['Thursday', 'Friday'],
      about: '@byron',
      aboutName: 'Byron <b>',
    }),
    someApproval({ id: idOfAsk(3), title: 'Asked by Ada herself', toYou: undefined }),
  ];
  entries = [message, invite];
  asked = [];
  failures = new Map();
  away = {};
  cursor = undefined;
  letter = {
    ...{
      id: message.id!,
      thread: `thr_${'1'.repeat(32)}`,
      from: message.from!,
      fromName: 'Otter',
      nameVerified: false,
      at: message.at!,
    },
    ...{ text: 'Buy <this>\nand that, and all the rest of it', box: Box.REQUESTS },
  };
  home.ada.cookies.delete('hearth_later');
});

const acts = () => asked.filter(({ name }) => name !== 'list');

describe('a visitor', () => {
  test.each(['/requests', '/requests/settled', '/requests/blocked'])('signs in first: %s', async (path) => {
    expectSignIn(await home.stranger().open(path), path);
  });

  test('cannot act, nor can a form without a CSRF token', async () => {
    const form = { type: 'approval', do: 'yes', digest: '' };
    const stranger = await home.stranger().post(`/requests/${idOfAsk(1)}`, form);
    const forged = await home.ada.post(`/requests/${idOfAsk(1)}`, { ...form, csrf: 'wrong' });
    expect([stranger.status, forged.status, asked]).toEqual([403, 403, []]);
  });
});

describe('a message', () => {
  const path = `/requests/${message.id}`;

  test('is read in full from the list, and accepted there', async () => {
    expect((await home.ada.open('/requests')).text).toContain(`href="${path}"`);
    const page = await home.ada.open(path);
    expectPage(
      page,
      200,
      'Buy <this>',
      'and that, and all the rest of it',
      'unverified name',
      'Accept this sender?',
    );
    expect(page.text).toContain(`href="/messages/thr_${'1'.repeat(32)}"`);
    await home.ada.send(page, path, { type: 'message', do: 'yes' });
    expect(acts().at(-1)).toMatchObject({ name: 'accept', request: { id: message.id } });
  });

  test('that is in the inbox has nothing to decide', async () => {
    letter = { ...letter, box: Box.INBOX };
    expect(wordsOf(await home.ada.open(path))).not.toContain('Accept this sender?');
  });

  test('that the person may not read leads to the waiting requests', async () => {
    letter = undefined;
    const page = await home.ada.open(path);
    expect([page.status, page.headers['location']]).toEqual([303, '/requests']);
    expect((await home.ada.open(`/requests/${invite.id}`)).status).toBe(404);
    expectSignIn(await home.stranger().open(path), path);
  });
});

describe('/requests', () => {
  test('lists asks, messages and invites together, newest first, with their facts', async () => {
    const page = await home.ada.open('/requests');
    const words = wordsOf(page);
    expect(page.text).toContain('<title>(4) Requests - localhost:8080</title>');
    for (const part of [
      '4 waiting',
      'Buy <this> message',
      'Note from your AI: Looks odd',
      'Otter @free-k3x9qa.ai-otter unverified name',
      'Category: Sales',
      'Rowing club invite',
      'May I book the train? approval Second class. One change. Robin <b>',
      '60 minutes ago · 3 hours left',
      'Which day? approval about Byron <b>',
    ]) {
      expect(words).toContain(part);
    }
    expect(words).not.toContain('herself');
    expect(words.indexOf('Rowing club')).toBeLessThan(words.indexOf('May I book'));
    expect(page.text).toContain('Requests <span class="count">4');
  });

  test("requests only waiting asks, and adds the purpose of a stranger's ask", async () => {
    entries = [{ ...message, id: idOfAsk(1), type: 'approval', kind: RequestKind.RECRUITING }];
    const words = wordsOf(await home.ada.open('/requests'));
    expect(asked).toMatchObject([{ request: { status: ApprovalStatus.WAITING }, person: adaId }]);
    expect(words).toContain('2 waiting');
    expect(words).toContain('Category: Recruiting');
  });

  test('offers a tap only if a tap is an answer', async () => {
    approvals.push(someApproval({ id: idOfAsk(4), kind: ApprovalKind.RULES, title: 'Other rules?' }));
    const { text } = await home.ada.open('/requests');
    const rows = text.split('<li class="request"').slice(1);
    const rowOf = (title: string) => rows.find((row) => row.includes(`${title}</bdi></a>`)) ?? '';
    expect(rowOf('May I book the train?')).toContain('name="do" value="yes"');
    expect(rowOf('Which day?')).not.toContain('name="do" value="yes"');
    expect(rowOf('Which day?')).toContain(`<a class="button main" href="/a/${idOfAsk(2)}"`);
    expect(rowOf('Other rules?')).toContain('<a class="button main" href="/rules"');
  });

  test('shows which rows a proposal of rules would change, and takes a tap for it', async () => {
    approvals.push(someApproval({ id: idOfAsk(4), kind: ApprovalKind.RULES, title: 'Other rules?' }));
    proposal = proposalOf(idOfAsk(4));
    const { text } = await home.ada.open('/requests');
    const row = text.split('<li class="request"').find((one) => one.includes('Other rules?'))!;
    const words = wordsOf({ text: `<main>${row}` } as Page);
    for (const part of [
      'rules',
      '1 rule for who can reach you would change',
      'Sales was: Decline politely becomes: Turn away',
    ])
      expect(words).toContain(part);
    expect(words).not.toContain('Recruiting');
    expect(row).toContain('name="do" value="yes"');
    // Cannot be accepted together with the ticked ones.
    expect(text).toContain(`value="approval ${idOfAsk(4)} rules `);
    // If the proposal was answered or the rules are unavailable, the row links to the page of rules.
    for (const [other, failing] of [
      [proposalOf(idOfAsk(5)), undefined],
      [proposalOf(idOfAsk(4)), unavailable('no')],
    ] as const) {
      proposal = other;
      away = { rules: failing };
      expect((await home.ada.open('/requests')).text).toContain('<a class="button main" href="/rules"');
    }
  });

  test('leaves out requests at the front door', async () => {
    entries = [{ ...message, frontDoor: true }];
    expect(wordsOf(await home.ada.open('/requests'))).toContain('2 waiting');
  });

  test('shows one part while the other is unavailable, and says so', async () => {
    away = { requests: unavailable('no') };
    const page = await home.ada.open('/requests');
    expectPage(page, 200, '2 waiting');
    expect(wordsOf(page)).toContain('Not everything can be shown');
    away = { asks: unavailable('no') };
    expect(wordsOf(await home.ada.open('/requests'))).toContain('Buy <this>');
    away = { asks: new Error('broken') };
    expect((await home.ada.open('/requests')).status).toBe(500);
  });

  test('shows at most fifty, and says that there are more', async () => {
    approvals = Array.from({ length: 60 }, (_, index) => someApproval({ id: idOfAsk(index) }));
    const page = await home.ada.open('/requests');
    expect(page.text.match(/<li class="request"/g)).toHaveLength(50);
    expect(wordsOf(page)).toContain('More than 50 waiting');
  });

  test('is empty without requests', async () => {
    const page = await home.grace.open('/requests');
    expect(wordsOf(page)).toContain('You’re all caught up.');
    expect(page.text).toContain('<title>Requests - ');
  });

  test('shows only its own notices', async () => {
    const done = await home.ada.open(`/requests?done=approved&of=${idOfAsk(1)}`);
    expect(wordsOf(done)).toContain('✓ Approved. See the outcome');
    for (const query of [
      'done=<script>',
      'done=constructor',
      'done=yes&n=<b>&left=1',
      'done=approved&of=//evil',
    ]) {
      const page = await home.ada.open(`/requests?${query}`);
      expect([page.status, /evil|<script>|<b>1/.test(page.text)]).toEqual([200, false]);
    }
  });
});

describe('a request', () => {
  const open = () => home.ada.open('/requests');
  const sendTo = async (id: string, fields: Record<string, string>) => {
    const page = await open();
    const parts = page.text.split('<form ').filter((part) => part.includes(`action="/requests/${id}"`));
    const inside = parts.find((part) => part.includes(`name="do" value="${fields['do']}"`)) ?? '';
    const hidden = [
      ...inside.split('</form>')[0]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g),
    ];
    return await home.ada.post(`/requests/${id}`, {
      ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
      ...fields,
    });
  };

  test('that is an ask is approved with the digest of what was shown', async () => {
    const { headers } = await sendTo(idOfAsk(1), { do: 'yes' });
    expect(headers.location).toBe(`/requests?done=approved&of=${idOfAsk(1)}`);
    expect(acts()).toMatchObject([
      {
        name: 'reply',
        person: adaId,
        request: { id: idOfAsk(1), decision: AnswerDecision.APPROVED, askDigest: someApproval().digest },
      },
    ]);
  });

  test('that is an ask is declined with the reason, and without one', async () => {
    await sendTo(idOfAsk(1), { do: 'no', note: ' Too late ' });
    await sendTo(idOfAsk(2), { do: 'no', note: '' });
    expect(acts()).toMatchObject([
      { name: 'reply', request: { decision: AnswerDecision.DECLINED, note: 'Too late' } },
      { name: 'reply', request: { id: idOfAsk(2) } },
    ]);
    expect(acts()[1]!.request).not.toHaveProperty('note');
  });

  test.each([
    [message.id, { do: 'yes' }, 'accept', 'accepted'],
    [message.id, { do: 'no', note: 'No, thank you' }, 'decline', 'declined'],
    [invite.id, { do: 'no' }, 'decline', 'declined'],
  ])('%s: %j', async (id, fields, name, done) => {
    const { headers } = await sendTo(id!, fields as unknown as Record<string, string>);
    expect([headers.location, acts()]).toMatchObject([`/requests?done=${done}`, [{ name, request: { id } }]]);
  });

  test.each([
    ['joined', 'joined', 'Byron is in Rowing <club> now.', 'Invite accepted'],
    [
      'waiting',
      'organizer',
      'An organizer of Rowing <club> is asked whether Byron may join.',
      'Request to join sent',
    ],
  ] as const)(
    'that is an invite is accepted, and the page says what happens next: %s',
    async (status, step, next, heading) => {
      const values = { whom: 'other', name: verbatim('Byron'), group: verbatim('Rowing <club>') } as const;
      const { wording } = storeTexts({ next: t(`invites.next.${step}`, values) });
      joined = { status, next: 'in English', wording };
      const page = await sendTo(invite.id!, { do: 'yes' });
      expect(acts()).toMatchObject([{ name: 'accept', request: { id: invite.id } }]);
      expectWords(page, next, heading);
      expect(page.text.includes('href="/groups">Your groups<')).toBe(status === 'joined');
    },
  );

  test('that is a proposal of rules is accepted and declined as such, as it was shown', async () => {
    approvals = [someApproval({ id: idOfAsk(4), kind: ApprovalKind.RULES })];
    proposal = proposalOf(idOfAsk(4));
    await sendTo(idOfAsk(4), { do: 'yes' });
    await sendTo(idOfAsk(4), { do: 'no', note: 'I like mine' });
    const { digest: askDigest } = someApproval();
    expect(acts()).toMatchObject([
      { name: 'reply', request: { id: idOfAsk(4), decision: AnswerDecision.APPROVED, askDigest } },
      { name: 'reply', request: { decision: AnswerDecision.DECLINED, note: 'I like mine', askDigest } },
    ]);
  });

  test('gets another purpose with one tap, and the page says what its rule does', async () => {
    const offer = await sendTo(message.id!, { do: 'relabel', kind: 'offer' });
    const sales = await sendTo(message.id!, { do: 'relabel', kind: 'sales' });
    expect([offer.headers.location, sales.headers.location]).toEqual([
      '/requests?done=relabelled',
      '/requests?done=relabelled_declined',
    ]);
    expect(acts()[0]).toMatchObject({ request: { id: message.id, kind: RequestKind.OFFER } });
    expect((await sendTo(message.id!, { do: 'relabel', kind: 'junk' })).status).toBe(400);
  });

  test('is reported before its sender is blocked', async () => {
    const page = await sendTo(message.id!, { do: 'both', reason: 'scam', text: 'Wants money' });
    expect(page.headers.location).toBe('/requests?done=blocked_reported');
    expect(acts()).toMatchObject([
      { name: 'report', request: { about: message.id, reason: ReportReason.SCAM, text: 'Wants money' } },
      { name: 'block', request: { target: message.from } },
    ]);
    asked = [];
    await sendTo(invite.id!, { do: 'report', reason: 'spam', text: '' });
    await sendTo(invite.id!, { do: 'block', reason: 'spam', text: '' });
    expect(acts()).toMatchObject([{ name: 'report', request: { about: invite.from } }, { name: 'block' }]);
    expect(acts()[0]!.request).not.toHaveProperty('text');
  });

  test('is put off only in this browser, and returns tomorrow', async () => {
    const { headers } = await sendTo(message.id!, { do: 'later' });
    expect([headers.location, acts()]).toEqual(['/requests?done=later', []]);
    expect(headers['set-cookie']?.[0]).toMatch(
      /^hearth_later=1{12}; .*HttpOnly; SameSite=Lax; Max-Age=86400$/,
    );
    const page = await open();
    expectWords(page, '3 waiting', 'Put off until tomorrow (1)');
    home.ada.cookies.set('hearth_later', 'a.b.<c>');
    expect(wordsOf(await open())).toContain('4 waiting');
  });

  test.each([
    ['settled', badRequest('no', { code: 'already_settled' }), '/requests?done=late'],
    ['gone', notFound(), '/requests?done=late'],
    [
      'changed',
      badRequest('no', { code: 'ask_changed', field: 'ask_digest' }),
      `/a/${idOfAsk(1)}?done=changed`,
    ],
    ['a question', badRequest('no', { code: 'bad_field', field: 'answer' }), `/a/${idOfAsk(1)}?done=changed`],
  ])('that is %s by then says so', async (_, failure, to) => {
    failures.set(idOfAsk(1), failure);
    const { headers } = await sendTo(idOfAsk(1), { do: 'yes' });
    expect(headers.location).toBe(to);
  });

  test('that may not be answered says why', async () => {
    failures.set(idOfAsk(1), forbidden('only a guardian can do this'));
    const page = await sendTo(idOfAsk(1), { do: 'yes' });
    expectPage(page, 403, 'You don’t have permission to do this.');
  });

  test.each([
    { do: 'explode', type: 'approval' },
    { do: 'yes', type: 'thing' },
    { do: 'yes' },
    { type: 'approval' },
  ])('ignores a form with %j', async (fields) => {
    const csrf = csrfOf(await open());
    const page = await home.ada.post(`/requests/${idOfAsk(1)}`, { csrf, ...(fields as object) });
    expect([page.status, acts()]).toEqual([400, []]);
  });
});

describe('the ticked requests', () => {
  const ticked = async (fields: Record<string, string | string[]>) => {
    const page = await home.ada.open('/requests');
    return await home.ada.send(page, '/requests', fields);
  };
  const digest = someApproval().digest;
  const items = [
    `approval ${idOfAsk(1)} tap ${digest}`,
    `approval ${idOfAsk(2)} answer ${digest}`,
    `message ${message.id} tap `,
  ];

  test('are checkboxes of one form', async () => {
    const { text } = await home.ada.open('/requests');
    for (const item of items) expect(text).toContain(`name="item" value="${item}" form="ticked"`);
  });

  test('are approved, except those that need more than a tap', async () => {
    const { headers } = await ticked({ item: items, do: 'yes' });
    expect(acts().map(({ name }) => name)).toEqual(['reply', 'accept']);
    const page = await home.ada.open(headers.location!);
    expect(wordsOf(page)).toContain('2 requests approved or accepted. 1 is left');
  });

  test('are all declined', async () => {
    const { headers } = await ticked({ item: items, do: 'no' });
    expect(acts()).toMatchObject([
      { name: 'reply', request: { id: idOfAsk(1), askDigest: digest } },
      { name: 'reply', request: { id: idOfAsk(2) } },
      { name: 'decline', request: { id: message.id } },
    ]);
    expect(headers.location).toBe('/requests?done=no&n=3&left=0');
  });

  test('fail independently, except for internal errors', async () => {
    failures.set(idOfAsk(1), badRequest('no', { code: 'already_settled' }));
    const { headers } = await ticked({ item: items, do: 'no' });
    expect(headers.location).toBe('/requests?done=no&n=2&left=1');
    failures.set(idOfAsk(1), new HearthError('unavailable', 'away'));
    expect((await ticked({ item: items, do: 'no' })).status).toBe(503);
  });

  test('are put off together', async () => {
    await ticked({ item: [items[0]!, items[2]!], do: 'later' });
    const words = wordsOf(await home.ada.open('/requests'));
    expect([words, acts()]).toEqual([expect.stringContaining('Put off until tomorrow (2)'), []]);
  });

  test('may be missing or invalid', async () => {
    const none = await ticked({ do: 'yes' });
    expect(wordsOf(await home.ada.open(none.headers.location!))).toContain('Nothing was selected.');
    await ticked({ item: ['x', `approval ${idOfAsk(1)}`, 'admin a tap '], do: 'yes' });
    expect(acts()).toEqual([]);
    expect((await ticked({ item: items, do: 'delete' })).status).toBe(400);
  });
});

describe('a settled ask', () => {
  beforeEach(() => {
    approvals = [
      someApproval(),
      someApproval({
        id: idOfAsk(7),
        title: 'The old one',
        status: ApprovalStatus.DECLINED,
        settledAt: timestampFromMs(clock.now()),
      }),
      someApproval({ id: idOfAsk(8), title: 'Mine', status: ApprovalStatus.EXPIRED, from: '@ada' }),
      // An AI's owner is notified of reminders about the AI's asks.
      someApproval({ id: idOfAsk(9), title: 'Its own', status: ApprovalStatus.EXPIRED, reminders: 0 }),
    ];
  });

  test('is listed once, with its outcome', async () => {
    const page = await home.ada.open('/requests/settled');
    const words = wordsOf(page);
    expect(words).toContain('The old one declined from Robin <b> Sun, 3 May 2026, 12:00 UTC');
    expect(words).toContain('Mine expired from you');
    expect(words).toContain('Its own expired from Robin <b>');
    expect(words).not.toContain('May I book');
    expect(words.split('The old one')).toHaveLength(2);
  });
});

describe('a blocked sender', () => {
  test('is listed, and unblocked with a button', async () => {
    const page = await home.ada.open('/requests/blocked');
    expect(wordsOf(page)).toContain('@shop.example since Sun, 3 May 2026 · Sells <things>');
    const lifted = await home.ada.send(page, '/requests/blocked');
    expect(acts()).toMatchObject([{ name: 'unblock', request: { target: '@shop.example' }, person: adaId }]);
    expect(wordsOf(await home.ada.open(lifted.headers.location!))).toContain('Unblocked.');
  });
});

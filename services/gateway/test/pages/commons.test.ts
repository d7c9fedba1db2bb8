import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { badField, notFound } from '@hearth/errors';
import { type ReportMailRequest, RequestsService } from '@hearth/proto/approvals/v1/requests';
import {
  CommonsClosing,
  CommonsKind,
  type CommonsPost,
  CommonsPostSchema,
  CommonsRemover,
  CommonsService,
  CommonsStatus,
  type ListCommonsRequest,
} from '@hearth/proto/messages/v1/commons';
import { SenderStatus } from '@hearth/proto/messages/v1/messages';
import { CallerKind } from '@hearth/proto/options';
import { fake } from '@hearth/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { clock, startHomeWithPeople } from './home-with-people.ts';
import { expectPage, expectWords, wordsOf } from './visitor.ts';

const id = `pst_${'0'.repeat(31)}1`;
const hostile = '<script>alert(1)</script>\u202eevil & "more"';
const post = (more: MessageInitShape<typeof CommonsPostSchema>): CommonsPost =>
  create(CommonsPostSchema, {
    id,
    conversation: `cnv_${'0'.repeat(31)}1`,
    kind: CommonsKind.ASK,
    title: 'Night trains',
    text: 'To Vienna?',
    tags: ['trains'],
    by: '@free-k3x9qa.ai-robin',
    byName: 'Robin',
    byStatus: SenderStatus.UNCLAIMED,
    at: timestampFromMs(clock.now()),
    expiresAt: timestampFromMs(clock.now() + 1_000),
    status: CommonsStatus.OPEN,
    replies: 1,
    ...more,
  } as MessageInitShape<typeof CommonsPostSchema>);
let posts: CommonsPost[];
let asked: (Partial<ListCommonsRequest> & { kind_: CallerKind })[];
let reports: ReportMailRequest[];

const home = await startHomeWithPeople(
  [
    fake(CommonsService, {
      async listCommons({ $typeName: _, ...request }, { caller }) {
        asked.push({ ...request, kind_: caller.kind });
        if (request.q === '!!') throw badField('q', 'must hold a word of letters or digits');
        return { posts, nextCursor: 'older', newSince: 'x' };
      },
      async getCommons(request) {
        if (request.id !== id) throw notFound();
        const { by, byName, byStatus, at } = posts[0]!;
        return { post: posts[0]!, replies: [{ id: `${id}2`, text: 'I do', by, byName, byStatus, at }] };
      },
    }),
    fake(RequestsService, {
      async reportMail(request) {
        reports.push(request);
        return {};
      },
    }),
  ],
  { env: { HEARTH_COMMONS: 'public' } },
);
afterAll(() => home.stop());
beforeEach(() => {
  [posts, asked, reports] = [[post({})], [], []];
});

describe('the Commons for everyone', () => {
  test('shows posts with their authors, the same to every visitor, without tracking', async () => {
    const reader = home.stranger();
    const page = await reader.open('/commons?kind=ask&q=night&sort=active&utm_source=x');
    expect(page.status).toBe(200);
    expectWords(
      page,
      'Posts are written by AIs and aren’t advice',
      'Ask: Night trains',
      'no owner',
      'To Vienna?',
    );
    expect(asked).toMatchObject([{ kind: CommonsKind.ASK, q: 'night', kind_: CallerKind.ANONYMOUS }]);
    expect(page.headers['cache-control']).toBe('public, max-age=60');
    expect([page.headers['set-cookie'], [...reader.cookies]]).toEqual([undefined, []]);
    expect(page.text).not.toMatch(/<script|csrf|https?:\/\/(?!localhost)/);
    expect(page.text).toMatch(/q=night&#38;kind=ask&#38;sort=active&#38;cursor=[\w-]{16}older"/);
    const { etag } = page.headers;
    expect((await home.ada.open('/commons?kind=ask&q=night&sort=active')).headers.etag).toBe(etag);
    const again = await fetch(`${home.url}/commons?kind=ask&q=night&sort=active`, {
      headers: { 'if-none-match': etag! },
    });
    expect(again.status).toBe(304);
  });

  test('escapes hostile text, in the page and in the feed', async () => {
    posts = [post({ title: hostile, text: hostile, byName: hostile, tags: [hostile] })];
    for (const path of ['/commons', `/commons/${id}`, '/commons.atom']) {
      const { text } = await home.stranger().open(path);
      expect(text).not.toMatch(/<script>|\u202e/);
      expect(text).toContain('&#60;script&#62;alert(1)');
    }
  });

  test('explains errors of a search, and shows tombstones with their reasons', async () => {
    const wrong = await home.stranger().open('/commons?q=!!');
    expectWords(wrong, 'Search for at least one word with letters or digits.');
    posts = [
      post({
        title: undefined,
        text: '',
        status: CommonsStatus.REMOVED,
        removedBy: CommonsRemover.OPERATOR,
        reason: 'Spam',
      }),
      post({ status: CommonsStatus.CLOSED, closedReason: CommonsClosing.FILLED, closedWith: '@wren.ai-x' }),
    ];
    const page = await home.stranger().open('/commons?status=removed');
    expectWords(page, 'who run localhost:8080: Spam', 'Found what it was looking for. With @wren.ai-x.');
  });

  test('leads to a conversation, and to a feed with the same posts', async () => {
    const page = await home.stranger().open(`/commons/${id}`);
    expectWords(page, 'Night trains', '1 reply', 'I do');
    expectPage(await home.stranger().open('/commons/pst_unknown'), 404, 'This page doesn’t exist');
    const feed = await home.stranger().open('/commons.atom?kind=ask');
    expect(feed.headers).toMatchObject({
      'content-type': 'application/atom+xml; charset=utf-8',
      etag: expect.anything(),
    });
    expect(feed.text).toContain('<title>Ask: Night trains</title>');
    expect(feed.text).toContain(`<id>http://localhost:8080/commons/${id}</id>`);
  });

  test('has a form for reports, which asks for a reason but no name', async () => {
    const reader = home.stranger();
    const page = await reader.open(`/commons/${id}/report`);
    const action = `/commons/${id}/report`;
    expectWords(await reader.send(page, action, { text: 'It is spam' }), 'Choose what’s wrong.');
    const done = await reader.send(page, action, { reason: 'spam', text: 'It is spam' });
    expect(wordsOf(done)).toContain('Report sent');
    expect(reports).toMatchObject([{ about: id, text: 'It is spam' }]);
    expect((await reader.open('/commons/pst_unknown/report')).status).toBe(404);
    expect((await reader.post(action, { reason: 'spam' })).status).toBe(403);
  });
});

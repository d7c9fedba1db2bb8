import { isHearthError } from '@hearth/errors';
import { CommonsService } from '@hearth/proto/messages/v1/commons';
import { RateClass } from '@hearth/proto/options';
import type { JsonRecord } from '@hearth/proto-json';
import { anonymous, type Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import {
  type CommonsFilter,
  commonsFeed,
  commonsPage,
  commonsPostPage,
  commonsQuery,
  commonsReportPage,
  type Frame,
  paths,
} from '@hearth/web';
import { createAddDocument, sendDocument } from '../documents/module.ts';
import { type Exchange, etagOf, type Network, splitTarget, visitorFrame } from '../http/module.ts';
import {
  type Context,
  fieldErrors,
  type PageRequest,
  sendNotFoundPage,
  sendReport,
  shown,
} from '../pages/module.ts';
import { postView, replyView } from './views.ts';

const { getCommons, listCommons } = CommonsService.method;
const maxAgeSeconds = 60;
/** A bad cursor has no field of its own to show the error at. */
const fieldsOfPage = {
  q: 'q',
  kind: 'kind',
  tag: 'tag',
  by: 'by',
  status: 'status',
  sort: 'sort',
  cursor: 'q',
};

/**
 * The public pages of the Commons: documents without a session, the same for all readers, so that caches can
 * keep them. Only the report form has a session.
 */
export function addCommonsPages(
  host: Pick<Host, 'config' | 'ids' | 'languages'>,
  context: Context,
  deps: Parameters<typeof createAddDocument>[0] & { network: Network },
): void {
  const { ids } = host;
  const { ask, send, rates, addPage } = context;
  const { siteUrl } = host.config;
  const addDocument = createAddDocument(deps);

  /** Adds a page or a feed, with the usual page for what is not found. */
  function add(name: string, path: string, type: string, make: (reader: Reader) => Promise<string>): void {
    addDocument(name, path, async (exchange) => {
      const caller: Caller = { ...anonymous, network: deps.network.of(exchange.request) };
      await rates.spend(RateClass.READ, caller, exchange);
      const target = splitTarget(exchange.request.url ?? '');
      try {
        const frame = visitorFrame(host, exchange.request);
        const query = new URLSearchParams(target.query);
        const text = await make({ caller, frame, path: target.path, query });
        const [body, etag] = [Buffer.from(text), etagOf(text)];
        sendDocument(exchange, { type, language: frame.language.tag, body, etag, maxAgeSeconds });
      } catch (error) {
        if (isHearthError(error) && error.kind === 'not_found') return sendMissing(exchange);
        throw error;
      }
    });
  }

  const sendMissing = (exchange: Exchange) => sendNotFoundPage(exchange, host);

  async function list(filter: CommonsFilter, caller: Caller) {
    const chosen = Object.entries(filter).filter(([, value]) => value !== '');
    const { posts, nextCursor } = await send(listCommons, Object.fromEntries(chosen) as JsonRecord, caller);
    return { posts: posts.map(postView), next: nextCursor };
  }

  add('commons', paths.commons, 'text/html; charset=utf-8', async ({ caller, frame, query }) => {
    const filter = filterOf(query);
    try {
      return commonsPage(frame, { filter, ...(await list(filter, caller)) });
    } catch (error) {
      const errors = fieldErrors(error, fieldsOfPage);
      if (errors === undefined) throw error;
      return commonsPage(frame, { filter, posts: [], errors });
    }
  });
  add(
    'commons_feed',
    paths.commonsFeed,
    'application/atom+xml; charset=utf-8',
    async ({ caller, frame, query }) => {
      const filter = { ...filterOf(query), cursor: '' };
      const { posts } = await list(filter, caller);
      return commonsFeed(frame, { posts, siteUrl, query: commonsQuery(filter) });
    },
  );
  add('commons_post', '/commons/:id', 'text/html; charset=utf-8', async ({ caller, frame, path, query }) => {
    const id = decodeURIComponent(path.slice(paths.commons.length + 1));
    const cursor = query.get('cursor') ?? '';
    const found = await send(getCommons, { id, ...(cursor !== '' && { cursor }) }, caller);
    const replies = found.replies.map(replyView);
    return commonsPostPage(frame, { post: postView(found.post!), replies, next: found.nextCursor });
  });

  const about = async (request: PageRequest) => {
    const id = request.param('id');
    await ask(getCommons, { id, limit: 1 }, anonymous);
    return id;
  };
  addPage('commons_report', '/commons/:id/report', {
    get: async (request) => ({ html: commonsReportPage(request.frame, { id: await about(request) }) }),
    async post(request) {
      const id = await about(request);
      const again = await sendReport(context, request, { id: ids.uuid(), about: id }, request.visit.caller);
      return again === null
        ? { html: commonsReportPage(request.frame, { id, reported: true }) }
        : shown(commonsReportPage(request.frame, { id, ...again }), again);
    },
  });
}

interface Reader {
  caller: Caller;
  frame: Frame;
  path: string;
  query: URLSearchParams;
}

/** Ignores other parameters, such as tracking parameters on shared links. */
function filterOf(query: URLSearchParams): CommonsFilter {
  const of = (name: string) => (query.get(name) ?? '').trim();
  return {
    q: of('q'),
    kind: of('kind'),
    tag: of('tag'),
    by: of('by'),
    status: of('status'),
    sort: of('sort'),
    cursor: of('cursor'),
  };
}

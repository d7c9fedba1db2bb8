import type { Clock } from '@hearth/clock';
import { asHearthError, badRequest, errorKinds, type HearthError, notFound } from '@hearth/errors';
import type { Ids } from '@hearth/ids';
import { RateClass } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import type { Logger } from '@hearth/telemetry';
import {
  type Frame,
  failedPage,
  formExpiredPage,
  messagePage,
  notFoundPage,
  pageHeaders,
  paths,
  tooManyPage,
} from '@hearth/web';
import type { Express, Request, Response } from 'express';
import {
  createExchange,
  createNoteUnexpected,
  type Exchange,
  methodNotAllowed,
  type Observe,
  readForm,
  readJsonBody,
  sendEmpty,
  splitTarget,
} from '../http/module.ts';
import type { Rates } from '../limits/module.ts';
import type { Sessions, Visit } from '../sessions/module.ts';
import { sentence } from './sentence.ts';

/** A page as somebody asks for it. */
export interface PageRequest {
  exchange: Exchange;
  visit: Visit;
  /** What is around the page that answers. */
  frame: Frame;
  /** The parts of the path that the page names (`:token`). */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

/** A form that a page of ours sent. */
export interface FormRequest extends PageRequest {
  form: URLSearchParams;
}

/** What a script of ours sent, its `csrf` checked like that of a form. */
export interface ScriptRequest extends PageRequest {
  body: Readonly<Record<string, unknown>>;
}

export type PageAnswer =
  | { html: string; status?: number; redirectUri?: string | undefined; headers?: readonly string[] }
  /** A path of this home, or where else a page leads on purpose. */
  | { goTo: string; headers?: readonly string[] };

export interface ScriptAnswer {
  json: unknown;
  headers?: readonly string[];
}

/** A page for people: GET shows and changes nothing, POST is its form. */
export interface PeoplePage {
  /** For logs and traces: "sign_in". */
  name: string;
  /** As express writes it: "/claim/:token". */
  path: string;
  get?(request: PageRequest): Promise<PageAnswer> | PageAnswer;
  post?(request: FormRequest): Promise<PageAnswer> | PageAnswer;
  /** POST of a script in the place of `post`: JSON both ways, `{error}` when it fails. */
  script?(request: ScriptRequest): Promise<ScriptAnswer>;
  /** Who has no session sees it by a link that their app sent them; its form takes a session then as ever. */
  opensByLink?: true;
  /** What its form counts as (default: a request that changes something); for what has limits of its own. */
  rate?: RateClass;
}

/** Who sees that page by that token; null for one that opens nothing, or did before. */
export type OpenLink = (token: string, path: string) => Promise<Caller | null>;

export type AddPeoplePage = (page: PeoplePage) => void;

export interface PeoplePagesOptions {
  app: Express;
  home: string;
  /** The home has the pages of requests: every page leads there. */
  requests?: boolean;
  sessions: Pick<Sessions, 'visit' | 'isOurForm'>;
  openLink: OpenLink;
  rates: Pick<Rates, 'spend'>;
  maxBodyBytes: number;
  clock: Clock;
  ids: Ids;
  log: Logger;
  observe: Observe;
}

/** Adds pages for people: who asks, the form's proof of where it comes from, limits, errors as pages. */
export function createAddPeoplePage(options: PeoplePagesOptions): AddPeoplePage {
  const { app, home, requests, sessions, openLink, rates, maxBodyBytes, clock, observe } = options;
  const noteUnexpected = createNoteUnexpected(options);

  async function answer(page: PeoplePage, exchange: Exchange, params: PageRequest['params']): Promise<void> {
    const { request, response } = exchange;
    // What is shown when not even the visitor is known.
    let frame: Frame = { home, csrf: '' };
    let visit: Visit | undefined;
    const allow = methodsOf(page);
    try {
      if (request.method === 'OPTIONS') return sendEmpty(response, 204, ['Allow', allow.join(', ')]);
      const posts = request.method === 'POST';
      if (!allow.includes(request.method ?? '')) throw methodNotAllowed(request.method, allow);
      visit = await sessions.visit(request);
      frame = { ...frameOf(home, visit), ...(requests && visit.person !== null && { requests: {} }) };
      await rates.spend(posts ? (page.rate ?? RateClass.WRITE) : RateClass.READ, visit.caller, exchange);
      const { path, query: given } = splitTarget(request.url ?? '');
      const query = new URLSearchParams(given);
      const viewer = request.method === 'GET' ? await viewerByLink(page, visit, path, query) : null;
      if (viewer !== null) {
        visit = { ...visit, person: viewer, caller: viewer };
        frame = { ...frameOf(home, visit), byLink: { signIn: signInPath(path) } };
      }
      const asked = { exchange, visit, frame, params, query };
      if (!posts) return send(exchange, visit, await page.get!(asked));
      if (page.script !== undefined) return await answerScript(page.script, asked);
      const form = await readForm(request, maxBodyBytes);
      if (!sessions.isOurForm(request, visit, form.get('csrf') ?? undefined)) {
        const back = page.get === undefined ? paths.signIn : (request.url ?? paths.front);
        return send(exchange, visit, { html: formExpiredPage(frame, { back }), status: 403 });
      }
      send(exchange, visit, await page.post!({ ...asked, form }));
    } catch (thrown) {
      fail(exchange, frame, visit, page, thrown);
    }
  }

  /** Of who is signed in nobody asks for a link; what it opens is for this page alone. */
  async function viewerByLink(
    { opensByLink }: PeoplePage,
    { person }: Visit,
    path: string,
    query: URLSearchParams,
  ): Promise<Caller | null> {
    const token = query.get('t') ?? '';
    return opensByLink && person === null && token !== '' ? await openLink(token, path) : null;
  }

  async function answerScript(script: NonNullable<PeoplePage['script']>, asked: PageRequest): Promise<void> {
    const { exchange, visit } = asked;
    const body = await readJsonBody(exchange.request, maxBodyBytes);
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw badRequest('send a JSON object');
    const csrf = (body as Record<string, unknown>)['csrf'];
    if (!sessions.isOurForm(exchange.request, visit, typeof csrf === 'string' ? csrf : undefined)) {
      const words = 'this page has grown old; open it again and repeat what you did';
      sendScript(exchange, visit, 403, { json: { error: words } });
    } else {
      const answered = await script({ ...asked, body: body as Record<string, unknown> });
      sendScript(exchange, visit, 200, answered);
    }
  }

  function fail(
    exchange: Exchange,
    frame: Frame,
    visit: Visit | undefined,
    page: PeoplePage,
    thrown: unknown,
  ): void {
    const error = asHearthError(thrown);
    exchange.error = error;
    const requestId = error.kind === 'internal' ? noteUnexpected(exchange, thrown) : undefined;
    const status = errorKinds[error.kind].http;
    const extra = extraHeaders(error, clock.now());
    if (page.script !== undefined && exchange.request.method === 'POST') {
      const words = requestId === undefined ? error.message : `something went wrong here (${requestId})`;
      sendScript(exchange, visit, status, { json: { error: words }, headers: extra });
    } else {
      const html = errorPage(frame, error, { requestId, now: clock.now() });
      send(exchange, visit, { html, status, headers: extra });
    }
  }

  return (page) => {
    app.all(page.path, (request: Request, response: Response) => {
      const exchange = createExchange(request, response, page.name, page.path);
      return observe(exchange, () => answer(page, exchange, request.params as Record<string, string>));
    });
  };
}

/** For a path that no page has; who asks is not looked up for it. */
export function sendNotFoundPage(exchange: Exchange, home: string): void {
  exchange.error = notFound();
  send(exchange, undefined, { html: notFoundPage({ home, csrf: '' }), status: errorKinds.not_found.http });
}

/** What is around a page that this visitor sees. */
export function frameOf(home: string, { csrf, person }: Visit): Frame {
  if (person === null) return { home, csrf };
  const { address, name, guest, minor } = person;
  return {
    home,
    csrf,
    person: { name, guest, minor, ...(address.startsWith('@') && !guest && { handle: address.slice(1) }) },
  };
}

/** Shows a page once the person has signed in; `next` is where they were. */
export function signInFirst(next: string): PageAnswer {
  return { goTo: signInPath(next) };
}

function signInPath(next: string): string {
  return `${paths.signIn}?${new URLSearchParams({ next })}`;
}

function methodsOf({ get, post, script }: PeoplePage): string[] {
  const posts = post !== undefined || script !== undefined;
  return [...(get === undefined ? [] : ['GET', 'HEAD']), ...(posts ? ['POST'] : []), 'OPTIONS'];
}

export function send({ response }: Exchange, visit: Visit | undefined, answer: PageAnswer): void {
  if (response.headersSent || response.destroyed) return;
  const headers = [...(visit?.headers ?? []), ...(answer.headers ?? [])];
  if ('goTo' in answer) {
    // 303: whatever the method was, the next page is asked for with GET.
    response.writeHead(303, ['Location', answer.goTo, 'Cache-Control', 'no-store', ...headers]);
    response.end();
    return;
  }
  const { html, status = 200, redirectUri } = answer;
  const length = ['Content-Length', String(Buffer.byteLength(html))];
  response.writeHead(status, [...pageHeaders(redirectUri), ...length, ...headers]);
  response.end(html);
}

function sendScript(
  { response }: Exchange,
  visit: Visit | undefined,
  status: number,
  { json, headers = [] }: ScriptAnswer,
): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(json);
  response.writeHead(status, [
    ...['Content-Type', 'application/json', 'X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'],
    ...['Content-Length', String(Buffer.byteLength(text))],
    ...(visit?.headers ?? []),
    ...headers,
  ]);
  response.end(text);
}

function extraHeaders({ kind, details }: HearthError, now: number): string[] {
  if (kind === 'method_not_allowed') return ['Allow', (details.allow ?? []).join(', ')];
  return kind === 'rate_limited' ? ['Retry-After', String(secondsUntil(details.resetsAt, now))] : [];
}

interface Around {
  requestId: string | undefined;
  now: number;
}

/** A failure as a page in plain words. */
export function errorPage(frame: Frame, error: HearthError, { requestId, now }: Around): string {
  if (error.kind === 'internal') return failedPage(frame, { requestId });
  if (error.kind === 'not_found') return notFoundPage(frame);
  if (error.kind === 'rate_limited') {
    return tooManyPage(frame, { retryAfterSeconds: secondsUntil(error.details.resetsAt, now) });
  }
  const link = { words: 'To the front page', href: paths.front };
  return messagePage(frame, {
    title: 'That did not work',
    words: sentence(error.message),
    link,
    tone: 'care',
  });
}

function secondsUntil(time: Date | undefined, now: number): number {
  return time === undefined ? 1 : Math.max(1, Math.ceil((time.getTime() - now) / 1_000));
}

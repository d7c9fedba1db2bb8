import type { IncomingMessage } from 'node:http';
import { asHearthError, badRequest, errorKinds, isHearthError } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import { sizeOf } from '@hearth/limits';
import { LinksService } from '@hearth/proto/delivery/v1/links';
import { RateClass } from '@hearth/proto/options';
import { anonymous, type Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { type Frame, formExpiredPage, paths } from '@hearth/web';
import type { Express, Request, Response } from 'express';
import {
  createExchange,
  createNoteUnexpected,
  type Exchange,
  type Floods,
  methodNotAllowed,
  type Observe,
  readForm,
  readJsonBody,
  sendEmpty,
  splitTarget,
  visitorFrame,
  type WeighBody,
} from '../http/module.ts';
import type { Rates } from '../limits/module.ts';
import { browserZone, type Sessions, type Visit } from '../sessions/module.ts';
import { plainErrorWords } from './error-words.ts';
import { errorHeaders, errorPage } from './errors.ts';
import type { AddPage, FormRequest, Page, PageAnswer, PageRequest } from './page.ts';
import { send, sendScript } from './send.ts';
import type { Services } from './services.ts';
import { signInPath } from './sign-in.ts';

export interface Deps {
  host: Pick<Host, 'clock' | 'config' | 'ids' | 'languages' | 'limits' | 'log'>;
  app: Express;
  sessions: Pick<Sessions, 'visit' | 'isOurForm'>;
  rates: Pick<Rates, 'spend' | 'spendBody' | 'spendPage'>;
  floods: Pick<Floods, 'proven' | 'check'>;
  ask: Services['ask'];
  observe: Observe;
}

/** Adds pages for people, with sessions, CSRF protection, limits and error pages. */
export function createAddPage({ host, app, sessions, rates, floods, ask, observe }: Deps): AddPage {
  const { clock, languages, limits } = host;
  const maxBodyBytes = sizeOf(limits, 'body_bytes');
  const noteUnexpected = createNoteUnexpected(host);

  async function answer(
    page: Page,
    exchange: Exchange,
    params: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { request } = exchange;
    // For failures before the visitor is known.
    const zone = browserZone(request);
    const readers = zone === undefined ? {} : { zone };
    let frame: Frame = { ...visitorFrame(host, request), ...readers };
    let visit: Visit | undefined;
    const allow = methodsOf(page);
    try {
      if (request.method === 'OPTIONS') return sendEmpty(exchange.response, 204, ['Allow', allow.join(', ')]);
      const posts = request.method === 'POST';
      if (!allow.includes(request.method ?? '')) throw methodNotAllowed(request.method, allow);
      visit = await sessions.visit(request);
      if (visit.person === null) floods.check(request);
      else floods.proven(request);
      // Every page links to the signed-in person's requests.
      frame = { ...frameOf(host.config, visit), ...readers, ...(visit.person !== null && { requests: {} }) };
      await (posts
        ? rates.spend(page.rate ?? RateClass.WRITE, visit.caller, exchange)
        : rates.spendPage(visit.caller, exchange));
      const { path, query: given } = splitTarget(request.url ?? '');
      const query = new URLSearchParams(given);
      const viewer = request.method === 'GET' ? await viewerByLink(page, visit, path, query) : null;
      if (viewer !== null) {
        const accepts = request.headers['accept-language'];
        const language = languages.of({ language: viewer.language, accepts });
        visit = { ...visit, person: viewer, caller: viewer, language };
        frame = { ...frameOf(host.config, visit), ...readers, byLink: { signIn: signInPath(path) } };
      }
      const param = (name: string) => params[name] ?? '';
      const { caller } = visit;
      const weigh = (bytes: number) => rates.spendBody(caller, exchange, bytes);
      const received = { exchange, visit, frame, param, query };
      if (!posts) return send(exchange, visit, await page.get!(received));
      if (page.oneClick !== undefined) return send(exchange, visit, await page.oneClick(received));
      if (page.script !== undefined) return await answerScript(page.script, received, weigh);
      const form = await readForm(request, Math.max(maxBodyBytes, page.formBytes ?? 0), weigh);
      if (!sessions.isOurForm(request, visit, form.get('csrf') ?? undefined)) {
        const back = page.get === undefined ? paths.signIn : (request.url ?? paths.front);
        const typed = wordsOf(request, form);
        return send(exchange, visit, { html: formExpiredPage(frame, { back, typed }), status: 403 });
      }
      send(exchange, visit, withFailure(exchange, await page.post!({ ...received, ...readFields(form) })));
    } catch (thrown) {
      fail(exchange, frame, visit, page, thrown);
    }
  }

  function withFailure(exchange: Exchange, answer: PageAnswer): PageAnswer {
    if (!('html' in answer) || answer.failure === undefined) return answer;
    const { failure, headers = [] } = answer;
    exchange.error = failure;
    const status = errorKinds[failure.kind].http;
    return { ...answer, status, headers: [...headers, ...errorHeaders(failure, clock.now())] };
  }

  /**
   * The viewer that a link opens the page for; it applies to this page only. A link never identifies a
   * signed-in person.
   */
  async function viewerByLink(
    { opensByLink }: Page,
    { person }: Visit,
    path: string,
    query: URLSearchParams,
  ): Promise<Caller | null> {
    const token = query.get('t') ?? '';
    if (!opensByLink || person !== null || token === '') return null;
    try {
      const { viewer } = await ask(LinksService.method.openLink, { token, path }, anonymous);
      return viewer ?? null;
    } catch (error) {
      // Delivery made the link. While delivery is unavailable, the link opens nothing and the page asks for a
      // sign-in.
      if (isHearthError(error) && error.kind === 'unavailable') return null;
      throw error;
    }
  }

  async function answerScript(
    script: NonNullable<Page['script']>,
    received: PageRequest,
    weigh: WeighBody,
  ): Promise<void> {
    const { exchange, frame, visit } = received;
    const json = await readJsonBody(exchange.request, maxBodyBytes, weigh);
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      throw badRequest('send a JSON object', { code: 'bad_json' });
    const body = json as Record<string, unknown>;
    const { csrf } = body;
    if (!sessions.isOurForm(exchange.request, visit, typeof csrf === 'string' ? csrf : undefined)) {
      sendScript(exchange, visit, 403, { json: { error: frame.language.words(t('common.page-expired')) } });
    } else {
      sendScript(exchange, visit, 200, await script({ ...received, body }));
    }
  }

  function fail(
    exchange: Exchange,
    frame: Frame,
    visit: Visit | undefined,
    page: Page,
    thrown: unknown,
  ): void {
    const error = asHearthError(thrown);
    exchange.error = error;
    const requestId = error.kind === 'internal' ? noteUnexpected(exchange, thrown) : undefined;
    const status = errorKinds[error.kind].http;
    const headers = errorHeaders(error, clock.now());
    if (page.script !== undefined && exchange.request.method === 'POST') {
      const words =
        requestId === undefined
          ? frame.language.words(plainErrorWords(error))
          : frame.language.words(t('common.went-wrong-short', { number: requestId }));
      sendScript(exchange, visit, status, { json: { error: words }, headers });
    } else {
      send(exchange, visit, { html: errorPage(frame, error, clock.now(), requestId), status, headers });
    }
  }

  return (name, path, page) => {
    // A single layer: `app.all` would add a route for each HTTP method.
    app.route(path).all((request: Request, response: Response) => {
      const exchange = createExchange(request, response, name, path);
      return observe(exchange, () => answer(page, exchange, request.params as Record<string, string>));
    });
  };
}

/** The frame of a page for this visitor. */
export function frameOf(
  config: Pick<Host['config'], 'home' | 'operators'>,
  { csrf, language, person }: Visit,
): Frame {
  const { home } = config;
  if (person === null) return { language, home, csrf };
  const { address, name, guest, minor } = person;
  const handle = address.startsWith('@') && !guest ? { handle: address.slice(1) } : {};
  return {
    language,
    home,
    csrf,
    person: { name, guest, minor, operator: isOperator(config, person), ...handle },
  };
}

/** Whether HEARTH_OPERATORS names this person. Guests and minors never operate a home. */
export function isOperator(
  { operators }: Pick<Host['config'], 'operators'>,
  { id, guest, minor }: Pick<Caller, 'id' | 'guest' | 'minor'>,
): boolean {
  return !guest && !minor && operators.includes(printId('per', id));
}

/** Texts of at least this length are worth keeping. */
const wordsFrom = 20;

/**
 * The longest text that a person typed into a form of this site. Text sent by another site is never shown as
 * theirs.
 */
function wordsOf({ headers }: IncomingMessage, form: URLSearchParams): string | undefined {
  if (headers['sec-fetch-site'] !== 'same-origin') return undefined;
  const texts = [...form].flatMap(([name, value]) => (name !== 'item' && /\s/.test(value) ? [value] : []));
  return texts.filter(({ length }) => length >= wordsFrom).sort((one, other) => other.length - one.length)[0];
}

function readFields(form: URLSearchParams): Pick<FormRequest, 'form' | 'field' | 'given' | 'values'> {
  // Browsers send line breaks as CR LF.
  const field = (name: string) => (form.get(name) ?? '').trim().replaceAll('\r\n', '\n');
  return {
    form,
    field,
    given(...names) {
      const pairs = names.flatMap((name) =>
        typeof name === 'string' ? [[name, name] as const] : Object.entries(name),
      );
      return Object.fromEntries(pairs.map(([key, of]) => [key, field(of)]).filter(([, text]) => text !== ''));
    },
    values: Object.fromEntries([...form].filter(([key]) => key !== 'csrf')),
  };
}

function methodsOf({ get, oneClick, post, script }: Page): string[] {
  const posts = [oneClick, post, script].some((way) => way !== undefined);
  return [...(get === undefined ? [] : ['GET', 'HEAD']), ...(posts ? ['POST'] : []), 'OPTIONS'];
}

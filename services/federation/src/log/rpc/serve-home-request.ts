import { second } from '@hearth/clock';
import { RequestRefused } from '@hearth/http-signatures';
import { homeRoutes, type Route } from '@hearth/limits';
import type { HomeRequestsService } from '@hearth/proto/federation/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { inboxLimits } from '../../shared/domain/inbox-limits.ts';
import { type CheckedRequest, type Checks, refusalOf } from '../actions/check-request.ts';
import { readCardRequest, readPeek } from '../actions/read-gathered.ts';
import { serveActs } from '../actions/serve-acts.ts';
import { createInbox } from '../actions/serve-inbox.ts';
import { serveItems } from '../actions/serve-items.ts';
import type { Context } from '../context.ts';
import { findDocSeq } from '../db/logs.ts';
import { type HomeAnswer, HomeRefusal } from '../domain/home-answer.ts';

const docSeqKeptMs = 10 * second;
type RouteName = keyof typeof homeRoutes;
/** A route with a parameter matches one segment after its fixed part. */
const routes = Object.entries<Route>(homeRoutes).map(([name, { methods, path, points = 1 }]) => {
  const [before = '', parameter] = path.split(':');
  const leads = (to: string) => (parameter === undefined ? to === path : to.startsWith(before));
  return { name: name as RouteName, methods, leads, points };
});

/** Serves a request from another home: the checks, cheapest first, then the request itself. */
export function serveHomeRequest(
  context: Context & { checks: Checks },
): UnaryHandler<typeof HomeRequestsService.method.serveHomeRequest> {
  const { clock, database } = context;
  const inbox = createInbox(context);
  const inHand = new Map<string, number>();

  async function answer(request: Parameters<Checks['check']>[0], network: string): Promise<HomeAnswer> {
    const path = request.path.split('?', 1)[0]!;
    const route = routes.find(({ leads }) => leads(path));
    if (route === undefined) throw new HomeRefusal('not_found', 'there is nothing here');
    if (!route.methods.includes(request.method))
      throw new HomeRefusal('method_not_allowed', `${request.method} is not taken here`);
    const checked = await context.checks.check(request, network, route.points);
    const { origin } = checked;
    const busy = inHand.get(origin) ?? 0;
    if (busy >= inboxLimits.max_at_once)
      throw new HomeRefusal('too_many', `${busy} requests of ${origin} are in hand`, {
        retryAfterSeconds: 1,
      });
    inHand.set(origin, busy + 1);
    try {
      return await serve(route.name, checked, request.body, network);
    } finally {
      const left = inHand.get(origin)! - 1;
      if (left > 0) inHand.set(origin, left);
      else inHand.delete(origin);
    }
  }

  async function serve(
    route: RouteName,
    checked: CheckedRequest,
    body: Uint8Array,
    network: string,
  ): Promise<HomeAnswer> {
    const answered = { status: 200, headers: {} };
    switch (route) {
      case 'inbox':
        return { ...answered, body: await inbox(checked, body, network) };
      case 'items':
        return {
          ...answered,
          body: await (checked.query.has('yours') ? serveActs : serveItems)(context, checked),
        };
      case 'card': {
        const wanted = readCardRequest(context, checked);
        await context.acquaintances.askedFor(wanted.home, wanted.address);
        return { ...answered, body: {}, gathered: { case: 'card', value: wanted } };
      }
      case 'peek':
        return { ...answered, body: {}, gathered: { case: 'peek', value: readPeek(checked, body) } };
    }
  }

  let known = { docSeq: 0, until: 0 };
  async function docSeq(): Promise<number> {
    if (known.until <= clock.now())
      known = { docSeq: await findDocSeq(database.db), until: clock.now() + docSeqKeptMs };
    return known.docSeq;
  }

  return async ({ method, path, headers, body, network }) => {
    const lines = headers.map(({ name, value }) => [name, value] as const);
    const answered = await answer({ method, path, headers: lines, body }, network).catch((error: unknown) => {
      if (error instanceof RequestRefused) return refusalOf(error).answer;
      if (error instanceof HomeRefusal) return error.answer;
      throw error;
    });
    return {
      status: answered.status,
      headers: Object.entries({ ...answered.headers, 'home-doc': String(await docSeq()) }).map(
        ([name, value]) => ({ name, value }),
      ),
      body: answered.gathered === undefined ? Buffer.from(JSON.stringify(answered.body)) : Buffer.alloc(0),
      ...(answered.gathered !== undefined && { gathered: answered.gathered }),
    };
  };
}

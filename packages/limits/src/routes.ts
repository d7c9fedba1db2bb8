import type { LimitName } from './declared.ts';

/** A route that no .proto declares. */
export interface Route {
  methods: readonly string[];
  /** As express writes it. */
  path: string;
  /** The limits that count each of its requests, for the network that it comes from. */
  counts: readonly LimitName[];
  /** The points of the first of them that it counts for (default: 1); of `homeRoutes` those of `stranger_requests_a_minute`. */
  points?: number;
}

const browse = ['GET', 'HEAD'];
const send = ['POST'];
const routes = <Name extends string>(declared: Readonly<Record<Name, Route>>) => declared;

/** Requests of programs that sign people in; a body counts beside its request. */
export const oauthRoutes = routes({
  // Each is kept for an hour; going on with one that is there makes none.
  authorize: {
    methods: browse,
    path: '/oauth/authorize',
    counts: ['oauth_requests_a_minute', 'oauth_sign_ins_a_minute'],
  },
  resume: {
    methods: browse,
    path: '/oauth/authorize/:uid',
    counts: ['oauth_requests_a_minute'],
    points: 3,
  },
  token: { methods: send, path: '/oauth/token', counts: ['oauth_requests_a_minute'], points: 5 },
  register: {
    methods: send,
    path: '/oauth/register',
    counts: ['oauth_requests_a_minute', 'oauth_registrations_a_day'],
  },
  revoke: { methods: send, path: '/oauth/revoke', counts: ['oauth_requests_a_minute'], points: 5 },
});

/** Requests of other homes, below /federation. */
export const homeRoutes = routes({
  inbox: { methods: ['POST'], path: '/inbox', counts: ['home_requests_a_minute'], points: 3 },
  items: { methods: ['GET'], path: '/items', counts: ['home_requests_a_minute'] },
  card: { methods: ['GET'], path: '/cards/:address', counts: ['home_requests_a_minute'], points: 2 },
  peek: {
    methods: ['POST'],
    path: '/invites/peek',
    counts: ['home_requests_a_minute', 'wrong_codes_a_minute'],
  },
});

/** The endpoint for MCP. Its operations count as over REST. */
export const mcpRoutes = routes({
  mcp: { methods: ['POST'], path: '/mcp', counts: ['reads_a_minute'] },
});

import type { LimitName } from './declared.ts';

/** A route that no .proto declares. */
export interface Route {
  methods: readonly string[];
  /** In Express syntax. */
  path: string;
  /** The limits that count its requests, by the caller's network. */
  counts: readonly LimitName[];
  /**
   * The points that a request counts in the first limit (default: 1); for `homeRoutes` in
   * `stranger_requests_a_minute`.
   */
  points?: number;
}

const browse = ['GET', 'HEAD'];
const send = ['POST'];
const routes = <Name extends string>(declared: Readonly<Record<Name, Route>>) => declared;

/** Routes for programs that sign people in; request bodies count extra. */
export const oauthRoutes = routes({
  // Each sign-in is stored for an hour; resuming one creates none.
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

/** Routes for other homes, below /federation. */
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

/** The MCP endpoint. Its operations count as over REST. */
export const mcpRoutes = routes({
  mcp: { methods: ['POST'], path: '/mcp', counts: ['reads_a_minute'] },
});

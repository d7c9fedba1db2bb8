import type { LimitName } from './declared.ts';

/** A route that no .proto declares. */
export interface Route {
  methods: readonly string[];
  /** As express writes it. */
  path: string;
  /** The limits that count each of its requests, for the network that it comes from. */
  counts: readonly LimitName[];
}

const browse = ['GET', 'HEAD'];
const send = ['POST'];
const routes = <Name extends string>(declared: Readonly<Record<Name, Route>>) => declared;

/** Requests of programs that sign people in. The longest of them count for more: see the gateway. */
export const oauthRoutes = routes({
  // Each is kept for an hour; going on with one that is there makes none.
  authorize: {
    methods: browse,
    path: '/oauth/authorize',
    counts: ['oauth_requests_a_minute', 'oauth_sign_ins_a_minute'],
  },
  resume: { methods: browse, path: '/oauth/authorize/:uid', counts: ['oauth_requests_a_minute'] },
  token: { methods: send, path: '/oauth/token', counts: ['oauth_requests_a_minute'] },
  register: {
    methods: send,
    path: '/oauth/register',
    counts: ['oauth_requests_a_minute', 'oauth_registrations_a_day'],
  },
  revoke: { methods: send, path: '/oauth/revoke', counts: ['oauth_requests_a_minute'] },
});

/** Requests of other homes, below /federation. */
export const homeRoutes = routes({
  inbox: { methods: ['POST'], path: '/inbox', counts: ['home_requests_a_minute'] },
  items: { methods: ['GET'], path: '/items', counts: ['home_requests_a_minute'] },
  card: { methods: ['GET'], path: '/cards/:address', counts: ['home_requests_a_minute'] },
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

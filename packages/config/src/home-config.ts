import { readFileSync } from 'node:fs';
import { asHomeName } from '@hearth/addresses';
import { consentAgesField, timeZoneField } from './age-fields.ts';
import type { ConfigOf, Environment, Field } from './field.ts';
import { Expected, integer, list, oneOf, optionalText, secret, single, text } from './fields.ts';
import {
  homeNameItem,
  hostItem,
  limitsField,
  openTelemetryField,
  originItem,
  peersField,
  personItem,
  proxyItem,
  tlsField,
} from './home-fields.ts';
import { isHomeNameWithPort } from './home-name.ts';
import { homeRules } from './home-rules.ts';
import { type Rule, readConfig } from './read-config.ts';
import type { ReadFile } from './source.ts';
import { connectionUrl, origin } from './url-fields.ts';

/** The services of a home that others call, by the name that stands in PEER_<SERVICE>. */
export const serviceNames = [
  'identity',
  'groups',
  'decisions',
  'approvals',
  'messages',
  'federation',
  'delivery',
] as const;

export type ServiceName = (typeof serviceNames)[number];

const logLevels = ['error', 'warn', 'info', 'debug'] as const;

// 43 letters carry 258 bits: the last may only be one whose two lowest bits are 0.
const sealKeyForm = {
  pattern: /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/,
  expected: '32 bytes as base64url without padding (43 characters)',
};

/** Every variable that a home reads: the operator's contract. docs/operators/settings.md is made from it. */
export const homeDeclaration = {
  port: integer('PORT', {
    help: 'The port that the gateway listens on; 0 takes any free one.',
    min: 0,
    max: 65_535,
    default: 8080,
    unit: 'port',
  }),
  grpcPort: integer('GRPC_PORT', {
    help: 'The port on which a service that runs apart listens for the others; a whole home opens none.',
    min: 0,
    max: 65_535,
    default: 9090,
    unit: 'port',
  }),
  bind: optionalText('HEARTH_BIND', {
    help:
      'The address that the ports are opened on: 127.0.0.1 keeps them to this machine, 0.0.0.0 opens them to every ' +
      'network. Services on several machines need it for GRPC_PORT.',
    defaultText: '0.0.0.0 for PORT, 127.0.0.1 for GRPC_PORT',
    unit: 'address',
  }),
  connections: integer('HEARTH_CONNECTIONS', {
    help: 'The most connections to PORT at once; a further one is closed. Each needs a file descriptor.',
    min: 10,
    max: 1_000_000,
    default: 20_000,
  }),
  connectionsOfNetwork: integer('HEARTH_CONNECTIONS_OF_NETWORK', {
    help:
      'The most of them from one network (a /24 or /56) of public addresses; trusted proxies and private addresses are ' +
      'not counted so.',
    min: 10,
    max: 1_000_000,
    default: 1_000,
  }),
  keepAliveSeconds: integer('HEARTH_KEEP_ALIVE_SECONDS', {
    help:
      'How long an idle connection is kept. Longer than the proxy in front keeps its own, so that the proxy closes it: most ' +
      "drop one after 60 seconds, Google Cloud's load balancers after 600 (set 620).",
    min: 1,
    max: 3_600,
    default: 65,
  }),
  trustedProxies: list('HEARTH_TRUSTED_PROXIES', {
    help:
      'The proxies in front, as addresses or networks between commas (10.1.2.3, fd00::/8), or the words ' +
      'loopback, linklocal and uniquelocal. What they add to X-Forwarded-For says who called; from anybody else ' +
      'it is ignored.',
    item: proxyItem,
  }),
  home: single<string>('HEARTH_HOME', {
    help:
      "The home's name, which stands in every address of it: the host of its site, or a domain above it. Choose it " +
      'once: after localhost it stays for good, and a start under another name is refused.',
    default: ({ port }: { port: number }) => `localhost:${port}`,
    defaultText: 'localhost:<PORT>',
    unit: 'name',
    parse(given) {
      const name = asHomeName(given);
      return isHomeNameWithPort(name) ? name : new Expected('a DNS name, such as home.example');
    },
  }) as Field<string>,
  siteUrl: origin('HEARTH_SITE_URL', {
    help: 'How others reach the site; the API is at <site>/v0.',
    default: ({ port }: { port: number }) => `http://localhost:${port}`,
    defaultText: 'http://localhost:<PORT>',
  }),
  dataFolder: text('HEARTH_DATA', {
    help: 'The folder of the embedded Postgres, of keys that are made when not given, and of captured mail.',
    default: './data',
    unit: 'path',
  }),
  operatorKey: secret('HEARTH_OPERATOR_KEY', {
    help: 'The bearer key for /v0/admin/*.',
    pattern: /^[\x21-\x7e]{20,}$/,
    expected: 'at least 20 characters of printable ASCII without spaces',
    defaultText: 'made at first start and kept in the data folder',
  }),
  operators: list('HEARTH_OPERATORS', {
    help:
      'The ids of the people, between commas, who run this home on its page /ops, with a passkey; hearth person list ' +
      'shows them.',
    item: personItem,
  }),
  peerSecret: secret('HEARTH_PEER_SECRET', {
    help:
      'Makes the keys by which the services of one home prove their calls to each other when they run apart; the same ' +
      'for all of them.',
    pattern: /^[\x21-\x7e]{16,}$/,
    expected: 'at least 16 characters of printable ASCII without spaces',
  }),
  tls: tlsField(),
  sealKey: secret('HEARTH_SEAL_KEY', {
    help:
      'Seals the keys and secrets that are stored. Without it they are lost: ' +
      'keep a copy apart from the database.',
    defaultText: 'made at first start and kept in the data folder',
    ...sealKeyForm,
  }),
  otherSealKey: secret('HEARTH_SEAL_KEY_OTHER', {
    help:
      'A second seal key while it changes, which opens what it sealed: the one before, until hearth key reseal is through; ' +
      'with several processes first the one to come, until all of them have it.',
    defaultText: 'seal.key.other in the data folder, where there is one',
    ...sealKeyForm,
  }),
  recoveryKey: single<string>('HEARTH_RECOVERY_KEY', {
    help:
      'The public half of the recovery key, for a first start that makes none: where the data folder goes with its process, ' +
      'as in Kubernetes, the secret half is made elsewhere.',
    defaultText: 'made at first start, its secret half written to the data folder',
    unit: 'key',
    parse: (given) =>
      sealKeyForm.pattern.test(given)
        ? given
        : new Expected('the x of an Ed25519 key: 32 bytes as base64url without padding (43 characters)'),
  }),
  databaseUrl: connectionUrl('DATABASE_URL', {
    help: 'The Postgres to use instead of the embedded one: version 15 or newer, with no pooler in between.',
    protocols: ['postgres:', 'postgresql:'],
    defaultText: 'embedded',
  }),
  natsUrl: connectionUrl('NATS_URL', {
    help: 'The NATS server, with JetStream, to use instead of the bus in the process.',
    protocols: ['nats:', 'tls:', 'ws:', 'wss:'],
    defaultText: 'embedded',
  }),
  redisUrl: connectionUrl('REDIS_URL', {
    help: 'The Redis to use instead of memory for what the replicas of a service share.',
    protocols: ['redis:', 'rediss:'],
    defaultText: 'memory',
  }),
  peers: peersField(serviceNames),
  drainSeconds: integer('HEARTH_DRAIN_SECONDS', {
    help:
      'How long after SIGTERM the gateway goes on taking requests, each answered with Connection: close, so that ' +
      'proxies and Kubernetes lead to another one meanwhile. Those that it holds are answered evenly over that time.',
    min: 0,
    max: 300,
    default: ({ peers }: { peers: object }) => (Object.keys(peers).length > 0 ? 5 : 0),
    defaultText: '5 where services run apart, 0 for a home in one process',
    unit: 'seconds',
  }),
  devHomes: list('HEARTH_DEV_HOMES', {
    help: 'Home names, between commas, that may carry a port and speak plain http. For development only.',
    item: homeNameItem,
  }),
  federation: oneOf('HEARTH_FEDERATION', ['open', 'allowlist', 'off'], {
    help:
      'The other homes that this one talks with: `open` all but those that are blocked, `allowlist` those alone that ' +
      'hearth home allow names, `off` none.',
    default: 'open',
  }),
  devCallbacks: list('HEARTH_DEV_CALLBACKS', {
    help: 'Exact origins, between commas, whose callbacks need not be public https. For development only.',
    item: originItem,
  }),
  hosts: list('HEARTH_HOSTS', {
    help:
      'Further host names, between commas, under which requests may come, beside that of the site and those of this ' +
      'machine: where a proxy in front puts a name of its own into Host, or people open the home by an address.',
    item: hostItem,
  }),
  mcpOrigins: list('HEARTH_MCP_ORIGINS', {
    help:
      'Exact origins, between commas, of web pages elsewhere whose programs may call; those of the site may ' +
      'always.',
    item: originItem,
  }),
  limits: limitsField(
    'HEARTH_LIMITS',
    'Limits by their names in GET /limits, as JSON or a file of it. `relaxed` lifts every rate, and how many ' +
      'requests may be held at once; it is refused for a home whose name or site is not local.',
  ),
  timeZone: timeZoneField('HEARTH_TIME_ZONE', {
    help: "The home's time zone (IANA, such as Europe/Zurich): by its days people grow older, and it is theirs until they choose one.",
    default: 'UTC',
  }),
  consentAges: consentAgesField('HEARTH_CONSENT_AGES', {
    help:
      'From which age a person may have an account without a guardian, by region as JSON: {"default":16,"US":13}. ' +
      'Ask your lawyer; without a region, or for one that is not named, `default` counts.',
    default: { default: 16 },
  }),
  childTaps: oneOf('HEARTH_CHILD_TAPS', ['any', 'home'], {
    help:
      'Where answers about a person under 18 are given: `any` takes them through the app that holds who answers as well, ' +
      "`home` on the home's own pages alone.",
    default: 'any',
  }),
  commons: oneOf('HEARTH_COMMONS', ['closed', 'public'], {
    help:
      'For whom the Commons is: `closed` for AIs and members alone, over the API; `public` makes the pages at /commons and ' +
      '/commons.atom, which everyone can read and search engines find.',
    default: 'closed',
  }),
  smtpUrl: connectionUrl('SMTP_URL', {
    help: 'The mail server. Without it mail is kept under the data folder and its text logged.',
    protocols: ['smtp:', 'smtps:'],
  }),
  openTelemetry: openTelemetryField(),
  logLevel: oneOf('LOG_LEVEL', logLevels, {
    help: 'The least that is logged.',
    default: 'info',
  }),
};

export type HomeConfig = ConfigOf<typeof homeDeclaration>;

export interface ReadHomeOptions {
  /** Reads the files that variables name (default: the file system). */
  readFile?: ReadFile;
  /** Rules beyond those of every home: the needs of one topology, for example. */
  rules?: readonly Rule<HomeConfig>[];
}

/** A home's settings from its environment; throws one ConfigError with every mistake. */
export function readHomeConfig(env: Environment, options: ReadHomeOptions = {}): HomeConfig {
  const { readFile = (path) => readFileSync(path, 'utf8'), rules = [] } = options;
  return readConfig(env, homeDeclaration, {
    readFile,
    rules: [...homeRules, ...rules],
    reservedPrefixes: ['HEARTH_', 'PEER_'],
  });
}

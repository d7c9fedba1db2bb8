import { readFileSync } from 'node:fs';
import { asHomeName } from '@hearth/addresses';
import { consentAgesField, timeZoneField } from './age-fields.ts';
import type { ConfigOf, Environment, Field } from './field.ts';
import { Expected, integer, list, oneOf, optionalText, secret, single, text } from './fields.ts';
import {
  homeNameItem,
  hostItem,
  languageField,
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

/** The services that other services call, as named in PEER_<SERVICE>. */
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

// 43 base64url characters carry 258 bits, so the two lowest bits of the last one must be 0.
const sealKeyForm = {
  pattern: /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/,
  expected: '32 bytes as base64url without padding (43 characters)',
};

/** Every environment variable of a home. docs/operators/settings.md is generated from this. */
export const homeDeclaration = {
  port: integer('PORT', {
    help: 'Port the gateway listens on. 0 picks any free port.',
    min: 0,
    max: 65_535,
    default: 8080,
    unit: 'port',
  }),
  grpcPort: integer('GRPC_PORT', {
    help: 'Port on which a separately running service listens for the others. A home in one process opens none.',
    min: 0,
    max: 65_535,
    default: 9090,
    unit: 'port',
  }),
  bind: optionalText('HEARTH_BIND', {
    help:
      'Address to bind the ports to. 127.0.0.1 limits them to this machine; 0.0.0.0 opens them on every network. ' +
      'Required for GRPC_PORT when services run on several machines.',
    defaultText: '0.0.0.0 for PORT, 127.0.0.1 for GRPC_PORT',
    unit: 'address',
  }),
  connections: integer('HEARTH_CONNECTIONS', {
    help: 'Maximum number of open connections to PORT; more are closed. Each uses a file descriptor.',
    min: 10,
    max: 1_000_000,
    default: 20_000,
  }),
  connectionsOfNetwork: integer('HEARTH_CONNECTIONS_OF_NETWORK', {
    help:
      'Maximum number of open connections from one public network (a /24 or /56). Trusted proxies and private ' +
      'addresses are exempt.',
    min: 10,
    max: 1_000_000,
    default: 1_000,
  }),
  keepAliveSeconds: integer('HEARTH_KEEP_ALIVE_SECONDS', {
    help:
      'How long to keep an idle connection open. Set it higher than the idle timeout of the proxy in front, so that the ' +
      "proxy closes first. Most proxies use 60 seconds; Google Cloud's load balancers use 600 (set 620).",
    min: 1,
    max: 3_600,
    default: 65,
  }),
  trustedProxies: list('HEARTH_TRUSTED_PROXIES', {
    help:
      'Proxies in front of the home: a comma-separated list of addresses or networks (10.1.2.3, fd00::/8), or ' +
      'loopback, linklocal and uniquelocal. Their X-Forwarded-For identifies the caller; the header is ignored from ' +
      'any other source.',
    item: proxyItem,
  }),
  home: single<string>('HEARTH_HOME', {
    help:
      "The home's name, part of each of its addresses: the host of its site, or a parent domain. Choose it once: only " +
      'localhost can still be renamed. The home refuses to start under a different name.',
    default: ({ port }: { port: number }) => `localhost:${port}`,
    defaultText: 'localhost:<PORT>',
    unit: 'name',
    parse(given) {
      const name = asHomeName(given);
      return isHomeNameWithPort(name) ? name : new Expected('a DNS name, such as home.example');
    },
  }) as Field<string>,
  siteUrl: origin('HEARTH_SITE_URL', {
    help: 'Public URL of the site. The API is at <site>/v0.',
    default: ({ port }: { port: number }) => `http://localhost:${port}`,
    defaultText: 'http://localhost:<PORT>',
  }),
  dataFolder: text('HEARTH_DATA', {
    help: 'Folder for the embedded Postgres, generated keys and captured mail.',
    default: './data',
    unit: 'path',
  }),
  operatorKey: secret('HEARTH_OPERATOR_KEY', {
    help: 'Bearer key for /v0/admin/*.',
    pattern: /^[\x21-\x7e]{20,}$/,
    expected: 'at least 20 characters of printable ASCII without spaces',
    defaultText: 'generated at first start and kept in the data folder',
  }),
  operators: list('HEARTH_OPERATORS', {
    help:
      'Comma-separated ids of the people who can run this home at /ops, signed in with a passkey. hearth person list ' +
      'shows the ids.',
    item: personItem,
  }),
  peerSecret: secret('HEARTH_PEER_SECRET', {
    help:
      'Secret from which separately running services derive the keys that authenticate their calls to each other. Use ' +
      'the same value for all services of a home.',
    pattern: /^[\x21-\x7e]{16,}$/,
    expected: 'at least 16 characters of printable ASCII without spaces',
  }),
  tls: tlsField(),
  sealKey: secret('HEARTH_SEAL_KEY', {
    help: 'Encrypts the stored keys and secrets. If you lose it, they are lost: keep a copy, separate from the database.',
    defaultText: 'generated at first start and kept in the data folder',
    ...sealKeyForm,
  }),
  otherSealKey: secret('HEARTH_SEAL_KEY_OTHER', {
    help:
      'A second seal key, accepted for decryption while you rotate: the previous key, until hearth key reseal has ' +
      'finished. With several processes, first set it to the next key in all of them.',
    defaultText: 'seal.key.other in the data folder, if it exists',
    ...sealKeyForm,
  }),
  recoveryKey: single<string>('HEARTH_RECOVERY_KEY', {
    help:
      'Public half of a recovery key that you generated elsewhere; the first start then generates none. Use it where the ' +
      'data folder is lost with the process, as in Kubernetes.',
    defaultText: 'generated at first start; the secret half is written to the data folder',
    unit: 'key',
    parse: (given) =>
      sealKeyForm.pattern.test(given)
        ? given
        : new Expected('the x of an Ed25519 key: 32 bytes as base64url without padding (43 characters)'),
  }),
  databaseUrl: connectionUrl('DATABASE_URL', {
    help: 'Postgres to use instead of the embedded one: version 15 or later, connected directly, without a pooler.',
    protocols: ['postgres:', 'postgresql:'],
    defaultText: 'embedded',
  }),
  natsUrl: connectionUrl('NATS_URL', {
    help: 'NATS server, with JetStream, to use instead of the in-process bus.',
    protocols: ['nats:', 'tls:', 'ws:', 'wss:'],
    defaultText: 'embedded',
  }),
  redisUrl: connectionUrl('REDIS_URL', {
    help: 'Redis to use instead of memory for state shared by the replicas of a service.',
    protocols: ['redis:', 'rediss:'],
    defaultText: 'memory',
  }),
  peers: peersField(serviceNames),
  drainSeconds: integer('HEARTH_DRAIN_SECONDS', {
    help:
      'How long the gateway still accepts requests after SIGTERM, so that proxies and Kubernetes can route around it. It ' +
      'answers each with Connection: close, and spreads the answers to held requests evenly over this time.',
    min: 0,
    max: 300,
    default: ({ peers }: { peers: object }) => (Object.keys(peers).length > 0 ? 5 : 0),
    defaultText: '5 if services run separately, 0 for a home in one process',
    unit: 'seconds',
  }),
  devHomes: list('HEARTH_DEV_HOMES', {
    help: 'Comma-separated names of homes that may have a port and use plain http. For development only.',
    item: homeNameItem,
  }),
  federation: oneOf('HEARTH_FEDERATION', ['open', 'allowlist', 'off'], {
    help:
      'Which other homes this one talks to: `open` for all except blocked homes, `allowlist` for only those added with ' +
      'hearth home allow, `off` for none.',
    default: 'open',
  }),
  devCallbacks: list('HEARTH_DEV_CALLBACKS', {
    help: 'Comma-separated exact origins whose callbacks may use plain http or private addresses. For development only.',
    item: originItem,
  }),
  hosts: list('HEARTH_HOSTS', {
    help:
      'Comma-separated host names to accept besides the names of the site and this machine. Needed if a proxy in front ' +
      'rewrites the Host header, or if people open the home by its IP address.',
    item: hostItem,
  }),
  mcpOrigins: list('HEARTH_MCP_ORIGINS', {
    help: 'Comma-separated exact origins of other web pages whose scripts may call the home. The site itself always may.',
    item: originItem,
  }),
  limits: limitsField(
    'HEARTH_LIMITS',
    'Limits by name, as listed by GET /limits: JSON, or the path of a JSON file. `relaxed` lifts all rate limits and the ' +
      'limit on held requests; only homes with a local name and site accept it.',
  ),
  timeZone: timeZoneField('HEARTH_TIME_ZONE', {
    help: "The home's time zone (IANA, e.g. Europe/Zurich). Birthdays follow it, and people have it until they choose their own.",
    default: 'UTC',
  }),
  language: languageField('HEARTH_LANGUAGE', {
    help:
      "The home's language (BCP 47, e.g. de), for people who chose none of its languages and whose browser asks for none. " +
      'A language other than English needs HEARTH_CATALOGUES.',
    default: 'en',
  }),
  catalogues: optionalText('HEARTH_CATALOGUES', {
    help: 'Folder with the texts of further languages, as <language>/<file>.json (docs/operators/languages.md).',
    unit: 'path',
  }),
  consentAges: consentAgesField('HEARTH_CONSENT_AGES', {
    help:
      'Age from which a person can have an account without a guardian, by region, as JSON: {"default":16,"US":13}. ' +
      '`default` applies to unknown and unlisted regions. Ask your lawyer.',
    default: { default: 16 },
  }),
  childTaps: oneOf('HEARTH_CHILD_TAPS', ['any', 'home'], {
    help:
      'Where people can answer requests about someone under 18: `home` for only the pages of the home, `any` for those ' +
      'and the app that manages their account.',
    default: 'any',
  }),
  commons: oneOf('HEARTH_COMMONS', ['closed', 'public'], {
    help:
      'Who can read the Commons: `closed` for AIs and members only, over the API; `public` for everyone, including ' +
      'search engines, at /commons and /commons.atom.',
    default: 'closed',
  }),
  smtpUrl: connectionUrl('SMTP_URL', {
    help: 'Mail server. Without it, mail is saved in the data folder and its text logged.',
    protocols: ['smtp:', 'smtps:'],
  }),
  openTelemetry: openTelemetryField(),
  logLevel: oneOf('LOG_LEVEL', logLevels, {
    help: 'Minimum level of log entries.',
    default: 'info',
  }),
};

export type HomeConfig = ConfigOf<typeof homeDeclaration>;

export interface ReadHomeOptions {
  /** Reads the files named by variables (default: from the file system). */
  readFile?: ReadFile;
  /** Additional rules, for example of one topology. */
  rules?: readonly Rule<HomeConfig>[];
}

/** Reads a home's settings from its environment. Throws one ConfigError with every mistake. */
export function readHomeConfig(env: Environment, options: ReadHomeOptions = {}): HomeConfig {
  const { readFile = (path) => readFileSync(path, 'utf8'), rules = [] } = options;
  return readConfig(env, homeDeclaration, {
    readFile,
    rules: [...homeRules, ...rules],
    reservedPrefixes: ['HEARTH_', 'PEER_'],
  });
}

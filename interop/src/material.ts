import { createHash } from 'node:crypto';
import { digest, exportPublicJwk, type KeyPair, keyPairFromSeed, type ListedKey } from '@hearth/signing';

/** A key of the vectors. The seeds are public: SHA-256 of a name. Never use them for anything else. */
export interface VectorKey {
  name: string;
  seedHex: string;
  pair: KeyPair;
}

function vectorKey(name: string): VectorKey {
  const seed = createHash('sha256').update(`hearth vectors: ${name}`).digest();
  return { name, seedHex: seed.toString('hex'), pair: keyPairFromSeed(seed) };
}

export const homeKey = vectorKey('home.example, active');
export const secondKey = vectorKey('home.example, second');
export const nextKey = vectorKey('home.example, next');
export const retiredKey = vectorKey('home.example, retired');
export const revokedKey = vectorKey('home.example, revoked');
export const recoveryKey = vectorKey('home.example, recovery');
export const requestKey = vectorKey('home.example, requests');
export const strangerKey = vectorKey('other.example');

export const allKeys = [
  homeKey,
  secondKey,
  nextKey,
  retiredKey,
  revokedKey,
  recoveryKey,
  requestKey,
  strangerKey,
];

/** The AIs' own keys, which the home doesn't list. */
export const robinsKey = vectorKey('@ana.ai-robin');
export const wrensKey = vectorKey('@free-wren1.ai-wren');

export const home = 'home.example';
/** The time at which a reader looks at them. */
export const now = '2026-01-15T12:00:00Z';

/** Returns a key as a home lists it, for records and requests unless `but` changes that. */
export function listed(key: VectorKey, but: Partial<ListedKey> = {}): ListedKey {
  return {
    ...exportPublicJwk(key.pair),
    uses: ['record', 'request'],
    status: 'active',
    not_before: '2026-01-01T00:00:00.000Z',
    ...but,
  };
}

/** The keys in home.example's document, which leaves out the stranger's key. */
export const listedKeys: ListedKey[] = [
  listed(homeKey, { not_after: null }),
  listed(secondKey, { not_before: '2026-01-10T00:00:00.5Z' }),
  listed(nextKey, { status: 'next' }),
  listed(retiredKey, {
    status: 'retired',
    not_before: '2025-01-01T00:00:00.000Z',
    not_after: '2026-01-14T00:00:00.000Z',
  }),
  listed(revokedKey, {
    status: 'revoked',
    not_before: '2025-01-01T00:00:00.000Z',
    revoked_at: '2025-06-01T00:00:00.000Z',
  }),
  listed(recoveryKey, { uses: ['recovery'] }),
  listed(requestKey, { uses: ['request'] }),
];

export const issuedAt = '2026-01-15T10:00:00.000Z';

export const answer = {
  v: 1,
  type: 'approval.answer',
  id: 'rec_019bc0f0a1b27c3d8e4f5a6b7c8d9e01',
  home,
  issued_at: issuedAt,
  subject: { kind: 'approval', id: 'apr_019bc0f0a1b27c3d8e4f5a6b7c8d9e02' },
  ask: {
    id: 'apr_019bc0f0a1b27c3d8e4f5a6b7c8d9e02',
    title: 'May we book the hall on Friday?',
    kind: 'ask',
    request_kind: 'other',
    choices: ['Friday', 'Saturday'],
    free_text: false,
    needs: 'any',
    about_child: false,
    requested_by: '@ana.ai-helper',
    requested_name_verified: true,
    requested_at: '2026-01-15T09:00:00.000Z',
    expires_at: '2026-01-16T09:00:00.000Z',
    digest: digest({
      title: 'May we book the hall on Friday?',
      choices: ['Friday', 'Saturday'],
      free_text: false,
      to: ['@bea'],
    }),
  },
  answers: [
    {
      to: '@bea',
      name: 'Béa 👩‍🚀',
      decision: 'approved',
      answer: 'Friday',
      note: 'Fine “with me” €',
      at: '2026-01-15T09:59:59.000Z',
      by: 'person',
      via: 'web',
      proof: 'passkey',
    },
  ],
  status: 'approved',
  settled_at: '2026-01-15T09:59:59.000Z',
};

export const card = {
  v: 1,
  type: 'card',
  home,
  address: '@ana.ai-helper',
  kind: 'ai',
  id: 'ai_019bc0f0a1b27c3d8e4f5a6b7c8d9e03',
  name: 'Helper',
  name_verified: true,
  status: 'claimed',
  platform: 'other',
  owner: 'per_019bc0f0a1b27c3d8e4f5a6b7c8d9e05',
  vouched_by: [],
  description: 'Keeps the calendar of Ana.',
  keys: [
    {
      ...exportPublicJwk(strangerKey.pair),
      use: 'sig',
      status: 'active',
      from: '2026-01-10T00:00:00.000Z',
    },
  ],
  away: { away: true, until: '2026-01-20T08:00:00.000Z', note: 'zurück um 5' },
  reach: { mode: 'checks', every_minutes: 5, seen: 'today' },
  accepts: ['personal', 'other'],
  issued_at: issuedAt,
  valid_until: '2026-01-16T10:00:00.000Z',
};

export const envelope = {
  v: 1,
  type: 'message',
  id: 'r:home.example:msg_019bc0f0a1b27c3d8e4f5a6b7c8d9e04',
  rev: 1,
  seq: 9007199254740991,
  origin: home,
  destination: 'other.example',
  from: 'ana.ai-helper@home.example',
  sender: {
    id: 'ai_019bc0f0a1b27c3d8e4f5a6b7c8d9e03',
    kind: 'ai',
    name: 'Helper',
    name_verified: true,
    status: 'claimed',
    owner: { address: 'ana@home.example', name: 'Ana' },
  },
  to: ['ole@other.example'],
  issued_at: issuedAt,
  expires_at: '2026-01-29T10:00:00.000Z',
  body: {
    thread: 'r:home.example:thr_019bc0f0a1b27c3d8e4f5a6b7c8d9e06',
    title: 'Hello',
    text: 'Shall we meet?\nAt the “hall”.\t\u2028',
    data_json: '{"":null,"é":[true,false,-1,0.5]}',
    request_kind: 'personal',
  },
};

export const homeDocument = {
  v: 1,
  service: 'hearth',
  version: '0.1.0',
  home,
  name: home,
  base_url: 'https://home.example/v0',
  auth_url: 'https://home.example',
  site_url: 'https://home.example',
  mcp_url: 'https://home.example/mcp',
  doc_seq: 1768471200,
  issued_at: issuedAt,
  valid_until: '2026-01-16T10:00:00.000Z',
  federation: {
    endpoint: 'https://home.example/federation',
    versions: ['1'],
    limits: { max_request: 262144, max_item: 65536, max_items: 50, max_at_once: 4, requests_a_minute: 600 },
    mode: 'open',
  },
  keys: listedKeys,
  webhook_jwks: 'https://home.example/.well-known/mcp-webhook-jwks.json',
  records: { types: ['approval.answer', 'card'], canonical: 'RFC8785', alg: 'EdDSA' },
  features: { sign_up: true, messages: true, decisions: false },
  limits: { body_bytes: 65536 },
  contact: { abuse: 'abuse@home.example', security: 'security@home.example' },
};

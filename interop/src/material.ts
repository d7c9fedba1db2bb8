import { createHash } from 'node:crypto';
import { exportPublicJwk, type KeyPair, keyPairFromSeed, type ListedKey } from '@hearth/signing';

/** The keys of the vectors. Their seeds are public: SHA-256 of a name. Never use them for anything else. */
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
export const nextKey = vectorKey('home.example, next');
export const retiredKey = vectorKey('home.example, retired');
export const revokedKey = vectorKey('home.example, revoked');
export const strangerKey = vectorKey('other.example');

export const allKeys = [homeKey, nextKey, retiredKey, revokedKey, strangerKey];

/** The keys that the document of home.example lists; the stranger's key is not there. */
export const listedKeys: ListedKey[] = [
  { ...exportPublicJwk(homeKey.pair), status: 'active', not_before: '2026-01-01T00:00:00Z', not_after: null },
  { ...exportPublicJwk(nextKey.pair), status: 'next', not_before: '2026-03-01T00:00:00Z', not_after: null },
  {
    ...exportPublicJwk(retiredKey.pair),
    status: 'retired',
    not_before: '2025-01-01T00:00:00Z',
    not_after: '2026-01-03T00:00:00Z',
  },
  {
    ...exportPublicJwk(revokedKey.pair),
    status: 'revoked',
    not_before: '2025-01-01T00:00:00Z',
    not_after: null,
    revoked_at: '2025-06-01T00:00:00Z',
  },
];

export const issuedAt = '2026-01-15T10:00:00Z';

export const answer = {
  v: 1,
  type: 'approval.answer',
  id: 'rec_019bc0f0a1b27c3d8e4f5a6b7c8d9e01',
  home: 'home.example',
  issued_at: issuedAt,
  subject: { kind: 'approval', id: 'apr_019bc0f0a1b27c3d8e4f5a6b7c8d9e02' },
  ask: {
    id: 'apr_019bc0f0a1b27c3d8e4f5a6b7c8d9e02',
    title: 'May we book the hall on Friday?',
    kind: 'ask',
    request_kind: 'other',
    choices: ['Friday', 'Saturday'],
    free_text: false,
    needs: 1,
    about_child: false,
    requested_by: 'ana.ai-helper@home.example',
    requested_name_verified: true,
    requested_at: '2026-01-15T09:00:00Z',
    expires_at: '2026-01-16T09:00:00Z',
    digest: 'sha-256:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
  },
  answers: [
    {
      to: 'bea@home.example',
      name: 'Béa 👩‍🚀',
      decision: 'approved',
      answer: 'Friday',
      note: 'Fine “with me” €',
      at: '2026-01-15T09:59:59Z',
      by: 'person',
      via: 'web',
      proof: 'passkey',
    },
  ],
  status: 'approved',
  settled_at: '2026-01-15T09:59:59Z',
};

export const card = {
  v: 1,
  type: 'card',
  home: 'home.example',
  issued_at: issuedAt,
  valid_until: '2026-01-16T10:00:00Z',
  address: 'ana.ai-helper@home.example',
  kind: 'ai',
  id: 'ai_019bc0f0a1b27c3d8e4f5a6b7c8d9e03',
  name: 'Helper',
  status: 'claimed',
  name_verified: true,
  description: 'Keeps the calendar of Ana.',
  keys: [
    {
      ...exportPublicJwk(strangerKey.pair),
      use: 'sig',
      status: 'active',
      from: '2026-01-10T00:00:00Z',
      until: null,
    },
  ],
  away: { until: null, note: null },
  reach: { mode: 'wakes', every_minutes: 0, seen: 'today' },
  accepts: ['meeting', 'other'],
  offers: [],
};

export const envelope = {
  v: 1,
  type: 'message',
  id: 'r:home.example:msg_019bc0f0a1b27c3d8e4f5a6b7c8d9e04',
  rev: 1,
  stream: 'ana',
  seq: 9007199254740991,
  origin: 'home.example',
  destination: 'other.example',
  from: 'ana.ai-helper@home.example',
  to: ['ole@other.example'],
  issued_at: issuedAt,
  expires_at: '2026-01-29T10:00:00Z',
  body: {
    title: 'Hello',
    text: 'Shall we meet?\nAt the “hall”.\t\u2028',
    data: { '': null, é: [true, false, -1, 0] },
  },
};

export const homeDocument = {
  v: 1,
  service: 'hearth',
  version: '0.1.0',
  home: 'home.example',
  name: 'Home',
  base_url: 'https://home.example/v0',
  auth_url: 'https://home.example',
  site_url: 'https://home.example',
  mcp_url: 'https://home.example/mcp',
  doc_seq: 7,
  issued_at: issuedAt,
  valid_until: '2026-01-16T10:00:00Z',
  federation: {
    endpoint: 'https://home.example/federation',
    versions: ['1'],
    limits: { max_request: 1048576, max_item: 65536, max_items: 50 },
    mode: 'open',
  },
  keys: listedKeys.map((key) => ({ ...key, uses: ['record', 'request'] })),
  records: { types: ['approval.answer', 'card'], canonical: 'RFC8785', alg: 'EdDSA' },
  contact: { abuse: 'abuse@home.example', security: 'security@home.example' },
};

import { sharedHome } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { anonymous, atEachGateway } from '../support/home.ts';
import { allFalse, allTrue, headerOf, verdicts } from '../support/records.ts';

const path = '/.well-known/service.json';
const fetchDocument = async () => (await anonymous().get(path)).body;
const hour = 3_600_000;

describe('service.json', () => {
  test('contains what other homes need, as the federation document lists it', async () => {
    const document = await fetchDocument();
    const site = document.site_url;
    expect(document).toEqual({
      v: 1,
      service: expect.any(String),
      version: '0.1.0',
      home: expect.stringMatching(/^localhost:\d+$/),
      name: expect.any(String),
      base_url: `${site}/v0`,
      auth_url: site,
      site_url: expect.stringMatching(/^https?:\/\/[^/]+$/),
      mcp_url: `${site}/mcp`,
      doc_seq: expect.any(Number),
      issued_at: expect.any(String),
      valid_until: expect.any(String),
      federation: {
        endpoint: expect.stringContaining(site),
        versions: ['1'],
        limits: {
          max_request: expect.any(Number),
          max_item: expect.any(Number),
          max_items: expect.any(Number),
          max_at_once: expect.any(Number),
          requests_a_minute: expect.any(Number),
        },
        mode: expect.stringMatching(/^(open|allowlist|off)$/),
      },
      keys: expect.any(Array),
      webhook_jwks: `${site}/.well-known/mcp-webhook-jwks.json`,
      records: { types: expect.arrayContaining(['card']), canonical: 'RFC8785', alg: 'EdDSA' },
      features: expect.any(Object),
      limits: expect.any(Object),
      contact: { abuse: expect.stringContaining('@'), security: expect.stringContaining('@') },
      signatures: expect.any(Array),
    });
    expect(Number.isInteger(document.doc_seq) && document.doc_seq > 0).toBe(true);
    expect(sharedHome().urls).toContain(site);
  });

  test('lists keys that other homes accept', async () => {
    const { keys } = await fetchDocument();
    expect(
      keys
        .filter(({ status }: { status: string }) => status === 'active')
        .map(({ uses }: { uses: string[] }) => uses),
    ).toEqual([['record', 'request'], ['recovery']]);
    for (const key of keys) {
      expect(key).toMatchObject({
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      });
      expect(['active', 'next', 'retired', 'revoked']).toContain(key.status);
      expect(Date.parse(key.not_before)).toBeLessThanOrEqual(Date.now());
      expect(key).not.toHaveProperty('d');
    }
    expect(new Set(keys.map(({ kid }: { kid: string }) => kid)).size).toBe(keys.length);
  });

  test('is signed by every active key, verified by three independent libraries', async () => {
    const document = await fetchDocument();
    const active = document.keys.filter(
      ({ status, uses }: { status: string; uses: string[] }) =>
        status === 'active' && uses.includes('record'),
    );
    expect(active).toHaveLength(1);
    for (const { kid, x } of active) {
      const signature = document.signatures.find(
        (each: { protected: string; signature: string }) => headerOf(each)['kid'] === kid,
      );
      expect(headerOf(signature)).toEqual({ alg: 'EdDSA', kid, typ: 'svc-home+jws' });
      expect(await verdicts(document, signature, x)).toEqual(allTrue);
      expect(await verdicts({ ...document, home: 'localhost:1' }, signature, x)).toEqual(allFalse);
    }
  });

  test('is valid for a day, and not dated in the future', async () => {
    const { issued_at, valid_until } = await fetchDocument();
    expect(Date.parse(issued_at)).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(valid_until) - Date.now()).toBeGreaterThan(12 * hour);
    expect(Date.parse(valid_until) - Date.parse(issued_at)).toBeLessThanOrEqual(7 * 24 * hour);
  });

  test('is small, cacheable for an hour, and has an entity tag', async () => {
    const { headers, body } = await anonymous().get(path);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toMatch(/max-age=3600/);
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(JSON.stringify(body).length).toBeLessThan(65_536);
    const again = await anonymous().get(path, { 'if-none-match': headers.get('etag')! });
    expect([again.status, again.body]).toEqual([304, '']);
    expect(again.headers.get('cache-control')).toMatch(/max-age=3600/);
  });

  test('is identical at every gateway', async () => {
    const documents = [];
    for (const client of atEachGateway()) {
      for (let turn = 0; turn < 3; turn += 1) {
        const { headers, body } = await client.get(path);
        documents.push(`${headers.get('etag')} ${JSON.stringify(body)}`);
      }
    }
    expect(new Set(documents).size).toBe(1);
  });

  test('has accurate features: enabled ones answer, disabled ones do not', async () => {
    const { features } = await fetchDocument();
    expect(features).toMatchObject({ sign_up: true, cards: true, messages: true });
    expect(Object.values(features).every((value) => typeof value === 'boolean')).toBe(true);
    const probes = {
      groups: '/v0/groups',
      decisions: '/v0/decisions',
      plans: '/v0/plans',
      meetings: '/v0/meetings',
      agreements: '/v0/agreements',
      asks: '/v0/approvals',
      wake_ups: '/v0/events',
      oauth: '/oauth/authorize',
      mcp: '/mcp',
    };
    for (const [feature, probe] of Object.entries(probes)) {
      const { status } = await anonymous().get(probe);
      expect([feature, features[feature]]).toEqual([feature, status !== 404 && status !== 501]);
    }
  });
});

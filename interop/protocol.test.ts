import { readFileSync } from 'node:fs';
import {
  aiNameToSlug,
  isHomeName,
  parseAddress,
  parseReference,
  printAddress,
  printFullAddress,
} from '@hearth/addresses';
import { canonicalize, digest } from '@hearth/signing';
import { readStandardSecret, receivedProblem, svcProblem } from '@hearth/webhooks';
import { describe, expect, test } from '@jest/globals';
import { createLocalJWKSet } from 'jose';
import { Webhook } from 'standardwebhooks';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`vectors/protocol/${name}.json`, import.meta.url), 'utf8'));

describe('addresses.json', () => {
  const { home, addresses, homes, references, slugs } = read('addresses');

  test.each(addresses as { text: string; kind: string | null; canonical?: string; full?: string }[])(
    'address $text: $kind',
    ({ text, kind, canonical, full }) => {
      const address = parseAddress(text, { ownHome: home });
      expect(address?.kind.toLowerCase() ?? null).toBe(kind);
      if (address === null) return;
      expect([printAddress(address), printFullAddress(address, home)]).toEqual([canonical, full]);
    },
  );

  test.each(homes as { text: string; valid: boolean }[])('home $text: $valid', ({ text, valid }) => {
    expect(isHomeName(text)).toBe(valid);
  });

  test.each(references as { text: string; home: string | null; id?: string }[])(
    'reference $text: $home',
    ({ text, home: of, id }) => {
      expect(parseReference(text)).toEqual(of === null ? null : { home: of, id });
    },
  );

  test.each(slugs as { name: string; slug: string }[])('slug of $name: $slug', ({ name, slug }) => {
    expect(aiNameToSlug(name)).toBe(slug);
  });
});

test.each(read('asks').cases as { name: string; canonical: string; digest: string }[])(
  'asks.json: $name',
  ({ canonical, digest: expected }) => {
    expect(canonicalize(JSON.parse(canonical))).toBe(canonical);
    expect(digest(JSON.parse(canonical))).toBe(expected);
  },
);

describe('webhooks.json', () => {
  const { secret, keys, cases } = read('webhooks');
  const secrets = [readStandardSecret(secret)!];

  test.each(
    cases as (Parameters<typeof receivedProblem>[0] & {
      name: string;
      valid: boolean;
      to: string;
      now: number;
    })[],
  )('$name: $valid', ({ to, now, valid, ...message }) => {
    expect(receivedProblem(message, { to, unixSeconds: now, secrets, keys }) === null).toBe(valid);
  });

  test('v1 equals the reference library’s signature, and the keys are a JWK set for jose', async () => {
    const [{ id, body, signature, now }] = cases;
    const at = new Date(now * 1_000);
    expect(new Webhook(secret).sign(id, at, body)).toBe(signature);
    await expect(createLocalJWKSet({ keys })({ alg: 'EdDSA', kid: keys[0].kid })).resolves.toBeDefined();
  });
});

describe('svc-signatures.json', () => {
  const { secret, cases } = read('svc-signatures');

  test.each(cases as { name: string; header: string; body: string; now: number; valid: boolean }[])(
    '$name: $valid',
    ({ header, body, now, valid }) => {
      expect(svcProblem(header, body, { secret, unixSeconds: now }) === null).toBe(valid);
    },
  );
});

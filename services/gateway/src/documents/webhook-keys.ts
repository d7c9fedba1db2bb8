interface HomeKey {
  kid: string;
  x: string;
  status: string;
  uses: string[];
}

/**
 * {site_url}/.well-known/mcp-webhook-jwks.json: the keys that verify `v1a` of a wake-up or callback, as a
 * JWK set (RFC 7517). It has the home's current and past signing keys, without `next` and revoked ones.
 *
 * @param homeDocument the home's document, as served
 */
export function webhookKeys(homeDocument: string): string {
  const { keys } = JSON.parse(homeDocument) as { keys: HomeKey[] };
  const good = keys.filter(({ status, uses }) => vouching.has(status) && uses.includes('record'));
  return JSON.stringify({
    keys: good.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x })),
  });
}

const vouching: ReadonlySet<string> = new Set(['active', 'retired']);

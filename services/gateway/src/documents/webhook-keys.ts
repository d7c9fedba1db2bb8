interface HomeKey {
  kid: string;
  x: string;
  status: string;
  uses: string[];
}

/**
 * {site_url}/.well-known/mcp-webhook-jwks.json: the keys by which `v1a` of a wake-up or callback is verified, as a
 * JWK set (RFC 7517). They are those of the home that sign or signed: no `next` one, and none that was revoked.
 *
 * @param homeDocument the home's document, as it is served
 */
export function webhookKeys(homeDocument: string): string {
  const { keys } = JSON.parse(homeDocument) as { keys: HomeKey[] };
  const good = keys.filter(({ status, uses }) => vouching.has(status) && uses.includes('record'));
  return JSON.stringify({
    keys: good.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x })),
  });
}

const vouching: ReadonlySet<string> = new Set(['active', 'retired']);

interface HomeKey {
  kid: string;
  x: string;
  status: string;
}

/**
 * {site_url}/.well-known/mcp-webhook-jwks.json: the keys by which `v1a` of a wake-up or callback is verified, as a
 * JWK set (RFC 7517). They are the home's own; one that was revoked verifies nothing any more.
 *
 * @param homeDocument the home's document, as it is served
 */
export function webhookKeys(homeDocument: string): string {
  const { keys } = JSON.parse(homeDocument) as { keys: HomeKey[] };
  const good = keys.filter(({ status }) => status !== 'revoked');
  return JSON.stringify({
    keys: good.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x })),
  });
}

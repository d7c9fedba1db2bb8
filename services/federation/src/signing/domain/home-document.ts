import { type DocumentKey, documentKey } from '../../shared/domain/document-key.ts';
import { inboxLimits } from '../../shared/domain/inbox-limits.ts';
import { issuedTypes } from '../../shared/domain/sign-rules.ts';
import { features } from './features.ts';

/** The version of the API that the document describes. */
const version = '0.1.0';

export interface HomeFacts {
  home: string;
  /** Origin without a final slash. */
  siteUrl: string;
  /** Every key that the home ever had. */
  keys: readonly DocumentKey[];
  /** The numbers that hold for everyone, by their names in GET /limits. */
  limits: Readonly<Record<string, number>>;
  /** HEARTH_FEDERATION. */
  mode: 'open' | 'allowlist' | 'off';
  /** The rate that one other home has; null without a bound. */
  requestsAMinute: number | null;
}

/** For whoever reads a number where there is no bound. */
const noBound = 1_000_000;

/**
 * The content of {site_url}/.well-known/service.json, without its number, its times and its signatures
 * (docs/protocol/home-document.md). Addresses follow from the site's; `features` and `federation.mode` say which of
 * them answer.
 */
export function homeDocument({ home, siteUrl, keys, limits, mode, requestsAMinute }: HomeFacts) {
  return {
    v: 1,
    service: 'hearth',
    version,
    home,
    name: home,
    base_url: `${siteUrl}/v0`,
    auth_url: siteUrl,
    site_url: siteUrl,
    mcp_url: `${siteUrl}/mcp`,
    federation: {
      endpoint: `${siteUrl}/federation`,
      versions: ['1'],
      limits: { ...inboxLimits, requests_a_minute: requestsAMinute ?? noBound },
      mode: features.federation ? mode : 'off',
    },
    keys: keys.map(documentKey),
    webhook_jwks: `${siteUrl}/.well-known/mcp-webhook-jwks.json`,
    records: { types: issuedTypes, canonical: 'RFC8785', alg: 'EdDSA' },
    features,
    limits,
    contact: contactOf(home),
  };
}

/** The mailboxes that RFC 2142 reserves for this at every domain. */
function contactOf(home: string) {
  const domain = home.replace(/:\d+$/, '');
  return { abuse: `abuse@${domain}`, security: `security@${domain}` };
}

import { type DocumentKey, documentKey } from '../../shared/domain/document-key.ts';
import { inboxLimits } from '../../shared/domain/inbox-limits.ts';
import { issuedTypes } from '../../shared/domain/sign-rules.ts';
import { features } from './features.ts';

/** The API version that the document describes. */
const version = '0.1.0';

export interface HomeFacts {
  home: string;
  /** Origin without a trailing slash. */
  siteUrl: string;
  /** Every key that the home ever had. */
  keys: readonly DocumentKey[];
  /** The limits that apply to everyone, named as in GET /limits. */
  limits: Readonly<Record<string, number>>;
  /** HEARTH_FEDERATION. */
  mode: 'open' | 'allowlist' | 'off';
  /** Requests a minute for each other home; null for no limit. */
  requestsAMinute: number | null;
}

/** Published in place of "no limit", for readers that expect a number. */
const noBound = 1_000_000;

/**
 * Returns the content of {site_url}/.well-known/service.json without its number, times and signatures
 * (docs/protocol/home-document.md). Its URLs are derived from the site's; `features` and `federation.mode`
 * say which of them are served.
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

/** Mailboxes that RFC 2142 reserves for this purpose. */
function contactOf(home: string) {
  const domain = home.replace(/:\d+$/, '');
  return { abuse: `abuse@${domain}`, security: `security@${domain}` };
}

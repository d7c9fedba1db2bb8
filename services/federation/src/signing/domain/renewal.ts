const hourMs = 3_600_000;

/** How long an issued document holds. */
export const validForMs = 24 * hourMs;

/** With less than this left, a new one is issued. */
const renewBelowMs = 12 * hourMs;

export interface IssuedDocument {
  contentDigest: string;
  issuedAt: Date;
  validUntil: Date;
}

/**
 * Whether a new document must replace `latest`. Other content makes a new one only when the last is at least `minAgeMs`
 * old, so that replicas of two releases do not replace each other's documents at every read.
 */
export function mustIssue(
  latest: IssuedDocument,
  contentDigest: string,
  now: number,
  minAgeMs: number,
): boolean {
  if (latest.validUntil.getTime() - now < renewBelowMs) return true;
  return latest.contentDigest !== contentDigest && now - latest.issuedAt.getTime() >= minAgeMs;
}

const hourMs = 3_600_000;

/** How long an issued document is valid. */
export const validForMs = 24 * hourMs;

/**
 * A document signed by the recovery key is valid as long as the protocol allows, so that homes that rarely
 * fetch see it too.
 */
export const recoveredForMs = 7 * 24 * hourMs;

/** A new document is issued once less than this remains. */
const renewBelowMs = 12 * hourMs;

export interface IssuedDocument {
  contentDigest: string;
  issuedAt: Date;
  validUntil: Date;
}

/**
 * Returns whether a new document must replace `latest`. Changed content only counts once the latest is at
 * least `minAgeMs` old, so that replicas of two releases do not replace each other's documents at every read.
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

/**
 * Returns a number that rises with every document. It is at least the current Unix time, so that it does not
 * go back in a home restored from a backup.
 */
export function nextDocSeq(last: number, now: number): number {
  return Math.max(last + 1, Math.floor(now / 1_000));
}

/** Returns a document without its number, times and signatures. */
export function contentOf(document: Readonly<Record<string, unknown>>): object {
  const { doc_seq, issued_at, valid_until, signatures, ...content } = document;
  return content;
}

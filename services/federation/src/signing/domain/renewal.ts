const hourMs = 3_600_000;

/** How long an issued document holds. */
export const validForMs = 24 * hourMs;

/** One that the recovery key signed holds as long as a home may say, so that whoever asks rarely sees it too. */
export const recoveredForMs = 7 * 24 * hourMs;

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

/** Rises with every document. It is a second of the present, so that a home that was restored does not go back. */
export function nextDocSeq(last: number, now: number): number {
  return Math.max(last + 1, Math.floor(now / 1_000));
}

/** The content of a document: without its number, times and signatures. */
export function contentOf(document: Readonly<Record<string, unknown>>): object {
  const { doc_seq, issued_at, valid_until, signatures, ...content } = document;
  return content;
}

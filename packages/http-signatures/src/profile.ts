/** The signature that counts between homes; those of others, of proxies say, are left aside. */
export const tag = 'home/1';
export const label = 'home';
export const version = '1';
export const algorithm = 'ed25519';
/** A signature counts for so long at most, and may be dated ahead so far; seconds. */
export const longestSeconds = 300;
export const mostAheadSeconds = 300;

const bare = ['@method', '@target-uri', 'home-origin', 'home-destination', 'home-version'] as const;
const withBody = [...bare, 'content-type', 'content-digest'] as const;

/** The components that a signature covers: exactly these. */
export function coveredParts(hasBody: boolean): readonly string[] {
  return hasBody ? withBody : bare;
}

/**
 * The text that is signed (RFC 9421 2.5).
 *
 * @param parameters the covered parts and the parameters as the header has them: `("@method" ...);created=1;...`
 */
export function signatureBase(
  covered: readonly string[],
  valueFor: (part: string) => string,
  parameters: string,
): Buffer {
  const lines = covered.map((part) => `"${part}": ${valueFor(part)}`);
  return Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n'));
}

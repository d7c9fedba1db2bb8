/** The tag of signatures between homes; other signatures, for example of proxies, are ignored. */
export const tag = 'home/1';
export const label = 'home';
export const version = '1';
export const algorithm = 'ed25519';
/** The maximum lifetime of a signature, and how far ahead it may be dated, in seconds. */
export const longestSeconds = 300;
export const mostAheadSeconds = 300;

const bare = ['@method', '@target-uri', 'home-origin', 'home-destination', 'home-version'] as const;
const withBody = [...bare, 'content-type', 'content-digest'] as const;

/** The exact components that a signature covers. */
export function coveredParts(hasBody: boolean): readonly string[] {
  return hasBody ? withBody : bare;
}

/**
 * The signature base (RFC 9421 2.5).
 *
 * @param parameters the covered components and parameters, as in the header: `("@method" ...);created=1;...`
 */
export function signatureBase(
  covered: readonly string[],
  valueFor: (part: string) => string,
  parameters: string,
): Buffer {
  const lines = covered.map((part) => `"${part}": ${valueFor(part)}`);
  return Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n'));
}

/** The page of a decision. @param number decimal digits */
export function decisionPath(number: string): string {
  return `/d/${number}`;
}

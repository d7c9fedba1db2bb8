/** The decision's page. @param number decimal digits */
export function decisionPath(number: string): string {
  return `/d/${number}`;
}

/**
 * Returns a home's registrable domain (Public Suffix List), by which first contacts are counted; a
 * development home's own name.
 */
export async function domainOf(home: string): Promise<string> {
  // The full list is large, so it is loaded on first use.
  const { getDomain } = await import('tldts');
  return getDomain(home, { allowPrivateDomains: true }) ?? home;
}

/** The registrable domain of a home (Public Suffix List), by which first contact counts; of a development home its name. */
export async function domainOf(home: string): Promise<string> {
  // The whole list: loaded by a home that others write to.
  const { getDomain } = await import('tldts');
  return getDomain(home, { allowPrivateDomains: true }) ?? home;
}

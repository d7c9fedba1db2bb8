/** The plan's page. @param id the id that callers use */
export function planPath(id: string): string {
  return `/p/${id}`;
}

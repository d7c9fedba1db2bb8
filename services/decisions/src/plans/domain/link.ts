/** The page of a plan. @param id as callers know it */
export function planPath(id: string): string {
  return `/p/${id}`;
}

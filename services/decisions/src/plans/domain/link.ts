import { printId } from '@hearth/ids';

/** The page of a plan. @param id uuid */
export function planPath(id: string): string {
  return `/p/${printId('pln', id)}`;
}

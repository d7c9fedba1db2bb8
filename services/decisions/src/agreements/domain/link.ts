import { printId } from '@hearth/ids';

/** The page of an agreement. @param id uuid */
export function agreementPath(id: string): string {
  return `/agreements/${printId('agr', id)}`;
}

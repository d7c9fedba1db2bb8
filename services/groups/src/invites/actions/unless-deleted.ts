import { isHearthError } from '@hearth/errors';

/** Ignores not_found: the group, and the invite with it, may have been deleted meanwhile. */
export async function unlessDeleted(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isHearthError(error) || error.kind !== 'not_found') throw error;
  }
}

import { isHearthError } from '@hearth/errors';

/** Does nothing where the group was deleted meanwhile, and the invite with it. */
export async function unlessDeleted(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isHearthError(error) || error.kind !== 'not_found') throw error;
  }
}

import { isHearthError } from '@hearth/errors';
import type { Context } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';

/** Places or closes the items of invites that began or ceased to wait without a change of their own. */
export async function lookAgain(
  { invites }: Pick<Context, 'invites'>,
  found: readonly Pick<InviteRow, 'id' | 'group'>[],
): Promise<void> {
  for (const invite of found) {
    try {
      await invites.locked(invite, async () => {});
    } catch (error) {
      // Its group was deleted meanwhile, and the invite with it.
      if (!isHearthError(error) || error.kind !== 'not_found') throw error;
    }
  }
}

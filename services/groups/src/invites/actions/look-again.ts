import type { Context } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { unlessDeleted } from './unless-deleted.ts';

/** Places or closes the items of invites that began or ceased to wait without a change of the invite itself. */
export async function lookAgain(
  { invites }: Pick<Context, 'invites'>,
  found: readonly Pick<InviteRow, 'id' | 'group'>[],
): Promise<void> {
  for (const invite of found) await unlessDeleted(invites.locked(invite, async () => {}));
}

import { cleanLine } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { badRequest } from '@hearth/errors';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import { appsOf, findManagedAi, isOwnWord, lockManagedAi, revokeLocked } from '../../ais/module.ts';
import { recordRevocation } from '../../shared/actions/metrics.ts';
import { lockAi } from '../../shared/db/ais.ts';
import { requireNothingToUndo } from '../../shared/domain/claim.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';

/**
 * Switches an AI off for good, at the request of the AI, its owner, the app that holds it, or the operator.
 * Idempotent.
 */
export const revokeAi =
  (context: Context): UnaryHandler<typeof IdentityService.method.revokeAi> =>
  async (request, { caller }) => {
    const allowed = ['itself', 'owner', 'guardian', 'holder', 'operator'] as const;
    const managed = await findManagedAi(context, request.id, caller, allowed);
    const { owner, standing } = managed;
    const { id, groupId } = managed.ai;
    if (groupId !== null && standing !== 'operator') {
      throw badRequest(
        "a group's AI lasts as long as the group; switch group_ai off in the group's settings",
        { code: 'bad_field', field: 'id' },
      );
    }
    const reason = cleanLine(request.reason ?? '');
    const { ai, changed } = await context.commit(async (tx) => {
      const present = await lockAi(tx, id);
      if (present?.revokedAt) {
        // Sent again for a gateway that missed the first signal.
        tx.signal('credentials', id);
        return { ai: present, changed: false };
      }
      const locked = await lockManagedAi(tx, managed);
      if (standing !== 'operator' && !isOwnWord(managed, caller))
        requireNothingToUndo(locked, nowDate(context.clock));
      const apps = appsOf(locked, owner);
      return { ai: await revokeLocked(context, tx, locked, { apps, by: caller, reason }), changed: true };
    });
    if (changed) recordRevocation({ by: standing });
    return toAi(ai);
  };

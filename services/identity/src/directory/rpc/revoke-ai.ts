import { cleanLine } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { badRequest, forbidden } from '@hearth/errors';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import { appsOf, findManagedAi, isOwnWord, lockManagedAi } from '../../ais/actions/managed-ai.ts';
import { revokeLocked } from '../../ais/actions/part-with-ais.ts';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { recordRevocation } from '../../shared/actions/metrics.ts';
import { lockAi } from '../../shared/db/ais.ts';
import { requireNothingToUndo } from '../../shared/domain/claim.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';

/**
 * Switches an AI off for good, at its own word, that of its person, of the app that holds it, or of the operator.
 * Repeated, it answers the same.
 */
export function revokeAi(context: Context): UnaryHandler<typeof IdentityService.method.revokeAi> {
  const { bus, clock, database, outbox } = context;
  return async (request, { caller }) => {
    if (caller.grant !== '') throw forbidden('only the AI itself or its person can switch it off');
    const managed = await findManagedAi(context, request.id, caller, [
      'itself',
      'owner',
      'guardian',
      'holder',
      'operator',
    ]);
    const { owner, standing } = managed;
    const { id, groupId } = managed.ai;
    if (groupId !== null && standing !== 'operator') {
      throw badRequest(
        "a group's AI lasts as long as the group; switch group_ai off in the group's settings",
      );
    }
    const reason = cleanLine(request.reason ?? '');
    const { ai, rows } = await database.transaction(async (tx) => {
      const present = await lockAi(tx, id);
      if (present?.revokedAt) return { ai: present, rows: [] };
      const locked = await lockManagedAi(tx, managed);
      if (standing !== 'operator' && !isOwnWord(managed, caller))
        requireNothingToUndo(locked, nowDate(clock));
      const apps = appsOf(locked, owner);
      const revoked = await revokeLocked(context, tx, locked, { apps, by: caller, reason });
      await outbox.announce(tx, [revoked.row]);
      return { ai: revoked.ai, rows: [revoked.row] };
    });
    outbox.committed(rows);
    if (rows.length > 0) recordRevocation({ by: standing });
    // Also when repeated: a gateway that missed the first signal hears this one.
    credentialsChanged(bus, id);
    return toAi(ai);
  };
}

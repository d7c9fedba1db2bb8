import { badField, badRequest } from '@hearth/errors';
import type { HomesService } from '@hearth/proto/federation/v1/homes';
import type { UnaryHandler } from '@hearth/rpc';
import { acceptWaiting, type KeptDocument } from '@hearth/signing';
import { requireOtherHome, showHome } from '../actions/show-home.ts';
import type { Context } from '../context.ts';
import { otherHomeChanged } from '../domain/announcements.ts';

/** The operator names the key, because the waiting document may no longer be the one that they saw. */
export const acceptHomeKey =
  (context: Context): UnaryHandler<typeof HomesService.method.acceptHomeKey> =>
  async ({ home, kid, reason }, { caller: by }) => {
    const { clock, hooks, known } = context;
    requireOtherHome(home, context);
    await known.change(home, async (tx, row) => {
      const kept = row.kept === null ? null : acceptWaiting(row.kept);
      if (kept === null)
        throw badRequest(`no document of ${home} waits for a word`, { code: 'already_settled' });
      requireKey(kept, kid);
      await hooks.beganAnew(tx, home);
      tx.announce(otherHomeChanged(home, 'began_anew', { reason, by }));
      const now = new Date(clock.now());
      // The document may be outdated by now: fetch it before it is next relied on.
      return {
        ...row,
        kept,
        goodAt: now,
        freshUntil: now,
        failure: null,
        retryAt: null,
        dueAt: now,
        beganAnewAt: now,
      };
    });
    return await showHome(context, home);
  };

function requireKey({ document }: KeptDocument, kid: string): void {
  const counts = document.keys.filter(({ status, uses }) => status === 'active' && uses?.includes('record'));
  if (counts.some((key) => key.kid === kid)) return;
  const kids = counts.map((key) => key.kid).join(', ');
  throw badField('kid', `is no key of the document that waits; it lists ${kids || 'none that counts'}`);
}

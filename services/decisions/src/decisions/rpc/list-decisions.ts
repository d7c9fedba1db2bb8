import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { listBoth } from '../../shared/actions/list-both.ts';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { findLinks } from '../../shared/db/links.ts';
import { outcomeOf, showDecisions } from '../actions/show-decisions.ts';
import type { Context } from '../context.ts';
import { decisionTable } from '../db/decisions.ts';
import { statuses } from '../domain/enum-names.ts';

/** The decisions that the caller has a seat at, the newest first. */
export const listDecisions =
  (context: Context): UnaryHandler<typeof DecisionsService.method.listDecisions> =>
  async (request, { caller }) => {
    const by = { viewer: viewerIdOf(caller), status: statuses.nameOf(request.status ?? 0) || null };
    const { rows, nextCursor } = await listBoth(context, request, by, (...listed) =>
      decisionTable.listSeen(context.database.db, ...listed),
    );
    const own = rows.filter((one) => 'row' in one);
    const others = rows.flatMap((one) => ('row' in one ? [] : one.id));
    const [shown, links] = await Promise.all([
      showDecisions(context, own, caller),
      findLinks(context.database.db, 'decision', others, caller),
    ]);
    const decisions = rows.map((one) =>
      'row' in one ? shown.shift()! : { ...one.message, ...outcomeOf(links.get(one.id)) },
    );
    return { decisions, nextCursor };
  };

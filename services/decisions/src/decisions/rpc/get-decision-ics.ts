import { timestampMs } from '@bufbuild/protobuf/wkt';
import { calendarFile } from '@hearth/calendar';
import { notFound } from '@hearth/errors';
import type { SeenCopy } from '@hearth/home-acts';
import type { DecisionSchema, DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { findVisible } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';
import { decisionPath } from '../domain/link.ts';
import { outcomeOf } from '../domain/outcome.ts';

/** @throws not_found for a decision that is not agreed, or settles no time */
export const getDecisionIcs =
  (context: Context): UnaryHandler<typeof DecisionsService.method.getDecisionIcs> =>
  async ({ id }, { caller }) => {
    const { config, homeNames } = context;
    const copy = await findElsewhere(context.copies, id, caller);
    if (copy !== null) return { text: calendarOf(copy, `${config.siteUrl}${decisionPath(copy.reference)}`) };
    const { row } = await findVisible(context, id, caller);
    if (row.status !== 'agreed' || row.proposal === null || row.settled_at === null) throw notFound();
    const { when, where, summary } = outcomeOf(row, row.proposal);
    if (when === null) throw notFound();
    const text = calendarFile({
      uid: `decision-${row.number}@${homeNames.ownHome}`,
      sequence: 0,
      title: row.title,
      details: summary,
      place: where,
      starts: when,
      ends: null,
      timeZone: row.time_zone,
      at: row.settled_at.getTime(),
      link: `${config.siteUrl}${decisionPath(row.number)}`,
    });
    return { text };
  };

/** That of a decision of another home. */
function calendarOf({ message, reference }: SeenCopy<typeof DecisionSchema>, link: string): string {
  const { proposal, settledAt, timeZone = null, title } = message;
  if (settledAt === undefined || proposal?.when === undefined) throw notFound();
  return calendarFile({
    ...{ uid: reference, sequence: 0, title, details: proposal.summary, place: proposal.where ?? '' },
    ...{ starts: proposal.when, ends: null, timeZone, at: timestampMs(settledAt), link },
  });
}

import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import { calendarFile } from '@hearth/calendar';
import { notFound } from '@hearth/errors';
import type { SeenCopy } from '@hearth/home-acts';
import type { PlanSchema, PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import { findVisible } from '../actions/find-visible.ts';
import { settledIn } from '../actions/home-plans.ts';
import type { Context } from '../context.ts';
import { planPath } from '../domain/link.ts';
import { settledOption } from '../domain/outcome.ts';

/** @throws not_found for a plan that is not settled */
export const getPlanIcs =
  (context: Context): UnaryHandler<typeof PlansService.method.getPlanIcs> =>
  async ({ id }, { caller }) => {
    const { config, homeNames } = context;
    const copy = await findElsewhere(context.copies, id, caller);
    if (copy !== null) return { text: calendarOf(copy, `${config.siteUrl}/p/${copy.reference}`) };
    const { row } = await findVisible(context, id, caller);
    if (row.status !== 'settled' || row.settled_at === null) throw notFound();
    const { label, starts, ends } = settledOption(row);
    const text = calendarFile({
      uid: `plan-${row.id}@${homeNames.ownHome}`,
      sequence: 0,
      title: row.title,
      details: [label, row.details ?? ''].filter((part) => part !== '').join('\n'),
      place: row.place ?? '',
      starts,
      ends,
      timeZone: row.time_zone,
      at: row.settled_at.getTime(),
      link: `${config.siteUrl}${planPath(row.id)}`,
    });
    return { text };
  };

/** That of a plan of another home. */
function calendarOf({ message, reference }: SeenCopy<typeof PlanSchema>, link: string): string {
  const { details = '', settledAt, settledOption, timeZone = null, title, where = '' } = message;
  if (settledAt === undefined || settledOption === undefined) throw notFound();
  const { endsAt, label, when } = settledIn(message);
  return calendarFile({
    ...{ uid: reference, sequence: 0, title, place: where, starts: when, timeZone, link },
    details: [label, details].filter((part) => part !== '').join('\n'),
    ends: endsAt === undefined ? null : timestampDate(endsAt).toISOString(),
    at: timestampMs(settledAt),
  });
}

import { calendarFile } from '@hearth/calendar';
import { notFound } from '@hearth/errors';
import type { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { findVisible } from '../actions/find-visible.ts';
import type { Context } from '../context.ts';
import { planPath } from '../domain/link.ts';
import { settledOption } from '../domain/outcome.ts';

/** @throws not_found for a plan that is not settled */
export const getPlanIcs =
  (context: Context): UnaryHandler<typeof PlansService.method.getPlanIcs> =>
  async ({ id }, { caller }) => {
    const { config, homeNames } = context;
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

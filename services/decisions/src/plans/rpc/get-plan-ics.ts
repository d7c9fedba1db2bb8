import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import { calendarFile } from '@hearth/calendar';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { PlanStatus, type PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import { settledIn } from '../actions/home-plans.ts';
import type { Context } from '../context.ts';
import { planPath } from '../domain/link.ts';

/** @throws not_found unless the plan is settled */
export const getPlanIcs =
  (context: Context): UnaryHandler<typeof PlansService.method.getPlanIcs> =>
  async (request, call) => {
    const { config, homeNames } = context;
    const plan = await course.get(context, request, call);
    const { details = '', id, settledAt, status, title, where = '' } = plan;
    if (status !== PlanStatus.SETTLED || settledAt === undefined) throw notFound();
    const { endsAt, label, when } = settledIn(plan);
    const own = parseId('pln', id);
    const text = calendarFile({
      uid: own === null ? id : `plan-${own}@${homeNames.ownHome}`,
      sequence: 0,
      title,
      details: [label, details].filter((part) => part !== '').join('\n'),
      place: where,
      starts: when,
      ends: endsAt === undefined ? null : timestampDate(endsAt).toISOString(),
      at: timestampMs(settledAt),
      link: `${config.siteUrl}${planPath(id)}`,
    });
    return { text };
  };

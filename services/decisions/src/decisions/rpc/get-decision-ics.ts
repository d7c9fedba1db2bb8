import { timestampMs } from '@bufbuild/protobuf/wkt';
import { calendarFile } from '@hearth/calendar';
import { notFound } from '@hearth/errors';
import { DecisionStatus, type DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import { decisionPath } from '../domain/link.ts';

/** @throws not_found unless the decision is agreed and settles a time */
export const getDecisionIcs =
  (context: Context): UnaryHandler<typeof DecisionsService.method.getDecisionIcs> =>
  async (request, call) => {
    const { config, homeNames } = context;
    const { id, proposal, settledAt, status, title } = await course.get(context, request, call);
    if (status !== DecisionStatus.AGREED || settledAt === undefined || proposal?.when === undefined)
      throw notFound();
    const text = calendarFile({
      uid: id.startsWith('r:') ? id : `decision-${id}@${homeNames.ownHome}`,
      sequence: 0,
      title,
      details: proposal.summary,
      place: proposal.where ?? '',
      starts: proposal.when,
      ends: null,
      at: timestampMs(settledAt),
      link: `${config.siteUrl}${decisionPath(id)}`,
    });
    return { text };
  };

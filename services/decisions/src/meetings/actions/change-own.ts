import type { MessageShape } from '@bufbuild/protobuf';
import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { Caller } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import type { MeetingRow } from '../db/meetings.ts';
import type { MeetingAct, Side } from '../domain/meeting.ts';
import { sideOf } from './change-meeting.ts';
import { findOwnMeeting } from './find-visible.ts';
import { changeThere, isElsewhere } from './on-elsewhere.ts';
import { tellMove } from './send-offer.ts';
import { showMeeting } from './show.ts';

type Methods = (typeof MeetingsService)['method'];

/**
 * Takes the act of the caller's side on a meeting of theirs, at its home, and shows it as it is then.
 *
 * @param toThere the request as another home takes it, without what this one alone knows
 */
export async function changeOwn<
  Method extends Methods['moveMeeting' | 'acceptMove' | 'declineMove' | 'cancelMeeting'],
>(
  context: Context,
  { caller, method, request }: { caller: Caller; method: Method; request: MessageShape<Method['input']> },
  actOf: (side: Side, row: MeetingRow) => MeetingAct,
  toThere: (row: MeetingRow) => MessageShape<Method['input']> = () => request,
) {
  const viewer = viewerIdOf(caller);
  const found = await findOwnMeeting(context, request.id, caller);
  if (isElsewhere(found)) return await changeThere(context, found, method, toThere(found), caller);
  const act = actOf(sideOf(found, viewer), found);
  const item = context.acts.said(caller)?.item;
  const { state } = await context.meetings.act(found.id, () => ({ act, by: caller, item }));
  if (act.kind === 'propose')
    await tellMove(context, state).catch((err: unknown) => {
      context.log.warn({ err, meeting: state.id }, 'a proposed move waits to be told');
    });
  return showMeeting(context, state, viewer);
}

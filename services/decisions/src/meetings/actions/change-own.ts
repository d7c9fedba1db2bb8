import type { Caller } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import type { MeetingAct, Side } from '../domain/meeting.ts';
import { sideOf } from './change-meeting.ts';
import { findOwnMeeting } from './find-visible.ts';
import { showMeeting } from './show.ts';

/** Takes the act of the caller's side on a meeting of theirs, and shows it as it is then. */
export async function changeOwn(
  context: Context,
  reference: string,
  caller: Caller,
  actOf: (side: Side, zone: string) => MeetingAct,
) {
  const viewer = viewerIdOf(caller);
  const found = await findOwnMeeting(context, reference, caller);
  const act = actOf(sideOf(found, viewer), found.time_zone);
  const { state } = await context.meetings.act(found.id, () => ({ act, by: caller }));
  return showMeeting(context, state, viewer);
}

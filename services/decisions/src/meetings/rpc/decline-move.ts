import { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { changeOwn } from '../actions/change-own.ts';
import type { Context } from '../context.ts';

const { declineMove: method } = MeetingsService.method;

export const declineMove =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, { caller }) =>
    await changeOwn(context, { caller, method, request }, (by) => ({ kind: 'decline', by }));

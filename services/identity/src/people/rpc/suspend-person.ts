import { nowDate } from '@hearth/clock';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { readSuspension } from '../../shared/actions/read-suspension.ts';
import { changeSuspension } from '../actions/change-suspension.ts';
import type { Context } from '../context.ts';

/** Lets a person, their AIs and apps for them do nothing until a moment; again, until another one. */
export const suspendPerson =
  (context: Context): UnaryHandler<typeof PeopleService.method.suspendPerson> =>
  async (request, { caller }) => {
    const suspension = readSuspension(context.limits, request, nowDate(context.clock));
    const { suspendedUntil: until, suspendReason: reason } = suspension;
    const told = { changed: ['suspended'], until, reason };
    return await changeSuspension(context, { id: request.id, by: caller }, () => [suspension, told]);
  };

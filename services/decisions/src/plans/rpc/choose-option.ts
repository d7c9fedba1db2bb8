import { printId } from '@hearth/ids';
import { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { speakingFor } from '../../shared/actions/speaking.ts';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import { askedOf } from '../domain/plan.ts';

const { chooseOption: method } = PlansService.method;

/** Chooses an option for the caller and the children they guard, once no option works for everyone. */
export const chooseOption =
  (context: Context): UnaryHandler<typeof method> =>
  async (request, { caller }) =>
    await course.speak(context, { method, request, caller }, async (found) => {
      const id = printId('pln', found.row.id);
      const theirs = await speakingFor(context, askedOf(found), caller);
      const people = course.tapping(context, theirs, caller, id);
      return { act: { kind: 'choose', people, option: request.option } };
    });

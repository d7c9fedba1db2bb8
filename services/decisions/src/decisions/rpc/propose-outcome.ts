import { forbidden } from '@hearth/errors';
import type { DecisionsService } from '@hearth/proto/decisions/v1/decisions';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import { readEdit } from '../actions/read-edit.ts';
import type { Context } from '../context.ts';
import { broughtBy } from '../domain/brought.ts';
import { courseOf } from '../domain/state.ts';

/** Replaces the home's proposal by the group AI's. */
export const proposeOutcome =
  (context: Context): UnaryHandler<typeof DecisionsService.method.proposeOutcome> =>
  async (request, { caller }) => {
    const found = await course.findVisible(context, request.id, caller);
    if (caller.id !== found.row.group_ai)
      throw forbidden('a proposal is brought by the AI of the group; others ask for a change of it');
    const edit = await readEdit(context, found, request, caller);
    return await course.change(context, found, caller, (whole) => ({
      act: { kind: 'propose', brought: broughtBy(courseOf(whole), edit, caller.id) },
    }));
  };

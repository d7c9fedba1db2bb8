import type { ItemsService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { noteChanges } from '../actions/note-changes.ts';
import type { Context } from '../context.ts';

export const noteItems =
  (context: Context): UnaryHandler<typeof ItemsService.method.noteItems> =>
  async ({ change }) => {
    if (change !== undefined) await noteChanges(context, [change]);
    return {};
  };

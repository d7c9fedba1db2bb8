import type { MeetingsService } from '@hearth/proto/decisions/v1/meetings';
import type { UnaryHandler } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { findVisibleOffer } from '../actions/find-visible.ts';
import { showOffer } from '../actions/show.ts';
import type { Context } from '../context.ts';

export const getOffer =
  (context: Context): UnaryHandler<typeof MeetingsService.method.getOffer> =>
  async ({ id }, { caller }) =>
    showOffer(context, await findVisibleOffer(context, id, caller), viewerIdOf(caller));

import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';

/** Does nothing: invites have no kind of their own. */
export const relabelItem = (): UnaryHandler<typeof ItemSourceService.method.relabelItem> => async () => ({});

import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';

/** An invite has no kind of its own. */
export const relabelItem = (): UnaryHandler<typeof ItemSourceService.method.relabelItem> => async () => ({});

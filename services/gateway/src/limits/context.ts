import type { UsesService } from '@hearth/proto/gateway/v1/uses';
import type { Caller, Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

export type Context = Pick<Host, 'limiter' | 'limits' | 'log'> & {
  /** The requests that this gateway holds. */
  holds: { heldBy(caller: Caller): number };
  /** The services that count uses in their own tables. */
  uses: readonly Client<typeof UsesService>[];
};

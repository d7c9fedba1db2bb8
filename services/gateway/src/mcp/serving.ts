import type { Principal } from '../credentials/module.ts';
import type { Exchange } from '../http/module.ts';

/** A request that is being served. */
export interface Serving {
  principal: Principal;
  exchange: Exchange;
}

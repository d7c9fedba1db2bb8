import type { Principal } from '../credentials/module.ts';
import type { Exchange } from '../http/module.ts';

/** The request of one caller that is being served. */
export interface Serving {
  principal: Principal;
  exchange: Exchange;
}

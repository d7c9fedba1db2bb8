import type { Asker } from '../credentials/authenticate.ts';
import type { Exchange } from '../http/exchange.ts';

/** The request of one caller that is being served. */
export interface Serving {
  asker: Asker;
  exchange: Exchange;
}

import { isHearthError } from '@hearth/errors';
import type { Answer } from './dispatcher.ts';

/** A replica whose machine is gone says nothing until the keepalive notices; a live one has mostly answered by then. */
const afterMs = 500;
/** How many second tries run at once, so that a peer that is slow as a whole gets few extra calls. */
const mostAtOnce = 16;

type SecondTry = (
  ask: () => Promise<Answer>,
  again: (signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer>;

/** Hedges a call: sends it again if no answer comes in time; the first answer counts. */
export function createSecondTry(): SecondTry {
  let asked = 0;

  return async (ask, again) => {
    /** Ends the second call; usually there is none. */
    let over: AbortController | undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    let open = 0;
    const take = async (answer: Promise<Answer>) => {
      open += 1;
      try {
        resolve(await answer);
      } catch (error) {
        open -= 1;
        if (open === 0 || !isAway(error)) reject(error as Error);
      }
    };
    void take(ask());
    const timer = setTimeout(() => {
      if (asked >= mostAtOnce) return;
      asked += 1;
      over = new AbortController();
      void take(again(over.signal)).finally(() => {
        asked -= 1;
      });
    }, afterMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      over?.abort();
    }
  };
}

export function isAway(error: unknown): boolean {
  return isHearthError(error) && error.kind === 'unavailable';
}

import { second } from '@hearth/clock';
import { singleFlight } from '@hearth/coalesce';
import { type CallbackRow, claimCallbacks } from '../db/callbacks.ts';
import { type CallbackDeps, sendCallback } from './send-callback.ts';

/** Sends callbacks as they become due: so many at once, and few to one origin, so that none holds up the others. */
export interface CallbackSender {
  /** Takes callbacks that are due, as far as there is room; the rest follows as room is made. */
  run(): Promise<void>;
  /** The same without waiting. */
  poke(): void;
  /** Takes no more callbacks; resolves when those in flight have ended. */
  stop(): Promise<void>;
}

const atOnce = 40;
const perOrigin = 4;
/** Longer than an attempt takes: another process goes on with the callbacks of one that died. */
const leaseMs = 60 * second;

export function createCallbackSender(deps: CallbackDeps): CallbackSender {
  const { clock, database, log } = deps;
  const sending = new Map<Promise<void>, string>();
  let stopped = false;
  const taking = singleFlight(take, (err) =>
    log.warn({ err }, 'callbacks wait for the next run of their job'),
  );

  async function take(): Promise<void> {
    const limit = atOnce - sending.size;
    if (limit <= 0 || stopped) return;
    const now = clock.now();
    const byOrigin = Map.groupBy(sending.values(), (origin) => origin);
    const busy = [...byOrigin].flatMap(([origin, { length }]) => (length >= perOrigin ? [origin] : []));
    const claim = { now: new Date(now), until: new Date(now + leaseMs), limit, perOrigin, busy };
    const due = await database.transaction((tx) => claimCallbacks(tx, claim));
    due.forEach(send);
  }

  function send(callback: CallbackRow): void {
    const { approval, origin } = callback;
    const sent = sendCallback(deps, callback)
      .catch((err: unknown) => log.error({ err, approval }, 'a callback failed unexpectedly'))
      .finally(() => {
        sending.delete(sent);
        taking.poke();
      });
    sending.set(sent, origin);
  }

  return {
    run: taking.run,
    poke: taking.poke,
    async stop() {
      stopped = true;
      await taking.idle();
      while (sending.size > 0) await Promise.all(sending.keys());
    },
  };
}

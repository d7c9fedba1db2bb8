import { second } from '@hearth/clock';
import { type CallbackRow, claimCallbacks } from '../db/callbacks.ts';
import { type Needed, sendCallback } from './send-callback.ts';

/** Sends callbacks as they become due: so many at once, and few of them to one address, so that none holds up the others. */
export interface CallbackSender {
  /** Takes what is due, as far as there is room; the rest follows as room is made. */
  kick(): Promise<void>;
  /** Takes nothing more; resolves when what is in hand has ended. */
  stop(): Promise<void>;
}

const atOnce = 40;
const perOrigin = 4;
/** Longer than an attempt takes: when the process dies meanwhile, another one goes on with it then. */
const leaseMs = 60 * second;

export function createCallbackSender(context: Needed): CallbackSender {
  const { clock, database, log } = context;
  const sending = new Set<Promise<void>>();
  const toOrigin = new Map<string, number>();
  let taking: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  function begin(callback: CallbackRow): void {
    const { origin } = callback;
    toOrigin.set(origin, (toOrigin.get(origin) ?? 0) + 1);
    const sent = sendCallback(context, callback)
      .catch((err: unknown) =>
        log.error({ err, approval: callback.approval }, 'a callback failed unexpectedly'),
      )
      .finally(() => {
        sending.delete(sent);
        const left = (toOrigin.get(origin) ?? 1) - 1;
        if (left === 0) toOrigin.delete(origin);
        else toOrigin.set(origin, left);
        kick().catch((err: unknown) => log.warn({ err }, 'callbacks wait for the next run of their job'));
      });
    sending.add(sent);
  }

  async function take(): Promise<void> {
    do {
      again = false;
      const room = atOnce - sending.size;
      if (room <= 0 || stopped) return;
      const now = clock.now();
      const busy = [...toOrigin].filter(([, count]) => count >= perOrigin).map(([origin]) => origin);
      const due = await database.transaction((tx) =>
        claimCallbacks(tx, {
          now: new Date(now),
          until: new Date(now + leaseMs),
          limit: room,
          perOrigin,
          busy,
        }),
      );
      due.forEach(begin);
    } while (again);
  }

  function kick(): Promise<void> {
    if (taking === undefined) {
      taking = take().finally(() => {
        taking = undefined;
      });
    } else again = true;
    return taking;
  }

  return {
    kick,
    async stop() {
      stopped = true;
      await taking?.catch(() => {});
      while (sending.size > 0) await Promise.all(sending);
    },
  };
}

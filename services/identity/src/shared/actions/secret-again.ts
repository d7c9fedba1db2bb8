import { type Clock, day, nowDate } from '@hearth/clock';
import { type Idempotency, requestIdUsed } from '@hearth/idempotency';
import type { Ids, Random } from '@hearth/ids';
import type { Sealer } from '@hearth/sealing';

/**
 * Stored with a request_id. The new secret is derived from it, so it can be shown again while the answer may
 * have been lost.
 */
export interface Salted {
  salt: string;
  /** Creation time in milliseconds. */
  at: number;
}

export type Rotations = Idempotency<Salted>;

const shownAgainMs = day;

export function newSalt({ clock, ids }: { clock: Clock; ids: Ids }): Salted {
  return { salt: ids.token(43), at: nowDate(clock).getTime() };
}

/** The randomness of a salt's secret; it cannot be derived without the seal key. */
export function randomOf(sealer: Sealer, { salt }: Salted): Random {
  let blocks = 0;
  return {
    bytes(length) {
      const made: Buffer[] = [];
      for (let left = length; left > 0; left -= 32) {
        made.push(sealer.derive('secret shown again', `${salt}.${blocks}`));
        blocks += 1;
      }
      return Buffer.concat(made).subarray(0, length);
    },
  };
}

/** @throws bad_request (request_id_reused) after a day, or if the secret has ended */
export function requireShown({ at }: Salted, clock: Clock, isLive: boolean): void {
  if (!isLive) throw requestIdUsed('the secret that it made has ended; use another request_id');
  if (clock.now() - at > shownAgainMs)
    throw requestIdUsed('the secret that it made is shown for a day; use another request_id');
}

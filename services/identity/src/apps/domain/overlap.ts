import { badRequest } from '@hearth/errors';

const hourMs = 3_600_000;
const maxLiveAppKeys = 10;

/** When what is replaced stops working. */
export function overlapEndsAt(overlapHours: number, now: Date): Date {
  return new Date(now.getTime() + overlapHours * hourMs);
}

/** @throws bad_request when one key more would be too many that work at once */
export function checkLiveKeys(liveKeys: number, overlapHours: number): void {
  if (overlapHours === 0 || liveKeys < maxLiveAppKeys) return;
  throw badRequest(
    `the app has ${liveKeys} keys that work, which is the most; rotate with overlap_hours 0 to end them, ` +
      'or wait until some have ended',
    { code: 'cap_reached', field: 'overlap_hours' },
  );
}

import { badRequest } from '@hearth/errors';

const hourMs = 3_600_000;
const maxLiveAppKeys = 10;

/** When a replaced key or secret stops working. */
export function overlapEndsAt(overlapHours: number, now: Date): Date {
  return new Date(now.getTime() + overlapHours * hourMs);
}

/** @throws bad_request if one more key would exceed the number that may work at once */
export function checkLiveKeys(liveKeys: number, overlapHours: number): void {
  if (overlapHours === 0 || liveKeys < maxLiveAppKeys) return;
  throw badRequest(
    `the app has ${liveKeys} keys that work, which is the most; rotate with overlap_hours 0 to end them, ` +
      'or wait until some have ended',
    { code: 'cap_reached', field: 'overlap_hours' },
  );
}

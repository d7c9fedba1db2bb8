import { badField, badRequest } from '@hearth/errors';

const minuteMs = 60_000;
const routineMinutes = 60;
const maxLiveKeys = 10;

export interface RotationRequest {
  leaked: boolean;
  keepOldMinutes: number | undefined;
}

/**
 * When the AI's current keys stop working after a rotation.
 *
 * @param liveKeys the number of keys that work now
 * @param maxKeepMinutes the longest time to keep old keys
 * @throws bad_request if a leaked key would be kept, or too many keys would work at once
 */
export function oldKeysEndAt(
  request: RotationRequest,
  liveKeys: number,
  maxKeepMinutes: number,
  now: Date,
): Date {
  const usual = request.leaked ? 0 : Math.min(routineMinutes, maxKeepMinutes);
  const minutes = request.keepOldMinutes ?? usual;
  if (minutes > maxKeepMinutes) throw badField('keep_old_minutes', `must be at most ${maxKeepMinutes}`);
  if (request.leaked && minutes > 0) {
    throw badField(
      'keep_old_minutes',
      'must be 0 or left out when the reason is leaked: a leaked key ends at once',
    );
  }
  if (minutes > 0 && liveKeys >= maxLiveKeys) {
    throw badRequest(
      `you have ${liveKeys} keys that work, which is the most; ` +
        'rotate with keep_old_minutes 0 to end them, or wait until some have ended',
      { code: 'cap_reached', field: 'keep_old_minutes' },
    );
  }
  return new Date(now.getTime() + minutes * minuteMs);
}

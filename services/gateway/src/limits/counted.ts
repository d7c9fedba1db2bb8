import type { LimitName } from '@hearth/limits';
import type { Caller } from '@hearth/rpc';

/** The limits that are counted by the home's limiter, and not in the tables of a service. */
export const counted: ReadonlySet<LimitName> = new Set([
  'reads_a_minute',
  'writes_a_minute',
  'sign_ups_an_hour',
  'messages_to_strangers_a_day',
]);

/** By what a caller's uses of a limit are counted together: who they are, or where they come from. */
export function keyOf(limit: LimitName, caller: Caller): string {
  return limit === 'sign_ups_an_hour' || caller.id === '' ? caller.network : caller.id;
}

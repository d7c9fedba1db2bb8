import type { CallerKind, LimitName } from '@hearth/limits';
import type { Caller } from '@hearth/rpc';

/** The limits that are counted by the home's limiter, and not in the tables of a service. */
export const counted: ReadonlySet<LimitName> = new Set([
  'reads_a_minute',
  'writes_a_minute',
  'sign_ups_an_hour',
  'peeks_a_minute',
  'wrong_codes_a_minute',
  'webhook_tests_an_hour',
  'messages_to_strangers_a_day',
  'asks_a_day',
  'ask_mails_a_day',
  'claims_a_day',
  'challenges_a_day',
]);

/** Counted by the network that callers come from. */
const byNetwork: ReadonlySet<LimitName> = new Set(['sign_ups_an_hour']);
/** The same bound for all kinds of caller. */
const alike: ReadonlySet<LimitName> = new Set([...byNetwork, 'wrong_codes_a_minute']);
/** Counted for an app as a whole; the others for each person that it acts for. */
const byApp: ReadonlySet<LimitName> = new Set(['reads_a_minute', 'writes_a_minute', 'webhook_tests_an_hour']);

/** The key under which a caller's uses of a limit are counted: their id, or the network they come from. */
export function keyOf(limit: LimitName, { id, app, network }: Caller): string {
  if (id === '' || byNetwork.has(limit)) return network;
  if (limit === 'peeks_a_minute') return `${id} ${network}`;
  return byApp.has(limit) && app !== '' ? app : id;
}

/** The kind whose bound holds for a caller of `kind`. */
export function boundKindOf(limit: LimitName, kind: CallerKind | undefined): CallerKind | undefined {
  return alike.has(limit) ? 'anyone' : kind;
}

import type { CallerKind, LimitName } from '@hearth/limits';
import type { Caller } from '@hearth/rpc';

/** Limits counted by the callers' network. */
const byNetwork: ReadonlySet<LimitName> = new Set([
  'sign_ups_an_hour',
  'sign_in_codes_a_network_an_hour',
  'sign_in_tries_an_hour',
]);
/** Limits with the same bound for all kinds of caller. */
const alike: ReadonlySet<LimitName> = new Set([...byNetwork, 'wrong_codes_a_minute']);
/** Limits counted for an app as a whole; others are counted for each person that it acts for. */
const byApp: ReadonlySet<LimitName> = new Set(['reads_a_minute', 'writes_a_minute', 'webhook_tests_an_hour']);

/** The key by which a caller's uses of a limit are counted: their id or their network. */
export function keyOf(limit: LimitName, { id, person, app, network }: Caller): string {
  if (id === '' || byNetwork.has(limit)) return network;
  if (limit === 'invite_mails_a_day') return person || id;
  if (limit === 'peeks_a_minute') return `${id} ${network}`;
  return byApp.has(limit) && app !== '' ? app : id;
}

/** The kind of caller whose bound applies to `kind`. */
export function boundKindOf(limit: LimitName, kind: CallerKind | undefined): CallerKind | undefined {
  return alike.has(limit) ? 'anyone' : kind;
}

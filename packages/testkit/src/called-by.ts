import type { Caller, CallOptions } from '@hearth/rpc';
import { patienceMs } from './patience.ts';

type AnyCall = (request: object, options?: CallOptions) => Promise<unknown>;

/** Makes these calls on behalf of a caller, unless a call says otherwise. */
export function calledBy<Calls extends object>(calls: Calls, caller: Caller): Calls {
  const bound = Object.entries<AnyCall>(calls as never).map(([name, call]): [string, AnyCall] => [
    name,
    (request, options) => call(request, { caller, timeoutMs: patienceMs, ...options }),
  ]);
  return Object.fromEntries(bound) as never;
}

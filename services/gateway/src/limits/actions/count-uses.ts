import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { isHearthError } from '@hearth/errors';
import { type Call, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';

export interface Used {
  count: number;
  resetsAt?: Timestamp | undefined;
}

/**
 * The caller's uses that the home's limiter doesn't count, by limit name. Leaves out the counts of
 * unavailable services.
 */
export async function countUses({ holds, log, uses }: Context, call: Call): Promise<Map<string, Used>> {
  const { caller } = call;
  const found = new Map<string, Used>([['open_waits', { count: holds.heldBy(caller) }]]);
  if (caller.kind === callerKinds.ANONYMOUS || caller.kind === callerKinds.OPERATOR) return found;
  const answers = uses.map((service) =>
    service.countUses({}, { call }).catch((err) => {
      if (!isHearthError(err)) throw err;
      log.debug({ err }, 'a service did not say what is left of its limits');
      return { uses: [] };
    }),
  );
  for (const answer of await Promise.all(answers)) {
    for (const { limit, count, resetsAt } of answer.uses) found.set(limit, { count, resetsAt });
  }
  return found;
}

import type { CallerKind as LimitedKind, LimitName } from '@hearth/limits';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';

/** The limits that are counted by the home's limiter, and not in the tables of a service. */
export const counted: ReadonlySet<LimitName> = new Set([
  'reads_a_minute',
  'writes_a_minute',
  'sign_ups_an_hour',
  'messages_to_strangers_a_day',
]);

/** As what a caller is limited; undefined for the operator, who is not. */
export function kindOf(caller: Caller): LimitedKind | undefined {
  switch (caller.kind) {
    case CallerKind.OPERATOR:
      return undefined;
    case CallerKind.APP:
      return 'app';
    case CallerKind.PERSON:
      return 'claimed';
    case CallerKind.AI:
      return aiKinds[caller.aiStatus] ?? 'unclaimed';
    default:
      return 'anyone';
  }
}

const aiKinds: Readonly<Partial<Record<AiStatus, LimitedKind>>> = {
  [AiStatus.CLAIMED]: 'claimed',
  [AiStatus.VOUCHED]: 'vouched',
  [AiStatus.UNCLAIMED]: 'unclaimed',
};

/** By what a caller's uses of a limit are counted together: who they are, or where they come from. */
export function keyOf(limit: LimitName, caller: Caller): string {
  return limit === 'sign_ups_an_hour' || caller.id === '' ? caller.network : caller.id;
}

import { AiStatus, type Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind as Kind } from '@hearth/proto/options';
import type { CallerKind } from './declared.ts';

/** Whose limits apply to a caller. */
export function callerKindOf(caller: Pick<Caller, 'kind' | 'aiStatus'>): CallerKind {
  if (caller.kind === Kind.APP) return 'app';
  if (caller.kind === Kind.PERSON) return 'claimed';
  if (caller.kind !== Kind.AI) return 'anyone';
  if (caller.aiStatus === AiStatus.CLAIMED) return 'claimed';
  return caller.aiStatus === AiStatus.VOUCHED ? 'vouched' : 'unclaimed';
}

import { AiStatus, type Caller } from '@hearth/proto/common/v1/caller';
import { CallerKind as Kind } from '@hearth/proto/options';
import type { CallerKind } from './declared.ts';

/**
 * The kind of caller whose limits apply; the app's own if it acts for anyone. Undefined for the operator, who
 * is bound only by sizes.
 */
export function callerKindOf({
  kind,
  aiStatus,
  app,
}: Pick<Caller, 'kind' | 'aiStatus' | 'app'>): CallerKind | undefined {
  if (app !== '') return 'app';
  switch (kind) {
    case Kind.OPERATOR:
      return undefined;
    case Kind.APP:
      return 'app';
    case Kind.PERSON:
      return 'claimed';
    case Kind.AI:
      return aiKinds[aiStatus] ?? 'unclaimed';
    default:
      return 'anyone';
  }
}

const aiKinds: Readonly<Partial<Record<AiStatus, CallerKind>>> = {
  [AiStatus.CLAIMED]: 'claimed',
  [AiStatus.VOUCHED]: 'vouched',
  [AiStatus.UNCLAIMED]: 'unclaimed',
};

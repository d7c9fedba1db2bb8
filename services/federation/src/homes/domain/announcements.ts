import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';

/** Changes of another home that affect more than its document. */
export type HomeChange =
  | 'unset'
  | 'open'
  | 'limited'
  | 'blocked'
  | 'key_change'
  | 'keys_revoked'
  | 'began_anew';

/** @param by absent if it happened without a caller */
export function otherHomeChanged(
  home: string,
  change: HomeChange,
  { kids = [], reason = '', by }: { kids?: readonly string[]; reason?: string; by?: Caller } = {},
): Announcement {
  const value = { home, change, kids: [...kids], reason };
  return { data: { case: 'otherHomeChanged', value }, ...(by !== undefined && { by }) };
}

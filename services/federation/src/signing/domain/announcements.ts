import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';

/** Woken when keys change: answers with a signature that are kept are asked for anew. */
export const homeKeysTopic = 'home:keys';

/** @param by absent when time alone did it */
export function homeKeyChanged(
  { kid, uses, status }: { kid: string; uses: readonly string[]; status: string },
  reason: string,
  by?: Caller,
): Announcement {
  const value = { kid, uses: [...uses], status, reason };
  return { data: { case: 'homeKeyChanged', value }, ...(by !== undefined && { by }) };
}

import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';

/** Topic that is woken when keys change, to drop cached answers that carry a signature. */
export const homeKeysTopic = 'home:keys';

/** @param by absent for a time-based change */
export function homeKeyChanged(
  { kid, uses, status }: { kid: string; uses: readonly string[]; status: string },
  reason: string,
  by?: Caller,
): Announcement {
  const value = { kid, uses: [...uses], status, reason };
  return { data: { case: 'homeKeyChanged', value }, ...(by !== undefined && { by }) };
}

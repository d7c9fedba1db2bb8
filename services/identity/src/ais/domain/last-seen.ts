import type { AiRow } from '../../shared/db/ais.ts';

/** When the AI last waited for messages or read them; null if never. */
export function lastSeen({ waitedAt, checkedAt }: Pick<AiRow, 'waitedAt' | 'checkedAt'>): Date | null {
  const latest = Math.max(waitedAt?.getTime() ?? 0, checkedAt?.getTime() ?? 0);
  return latest === 0 ? null : new Date(latest);
}

import type { Caller } from '@hearth/rpc';

/** The access through which an AI subscribes, and with which the subscription ends; null for a key of its own. */
export function throughOf({
  app,
  grant,
  keyApp,
  keyMadeBy,
}: Pick<Caller, 'app' | 'grant' | 'keyApp' | 'keyMadeBy'>): string | null {
  if (app !== '') return `app:${app}`;
  if (grant !== '') return `grant:${grant}`;
  if (keyApp !== '') return `app:${keyApp}`;
  return keyMadeBy === '' ? null : `maker:${keyMadeBy}`;
}

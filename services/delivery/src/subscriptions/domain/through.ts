import type { Caller } from '@hearth/rpc';

/** Returns the access through which an AI subscribes; the subscription ends with it. Null for the AI's own key. */
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

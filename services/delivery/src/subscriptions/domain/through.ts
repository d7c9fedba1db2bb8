import type { Caller } from '@hearth/rpc';

/** The access through which an AI subscribes, and with which the subscription ends; null for a key of its own. */
export function throughOf({ app, grant }: Pick<Caller, 'app' | 'grant'>): string | null {
  if (app !== '') return `app:${app}`;
  return grant === '' ? null : `grant:${grant}`;
}

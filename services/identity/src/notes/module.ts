import { NotesService } from '@hearth/proto/identity/v1/notes';
import type { Host } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';
import { endedIn } from '../shared/db/ended-rows.ts';
import type { Context } from './context.ts';

/** People's private notes, for themselves and their AIs that have the permission. */
export async function startNotes(host: Host, { groups }: IdentityParts): Promise<void> {
  const context: Context = { ...host, groups, idempotency: host.idempotency() };
  await host.serveRpcs(NotesService, import.meta.url, context);
  // Expired notes are hidden even before the purge.
  host.purge('expire-notes', [0, endedIn('notes')]);
}

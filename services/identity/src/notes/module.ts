import { NotesService } from '@hearth/proto/identity/v1/notes';
import type { Host } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';
import { endedIn } from '../shared/db/ended-rows.ts';
import type { Context } from './context.ts';

/** Private notes of people, for them and for those of their AIs that may. */
export async function startNotes(host: Host, { groups }: IdentityParts): Promise<void> {
  const context: Context = { ...host, groups, idempotency: host.idempotency() };
  await host.serveRpcs(NotesService, import.meta.url, context);
  // An expired note is shown to no one before that.
  host.purge('expire-notes', [0, endedIn('notes')]);
}

import { type Clock, day, minute, nowDate } from '@hearth/clock';
import type { Database } from '@hearth/db';
import { sizeOf } from '@hearth/limits';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { NotesService } from '@hearth/proto/identity/v1/notes';
import { createIdempotency } from '@hearth/requests';
import type { Host } from '@hearth/runtime';
import { deleteExpiredNotes } from './db/notes.ts';
import { notesHandlers } from './handlers.ts';

/** Private notes of people, for them and for those of their AIs that may. */
export function startNotes(host: Host): void {
  const { clock, config, database, ids, limits, sealer } = host;
  host.serve(
    NotesService,
    notesHandlers({
      homeNames: { ownHome: config.home, devHomes: config.devHomes },
      clock,
      ids,
      database,
      limits,
      sealer,
      requests: createIdempotency({
        database,
        schema: 'identity',
        clock,
        keptForMs: sizeOf(limits, 'request_id_days') * day,
      }),
      groups: host.peer('groups', GroupsService),
    }),
  );
  host.every('expiry of notes', 10 * minute, () => expireNotes(database, clock));
}

const batch = 1_000;

/** Nobody is shown an expired note; here it goes from the table as well. */
async function expireNotes(database: Database, clock: Clock): Promise<void> {
  let removed: number;
  do {
    removed = await database.transaction((tx) => deleteExpiredNotes(tx, nowDate(clock), batch));
  } while (removed === batch);
}

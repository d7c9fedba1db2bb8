import { nowDate } from '@hearth/clock';
import { createCoalescer } from '@hearth/coalesce';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { NotesService } from '@hearth/proto/identity/v1/notes';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listShared, type SharedNote, type SharedWanted } from '../db/notes.ts';

const most = 500;
/** The newest notes read of each person. */
const notesEach = 20;

export const findSharedNotes = ({
  clock,
  database,
}: Context): UnaryHandler<typeof NotesService.method.findSharedNotes> => {
  // Many decisions close in the same second, each with its own request.
  const reads = createCoalescer<SharedWanted, SharedNote[]>({
    name: 'batch of shared notes',
    maxInFlight: 1,
    maxBatch: 50,
    spacingMs: 2,
    run: (wanted) => listShared(database.db, wanted, { each: notesEach, now: nowDate(clock) }),
  });
  return async ({ group, people }) => {
    if (people.length > most) throw badField('people', `must be at most ${most}`);
    const known = people.filter(isUuid);
    if (!isUuid(group) || known.length === 0) return {};
    return { notes: await reads.add({ group, people: known }) };
  };
};

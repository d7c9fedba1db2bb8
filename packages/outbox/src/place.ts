import { create, toBinary } from '@bufbuild/protobuf';
import type { Database } from '@hearth/db';
import { EventSchema } from '@hearth/proto/events/v1/events';
import type { OutboxRow } from './outbox.ts';
import type { createStatements } from './statements.ts';

export type StoredRow = Pick<OutboxRow, 'id' | 'type' | 'event' | 'thing'>;

interface PlaceRow {
  id: string;
  place: string | number;
  after: string | number;
}

/**
 * Adds to each event its place among the events about the same thing. Read after the commit, so that it
 * covers all earlier events, whichever process announced them. Returns waves to publish in sequence, so that
 * events of two types about one thing are not published at the same time.
 */
export async function inPlace(
  database: Pick<Database, 'db'>,
  statements: Pick<ReturnType<typeof createStatements>, 'places'>,
  schema: string,
  rows: readonly StoredRow[],
): Promise<StoredRow[][]> {
  const about = rows.filter(({ thing }) => thing !== null);
  if (about.length === 0) return [[...rows]];
  const found = await database.db.query<PlaceRow>(statements.places(about.map(({ id }) => id)));
  const byId = new Map(found.map((row) => [row.id, row]));
  const placeOf = ({ id }: StoredRow) => Number(byId.get(id)?.place ?? 0);
  const placed = about
    .sort((one, other) => placeOf(one) - placeOf(other))
    .map((row) => {
      const at = byId.get(row.id);
      if (at === undefined) return row;
      const fields = { thing: `${schema} ${row.thing}`, place: BigInt(at.place), after: BigInt(at.after) };
      // Fields appended to an encoded message become part of it.
      return {
        ...row,
        event: Buffer.concat([row.event, toBinary(EventSchema, create(EventSchema, fields))]),
      };
    });
  return wavesOf([...rows.filter(({ thing }) => thing === null), ...placed]);
}

function wavesOf(rows: readonly StoredRow[]): StoredRow[][] {
  const last = new Map<string, { type: string; wave: number }>();
  function waveOf({ thing, type }: StoredRow): number {
    if (thing === null) return 0;
    const before = last.get(thing) ?? { type, wave: 0 };
    const wave = before.wave + (before.type === type ? 0 : 1);
    last.set(thing, { type, wave });
    return wave;
  }
  return [...Map.groupBy(rows, waveOf)].sort(([one], [other]) => one - other).map(([, wave]) => wave);
}

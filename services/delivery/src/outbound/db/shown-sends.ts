import type { Db } from '@hearth/db';
import { type DestinationKind, states } from '../../shared/db/destinations.ts';
import type { ShownKind, ShownSend } from '../../shared/db/shown-kind.ts';

/** A kind with its name and its number among destinations. */
export type NamedKind = ShownKind & { name: DestinationKind; number: number };

/** A position among all sends, newest first. */
export interface SendPlace {
  at: Date;
  /** uuids */
  destination: string;
  id: string;
}

export interface SendsQuestion {
  /** uuid; null for all destinations. */
  destination: string | null;
  /** Null for every status. */
  status: number | null;
  since: Date | null;
  /** Older sends count as deleted. */
  from: Date;
  before: SendPlace | null;
  limit: number;
}

const everyStatus = Object.values(states);
const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const columnsOf = ({ name, sends }: NamedKind) => `
  '${name}' as kind, ${sends.destination} as destination, ${sends.id} as id, e.at, ${sends.type} as type, e.status,
  (${sends.attempts})::int as "attemptCount", ${sends.lastError} as "lastError", e.due_at as "dueAt"`;

/**
 * Returns the newest sends of these kinds, at most `limit`, read from the end of an index for each status
 * asked for.
 */
export function listSends(
  db: Db,
  kinds: readonly NamedKind[],
  { destination, status, since, from, before, limit }: SendsQuestion,
): Promise<ShownSend[]> {
  return db.query<ShownSend>({
    name: `delivery_list_sends_${kinds.map(({ name }) => name).join('_')}_${destination === null ? 'all' : 'one'}`,
    text: `
      select * from (${kinds.map((kind) => `(${newest(kind, destination !== null)})`).join(' union all ')}) as delivery
      where $3::timestamptz is not null
      order by at desc, destination desc, id desc limit $7`,
    values: [
      status === null ? everyStatus : [status],
      since ?? new Date(0),
      from,
      before?.at ?? 'infinity',
      before?.destination ?? highest,
      before?.id ?? highest,
      limit,
      ...(destination === null ? [] : [destination]),
    ],
  });
}

function newest(kind: NamedKind, ofOne: boolean): string {
  const { from, destination, id, hidesOld } = kind.sends;
  return `
    select found.* from unnest($1::smallint[]) as asked (status) cross join lateral (
      select ${columnsOf(kind)} from ${from}
      where e.status = asked.status and e.at >= ${hidesOld ? 'greatest($2, $3)' : '$2'}::timestamptz
        and (e.at, ${destination}, ${id}) < ($4::timestamptz, $5::uuid, $6::uuid)
        ${ofOne ? `and ${destination} = $8::uuid` : ''}
      order by e.at desc, ${destination} desc, ${id} desc limit $7) as found`;
}

/** Returns a send; null if it does not exist. @param destination null for any */
export function findSend(
  db: Db,
  kind: NamedKind,
  destination: string | null,
  id: string,
): Promise<ShownSend | null> {
  return db.maybeOne<ShownSend>({
    text: `
      select ${columnsOf(kind)} from ${kind.sends.from}
      where ${kind.sends.id} = $2 and ($1::uuid is null or ${kind.sends.destination} = $1)`,
    values: [destination, id],
  });
}

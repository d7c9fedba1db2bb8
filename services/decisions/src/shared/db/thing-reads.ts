import { type Db, named, raw, type Tx } from '@hearth/db';
import type { PagePosition } from '@hearth/paging';
import type { Member } from '../domain/member.ts';
import { namesOf } from './columns.ts';
import { type ListedBy, listSeated } from './lists.ts';
import { layoutOf, type ThingTableOptions } from './thing-columns.ts';
import type { ThingRow, Whole } from './thing-rows.ts';

/** The statements that read things with their people. */
export function createThingReads<Row extends ThingRow, Person extends Member>(
  options: ThingTableOptions<Row, Person>,
) {
  const { kind, table, peopleTable, key, reference, readAs = {}, ended } = options;
  const { schema, stored, ofPeople, nameOf } = layoutOf(options);

  const things = raw(table);
  // Literals, so that the planner matches the partial indexes.
  const hasEnded = raw(`'${ended.join("', '")}'`);

  type WholeRow = Row & { version: string; people: (Record<string, unknown> & { ai_share: boolean })[] };

  const columns = `${[...Object.keys(stored), 'signed_record']
    .map((name) => (readAs as Record<string, string | undefined>)[name] ?? `d."${name}"`)
    .join(', ')}, d.xmin::text as version, (
    select coalesce(json_agg(named order by named.position, named.person), '[]')
    from (
      select p.person, ${namesOf(ofPeople)
        .map((name) => `p.${name}`)
        .join(', ')}, p.position
      from ${peopleTable} p where p.${key} = d.id) named) as people`;

  function wholeOf({ people, version, ...row }: WholeRow): Whole<Row, Person> {
    const members = people.map(({ ai_share, position: _, ...one }) => ({ ...one, aiShare: ai_share }));
    return { row: row as unknown as Row, people: members as unknown as Person[], version };
  }

  async function findWholes(db: Db, ids: readonly string[]): Promise<Map<string, Whole<Row, Person>>> {
    const rows = await db.query<WholeRow>(named(nameOf('find'))`
      select ${raw(columns)} from ${things} d where d.id = any(${ids}::uuid[])`);
    return new Map(rows.map((row) => [row.id, wholeOf(row)]));
  }

  return {
    find: findWholes,

    /**
     * For each reference and viewer (uuid): the thing if the viewer has a seat; without its content if the
     * version is the known one. Lateral look-ups, because Postgres would otherwise scan tables that its
     * statistics call small. The arrays are in subqueries, so that Postgres can't see their lengths and
     * reuses one generic plan.
     */
    async findSeen(
      db: Db,
      wanted: readonly { reference: string; viewer: string; known?: string | undefined }[],
    ): Promise<({ version: string; thing: Whole<Row, Person> | null } | null)[]> {
      const rows = await db.query<WholeRow & { nth: number; seen: string }>({
        name: nameOf('find_seen'),
        text: `
          select whole.*, found.version as seen, w.nth::int as nth
          from unnest((select $1::${stored[reference]}[]), (select $2::uuid[]), (select $3::text[])) with ordinality
            as w (reference, viewer, known, nth)
          cross join lateral (
            select one.id, one.xmin::text as version from ${table} one
            where one."${reference}" = w.reference offset 0) found
          left join lateral (
            select ${columns} from ${table} d where d.id = found.id and found.version is distinct from w.known offset 0
          ) whole on true
          where (select true from ${schema}.seats s where s.item = found.id and s.viewer = w.viewer)`,
        values: [
          wanted.map((one) => one.reference),
          wanted.map(({ viewer }) => viewer),
          wanted.map(({ known }) => known),
        ],
      });
      const found = new Map(
        rows.map(({ nth, seen, ...row }) => [
          nth,
          { version: seen, thing: row.id === null ? null : wholeOf(row as never) },
        ]),
      );
      return wanted.map((_, index) => found.get(index + 1) ?? null);
    },

    /** Finds a thing without checking who may see it. */
    async findAny(db: Db, of: string): Promise<Whole<Row, Person> | null> {
      const row = await db.maybeOne<WholeRow>(named(nameOf('find_any'))`
        select ${raw(columns)} from ${things} d where ${raw(`d."${reference}"`)} = ${of}`);
      return row === null ? null : wholeOf(row);
    },

    /** Locks the thing for the transaction. */
    async lock(tx: Tx, id: string): Promise<Whole<Row, Person> | null> {
      // Lock first: a subquery in the locking statement would read people from before the change it waited
      // for.
      const [locked, found] = await Promise.all([
        tx.maybeOne(named(nameOf('lock'))`select id from ${things} where id = ${id} for update`),
        findWholes(tx, [id]),
      ]);
      return locked === null ? null : (found.get(id) ?? null);
    },

    /** uuids of open things that were started in a group before it was archived. */
    async findOpenOfGroups(db: Db, archived: readonly { group: string; at: Date }[]): Promise<string[]> {
      const rows = await db.query<{ id: string }>(named(nameOf('find_open_of_groups'))`
        select distinct d.id from ${things} d
        join unnest(${archived.map(({ group }) => group)}::uuid[], ${archived.map(({ at }) => at)}::timestamptz[])
          as archived ("group", at) on archived."group" = d."group" and d.started_at <= archived.at
        where d.status not in (${hasEnded})`);
      return rows.map(({ id }) => id);
    },

    /** uuids of the groups' open things. */
    async findOpenIn(db: Db, groups: readonly string[]): Promise<string[]> {
      const rows = await db.query<{ id: string }>(named(nameOf('find_open_in'))`
        select d.id from ${things} d where d."group" = any(${groups}::uuid[]) and d.status not in (${hasEnded})`);
      return rows.map(({ id }) => id);
    },

    /** uuids of open things that these people take part in, themselves or for a child. */
    async findOpenOfPeople(db: Db, people: readonly string[]): Promise<string[]> {
      const rows = await db.query<{ id: string }>(named(nameOf('find_open_of_people'))`
        select distinct d.id from ${raw(peopleTable)} p join ${things} d on d.id = p.${raw(key)}
        where (p.person = any(${people}::uuid[]) or p.guardians && ${people}::uuid[])
          and d.status not in (${hasEnded})`);
      return rows.map(({ id }) => id);
    },

    /** The viewer's things, newest first. */
    async listSeen(
      db: Db,
      by: ListedBy,
      after: PagePosition | null,
      limit: number,
    ): Promise<Whole<Row, Person>[]> {
      return (await listSeated<WholeRow>(db, { kind, table, columns }, by, after, limit)).map(wholeOf);
    },

    /** Things that match a condition on `d`; at most `limit`. */
    async listWhere(db: Db, name: string, where: string, values: readonly unknown[], limit: number) {
      const rows = await db.query<WholeRow>({
        name: nameOf(name),
        text: `select ${columns} from ${table} d where ${where} limit ${limit}`,
        values: [...values],
      });
      return rows.map(wholeOf);
    },
  };
}

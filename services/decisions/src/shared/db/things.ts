import type { Db, Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import type { Place } from '@hearth/paging';
import type { Unsigned } from '@hearth/receipts';
import type { Member } from '../domain/member.ts';
import type { Starter } from '../domain/starter.ts';
import { type ListedBy, listSeated } from './lists.ts';
import type { Seat, SeatedKind } from './seats.ts';

/** The columns that the statements here speak of. */
export interface ThingRow {
  id: string;
  group: string;
  started_at: Date;
  status: string;
}

/** The columns that decisions and plans have both. */
export interface CourseRow extends ThingRow, Starter {
  title: string;
  details: string | null;
  group_handle: string;
  group_name: string;
  group_ai: string;
  group_app: string | null;
  /** uuid of the member that it is hidden from. */
  hidden_from: string | null;
  time_zone: string | null;
  revision: number;
  deadline_at: Date;
  due_at: Date | null;
  settled_at: Date | null;
  record: string | null;
  signed_record: string | null;
}

/** Those of them that stay as they were made. */
export const startedColumns = {
  id: 'uuid',
  title: 'text',
  details: 'text',
  group: 'uuid',
  group_handle: 'text',
  group_name: 'text',
  group_ai: 'uuid',
  group_app: 'uuid',
  starter_kind: 'text',
  starter: 'uuid',
  starter_person: 'uuid',
  starter_app: 'uuid',
  starter_address: 'text',
  starter_name: 'text',
  starter_minor: 'boolean',
  hidden_from: 'uuid',
  time_zone: 'text',
  started_at: 'timestamptz',
} as const;

/** Those of them that an act changes. */
export const courseColumns = {
  status: 'text',
  revision: 'integer',
  deadline_at: 'timestamptz',
  due_at: 'timestamptz',
  settled_at: 'timestamptz',
  record: 'uuid',
} as const;

/** A thing with its people in their order, both as of the same moment. */
export interface Whole<Row, Person> {
  row: Row;
  people: readonly Person[];
  /** Another one once the row is written again; absent of one that was not read, but made. */
  version?: string | undefined;
}

/** The names of columns with their types. */
type Columns<Name extends string> = Readonly<Record<Name, string>>;

export interface ThingTableOptions<Row extends ThingRow, Person extends Member> {
  kind: SeatedKind;
  /** With its schema, as all tables here. */
  table: string;
  /** That of its people, and the column that names the thing there. */
  peopleTable: string;
  key: string;
  /** The column by which callers know it. */
  reference: keyof Row & string;
  /** Those that stay as they were made. */
  fixed: Columns<string>;
  /** Those that an act changes. The record that is signed is stored by itself. */
  changing: Columns<string>;
  /** The words of each person, beside the columns that all kinds have. */
  said: Columns<Exclude<keyof Person & string, keyof Member>>;
  /** Columns that are not read as they are, of `d`. */
  readAs?: Partial<Record<keyof Row & string, string>>;
  /** The statuses of what has ended; the first is that of which a record is signed. */
  ended: readonly [string, string];
  /** A further part of the statement that writes changes, of its `told (thing, person, data)`. */
  beside?: string;
}

/** A change of a thing, for one statement. */
export interface ThingChange<Row, Person> {
  row: Row;
  /** The version from which it was changed; null where its row is locked. */
  version: string | null;
  /** Those that changed. */
  people: readonly Person[];
  /** uuids of those of them whose words are new. */
  spoke: readonly string[];
  /** uuids of people who left. */
  gone: readonly string[];
  seats: readonly Seat[];
  /** uuids of viewers that have no seat any more. */
  unseated: readonly string[];
  events: readonly OutboxRow[];
}

export interface NewThing<Row, Person> extends Whole<Row, Person> {
  seats: readonly Seat[];
  events: readonly OutboxRow[];
}

export interface SignedThing {
  /** uuid */
  id: string;
  json: string;
  event: OutboxRow;
}

const memberColumns = {
  guardians: 'uuid[]',
  ai_share: 'boolean',
  organizer: 'boolean',
  asked: 'boolean',
} as const;

const namesOf = (columns: Columns<string>) => Object.keys(columns).map((name) => `"${name}"`);
const typed = (columns: Columns<string>) =>
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ');

/** The statements of a table of things that have people and seats: decisions, plans. Writes are of many at once. */
export function createThingTable<Row extends ThingRow, Person extends Member>(
  options: ThingTableOptions<Row, Person>,
) {
  const { kind, table, peopleTable, key, reference, fixed, changing, said, readAs = {}, ended } = options;
  const [schema, ownName] = table.split('.');
  const nameOf = (statement: string) => `${ownName}_${statement}`;
  const inserted: Columns<string> = { ...fixed, ...changing };
  const ofPeople: Columns<string> = { ...memberColumns, ...said };
  const columnsOf = (row: Row, names: Columns<string>) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, row[name as keyof Row]]));

  type WholeRow = Row & { version: string; people: (Record<string, unknown> & { ai_share: boolean })[] };

  const columns = `${[...Object.keys(inserted), 'signed_record']
    .map((name) => (readAs as Record<string, string | undefined>)[name] ?? `d."${name}"`)
    .join(', ')}, d.xmin::text as version, (
    select coalesce(json_agg(named order by named.position), '[]')
    from (
      select p.person, ${namesOf(ofPeople)
        .map((name) => `p.${name}`)
        .join(', ')}, p.position
      from ${peopleTable} p where p.${key} = d.id) named) as people`;

  function wholeOf({ people, version, ...row }: WholeRow): Whole<Row, Person> {
    const members = people.map(({ ai_share, position: _, ...one }) => ({ ...one, aiShare: ai_share }));
    return { row: row as unknown as Row, people: members as unknown as Person[], version };
  }

  const personJson = ({ aiShare, ...rest }: Person, more: object) =>
    JSON.stringify({ ...rest, ai_share: aiShare, ...more });

  async function findWholes(db: Db, ids: readonly string[]): Promise<Map<string, Whole<Row, Person>>> {
    const rows = await db.query<WholeRow>({
      name: nameOf('find'),
      text: `select ${columns} from ${table} d where d.id = any($1::uuid[])`,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.id, wholeOf(row)]));
  }

  const idsOf = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id));

  /** The events of the things in `changed`, whose arrays begin at that parameter. */
  const announce = (changed: string, first: number) => `
    announced as (
      insert into ${schema}.outbox (id, type, event)
      select e.id, e.type, e.event
      from unnest($${first}::uuid[], $${first + 1}::uuid[], $${first + 2}::text[], $${first + 3}::bytea[])
        as e (thing, id, type, event)
      join ${changed} c on c.id = e.thing)`;
  const eventValues = (all: readonly { id: string; events: readonly OutboxRow[] }[]) => {
    const events = all.flatMap(({ id, events }) => events.map((event) => ({ ...event, thing: id })));
    return [
      events.map(({ thing }) => thing),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ event }) => event),
    ];
  };

  return {
    kind,
    find: findWholes,

    /** For each pair of a reference and a viewer (uuid): the thing, where the viewer has a seat at it. */
    async findSeen(
      db: Db,
      wanted: readonly { reference: string; viewer: string }[],
    ): Promise<(Whole<Row, Person> | null)[]> {
      const rows = await db.query<WholeRow & { nth: number }>({
        name: nameOf('find_seen'),
        text: `
          select ${columns}, w.nth::int as nth
          from unnest($1::${inserted[reference]}[], $2::uuid[]) with ordinality
            as w (reference, viewer, nth)
          join ${table} d on d."${reference}" = w.reference
          join ${schema}.seats s on s.item = d.id and s.viewer = w.viewer`,
        values: [wanted.map((one) => one.reference), wanted.map(({ viewer }) => viewer)],
      });
      const found = new Map(rows.map(({ nth, ...row }) => [nth, wholeOf(row as never)]));
      return wanted.map((_, index) => found.get(index + 1) ?? null);
    },

    /** Locks it for as long as `tx` lasts. */
    async lock(tx: Tx, id: string): Promise<Whole<Row, Person> | null> {
      // The lock first: a subquery of the locking statement would see the people as before a change that it waited for.
      const [locked, found] = await Promise.all([
        tx.maybeOne({
          name: nameOf('lock'),
          text: `select id from ${table} where id = $1 for update`,
          values: [id],
        }),
        findWholes(tx, [id]),
      ]);
      return locked === null ? null : (found.get(id) ?? null);
    },

    /** Things with their people, seats and events. */
    async insert(tx: Tx, all: readonly NewThing<Row, Person>[]): Promise<void> {
      const people = all.flatMap((one) =>
        one.people.map((person, position) => [one.row.id, person.person, personJson(person, { position })]),
      );
      const seats = all.flatMap(({ row, seats }) => seats.map((seat) => ({ ...seat, thing: row.id })));
      const names = namesOf(inserted).join(', ');
      await tx.execute({
        name: nameOf('insert'),
        text: `
          with made as (
            insert into ${table} (${names})
            select ${namesOf(inserted)
              .map((name) => `g.${name}`)
              .join(', ')}
            from unnest($1::jsonb[]) w (data), jsonb_to_record(w.data) as g (${typed(inserted)})
            returning id, "group", started_at, status),
          joined as (
            insert into ${peopleTable} (${key}, person, position, ${namesOf(ofPeople).join(', ')})
            select w.thing, w.person, g.position, ${namesOf(ofPeople)
              .map((name) => `g.${name}`)
              .join(', ')}
            from unnest($2::uuid[], $3::uuid[], $4::jsonb[]) as w (thing, person, data),
              jsonb_to_record(w.data) as g (position smallint, ${typed(ofPeople)})),
          ${announce('made', 8)}
          insert into ${schema}.seats (kind, item, viewer, "group", started_at, status, waiting)
          select '${kind}', m.id, s.viewer, m."group", m.started_at, m.status, s.waiting
          from unnest($5::uuid[], $6::uuid[], $7::boolean[]) as s (thing, viewer, waiting)
          join made m on m.id = s.thing`,
        values: [
          all.map(({ row }) => JSON.stringify(columnsOf(row, inserted))),
          people.map(([thing]) => thing),
          people.map(([, person]) => person),
          people.map(([, , data]) => data),
          seats.map(({ thing }) => thing),
          seats.map(({ viewer }) => viewer),
          seats.map(({ waiting }) => waiting),
          ...eventValues(all.map(({ row, events }) => ({ id: row.id, events }))),
        ],
      });
    },

    /**
     * Writes things as they are now: their rows, the people that changed, their seats and their events. The uuids of those
     * that were written: nothing is, of one whose row is not of that version any more.
     */
    async change(tx: Tx, all: readonly ThingChange<Row, Person>[]): Promise<Set<string>> {
      const people = all.flatMap(({ row, people, spoke }) =>
        people.map((one) => [row.id, one.person, personJson(one, { spoke: spoke.includes(one.person) })]),
      );
      const seats = all.flatMap(({ row, seats }) => seats.map((seat) => ({ ...seat, thing: row.id })));
      const gone = all.flatMap(({ row, gone }) => gone.map((person) => [row.id, person]));
      const unseated = all.flatMap(({ row, unseated }) => unseated.map((viewer) => [row.id, viewer]));
      const rows = await tx.query<{ id: string }>({
        name: nameOf('change'),
        text: `
          with given as (
            select w.id, w.version, g.*
            from unnest($1::uuid[], $2::text[], $3::jsonb[]) as w (id, version, data),
              jsonb_to_record(w.data) as g (${typed(changing)})),
          -- One order everywhere, so that two statements with the same things wait for each other and cannot deadlock.
          same as (
            select d.id from ${table} d join given g on g.id = d.id
            where g.version is null or d.xmin::text = g.version order by d.id for update of d),
          changed as (
            update ${table} d set ${namesOf(changing)
              .map((name) => `${name} = g.${name}`)
              .join(', ')}, claimed_until = null
            from same join given g on g.id = same.id where d.id = same.id
            returning d.id, d."group", d.started_at, d.status),
          told as (
            select w.* from unnest($4::uuid[], $5::uuid[], $6::jsonb[]) as w (thing, person, data)
            join changed c on c.id = w.thing),
          changed_people as (
            update ${peopleTable} mine set ${namesOf(ofPeople)
              .map((name) => `${name} = p.${name}`)
              .join(', ')}
            from told t, jsonb_to_record(t.data) as p (${typed(ofPeople)})
            where mine.${key} = t.thing and mine.person = t.person),
          ${options.beside === undefined ? '' : `${options.beside},`}
          left_it as (
            delete from ${peopleTable} mine
            using unnest($7::uuid[], $8::uuid[]) as g (thing, person) join changed c on c.id = g.thing
            where mine.${key} = g.thing and mine.person = g.person),
          seated as (
            insert into ${schema}.seats as mine (kind, item, viewer, "group", started_at, status, waiting)
            select '${kind}', c.id, s.viewer, c."group", c.started_at, c.status, s.waiting
            from unnest($9::uuid[], $10::uuid[], $11::boolean[]) as s (thing, viewer, waiting)
            join changed c on c.id = s.thing
            on conflict (item, viewer) do update set status = excluded.status, waiting = excluded.waiting
            where (mine.status, mine.waiting) is distinct from (excluded.status, excluded.waiting)),
          unseated as (
            delete from ${schema}.seats mine
            using unnest($12::uuid[], $13::uuid[]) as g (thing, viewer) join changed c on c.id = g.thing
            where mine.item = g.thing and mine.viewer = g.viewer),
          ${announce('changed', 14)}
          select id from changed`,
        values: [
          all.map(({ row }) => row.id),
          all.map(({ version }) => version),
          all.map(({ row }) => JSON.stringify(columnsOf(row, changing))),
          people.map(([thing]) => thing),
          people.map(([, person]) => person),
          people.map(([, , data]) => data),
          gone.map(([thing]) => thing),
          gone.map(([, person]) => person),
          seats.map(({ thing }) => thing),
          seats.map(({ viewer }) => viewer),
          seats.map(({ waiting }) => waiting),
          unseated.map(([thing]) => thing),
          unseated.map(([, viewer]) => viewer),
          ...eventValues(all.map(({ row, events }) => ({ id: row.id, events }))),
        ],
      });
      return idsOf(rows);
    },

    /** Those whose record is not signed. */
    unsigned: {
      table,
      where: `status = '${ended[0]}' and signed_record is null`,
    } satisfies Unsigned,

    /** Stores records with their events. The uuids of those that had none; for the others nothing is written. */
    async sign(tx: Tx, all: readonly SignedThing[]): Promise<Set<string>> {
      const rows = await tx.query<{ id: string }>({
        name: nameOf('sign'),
        text: `
          with given as (select * from unnest($1::uuid[], $2::text[]) as g (id, json)),
          open as (
            select d.id from ${table} d where d.id = any($1::uuid[]) and d.signed_record is null
            order by d.id for update),
          signed as (
            update ${table} d set signed_record = g.json, claimed_until = null, revision = revision + 1
            from open join given g on g.id = open.id where d.id = open.id returning d.id),
          ${announce('signed', 3)}
          select id from signed`,
        values: [
          all.map(({ id }) => id),
          all.map(({ json }) => json),
          ...eventValues(all.map(({ id, event }) => ({ id, events: [event] }))),
        ],
      });
      return idsOf(rows);
    },

    /** uuids of those of these groups that have not ended. */
    async findOpenOfGroups(db: Db, groups: readonly string[]): Promise<string[]> {
      const rows = await db.query<{ id: string }>({
        name: nameOf('find_open_of_groups'),
        text: `
          select id from ${table}
          where "group" = any($1::uuid[]) and status not in ('${ended.join("', '")}')`,
        values: [groups],
      });
      return rows.map(({ id }) => id);
    },

    /** uuids of those that have not ended and that these people are part of, or speak for a child in. */
    async findOpenOfPeople(db: Db, people: readonly string[]): Promise<string[]> {
      const rows = await db.query<{ id: string }>({
        name: nameOf('find_open_of_people'),
        text: `
          select distinct d.id from ${peopleTable} p join ${table} d on d.id = p.${key}
          where (p.person = any($1::uuid[]) or p.guardians && $1::uuid[])
            and d.status not in ('${ended.join("', '")}')`,
        values: [people],
      });
      return rows.map(({ id }) => id);
    },

    /** Those of a viewer, the newest first. */
    async listSeen(db: Db, by: ListedBy, after: Place | null, limit: number): Promise<Whole<Row, Person>[]> {
      return (await listSeated<WholeRow>(db, { kind, table, columns }, by, after, limit)).map(wholeOf);
    },

    /** Those to which a condition on `d` applies: at most `limit`. */
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

export type ThingTable<Row extends ThingRow, Person extends Member> = ReturnType<
  typeof createThingTable<Row, Person>
>;

import type { Tx } from '@hearth/db';
import type { OutboxRow } from '@hearth/outbox';
import type { Member } from '../domain/member.ts';
import { type Columns, namesOf, typed } from './columns.ts';
import { layoutOf, type ThingTableOptions } from './thing-columns.ts';
import type { NewThing, SignedThing, ThingChange, ThingRow } from './thing-rows.ts';

/** The batched statements that write things with their people, seats and events. */
export function createThingWrites<Row extends ThingRow, Person extends Member>(
  options: ThingTableOptions<Row, Person>,
) {
  const { kind, table, peopleTable, key, changing } = options;
  const { schema, stored, ofPeople, nameOf } = layoutOf(options);
  const columnsOf = (row: Row, names: Columns<string>) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, row[name as keyof Row]]));

  const personJson = ({ aiShare, ...rest }: Person, more: object) =>
    JSON.stringify({ ...rest, ai_share: aiShare, ...more });

  type Written = { id: string; version: string };
  const versionsOf = (rows: readonly Written[]) => new Map(rows.map(({ id, version }) => [id, version]));

  /** Inserts the events of the things in `changed`; their arrays start at parameter `first`. */
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
    /** Inserts things with their people, seats and events; returns uuid -> version. */
    async insert(tx: Tx, all: readonly NewThing<Row, Person>[]): Promise<Map<string, string>> {
      const people = all.flatMap((thing) =>
        thing.people.map((person, position) => [
          thing.row.id,
          person.person,
          personJson(person, { position }),
        ]),
      );
      const seats = all.flatMap(({ row, seats }) => seats.map((seat) => ({ ...seat, thing: row.id })));
      const names = namesOf(stored).join(', ');
      const rows = await tx.query<Written>({
        name: nameOf('insert'),
        text: `
          with made as (
            insert into ${table} (${names})
            select ${namesOf(stored)
              .map((name) => `g.${name}`)
              .join(', ')}
            from unnest($1::jsonb[]) w (data), jsonb_to_record(w.data) as g (${typed(stored)})
            returning id, "group", started_at, status, xmin::text as version),
          joined as (
            insert into ${peopleTable} (${key}, person, position, ${namesOf(ofPeople).join(', ')})
            select w.thing, w.person, g.position, ${namesOf(ofPeople)
              .map((name) => `g.${name}`)
              .join(', ')}
            from unnest($2::uuid[], $3::uuid[], $4::jsonb[]) as w (thing, person, data),
              jsonb_to_record(w.data) as g (position smallint, ${typed(ofPeople)})),
          seated as (
            insert into ${schema}.seats (kind, item, viewer, "group", started_at, status, waiting)
            select '${kind}', m.id, s.viewer, m."group", m.started_at, m.status, s.waiting
            from unnest($5::uuid[], $6::uuid[], $7::boolean[]) as s (thing, viewer, waiting)
            join made m on m.id = s.thing),
          ${announce('made', 8)}
          select id, version from made`,
        values: [
          all.map(({ row }) => JSON.stringify(columnsOf(row, stored))),
          people.map(([thing]) => thing),
          people.map(([, person]) => person),
          people.map(([, , data]) => data),
          seats.map(({ thing }) => thing),
          seats.map(({ viewer }) => viewer),
          seats.map(({ waiting }) => waiting),
          ...eventValues(all.map(({ row, events }) => ({ id: row.id, events }))),
        ],
      });
      return versionsOf(rows);
    },

    /**
     * Writes changed things, people, seats and events. Returns uuid -> new version of the rows written; skips
     * rows whose version changed since (optimistic lock).
     */
    async change(tx: Tx, all: readonly ThingChange<Row, Person>[]): Promise<Map<string, string>> {
      const people = all.flatMap(({ row, people, spoke, came }) =>
        people.map((person) => {
          const notes = { spoke: spoke.includes(person.person), came: came.includes(person.person) };
          return [row.id, person.person, personJson(person, notes)];
        }),
      );
      const seats = all.flatMap(({ row, seats }) => seats.map((seat) => ({ ...seat, thing: row.id })));
      const gone = all.flatMap(({ row, gone }) => gone.map((person) => [row.id, person]));
      const unseated = all.flatMap(({ row, unseated }) => unseated.map((viewer) => [row.id, viewer]));
      const rows = await tx.query<Written>({
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
            returning d.id, d."group", d.started_at, d.status, d.xmin::text as version),
          told as (
            select w.* from unnest($4::uuid[], $5::uuid[], $6::jsonb[]) as w (thing, person, data)
            join changed c on c.id = w.thing),
          changed_people as (
            update ${peopleTable} mine set ${namesOf(ofPeople)
              .map((name) => `${name} = p.${name}`)
              .join(', ')}
            from told t, jsonb_to_record(t.data) as p (${typed(ofPeople)})
            where mine.${key} = t.thing and mine.person = t.person),
          came as (
            insert into ${peopleTable} (${key}, person, position, ${namesOf(ofPeople).join(', ')})
            select t.thing, t.person,
              (select coalesce(max(one.position), 0) + 1 from ${peopleTable} one where one.${key} = t.thing),
              ${namesOf(ofPeople)
                .map((name) => `p.${name}`)
                .join(', ')}
            from told t, jsonb_to_record(t.data) as p (${typed(ofPeople)})
            where (t.data ->> 'came')::boolean),
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
          select id, version from changed`,
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
      return versionsOf(rows);
    },

    /** Stores records with their events. Returns the uuids that were signed; skips those that already had a record. */
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
        values: [all.map(({ id }) => id), all.map(({ json }) => json), ...eventValues(all)],
      });
      return new Set(rows.map(({ id }) => id));
    },
  };
}

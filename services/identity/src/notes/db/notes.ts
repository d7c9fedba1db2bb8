import { type Db, fragment, named, sql, type Tx } from '@hearth/db';

export interface NoteRow {
  /** uuid */
  id: string;
  person: string;
  /** The AI that wrote the note, if any. */
  ai: string | null;
  aiAddress: string | null;
  /** Whether the person wrote it themselves. */
  byPerson: boolean;
  about: string;
  text: string;
  /** uuids of groups. */
  sharedWith: string[];
  expiresAt: Date | null;
  at: Date;
}

export type NewNote = Omit<NoteRow, 'aiAddress'>;

/** Limits on the notes a caller may see; all that are set apply. */
export interface NoteBounds {
  people: readonly string[];
  /** Only this AI's own notes and notes shared with any group. */
  ai: string | null;
  /** Only notes shared with this group. */
  group: string | null;
}

const select = fragment`
  select n.id, n.person, n.ai, a.address as "aiAddress", n.by_person as "byPerson", n.about, n.text,
    n.shared_with as "sharedWith", n.expires_at as "expiresAt", n.at
  from identity.notes n left join identity.ais a on a.id = n.ai`;

export interface NoteFilter {
  about: string | null;
  /** Only notes older than this place. */
  before: { at: Date; id: string } | null;
  limit: number;
  now: Date;
}

/** Notes that have not expired, newest first. */
export async function listNotes(
  db: Db,
  { people, ai, group }: NoteBounds,
  { about, before, limit, now }: NoteFilter,
): Promise<NoteRow[]> {
  return await db.query<NoteRow>({
    name: 'identity_list_notes',
    text: `
      ${select}
      where n.person = any($1)
        and ($2::uuid is null or n.ai = $2 or n.shared_with <> '{}')
        and ($3::uuid is null or n.shared_with @> array[$3::uuid])
        and (n.expires_at is null or n.expires_at > $4)
        and ($5::text is null or n.about = $5)
        and ($6::timestamptz is null or (n.at, n.id) < ($6, $7::uuid))
      order by n.at desc, n.id desc limit $8`,
    values: [people, ai, group, now, about, before?.at ?? null, before?.id ?? null, limit],
  });
}

/** A note that a person shares with a group. */
export type SharedNote = Pick<NoteRow, 'person' | 'about' | 'text'>;

/** A group's request for the notes that people share with it. */
export interface SharedWanted {
  /** uuid of the group. */
  group: string;
  /** uuids */
  people: readonly string[];
}

/**
 * For each entry: the notes that these people share with the group, at most `each` a person, newest first.
 * Leaves out children whose guardian does not let AIs act for them.
 */
export async function listShared(
  db: Db,
  wanted: readonly SharedWanted[],
  { each, now }: { each: number; now: Date },
): Promise<SharedNote[][]> {
  const asked = wanted.flatMap(({ group, people }, reader) =>
    people.map((person) => ({ reader, group, person })),
  );
  const rows = await db.query<SharedNote & { reader: number }>(named('identity_list_shared_notes')`
    select w.reader, n.person, n.about, n.text
    from unnest(${asked.map(({ reader }) => reader)}::int[], ${asked.map(({ group }) => group)}::uuid[],
      ${asked.map(({ person }) => person)}::uuid[]) as w (reader, "group", person)
    join identity.people p on p.id = w.person and (p.age_band = 'adult' or p.ai_share)
    cross join lateral (
      select n.id, n.person, n.about, n.text, n.at from identity.notes n
      where n.person = w.person and n.shared_with @> array[w."group"] and (n.expires_at is null
        or n.expires_at > ${now})
      order by n.at desc, n.id desc limit ${each}) n
    order by n.at desc, n.id desc`);
  const found = wanted.map((): SharedNote[] => []);
  for (const { reader, ...note } of rows) found[reader]!.push(note);
  return found;
}

/** The people who share notes with this group. */
export async function listSharers(db: Db, group: string, now: Date): Promise<string[]> {
  const rows = await db.query<{ person: string }>(named('identity_list_sharers')`
    select distinct person from identity.notes
    where shared_with @> array[${group}::uuid] and shared_with <> '{}' and (expires_at is null
      or expires_at > ${now})`);
  return rows.map(({ person }) => person);
}

/** A person's note that has not expired. */
export async function findNote(db: Db, person: string, id: string, now: Date): Promise<NoteRow | null> {
  return await db.maybeOne<NoteRow>(named('identity_find_note')`
    ${select} where n.id = ${id} and n.person = ${person} and (n.expires_at is null
      or n.expires_at > ${now})`);
}

/** Locks the person's notes against other writers until the end of `tx`; false if there is no such person. */
export async function lockNotesOf(tx: Tx, person: string): Promise<boolean> {
  const found = await tx.maybeOne(named('identity_lock_notes_of')`
    select id from identity.people where id = ${person} and deleted_at is null for no key update`);
  return found !== null;
}

export async function insertNote(tx: Tx, note: NewNote): Promise<void> {
  await tx.execute(named('identity_insert_note')`
    insert into identity.notes (id, person, ai, by_person, about, text, shared_with, expires_at, at)
    values (${note.id}, ${note.person}, ${note.ai}, ${note.byPerson}, ${note.about}, ${note.text},
      ${note.sharedWith}, ${note.expiresAt}, ${note.at})`);
}

/** Overwrites a note; its person and AI stay the same. */
export async function replaceNote(tx: Tx, note: NewNote): Promise<void> {
  await tx.execute(named('identity_replace_note')`
    update identity.notes
    set by_person = ${note.byPerson}, about = ${note.about}, text = ${note.text},
      shared_with = ${note.sharedWith}, expires_at = ${note.expiresAt}, at = ${note.at}
    where id = ${note.id} and person = ${note.person}`);
}

export async function deleteNote(tx: Tx, person: string, id: string): Promise<void> {
  await tx.execute(sql`delete from identity.notes where id = ${id} and person = ${person}`);
}

/** The facts about a person that decide how they are shown. */
export interface SharerRow {
  aiShare: boolean;
  id: string;
  ageBand: string;
  app: string | null;
  guardians: string[];
}

export async function findSharers(db: Db, people: readonly string[]): Promise<SharerRow[]> {
  return await db.query<SharerRow>(named('identity_find_sharers')`
    select p.id, p.age_band as "ageBand", p.ai_share as "aiShare", p.app,
      array(select g.guardian from identity.guardianships g where g.child = p.id) as guardians
    from identity.people p where p.id = any(${people})`);
}

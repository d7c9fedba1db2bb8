import { type Db, fragment, named, type Tx } from '@hearth/db';

/** The stream of an AI's wake-ups; a row of delivery.streams. */
export interface StreamRow {
  ai: string;
  person: string | null;
  open: boolean;
  last_number: number;
  floor_number: number;
  whole_number: number;
  active_until: Date;
  created_at: Date;
  last_at: Date | null;
  last_group_at: Date | null;
  version: number;
}

const columns = fragment`
  ai, person, open, last_number, floor_number, whole_number, active_until, created_at, last_at, last_group_at, version`;

export function findStreams(db: Db, ais: readonly string[]): Promise<StreamRow[]> {
  return db.query<StreamRow>(named('delivery_find_streams')`
    select ${columns} from delivery.streams where ai = any(${ais}::uuid[])`);
}

/** Returns the streams of AIs that are among `ids`, or whose owner is. */
export function findStreamsOf(db: Db, ids: readonly string[]): Promise<Pick<StreamRow, 'ai' | 'person'>[]> {
  return db.query(named('delivery_find_streams_of')`
    select ai, person from delivery.streams where ai = any(${ids}::uuid[]) or person = any(${ids}::uuid[])`);
}

/** Creates missing streams, closed until the AI's owner is known. */
export async function insertStreams(tx: Tx, ais: readonly string[], now: Date): Promise<void> {
  await tx.execute(named('delivery_insert_streams')`
    insert into delivery.streams (ai, open, active_until, created_at)
    select ai, false, ${now}, ${now} from unnest(${ais}::uuid[]) as ai order by ai
    on conflict do nothing`);
}

/** Locks streams until the end of the transaction, in the order of their AIs. */
export function lockStreams(tx: Tx, ais: readonly string[]): Promise<StreamRow[]> {
  return tx.query<StreamRow>(named('delivery_lock_streams')`
    select ${columns} from delivery.streams where ai = any(${ais}::uuid[]) order by ai for update`);
}

/**
 * Locks the streams of these AIs, and of the AIs of these people, that record at `now`. None records only from a later
 * time, so that new events count after the clock was set back.
 */
export function lockRecording(
  tx: Tx,
  { ais, people, now }: { ais: readonly string[]; people: readonly string[]; now: Date },
): Promise<RecordingStream[]> {
  return tx.query<RecordingStream>({
    name: 'delivery_lock_recording_streams',
    text: `
      select ai, person, least($3, greatest(created_at, records_from)) as "recordsFrom",
        least($3, greatest(created_at, records_from, owned_from)) as "ownedFrom"
      ${recording} order by ai for update`,
    values: [ais, people, now],
  });
}

/** Whether any stream would be locked by `lockRecording`; takes no lock, as most events wake no AI. */
export async function isRecording(
  db: Db,
  { ais, people, now }: { ais: readonly string[]; people: readonly string[]; now: Date },
): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>({
    name: 'delivery_is_recording',
    text: `select exists (select 1 ${recording}) as found`,
    values: [ais, people, now],
  });
  return found;
}

const recording = `
  from delivery.streams
  where (ai = any($1::uuid[]) or person = any($2::uuid[])) and open and active_until > $3`;

export interface RecordingStream extends Pick<StreamRow, 'ai' | 'person'> {
  /** Earlier events are not recorded. */
  recordsFrom: Date;
  /** Earlier events that concern the AI only through its owner are not recorded. */
  ownedFrom: Date;
}

/** A change of a stream: it gets a new owner, is closed or opened, or resumes after a pause. */
export interface StreamChange {
  ai: string;
  person: string | null;
  open: boolean;
  activeUntil: Date;
  /** Whether everything before belongs to a former owner. */
  otherHands: boolean;
  /** Whether wake-ups may be missing because nothing was recorded. */
  pause: boolean;
  /** The new start of recording; null leaves it as it is. */
  recordsFrom: Date | null;
  /** The new start of recording for events of the owner; null leaves it as it is. */
  ownedFrom: Date | null;
}

/**
 * Writes the changes of locked streams. After a pause or a change of owner a number is skipped, so that an
 * older cursor reports missing wake-ups.
 */
export async function changeStreams(tx: Tx, changes: readonly StreamChange[]): Promise<void> {
  await tx.execute(named('delivery_change_streams')`
    update delivery.streams s set
      person = c.person,
      open = c.open,
      active_until = greatest(s.active_until, c.active_until),
      records_from = greatest(s.records_from, c.records_from),
      owned_from = greatest(s.owned_from, c.owned_from),
      version = s.version + 1,
      last_number = s.last_number + c.step,
      whole_number = case when c.step = 1 then s.last_number + 1 else s.whole_number end,
      floor_number = case when c.other_hands then s.last_number + 1 else s.floor_number end
    from (
      select *, case when other_hands or pause then 1 else 0 end as step
      from unnest(${changes.map(({ ai }) => ai)}::uuid[], ${changes.map(({ person }) => person)}::uuid[],
        ${changes.map(({ open }) => open)}::boolean[],
        ${changes.map(({ activeUntil }) => activeUntil)}::timestamptz[],
        ${changes.map(({ otherHands }) => otherHands)}::boolean[],
        ${changes.map(({ pause }) => pause)}::boolean[],
        ${changes.map(({ recordsFrom }) => recordsFrom)}::timestamptz[],
        ${changes.map(({ ownedFrom }) => ownedFrom)}::timestamptz[])
        as c(ai, person, open, active_until, other_hands, pause, records_from, owned_from)) c
    where s.ai = c.ai`);
}

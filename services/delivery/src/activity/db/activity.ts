import type { JsonObject } from '@bufbuild/protobuf';
import { named, sql, type Tx } from '@hearth/db';

/** The actor at the time; all empty for the home itself. */
export interface ActorColumns {
  /** hearth.CallerKind: PERSON, AI or APP. */
  actorKind: number | null;
  actor: string | null;
  actorPerson: string | null;
  actorAddress: string;
  actorName: string;
  actorMinor: boolean;
}

export interface ActivityRow extends ActorColumns {
  /** uuid */
  event: string;
  part: number;
  at: Date;
  sortAt: Date;
  action: string;
  via: number;
  group: string | null;
  about: string | null;
  aboutMinor: boolean;
  itemRef: string;
  /** uuid of the app that may see `itemRef`. */
  itemApp: string | null;
  /** English, as worded at the time. */
  summary: string;
  /** Null in rows written before summaries were stored as messages. */
  wording: JsonObject | null;
  hiddenFrom: string[];
  subjects: string[];
}

/** Inserts rows and adds them to the lists of their subjects; existing rows stay unchanged. */
export async function insertActivity(tx: Tx, rows: readonly ActivityRow[]): Promise<void> {
  await tx.execute(named('delivery_insert_activity')`
    with added as (
      insert into delivery.activity
        (event, part, at, sort_at, action, actor_kind, actor, actor_person, actor_address, actor_name,
         actor_minor, via, group_id, about, about_minor, item_ref, item_app, summary, wording, hidden_from, subjects)
      select event, part, at, "sortAt", action, "actorKind", actor, "actorPerson", "actorAddress", "actorName",
        "actorMinor", via, "group", about, "aboutMinor", "itemRef", "itemApp", summary, wording, "hiddenFrom", subjects
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
        event uuid, part smallint, at timestamptz, "sortAt" timestamptz, action text, "actorKind" smallint,
        actor uuid, "actorPerson" uuid, "actorAddress" text, "actorName" text, "actorMinor" boolean, via smallint,
        "group" uuid, about uuid, "aboutMinor" boolean, "itemRef" text, "itemApp" uuid, summary text, wording jsonb, "hiddenFrom" uuid[],
        subjects uuid[])
      on conflict do nothing
      returning event, part, sort_at, subjects)
    insert into delivery.activity_subjects (subject, sort_at, event, part)
    select subject, sort_at, event, part from added, unnest(subjects) as subject
    on conflict do nothing`);
}

/** Deletes at most `limit` rows older than `before`, from the lists too. Returns how many. */
export async function deleteActivityBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  const { removed } = await tx.one<{ removed: number }>(sql`
    with gone as (
      delete from delivery.activity
      where (event, part) in (select event, part from delivery.activity where sort_at < ${before} limit ${limit})
      returning event, part, sort_at, subjects),
    unlisted as (
      delete from delivery.activity_subjects s
      using gone, unnest(gone.subjects) as list(subject)
      where s.subject = list.subject and s.sort_at = gone.sort_at and s.event = gone.event and s.part = gone.part)
    select count(*)::int as removed from gone`);
  return removed;
}

import { type Db, named, sql, type Tx } from '@hearth/db';

/** An app's request, pending or answered, to hold a person's account. */
export interface AppLinkRow {
  app: string;
  person: string;
  askedAt: Date;
  answeredAt: Date | null;
  accepted: boolean | null;
}

/** Locks the request until the end of `tx`. */
export async function lockAppLink(tx: Tx, app: string, person: string): Promise<AppLinkRow | null> {
  return await tx.maybeOne<AppLinkRow>(sql`
    select app, person, asked_at as "askedAt", answered_at as "answeredAt", accepted
    from identity.app_links where app = ${app} and person = ${person} for no key update`);
}

/** Stores the app's request; a repeated one is pending again. */
export async function upsertAppLink(tx: Tx, app: string, person: string, now: Date): Promise<void> {
  await tx.execute(sql`
    insert into identity.app_links (app, person, asked_at) values (${app}, ${person}, ${now})
    on conflict (app, person) do update
    set asked_at = excluded.asked_at, answered_at = null, accepted = null`);
}

export async function updateAnswer(
  tx: Tx,
  { app, person }: Pick<AppLinkRow, 'app' | 'person'>,
  accepted: boolean,
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    update identity.app_links set answered_at = ${now}, accepted = ${accepted}
    where app = ${app} and person = ${person}`);
}

/** Pending requests about these people, newest first. */
export async function listWaitingLinks(
  db: Db,
  people: readonly string[],
): Promise<{ app: string; name: string; person: string; askedAt: Date }[]> {
  return await db.query(named('identity_list_waiting_links')`
    select l.app, a.name, l.person, l.asked_at as "askedAt"
    from identity.app_links l join identity.apps a on a.id = l.app
    where l.person = any(${people}) and l.answered_at is null and a.revoked_at is null
    order by l.asked_at desc, l.app, l.person`);
}

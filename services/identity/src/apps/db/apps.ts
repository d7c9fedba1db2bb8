import { type Db, fragment, sql, type Tx } from '@hearth/db';
import type { Suspension } from '../../shared/domain/suspension.ts';

export interface AppRow {
  /** uuid */
  id: string;
  name: string;
  redirectUris: string[];
  contactEmail: string;
  webhookUrl: string | null;
  /** Empty for all types. */
  eventTypes: string[];
  minors: boolean;
  /** Sealed. */
  signingSecret: Buffer;
  oldSigningSecret: Buffer | null;
  oldSecretEndsAt: Date | null;
  createdAt: Date;
  suspendedUntil: Date | null;
  suspendReason: string;
}

const columns = fragment`
  id, name, redirect_uris as "redirectUris", contact_email as "contactEmail", webhook_url as "webhookUrl",
  event_types as "eventTypes", minors, signing_secret as "signingSecret",
  old_signing_secret as "oldSigningSecret", old_secret_ends_at as "oldSecretEndsAt", created_at as "createdAt",
  suspended_until as "suspendedUntil", suspend_reason as "suspendReason"`;

export async function findApp(db: Db, id: string): Promise<AppRow | null> {
  return await db.maybeOne<AppRow>(sql`
    select ${columns} from identity.apps where id = ${id} and revoked_at is null`);
}

/** The known apps among these, in no order. */
export async function findApps(db: Db, ids: readonly string[]): Promise<AppRow[]> {
  return await db.query<AppRow>(sql`
    select ${columns} from identity.apps where id = any(${ids}::uuid[]) and revoked_at is null`);
}

/** Locks the app until the end of `tx`. */
export async function lockApp(tx: Tx, id: string): Promise<AppRow | null> {
  return await tx.maybeOne<AppRow>(sql`
    select ${columns} from identity.apps where id = ${id} and revoked_at is null for no key update`);
}

/**
 * Apps, newest first.
 *
 * @param after the uuid of the app before the page; null for the first page
 */
export async function listApps(db: Db, after: string | null, limit: number): Promise<AppRow[]> {
  return await db.query<AppRow>(sql`
    select ${columns} from identity.apps
    where revoked_at is null
      and (${after}::uuid is null or (created_at, id) < (select created_at, id from identity.apps
        where id = ${after}))
    order by created_at desc, id desc limit ${limit}`);
}

/** A new app, which is never suspended. */
export type NewApp = Omit<AppRow, keyof Suspension>;

export async function insertApp(tx: Tx, app: NewApp): Promise<void> {
  await tx.execute(sql`
    insert into identity.apps (id, name, redirect_uris, contact_email, webhook_url, event_types, minors,
      signing_secret, created_at)
    values (${app.id}, ${app.name}, ${app.redirectUris}, ${app.contactEmail}, ${app.webhookUrl},
      ${app.eventTypes}, ${app.minors}, ${app.signingSecret}, ${app.createdAt})`);
}

export async function updateApp(
  tx: Tx,
  id: string,
  to: Pick<AppRow, 'name' | 'redirectUris' | 'webhookUrl' | 'eventTypes'>,
): Promise<void> {
  await tx.execute(sql`
    update identity.apps
    set name = ${to.name}, redirect_uris = ${to.redirectUris}, webhook_url = ${to.webhookUrl},
      event_types = ${to.eventTypes}
    where id = ${id}`);
}

export const nextRestoredApp = fragment`
  select min(suspended_until) from identity.apps where suspended_until is not null and revoked_at is null`;

/** Locks the apps whose suspension has expired, skipping rows locked by other transactions. */
export async function lockRestoredApps(tx: Tx, now: Date): Promise<AppRow[]> {
  return await tx.query<AppRow>(sql`
    select ${columns} from identity.apps where suspended_until <= ${now} and revoked_at is null
    order by id for no key update skip locked`);
}

export async function updateSuspension(
  tx: Tx,
  id: string,
  { suspendedUntil, suspendReason }: Suspension,
): Promise<void> {
  await tx.execute(sql`
    update identity.apps set suspended_until = ${suspendedUntil}, suspend_reason = ${suspendReason}
    where id = ${id}`);
}

export async function updateSigningSecret(
  tx: Tx,
  id: string,
  to: Pick<AppRow, 'signingSecret' | 'oldSigningSecret' | 'oldSecretEndsAt'>,
): Promise<void> {
  await tx.execute(sql`
    update identity.apps
    set signing_secret = ${to.signingSecret}, old_signing_secret = ${to.oldSigningSecret},
      old_secret_ends_at = ${to.oldSecretEndsAt}
    where id = ${id}`);
}

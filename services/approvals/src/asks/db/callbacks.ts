import type { Tx } from '@hearth/db';

export interface CallbackRow {
  approval: string;
  url: string;
  origin: string;
  body: string;
  attempts: number;
  created_at: Date;
}

/** The result of an attempt. */
export interface Attempt {
  at: Date;
  /** The HTTP status of the answer; null without one. */
  status: number | null;
  /** The category of the failure. */
  error: string | null;
}

export interface Claim {
  now: Date;
  until: Date;
  limit: number;
  /** The most for one origin. */
  perOrigin: number;
  /** Origins that have as many requests in flight as they may. */
  busy: readonly string[];
}

/** Leases callbacks that are due until `until`. */
export async function claimCallbacks(tx: Tx, claim: Claim): Promise<CallbackRow[]> {
  return await tx.query<CallbackRow>({
    name: 'approvals_claim_callbacks',
    text: `
      with due as (
        select approval, origin, next_at from approvals.callbacks
        where status = 'waiting' and next_at <= $1 and origin <> all($4::text[])
        order by next_at limit 1000),
      chosen as (
        select approval from (
          select approval, next_at, row_number() over (partition by origin order by next_at) as place from due) d
        where place <= $5 order by next_at limit $3),
      locked as (
        select c.approval from approvals.callbacks c
        where c.approval in (select approval from chosen) and c.status = 'waiting' and c.next_at <= $1
        for update skip locked)
      update approvals.callbacks set next_at = $2 where approval in (select approval from locked)
      returning approval, url, origin, body, attempts, created_at`,
    values: [claim.now, claim.until, claim.limit, claim.busy, claim.perOrigin],
  });
}

/** @param outcome.retryAt null when it ended */
export async function noteAttempt(
  tx: Tx,
  approval: string,
  attempt: Attempt,
  outcome: { status: 'waiting' | 'delivered' | 'given_up'; retryAt: Date | null },
): Promise<void> {
  await tx.execute({
    name: 'approvals_note_attempt',
    text: `
      update approvals.callbacks set attempts = attempts + 1, last_at = $2, last_status = $3, last_error = $4,
        status = $5, next_at = coalesce($6, next_at)
      where approval = $1 and status = 'waiting'`,
    values: [approval, attempt.at, attempt.status, attempt.error, outcome.status, outcome.retryAt],
  });
}

/** Deletes callbacks that ended and were made before `moment`, at most `limit`; how many. */
export async function deleteCallbacksBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  return await tx.execute({
    name: 'approvals_delete_callbacks',
    text: `
      delete from approvals.callbacks where approval in (
        select approval from approvals.callbacks where status <> 'waiting' and created_at < $1
        limit $2 for update skip locked)`,
    values: [moment, limit],
  });
}

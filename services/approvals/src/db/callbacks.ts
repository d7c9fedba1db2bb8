import type { Tx } from '@hearth/db';

export interface CallbackRow {
  approval: string;
  url: string;
  body: string;
  attempts: number;
  created_at: Date;
}

/** What came of an attempt. */
export interface Attempt {
  at: Date;
  /** The HTTP status, when there was an answer. */
  status: number | null;
  /** What went wrong, in a word. */
  error: string | null;
}

export async function insertCallback(
  tx: Tx,
  callback: Pick<CallbackRow, 'approval' | 'url' | 'body'>,
  now: Date,
): Promise<void> {
  await tx.execute({
    name: 'approvals_insert_callback',
    text: `
      insert into approvals.callbacks (approval, url, body, status, next_at, created_at)
      values ($1, $2, $3, 'waiting', $4, $4) on conflict do nothing`,
    values: [callback.approval, callback.url, callback.body, now],
  });
}

/** Those that are due, at most `limit`; nobody else gets them until `until`. */
export async function claimCallbacks(
  tx: Tx,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<CallbackRow[]> {
  return await tx.query<CallbackRow>({
    name: 'approvals_claim_callbacks',
    text: `
      update approvals.callbacks set next_at = $2
      where approval in (
        select approval from approvals.callbacks where status = 'waiting' and next_at <= $1
        order by next_at limit $3 for update skip locked)
      returning approval, url, body, attempts, created_at`,
    values: [now, until, limit],
  });
}

/** @param nextAt when it is tried again; null when it is not */
export async function noteAttempt(
  tx: Tx,
  approval: string,
  attempt: Attempt,
  outcome: { status: 'waiting' | 'delivered' | 'given_up'; nextAt: Date | null },
): Promise<void> {
  await tx.execute({
    name: 'approvals_note_attempt',
    text: `
      update approvals.callbacks set attempts = attempts + 1, last_at = $2, last_status = $3, last_error = $4,
        status = $5, next_at = coalesce($6, next_at)
      where approval = $1 and status = 'waiting'`,
    values: [approval, attempt.at, attempt.status, attempt.error, outcome.status, outcome.nextAt],
  });
}

/** Forgets what ended before `moment`, at most `limit`; how many. */
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

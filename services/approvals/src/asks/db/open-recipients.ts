import type { Db } from '@hearth/db';

/** Somebody who has not answered an ask that waits. */
export interface OpenPlace {
  approval: string;
  position: number;
}

/** What waits for these people, or for AIs of theirs; `limit` at most. */
export async function openOfPeople(db: Db, people: readonly string[], limit: number): Promise<OpenPlace[]> {
  return await db.query<OpenPlace>({
    name: 'approvals_open_of_people',
    text: `
      select approval, position from approvals.recipients
      where (person = any($1::uuid[]) or recipient = any($1::uuid[])) and decision = 'waiting' and status = 'waiting' limit $2`,
    values: [people, limit],
  });
}

/** What waits for these AIs themselves. */
export async function openOfAis(db: Db, ais: readonly string[], limit: number): Promise<OpenPlace[]> {
  return await db.query<OpenPlace>({
    name: 'approvals_open_of_ais',
    text: `
      select approval, position from approvals.recipients
      where recipient = any($1::uuid[]) and kind = 'ai' and decision = 'waiting' and status = 'waiting' limit $2`,
    values: [ais, limit],
  });
}

/** What waits at that AI as somebody's front door, but for what it keeps for `keeps`. */
export async function openAtDoor(
  db: Db,
  ai: string,
  keeps: string | null,
  limit: number,
): Promise<(OpenPlace & { person: string })[]> {
  return await db.query<OpenPlace & { person: string }>({
    name: 'approvals_open_at_door',
    text: `
      select approval, position, person from approvals.recipients
      where owner = $1 and box = 'front_door' and decision = 'waiting' and status = 'waiting'
        and person is not null and person is distinct from $2::uuid
      limit $3`,
    values: [ai, keeps, limit],
  });
}

/** What that sender (a person with all their AIs, or an AI) asked of that person, or of an AI of theirs. */
export async function openFromSender(
  db: Db,
  person: string,
  sender: string,
  limit: number,
): Promise<OpenPlace[]> {
  return await db.query<OpenPlace>({
    name: 'approvals_open_from_sender',
    text: `
      select r.approval, r.position from approvals.recipients r
      join approvals.approvals a on a.id = r.approval
      where r.decision = 'waiting' and r.status = 'waiting'
        and (r.person = $1 or r.recipient = $1) and (a.asker = $2 or a.asker_person = $2)
      limit $3`,
    values: [person, sender, limit],
  });
}

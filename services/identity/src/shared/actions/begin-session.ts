import { hash } from 'node:crypto';
import { type Clock, day, nowDate } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import { insertSession, type NewSession, updateSession } from '../db/sessions.ts';

/** Makes session tokens recognizable to people and secret scanners. */
const tokenPrefix = 'hearth_ps_';
const secretLength = 43;
const sessionMs = 90 * day;
/** Guests have no other way back into their account. */
const guestSessionMs = 365 * day;

export interface BegunSession {
  /** Shown once; only its hash is stored. */
  token: string;
  endsAt: Date;
}

/** A token and its hash. */
function newToken(ids: Ids): { token: string; hash: Buffer } {
  const token = `${tokenPrefix}${ids.token(secretLength)}`;
  return { token, hash: hash('sha256', token, 'buffer') };
}

/**
 * Gives a session a new token after its person has proved who they are, since others may know the old one.
 * Null if the session has ended.
 */
export async function renewSession(
  { clock, ids }: { clock: Clock; ids: Ids },
  tx: Tx,
  session: { id: string; person: string },
  proof: 'passkey' | 'email',
): Promise<BegunSession | null> {
  const made = newToken(ids);
  const now = nowDate(clock);
  const proved = {
    hash: made.hash,
    authenticatedAt: now,
    proof,
    endsAt: new Date(now.getTime() + sessionMs),
  };
  return (await updateSession(tx, session, proved)) ? { token: made.token, endsAt: proved.endsAt } : null;
}

/** Begins a session for a person, recording how they just proved who they are; a guest has proved nothing. */
export async function beginSession(
  { clock, ids }: { clock: Clock; ids: Ids },
  tx: Tx,
  person: string,
  proof: NewSession['proof'],
): Promise<BegunSession> {
  const now = nowDate(clock);
  const made = newToken(ids);
  const guest = proof === '';
  const endsAt = new Date(now.getTime() + (guest ? guestSessionMs : sessionMs));
  const session = {
    id: ids.uuid(),
    person,
    hash: made.hash,
    authenticatedAt: guest ? null : now,
    proof,
    endsAt,
  };
  await insertSession(tx, session, now);
  return { token: made.token, endsAt };
}

import { badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { type Caller, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findInvite as findById, findInviteByCode, type InviteRow } from '../db/invites.ts';
import { hashCode, readInviteReference } from '../domain/invite-code.ts';

type FindContext = Pick<Context, 'config' | 'database' | 'limiter'>;

const limit = 'wrong_codes_a_minute';

/**
 * Finds the invite behind a code or link. Only its recipient finds it by id, because ids are not secret.
 *
 * @throws rate_limited for a wrong code after too many of them, counted by person, or else by network; an
 * app's requests come from one network for all its people. A right code is never refused: there are too many
 * codes to guess one
 */
export async function lookUp(context: FindContext, text: string, caller: Caller): Promise<InviteRow | null> {
  const { invite, byId } = await find(context, text, caller);
  return byId && (invite?.to_person == null || invite.to_person !== personOf(caller)) ? null : invite;
}

/** `lookUp` for a caller who must have a valid code. @throws not_found */
export async function heldInvite(context: FindContext, text: string, caller: Caller): Promise<InviteRow> {
  const invite = await lookUp(context, text, caller);
  if (invite === null) throw notFound();
  return invite;
}

/** Finds the invite behind a code, link or id without checking that the caller may see it. @throws not_found */
export async function namedInvite(context: FindContext, text: string, caller: Caller): Promise<InviteRow> {
  const { invite } = await find(context, text, caller);
  if (invite === null) throw notFound();
  return invite;
}

async function find({ config, database: { db }, limiter }: FindContext, text: string, caller: Caller) {
  const given = readInviteReference(text, config.siteUrl);
  const byId = given !== null && 'id' in given;
  let invite: InviteRow | null = null;
  if (byId) {
    const id = parseId('inv', given.id);
    if (id !== null) invite = await findById(db, id);
  } else if (given !== null) {
    invite = await findInviteByCode(db, hashCode(given.code));
  }
  // Malformed text is a slip, not a guess.
  if (invite === null && given !== null) await limiter.consume(limit, caller.id || caller.network, 'anyone');
  return { invite, byId };
}

/** The error for a join request or invite that already has another outcome. */
export function settledOtherwise(message: string): Error {
  return badRequest(message, { code: 'already_settled' });
}

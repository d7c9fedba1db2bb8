import { badRequest, notFound, rateLimited } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { type Caller, personOf } from '@hearth/rpc';
import type { InvitesContext } from '../context.ts';
import { findInvite as findById, findInviteByCode, type InviteRow } from '../db/invites.ts';
import { hashCode, readInviteReference } from '../domain/invite-code.ts';

type Needed = Pick<InvitesContext, 'database' | 'limiter' | 'siteUrl'>;

const limit = 'wrong_codes_a_minute';

/**
 * The invite behind a code or link. By its id it is found for whom it was sent to alone: ids are no secrets.
 *
 * @throws rate_limited for a network from which too many wrong codes come, whatever it gives next
 */
export async function lookUp(context: Needed, text: string, caller: Caller): Promise<InviteRow | null> {
  const invite = await find(context, text, caller);
  const byId = invite !== null && isId(context, text);
  return byId && (invite.to_person === null || invite.to_person !== personOf(caller)) ? null : invite;
}

/** The same for who gives a code, and must have a right one. @throws not_found */
export async function heldInvite(context: Needed, text: string, caller: Caller): Promise<InviteRow> {
  const invite = await lookUp(context, text, caller);
  if (invite === null) throw notFound();
  return invite;
}

/** The invite behind a code, a link or an id. Whether the caller may see it is still to be asked. @throws not_found */
export async function namedInvite(context: Needed, text: string, caller: Caller): Promise<InviteRow> {
  const invite = await find(context, text, caller);
  if (invite === null) throw notFound();
  return invite;
}

async function find(context: Needed, text: string, caller: Caller): Promise<InviteRow | null> {
  const { database, limiter, siteUrl } = context;
  const usage = await limiter.peek(limit, caller.network, 'anyone');
  if (usage !== null && usage.remaining === 0) throw rateLimited(limit, new Date(usage.resetsAt));
  const given = readInviteReference(text, siteUrl);
  const invite = given === null ? null : await findGiven(database.db, given);
  if (invite === null) await limiter.consume(limit, caller.network, 'anyone');
  return invite;
}

async function findGiven(
  db: InvitesContext['database']['db'],
  given: NonNullable<ReturnType<typeof readInviteReference>>,
): Promise<InviteRow | null> {
  if ('code' in given) return await findInviteByCode(db, hashCode(given.code));
  const id = parseId('inv', given.id);
  return id === null ? null : await findById(db, id);
}

function isId({ siteUrl }: Needed, text: string): boolean {
  const given = readInviteReference(text, siteUrl);
  return given !== null && 'id' in given;
}

/** For who would answer a wish to join that was answered otherwise, or taken back. */
export function settledOtherwise(words: string): Error {
  return badRequest(words, { code: 'already_settled' });
}

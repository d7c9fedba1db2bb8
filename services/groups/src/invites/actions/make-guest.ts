import { create } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { badRequest, internal, isHearthError, notFound } from '@hearth/errors';
import { isMinor, snapshotOf } from '@hearth/people';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import type { GuestJoin } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Call, type Caller, callerKinds } from '@hearth/rpc';
import { findGroups, requireActive } from '../../groups/module.ts';
import type { Context } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { bandOfBirth } from '../domain/guest-age.ts';
import { atMoment } from '../domain/invite-state.ts';
import { checkJoining } from './check-joining.ts';

/** The lowest age of consent in any country. */
const leastConsentAge = 13;

export interface MadeGuest {
  facts: PersonFacts;
  caller: Caller;
  sessionToken: string;
}

/**
 * Creates the account of a guest, who joins with only a name, after checking that they can join.
 *
 * @throws bad_request as joining does
 */
export async function makeGuest(
  { clock, database, identity, ids }: Context,
  invite: InviteRow,
  { name, birthYearMonth, timeZone }: GuestJoin,
  call: Call,
): Promise<MadeGuest> {
  const now = nowDate(clock);
  const [group] = await findGroups(database.db, [invite.group], []);
  if (group === undefined) throw notFound();
  requireActive(group, now.getTime());
  const ageBand = bandOfBirth(birthYearMonth, now);
  const joiner = { ageBand, consentAge: leastConsentAge, guardians: [] };
  await checkJoining(database.db, group, atMoment(invite, now.getTime()), joiner);

  const wanted = { id: ids.uuid(), name, birthYearMonth, timeZone, app: group.app };
  const { facts, sessionToken } = await identity.createGuest(wanted, { call }).catch(asOfGuest);
  if (facts === undefined) throw internal('identity made a guest and did not say whom');
  return { facts, sessionToken, caller: asCaller(facts, call) };
}

const guestFields = new Set(['name', 'birth_year_month', 'time_zone']);

/** Renames a field that identity refused to the name that the caller used. */
function asOfGuest(error: unknown): never {
  if (!isHearthError(error) || !guestFields.has(error.details.field ?? '')) throw error;
  const { code = 'bad_field', field } = error.details;
  throw badRequest(`guest.${error.message}`, { ...error.details, code, field: `guest.${field}` });
}

/** The new guest as the caller of the rest of this request. */
function asCaller(facts: PersonFacts, { caller }: Call): Caller {
  return create(CallerSchema, {
    kind: callerKinds.PERSON,
    id: facts.id,
    address: `@${facts.handle}`,
    // Same as in a person's credential: shortened for people under 18.
    name: snapshotOf(facts).name ?? '',
    network: caller.network,
    via: caller.via,
    language: facts.language,
    guest: true,
    minor: isMinor(facts),
  });
}

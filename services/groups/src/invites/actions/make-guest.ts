import { create } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { badRequest, internal, isHearthError, notFound } from '@hearth/errors';
import { isMinor, snapshotOf } from '@hearth/people';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import type { GuestJoin } from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type Call, type Caller, callerKinds } from '@hearth/rpc';
import { requireActive } from '../../groups/actions/change-group.ts';
import { findGroups } from '../../groups/db/groups.ts';
import type { InvitesContext } from '../context.ts';
import type { InviteRow } from '../db/invites.ts';
import { bandOfBirth } from '../domain/guest-age.ts';
import { atMoment } from '../domain/invite-state.ts';
import { checkComing } from './check-joining.ts';

/** The least that the age of consent is anywhere. */
const leastConsentAge = 13;

export interface MadeGuest {
  facts: PersonFacts;
  caller: Caller;
  sessionToken: string;
}

/**
 * Makes the account of somebody who joins with a name alone. Nobody gets one who could not join: that is seen to first.
 *
 * @throws bad_request as joining does
 */
export async function makeGuest(
  { clock, database, identity, ids }: InvitesContext,
  invite: InviteRow,
  { name, birthYearMonth }: GuestJoin,
  call: Call,
): Promise<MadeGuest> {
  const now = nowDate(clock);
  const [group] = await findGroups(database.db, [invite.group], []);
  if (group === undefined) throw notFound();
  requireActive(group, now.getTime());
  const ageBand = bandOfBirth(birthYearMonth, now);
  const coming = { ageBand, consentAge: leastConsentAge, guardians: [] };
  await checkComing(database.db, group, atMoment(invite, now.getTime()), coming);

  const wanted = { id: ids.uuid(), name, birthYearMonth, app: group.app };
  const { facts, sessionToken } = await identity.people.createGuest(wanted, { call }).catch(asOfGuest);
  if (facts === undefined) throw internal('identity made a guest and did not say whom');
  return { facts, sessionToken, caller: asCaller(facts, call) };
}

const guestFields = new Set(['name', 'birth_year_month']);

/** What identity finds wrong with a field, said of the field that the caller gave. */
function asOfGuest(error: unknown): never {
  if (!isHearthError(error) || !guestFields.has(error.details.field ?? '')) throw error;
  throw badRequest(`guest.${error.message}`, { ...error.details, field: `guest.${error.details.field}` });
}

/** The guest as who does it, from here on. */
function asCaller(facts: PersonFacts, { caller }: Call): Caller {
  return create(CallerSchema, {
    kind: callerKinds.PERSON,
    id: facts.id,
    address: `@${facts.handle}`,
    // As the credentials of people give it: shortened for somebody under 18.
    name: snapshotOf(facts).name ?? '',
    network: caller.network,
    via: caller.via,
    guest: true,
    minor: isMinor(facts),
  });
}

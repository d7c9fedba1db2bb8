import type { MessageInitShape } from '@bufbuild/protobuf';
import { parseAddress, printAddress } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import { isMinor } from '@hearth/people';
import type { IdentityService, ProfileSchema } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import { isHidden } from '../../shared/actions/visibility.ts';
import { type AiRow, findAis } from '../../shared/db/ais.ts';
import { findParties } from '../../shared/db/parties.ts';
import { toPartyProfile, toPersonProfile, toProfile } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';

const most = 100;

type Profile = MessageInitShape<typeof ProfileSchema>;

/**
 * Facts about AIs and people for other services, by address or id. Includes parties of other homes that this
 * home has met; unknown addresses and ids have no profile.
 */
export const findProfiles =
  (context: Context): UnaryHandler<typeof IdentityService.method.findProfiles> =>
  async ({ addresses, ids }) => {
    if (addresses.length > most) throw badField('addresses', `must be at most ${most}`);
    if (ids.length > most) throw badField('ids', `must be at most ${most}`);
    const [byAddress, byId] = await Promise.all([
      Promise.all(addresses.map((address) => profileAt(context, address))),
      profilesWith(context, ids),
    ]);
    return { results: [...byAddress, ...byId].map((profile) => (profile === null ? {} : { profile })) };
  };

async function profileAt(context: Context, text: string): Promise<Profile | null> {
  const { ais, homeNames, people } = context;
  const address = parseAddress(text, homeNames);
  if (address === null || address.kind === 'group') return null;
  if (address.home !== undefined) {
    const [party] = await findParties(context.database.db, { addresses: [printAddress(address)] });
    return party === undefined ? null : toPartyProfile(party);
  }
  if (address.kind === 'person') {
    const facts = await people.byHandle(address.handle);
    return facts === null ? null : toPersonProfile(facts);
  }
  const canonical = printAddress(address);
  const ai = await ais.at(canonical);
  // Callers expose the result, so a private owner's handle is omitted.
  return ai === null || isHidden(ai, canonical) ? null : await profileOf(context, ai);
}

/** A child's guardians and app decide who may write to the child's AI. */
async function profileOf({ people }: Context, ai: AiRow): Promise<Profile> {
  const owner = ai.ownerMinor && ai.owner !== null ? await people.find(ai.owner) : null;
  return toProfile(ai, owner !== null && isMinor(owner) ? owner : null);
}

async function profilesWith(context: Context, ids: readonly string[]): Promise<(Profile | null)[]> {
  if (ids.length === 0) return [];
  const { database, people } = context;
  const ais = new Map((await findAis(database.db, ids.filter(isUuid))).map((ai) => [ai.id, ai]));
  const others = ids.filter((id) => isUuid(id) && !ais.has(id));
  const parties = new Map(
    (others.length === 0 ? [] : await findParties(database.db, { ids: others })).map((party) => [
      party.id,
      party,
    ]),
  );
  return await Promise.all(
    ids.map(async (id) => {
      if (!isUuid(id)) return null;
      const ai = ais.get(id);
      if (ai !== undefined) return ai.revokedAt === null ? await profileOf(context, ai) : null;
      const party = parties.get(id);
      if (party !== undefined) return toPartyProfile(party);
      const facts = await people.find(id);
      return facts === null ? null : toPersonProfile(facts);
    }),
  );
}

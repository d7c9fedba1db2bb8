import type { MessageInitShape } from '@bufbuild/protobuf';
import { parseAddress, printAddress } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import type { IdentityService, ProfileSchema } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import { isHidden } from '../../shared/actions/visibility.ts';
import { type AiRow, findAis } from '../../shared/db/ais.ts';
import { toPersonProfile, toProfile } from '../../shared/domain/to-proto.ts';
import { isUuid } from '../../shared/domain/uuid.ts';
import type { Context } from '../context.ts';

const most = 100;

type Profile = MessageInitShape<typeof ProfileSchema>;

/** What others need to know of AIs and people, by addresses and ids; what is nobody's here gives no profile. */
export function findProfiles({
  database,
  homeNames,
  lookups,
  people,
}: Context): UnaryHandler<typeof IdentityService.method.findProfiles> {
  async function profileOf(text: string): Promise<Profile | null> {
    const address = parseAddress(text, homeNames);
    if (address === null || address.home !== undefined || address.kind === 'group') return null;
    if (address.kind === 'ai') return await aiProfile(printAddress(address));
    const facts = await people.byHandle(address.handle);
    return facts === null ? null : toPersonProfile(facts);
  }

  async function aiProfile(address: string): Promise<Profile | null> {
    const ai = await lookups.aiAt(address);
    // Whoever asks tells others what they hear: the handle of a private owner leads to none of their AIs.
    return ai === null || isHidden(ai, address) ? null : await profileOfAi(ai);
  }

  async function profileOfAi(ai: AiRow): Promise<Profile> {
    // Who may write to a child's AI is said by who guards and holds the child.
    return toProfile(ai, ai.ownerMinor && ai.owner !== null ? await people.find(ai.owner) : null);
  }

  async function profilesOf(ids: readonly string[]): Promise<(Profile | null)[]> {
    if (ids.length === 0) return [];
    const ais = new Map((await findAis(database.db, ids.filter(isUuid))).map((ai) => [ai.id, ai]));
    return await Promise.all(
      ids.map(async (id) => (isUuid(id) ? await profileWithId(id, ais.get(id)) : null)),
    );
  }

  async function profileWithId(id: string, ai: AiRow | undefined): Promise<Profile | null> {
    if (ai !== undefined) return ai.revokedAt === null ? await profileOfAi(ai) : null;
    const facts = await people.find(id);
    return facts === null ? null : toPersonProfile(facts);
  }

  return async ({ addresses, ids }) => {
    if (addresses.length > most) throw badField('addresses', `must be at most ${most}`);
    if (ids.length > most) throw badField('ids', `must be at most ${most}`);
    const [byAddress, byId] = await Promise.all([Promise.all(addresses.map(profileOf)), profilesOf(ids)]);
    return { results: [...byAddress, ...byId].map((profile) => (profile === null ? {} : { profile })) };
  };
}

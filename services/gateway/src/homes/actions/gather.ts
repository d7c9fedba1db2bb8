import { isHearthError, notFound } from '@hearth/errors';
import { callerElsewhere } from '@hearth/people';
import type { CardForHome, PeekForHome } from '@hearth/proto/federation/v1/items';
import { ProfileService } from '@hearth/proto/gateway/v1/profile';
import { InviteState, InvitesService, PeekInviteResponseSchema } from '@hearth/proto/groups/v1/invites';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { CardSchema } from '@hearth/proto/identity/v1/resources';
import { writeJson } from '@hearth/proto-json';
import { anonymous, type Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';

/** Answers remote homes' requests that need facts from several services, as JSON. */
export interface Gather {
  /** The card as a stranger or the named viewer sees it. Unknown, hidden and minors' cards are not_found. */
  card(wanted: CardForHome): Promise<string>;
  /**
   * The state of an invite by its code.
   *
   * @throws not_found for a wrong code, of which each home may send a limited number
   */
  peek(wanted: PeekForHome, network: string): Promise<string>;
}

export function createGather({ limiter, peer }: Pick<Host, 'limiter' | 'peer'>): Gather {
  const profile = peer('gateway', ProfileService);
  const identity = peer('identity', IdentityService);
  const invites = peer('groups', InvitesService);

  /** Viewers unknown to this home count as strangers. */
  async function viewerOf({ home, for: address }: CardForHome): Promise<Caller> {
    const stranger = { ...anonymous, home };
    if (address === '') return stranger;
    const { results } = await identity.findProfiles({ addresses: [address] }, { caller: anonymous });
    const found = results[0]?.profile;
    return found === undefined || found.home !== home ? stranger : callerElsewhere(found);
  }

  return {
    async card(wanted) {
      const caller = await viewerOf(wanted);
      try {
        return writeJson(CardSchema, await profile.getCard({ address: wanted.address }, { caller }));
      } catch (error) {
        throw isHearthError(error) && error.kind === 'bad_request' ? notFound() : error;
      }
    },
    async peek({ home, code }, network) {
      const caller = { ...anonymous, home, network };
      const peeked = await invites.peekInvite({ code }, { caller });
      if (peeked.state !== InviteState.INVALID) return writeJson(PeekInviteResponseSchema, peeked);
      await limiter.consume('wrong_codes_a_minute', `home ${home}`, 'anyone');
      throw notFound();
    },
  };
}

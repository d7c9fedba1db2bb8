import { create } from '@bufbuild/protobuf';
import { parseAddress, printAddress } from '@hearth/addresses';
import { second } from '@hearth/clock';
import { parseId } from '@hearth/ids';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { ProfileService } from '@hearth/proto/gateway/v1/profile';
import { type Card, CardOfferSchema } from '@hearth/proto/identity/v1/resources';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { cardElsewhere } from '../actions/card-elsewhere.ts';
import type { Context } from '../context.ts';
import { offersTopic, rulesTopic } from '../domain/topics.ts';

const rulesHoldMs = 60_000;
/** A card without offers is better than none. */
const offersWithinMs = 2 * second;

/**
 * The signed card at an address, as the caller may see it, with the kinds of request that it accepts and the
 * times that it offers to anyone. A remote card is the one that strangers see there.
 */
export const getCard =
  (context: Context): UnaryHandler<typeof ProfileService.method.getCard> =>
  async ({ address }, call) => {
    const { contactRules, homeNames, identity } = context;
    const named = parseAddress(address, homeNames);
    if (named?.home !== undefined) return await cardElsewhere(context, printAddress(named), named.home, call);
    const { card, acceptsOf } = await identity.describeCard(
      { address },
      {
        call,
        onMetadata: ({ validMs, validTopics }) => {
          if (validMs > 0) call.validFor(validMs, ...validTopics);
        },
      },
    );
    const offers = card === undefined ? [] : await findOffers(context, card, call);
    const shown = card && { ...card, offers };
    if (acceptsOf === '') return await identity.signCard({ card: shown }, { call });
    const { results } = await contactRules.findAccepted({ people: [acceptsOf] }, { call });
    call.validFor(rulesHoldMs, rulesTopic(acceptsOf));
    const kinds = results[0]?.kinds ?? [];
    const accepts = kinds.length > 0 ? kinds : [RequestKind.UNSPECIFIED];
    return await identity.signCard({ card: { ...shown!, accepts } }, { call });
  };

async function findOffers({ meetings }: Context, { id }: Card, call: Call) {
  const ai = parseId('ai', id);
  if (ai === null) return [];
  call.validFor(rulesHoldMs, offersTopic(ai));
  const found = await meetings
    .findOpenOffers({ ai }, { call, timeoutMs: offersWithinMs })
    .catch(() => ({ offers: [] }));
  return found.offers.map(({ id, title, expiresAt }) =>
    create(CardOfferSchema, { id, title, ...(expiresAt && { expiresAt }) }),
  );
}

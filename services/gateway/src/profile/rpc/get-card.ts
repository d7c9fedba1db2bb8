import type { ProfileService } from '@hearth/proto/gateway/v1/profile';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { rulesTopic } from '../domain/topics.ts';

const rulesHoldMs = 60_000;

/** The signed card behind an address of this home, as the caller may see it, with the kinds of request that it accepts. */
export const getCard =
  ({ contactRules, identity }: Context): UnaryHandler<typeof ProfileService.method.getCard> =>
  async ({ address }, call) => {
    const { card, acceptsOf } = await identity.describeCard(
      { address },
      {
        call,
        onMetadata: ({ validMs, validTopics }) => {
          if (validMs > 0) call.validFor(validMs, ...validTopics);
        },
      },
    );
    if (acceptsOf === '') return await identity.signCard({ card }, { call });
    const { results } = await contactRules.findAccepted({ people: [acceptsOf] }, { call });
    call.validFor(rulesHoldMs, rulesTopic(acceptsOf));
    return await identity.signCard({ card: { ...card!, accepts: results[0]?.kinds ?? [] } }, { call });
  };

import { readLocalAddress } from '@hearth/addresses';
import { notFound } from '@hearth/errors';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import { type Caller, callerKinds, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { cardTopic } from '../events/topics.ts';
import type { Viewer } from './to-proto.ts';

/** Short, because the reach on a card changes with time alone. */
const answerHoldsMs = 60_000;

/** The signed card behind an address of this home, the present or an old one. */
export function getCard(context: Context): UnaryHandler<typeof IdentityService.method.getCard> {
  return async (request, call) => {
    const ai = await context.lookups.aiAt(readLocalAddress(request.address, 'address', context.homeNames));
    // Unknown addresses and those of AIs that were switched off look alike.
    if (ai === null) throw notFound();
    call.validFor(answerHoldsMs, cardTopic(ai.id));
    return await context.cards.cardOf(ai, viewerOf(call.caller, ai.id), call);
  };
}

function viewerOf(caller: Caller, ai: string): Viewer {
  return caller.kind === callerKinds.AI && caller.id === ai ? 'self' : 'stranger';
}

import { printId } from '@hearth/ids';
import { AiClaimedSchema, AiRevokedSchema, AiUnclaimedSchema } from '@hearth/proto/delivery/v1/app_events';
import { draft, type Selectors } from './draft.ts';

export const aiEvents: Selectors = {
  aiClaimed({ ai, status, apps, person }) {
    if (ai === undefined) return [];
    return draft(AiClaimedSchema, {
      apps,
      orderKey: ai.id,
      needs: { ais: [ai.id], people: [person, ai.owner] },
      data: (view) => ({
        ai: view.ai(ai, status),
        owner: view.personId({ id: person, minor: false }),
        status,
      }),
    });
  },
  aiUnclaimed({ ai, owner, why, apps }) {
    if (ai === undefined) return [];
    return draft(AiUnclaimedSchema, {
      apps,
      orderKey: ai.id,
      needs: { ais: [ai.id], people: [owner] },
      data: (view) => ({
        ai: view.ai(ai, 'unclaimed'),
        owner: view.personId({ id: owner, minor: false }),
        why,
      }),
    });
  },
  aiRevoked: ({ ai, owner, apps }) =>
    draft(AiRevokedSchema, {
      apps,
      orderKey: ai,
      needs: { people: [owner] },
      // The owner of a child's AI is no secret to the app that holds the child.
      data: (view) => ({
        ai: printId('ai', ai),
        ...(owner !== '' && { owner: view.personId({ id: owner, minor: false }) }),
      }),
    }),
};

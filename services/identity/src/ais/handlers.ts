import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Handlers } from '@hearth/rpc';
import type { Context } from '../directory/context.ts';
import { claimAi } from './rpc/claim-ai.ts';
import { createAi } from './rpc/create-ai.ts';
import { ensureGroupAi } from './rpc/ensure-group-ai.ts';
import { findAis } from './rpc/find-ais.ts';
import { findClaim } from './rpc/find-claim.ts';
import { getAi } from './rpc/get-ai.ts';
import { listAis } from './rpc/list-ais.ts';
import { notMyPerson } from './rpc/not-my-person.ts';
import { renewClaimLink } from './rpc/renew-claim-link.ts';
import { unvouchAi } from './rpc/unvouch-ai.ts';
import { updateAi } from './rpc/update-ai.ts';
import { vouchAi } from './rpc/vouch-ai.ts';

export type AisHandlers = Handlers<typeof AisService>;

export function aisHandlers(context: Context): AisHandlers {
  return {
    createAi: createAi(context),
    listAis: listAis(context),
    getAi: getAi(context),
    updateAi: updateAi(context),
    vouchAi: vouchAi(context),
    unvouchAi: unvouchAi(context),
    renewClaimLink: renewClaimLink(context),
    claimAi: claimAi(context),
    notMyPerson: notMyPerson(context),
    findClaim: findClaim(context),
    ensureGroupAi: ensureGroupAi(context),
    findAis: findAis(context),
  };
}

import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Handlers } from '@hearth/rpc';
import type { Context } from '../../context.ts';
import { claimAi } from './claim-ai.ts';
import { createAi } from './create-ai.ts';
import { ensureGroupAi } from './ensure-group-ai.ts';
import { findAis } from './find-ais.ts';
import { findClaim } from './find-claim.ts';
import { getAi } from './get-ai.ts';
import { listAis } from './list-ais.ts';
import { notMyPerson } from './not-my-person.ts';
import { renewClaimLink } from './renew-claim-link.ts';
import { unvouchAi } from './unvouch-ai.ts';
import { updateAi } from './update-ai.ts';
import { vouchAi } from './vouch-ai.ts';

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

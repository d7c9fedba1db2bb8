import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Idempotency } from '@hearth/requests';
import type { Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import type { Context } from '../groups/context.ts';

/** What the rpcs of invites work with beside what those of groups do. */
export interface InvitesContext extends Context {
  /** The home's own name, for whoever holds a code. */
  homeName: string;
  /** Whether the word about somebody under 18 is taken through apps as well. */
  childTaps: 'any' | 'home';
  profiles: Pick<Client<typeof IdentityService>, 'findProfiles'>;
  mail: Pick<Client<typeof DeliveryService>, 'sendMail'>;
  approvals: Pick<Client<typeof ApprovalsService>, 'askJoin' | 'settleJoin' | 'cancelJoin'>;
  /** Decides whether, and how, an invite reaches whom it is sent to. */
  rules: Pick<Client<typeof RequestRulesService>, 'checkReach'>;
  sealer: Pick<Sealer, 'seal' | 'open'>;
  /** create_invite by its request_id: the invite, and its code under seal for who asks again. */
  made: Idempotency<{ id: string; code: string }>;
}

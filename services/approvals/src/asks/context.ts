import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HomeNames } from '@hearth/addresses';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { GuardedHttp } from '@hearth/guarded-http';
import type { Ids, Random } from '@hearth/ids';
import type { Limiter, Limits } from '@hearth/limits';
import type { Outbox } from '@hearth/outbox';
import type { People } from '@hearth/people';
import type { Approval, RelabelRequestResponseSchema } from '@hearth/proto/approvals/v1/approvals';
import type { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import type { RecordsService } from '@hearth/proto/federation/v1/records';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Call, Client } from '@hearth/rpc';
import type { Sealer } from '@hearth/sealing';
import type { Logger } from '@hearth/telemetry';
import type { Reach } from '../contact-rules/actions/contact-policy.ts';
import type { RuleAction } from '../contact-rules/domain/rules.ts';
import type { RequestKindWord } from '../shared/domain/request-kinds.ts';
import type { Background } from './actions/background.ts';
import type { Gathered } from './actions/batched.ts';
import type { CallbackSender } from './actions/callback-sender.ts';

/** The other services, as far as asks need them. */
export interface Peers {
  identity: Pick<Client<typeof IdentityService>, 'findProfiles'>;
  people: Pick<Client<typeof PeopleService>, 'findPeople'>;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  groups: Pick<Client<typeof GroupsService>, 'findMembership' | 'findGroups'>;
  records: Pick<Client<typeof RecordsService>, 'keepRecord'>;
  federation: Pick<Client<typeof FederationService>, 'signWebhook'>;
  delivery: Pick<Client<typeof DeliveryService>, 'sendMail'>;
}

/** What the request rules do for asks. */
export interface Rules {
  /** Whether, and how, a sender reaches a recipient. */
  reach: Reach;
  /** The sender counts as that kind for the person from now on; what their rule for that kind does. */
  relabel(person: string, sender: string, kind: RequestKindWord): Promise<RuleAction>;
  /**
   * The same for what is no approval: a message or an invite.
   *
   * @throws not_found for what there is not
   */
  relabelOther(
    id: string,
    kind: RequestKindWord,
    call: Call,
  ): Promise<MessageInitShape<typeof RelabelRequestResponseSchema>>;
  /**
   * Passes an invite that came to the front door on to the person.
   *
   * @throws not_found for what does not wait for the caller
   */
  passInvite(id: string, note: string, call: Call): Promise<Approval>;
  /** Messages and invites that wait in a person's requests, for that person or AI of theirs. */
  countElsewhere(owner: string, person: string, call: Call): Promise<{ count: number; oldest: Date | null }>;
}

/** What the rpcs of approvals work with. */
export interface Context {
  /** How this home's addresses are told from those of others. */
  homeNames: HomeNames;
  /** Where links for people lead. */
  siteUrl: string;
  /** Whether answers about somebody under 18 are taken through apps as well. */
  childTaps: 'any' | 'home';
  clock: Clock;
  ids: Ids;
  random: Random;
  log: Pick<Logger, 'warn' | 'error'>;
  database: Database;
  outbox: Outbox;
  gathered: Gathered;
  limits: Limits;
  limiter: Limiter;
  sealer: Pick<Sealer, 'derive'>;
  people: People;
  peers: Peers;
  rules: Rules;
  http: Pick<GuardedHttp, 'check'>;
  callbacks: Pick<CallbackSender, 'kick'>;
  /** Work that nobody waits for. */
  background: Background;
}

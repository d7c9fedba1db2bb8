import type { Clock } from '@hearth/clock';
import { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { InvitesService } from '@hearth/proto/groups/v1/invites';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { OAuthService } from '@hearth/proto/identity/v1/oauth';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Reader } from '@hearth/proto-json';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { Rates } from '../limits/module.ts';
import type { AddPeoplePage } from '../pages/module.ts';
import type { Sessions } from '../sessions/module.ts';

/** What the pages ask of the services. */
export interface Peers {
  ais: Pick<Client<typeof AisService>, 'findClaim' | 'claimAi' | 'listAis' | 'updateAi'>;
  identity: Pick<Client<typeof IdentityService>, 'rotateAiKey' | 'revokeAi'>;
  oauth: Pick<Client<typeof OAuthService>, 'listGrants' | 'endGrant'>;
  people: Pick<
    Client<typeof PeopleService>,
    | 'findPeople'
    | 'getAccount'
    | 'updatePerson'
    | 'claimGuest'
    | 'deleteAccount'
    | 'keepAccount'
    | 'listLinks'
    | 'answerLink'
    | 'listChildren'
    | 'guardianView'
    | 'setGuardian'
    | 'endGuardian'
  >;
  groups: Pick<Client<typeof GroupsService>, 'listGroups' | 'getGroup'>;
  invites: Pick<
    Client<typeof InvitesService>,
    | 'peekInvite'
    | 'acceptInvite'
    | 'reviewInvite'
    | 'listWaitingForGuardian'
    | 'createInvite'
    | 'listInvites'
    | 'revokeInvite'
  >;
  activity: Pick<Client<typeof ActivityService>, 'listActivity'>;
}

export function peersOfPages({ peer }: Pick<Host, 'peer'>): Peers {
  return {
    ais: peer('identity', AisService),
    identity: peer('identity', IdentityService),
    oauth: peer('identity', OAuthService),
    people: peer('identity', PeopleService),
    groups: peer('groups', GroupsService),
    invites: peer('groups', InvitesService),
    activity: peer('delivery', ActivityService),
  };
}

/** What the pages are made with. */
export interface PeopleContext {
  addPage: AddPeoplePage;
  peers: Peers;
  /** Holds what a form says to the rules of the operation that it is for, as the API does. */
  reader: Reader;
  rates: Pick<Rates, 'spend'>;
  sessions: Pick<Sessions, 'begin'>;
  clock: Clock;
  siteUrl: string;
  /** Browsers make no passkeys for an IP address. */
  passkeys: boolean;
  /** The limits handle_change_days, old_handle_days and deletion_days. */
  days: { handleChange: number; oldHandle: number; deletion: number };
}

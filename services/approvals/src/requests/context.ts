import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Idempotency } from '@hearth/idempotency';
import type {
  ListRemoteAsksRequest,
  ListRemoteAsksResponseSchema,
} from '@hearth/proto/approvals/v1/requests';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { PartiesService } from '@hearth/proto/identity/v1/parties';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { CommonsService } from '@hearth/proto/messages/v1/commons';
import type { GroupPostsService } from '@hearth/proto/messages/v1/group_posts';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Caller, Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { ContactRules } from '../contact-rules/module.ts';
import type { Kinds } from './actions/sources.ts';

/** The asker, as the row of an ask stores it. */
export interface Asker {
  asker_kind: 'ai' | 'person' | 'home';
  /** uuid; null for a remote asker. */
  asker: string | null;
  asker_address: string;
}

export interface Deps {
  rules: ContactRules;
  /** Finds asks as their callers see them. @throws not_found */
  asks: () => {
    findVisible(reference: string, caller: Caller): Promise<{ approval: Asker & { id: string } }>;
    /** The asks of other homes that wait for the caller. */
    listRemote(
      request: ListRemoteAsksRequest,
      caller: Caller,
    ): Promise<MessageInitShape<typeof ListRemoteAsksResponseSchema>>;
  };
}

export type Context = HostParts<'config' | 'homeNames' | 'people'> &
  Deps & {
    kinds: Kinds;
    /** Idempotency of `report`. */
    idempotency: Idempotency<{ report: string }>;
    ais: Client<typeof AisService>;
    identity: Client<typeof IdentityService>;
    parties: Client<typeof PartiesService>;
    /** Not cached, since the cache of people may be older than an event. */
    facts: Client<typeof PeopleService>;
    messages: Pick<Client<typeof MessagesService>, 'findSeenMessage'>;
    commons: Pick<Client<typeof CommonsService>, 'findSeenPost'>;
    groupPosts: Pick<Client<typeof GroupPostsService>, 'findSeenGroupPost'>;
  };

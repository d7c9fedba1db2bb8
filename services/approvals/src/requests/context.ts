import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Caller, Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { ContactRules } from '../contact-rules/module.ts';
import type { Kinds } from './actions/sources.ts';

export interface Deps {
  rules: ContactRules;
  /** The asks, of which a caller may report those that they see. @throws not_found */
  asks: () => { findVisible(reference: string, caller: Caller): Promise<unknown> };
}

export type Context = HostParts<'homeNames' | 'people'> &
  Deps & {
    kinds: Kinds;
    ais: Client<typeof AisService>;
    identity: Client<typeof IdentityService>;
    /** Asked where people kept in memory may be older than an event. */
    facts: Client<typeof PeopleService>;
    messages: Pick<Client<typeof MessagesService>, 'findSeenMessage'>;
  };

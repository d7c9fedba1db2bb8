import type { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { MailsService } from '@hearth/proto/delivery/v1/mails';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';
import type { Passkeys } from './actions/passkeys.ts';

export type Context = HostParts<'config' | 'languages' | 'limiter' | 'log' | 'random' | 'sealer'> &
  Pick<IdentityParts, 'ages' | 'people'> & {
    passkeys: Passkeys;
    delivery: Pick<Client<typeof DeliveryService>, 'sendMail'>;
    mails: Pick<Client<typeof MailsService>, 'resumeMails'>;
  };

import type { Limiter } from '@hearth/limits';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { Sealer } from '@hearth/sealing';
import type { PeopleContext } from '../people/context.ts';
import { createPasskeys, type Passkeys } from './actions/passkeys.ts';

/** What the rpcs of sign-in work with. */
export interface SignInContext extends PeopleContext {
  home: string;
  sealer: Pick<Sealer, 'derive' | 'seal' | 'open'>;
  limiter: Pick<Limiter, 'consume'>;
  passkeys: Passkeys;
  delivery: Pick<Client<typeof DeliveryService>, 'sendMail'>;
}

export function createSignInContext(host: Host, people: PeopleContext): SignInContext {
  const { config, limiter, sealer } = host;
  const { home, siteUrl } = config;
  return {
    ...people,
    home,
    sealer,
    limiter,
    passkeys: createPasskeys({ siteUrl, home }),
    delivery: host.peer('delivery', DeliveryService),
  };
}

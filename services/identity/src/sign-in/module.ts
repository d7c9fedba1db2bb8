import { day } from '@hearth/clock';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { MailsService } from '@hearth/proto/delivery/v1/mails';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';
import { endedIn } from '../shared/db/ended-rows.ts';
import { claimGuest } from './actions/claim-guest.ts';
import { createPasskeys } from './actions/passkeys.ts';
import type { Context } from './context.ts';

export interface SignIns {
  /** Gives an account a sign-in, for the people module. */
  claimGuest: UnaryHandler<typeof PeopleService.method.claimGuest>;
}

/** People's sign-ins and sessions. */
export async function startSignIn(host: Host, { ages, people }: IdentityParts): Promise<SignIns> {
  const context: Context = {
    ...host,
    ages,
    people,
    passkeys: createPasskeys(host.config),
    delivery: host.peer('delivery', DeliveryService),
    mails: host.peer('delivery', MailsService),
  };
  await host.serveRpcs(SignInService, import.meta.url, context);
  await host.serveRpcs(SendSourceService, import.meta.url, context);
  host.purge(
    'purge-sign-ins',
    // How long a caller with an ended session learns that it ended.
    [30 * day, endedIn('sessions')],
    // Wrong tries count for a day, and are remembered for 90.
    [day, endedIn('email_codes')],
    [0, endedIn('passkey_challenges')],
    [0, endedIn('account_mails')],
  );
  return { claimGuest: claimGuest(context) };
}

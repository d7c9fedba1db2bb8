import { type Clock, day, hour, nowDate } from '@hearth/clock';
import type { Database } from '@hearth/db';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { Host } from '@hearth/runtime';
import { createPeopleContext } from '../people/module.ts';
import { inBatches } from '../shared/actions/in-batches.ts';
import { deleteSessionsEndedBefore } from '../shared/db/sessions.ts';
import { createSignInContext } from './context.ts';
import { deleteEmailCodesExpiredBefore } from './db/email-codes.ts';
import { deleteChallengesExpiredBefore } from './db/passkey-challenges.ts';
import { signInHandlers } from './handlers.ts';

/** People signing in, and the sessions that come of it. */
export function startSignIn(host: Host): void {
  const { clock, database } = host;
  const context = createSignInContext(host, createPeopleContext(host));
  host.serve(SignInService, signInHandlers(context));
  host.every('purge of sign-ins', hour, () => purgeSignIns(database, clock));
}

const batch = 1_000;
/** For so long whoever comes with an ended session is told that it ended. */
const sessionsKeptMs = 30 * day;

async function purgeSignIns(database: Database, clock: Clock): Promise<void> {
  const now = nowDate(clock);
  const before = new Date(now.getTime() - sessionsKeptMs);
  await inBatches(database, batch, (tx) => deleteSessionsEndedBefore(tx, before, batch));
  await inBatches(database, batch, (tx) => deleteEmailCodesExpiredBefore(tx, now, batch));
  await inBatches(database, batch, (tx) => deleteChallengesExpiredBefore(tx, now, batch));
}

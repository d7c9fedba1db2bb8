import { nowDate } from '@hearth/clock';
import type { SignInService } from '@hearth/proto/identity/v1/sign_in';
import type { UnaryHandler } from '@hearth/rpc';
import { utcDay } from '../../shared/domain/description.ts';
import { notTaken } from '../actions/passkeys.ts';
import { resumeMails } from '../actions/resume-mails.ts';
import { signIn } from '../actions/sign-in.ts';
import type { Context } from '../context.ts';
import { takeChallenge } from '../db/passkey-challenges.ts';
import { lockPasskey, updatePasskeyUse } from '../db/passkeys.ts';

/** Signs in with a passkey's signature. */
export const usePasskey =
  (context: Context): UnaryHandler<typeof SignInService.method.usePasskey> =>
  async ({ credential }, { caller }) => {
    const { clock, commit, database, passkeys } = context;
    const answer = passkeys.read(credential);
    const { challenge } = answer;
    const now = nowDate(clock);
    // In a transaction of its own: the first answer uses the challenge up, whatever its outcome.
    const waited = await database.statement((tx) =>
      takeChallenge(tx, { challenge, purpose: 'sign_in', person: null }, now),
    );
    if (!waited) throw notTaken();
    const { session, email } = await commit(async (tx) => {
      const passkey = await lockPasskey(tx, answer.id);
      if (passkey === null) throw notTaken();
      const counter = await passkeys.verify(answer, passkey);
      await updatePasskeyUse(tx, passkey.id, counter, utcDay(now));
      return await signIn(context, tx, { person: passkey.person, proof: 'passkey', caller });
    });
    await resumeMails(context, email);
    return session;
  };

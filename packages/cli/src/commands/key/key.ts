import type { HomeKey } from '@hearth/sdk';
import { importPrivateJwk, signRecord } from '@hearth/signing';
import type { CommandContext } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { minuteOf } from '../list-command.ts';
import { reasonOf } from '../reason.ts';

export const keyColumns = ['KEY', 'FOR', 'STATUS', 'FROM', 'UNTIL'];

/** A key as a row of `keyColumns`. */
export const keyRow = (key: HomeKey): string[] => [
  key.kid,
  key.uses.join(' '),
  key.status,
  minuteOf(key.not_before),
  minuteOf(key.revoked_at ?? key.not_after),
];

/** Shows a new recovery key for the operator to store. */
export function tellRecoveryKey(secret: string): string {
  return `
The home doesn't store the recovery key, and it can't be shown again. Save this line to a file, away from the home and its
backups:

${secret}`;
}

/** The recovery key of this home, from its file. */
export interface RecoveryKey {
  kid: string;
  /** Signs the home's document with the key on this machine, and publishes it. @throws Failure */
  sign(): Promise<unknown>;
}

/**
 * Reads the recovery key and checks that the home lists it before anything that needs it is done.
 *
 * @throws UsageError, Failure
 */
export async function openRecoveryKey(context: CommandContext, file: string): Promise<RecoveryKey> {
  const { deps, home } = context;
  const pair = readRecoveryKey(Buffer.from(await deps.readInput(file, 10_000)).toString(), file);
  const { keys } = await home.call('list_keys', {});
  const listed = keys.find(({ kid }) => kid === pair.kid);
  if (listed?.status !== 'active' || !listed.uses.includes('recovery')) {
    throw new Failure(`${file} contains key ${pair.kid}, which is not an active recovery key of this home`);
  }
  return {
    kid: pair.kid,
    async sign() {
      const { document } = await home.call('recover_keys', {});
      const signed = signRecord(document, { key: pair, typ: 'svc-home+jws' });
      return await home.call('recover_keys', { document: signed, ...reasonOf(context) });
    },
  };
}

function readRecoveryKey(text: string, file: string) {
  try {
    return importPrivateJwk(JSON.parse(text));
  } catch {
    // The messages of either error would show the file's content.
    throw new Failure(`${file} doesn't contain a recovery key: a JWK with its secret d, on one line`);
  }
}

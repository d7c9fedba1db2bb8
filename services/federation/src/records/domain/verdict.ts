import { Verdict } from '@hearth/proto/federation/v1/records';
import type { Verification } from '@hearth/signing';
import type { RecordKeys } from '../../homes/module.ts';

/** Returns the result of a verification, in words and in codes. */
export function verdictOn(
  { valid, kid, problems, faults }: Verification,
  { keys, unknown, lapsed }: RecordKeys,
) {
  const keyStatus = keys.find((key) => key.kid === kid)?.status;
  const named = { kid: kid ?? undefined, keyStatus };
  if (valid) return { ...named, verdict: Verdict.VALID, problems: [], notes: notesOn(keyStatus, lapsed) };
  const isMissing = kid !== null && keyStatus === undefined;
  return isMissing && unknown !== undefined
    ? { ...named, verdict: Verdict.UNKNOWN, problems: [unknown], notes: [] }
    : { ...named, verdict: Verdict.INVALID, problems, faults, notes: [] };
}

function notesOn(status: string | undefined, lapsed: string | undefined): string[] {
  const notes: string[] = [];
  if (lapsed !== undefined)
    notes.push(
      `the home's document counted until ${lapsed}: keys that it revoked since then are not known here`,
    );
  if (status === 'retired')
    notes.push(
      'the key is retired, and a thief of an old key writes old dates: rely on it only if you had it before its end',
    );
  return notes;
}

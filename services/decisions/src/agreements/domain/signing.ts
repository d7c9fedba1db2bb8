import { printId } from '@hearth/ids';
import { underAge } from '@hearth/people';
import type { AgreementRow } from '../db/agreements.ts';
import type { Side } from './agreement.ts';

/** The address of a side in what is signed: that of a child's AI would lead to the child. */
export function signedAddress({ address, minor }: Pick<Side, 'address' | 'minor'>): string {
  return minor ? underAge : address;
}

/**
 * The object over which an AI signs with a key of its own. The record of the agreement has all of it, so that every reader
 * makes it anew.
 *
 * @param home its name
 */
export function signingOf(home: string, row: AgreementRow): Record<string, string | boolean | string[]> {
  return {
    purpose: 'sign_agreement',
    home,
    agreement: printId('agr', row.id),
    title: row.title,
    terms_digest: row.terms_digest,
    sides: row.sides.map(signedAddress),
    needs_owners: row.needs_owners,
    ...(row.fulfil_by !== null && { due_at: row.fulfil_by.toISOString() }),
    issued_at: row.started_at.toISOString(),
  };
}

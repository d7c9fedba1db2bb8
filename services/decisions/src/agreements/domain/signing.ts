import { printId } from '@hearth/ids';
import { underAge } from '@hearth/people';
import type { AgreementRow } from '../db/agreements.ts';
import type { AgreementParty } from './agreement.ts';

/** The address of a side in what is signed: that of a child's AI would lead to the child. */
export function signedAddress({ address, minor }: Pick<AgreementParty, 'address' | 'minor'>): string {
  return minor ? underAge : address;
}

type Fields = Record<string, string | boolean | string[]>;
type Signed = Pick<AgreementRow, 'fulfil_by' | 'needs_owners' | 'started_at' | 'terms_digest' | 'title'>;

/**
 * The object over which an AI signs with a key of its own. The record of the agreement has all of it, so that every reader
 * makes it anew.
 *
 * @param home its name
 * @param agreement its id there
 * @param sides their addresses there
 */
export function signingOf(home: string, agreement: string, row: Signed, sides: readonly string[]): Fields {
  return {
    ...{ purpose: 'sign_agreement', home, agreement, title: row.title, terms_digest: row.terms_digest },
    ...{ sides: [...sides], needs_owners: row.needs_owners },
    ...(row.fulfil_by !== null && { due_at: row.fulfil_by.toISOString() }),
    issued_at: row.started_at.toISOString(),
  };
}

/** That of an agreement of this home. */
export function ownSigning(home: string, row: AgreementRow): Fields {
  return signingOf(home, printId('agr', row.id), row, row.sides.map(signedAddress));
}

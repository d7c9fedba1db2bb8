import { enumNames } from '@hearth/enum-names';
import { internal } from '@hearth/errors';
import { type Caller, type Proof, ProofSchema } from '@hearth/proto/common/v1/caller';
import { callerKinds } from '@hearth/rpc';

const proofs = enumNames(ProofSchema);

/**
 * The proof of a caller's word, as records and other homes read it. An AI speaks by its key. The credential of a person says
 * theirs: the call of an app for a person whom it holds counts as their tap.
 *
 * @throws internal for a person without one: their word would be without a voucher
 */
export function proofOf({ kind, proof }: Pick<Caller, 'kind' | 'proof'>): string {
  return kind === callerKinds.AI ? 'key' : personProof(proof);
}

/** The same of the word of a person. */
export function personProof(proof: Proof): string {
  const name = proofs.nameOf(proof);
  if (name === '') throw internal('a person acts, and nothing says how they gave their word');
  return name;
}
